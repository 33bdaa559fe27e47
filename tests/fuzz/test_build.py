import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benyfits_data.adequacy.noticed import ThoroughObjective, missing_of
from benyfits_data.adequacy.thorough import prove_rest
from benyfits_data.cli.options import DEFAULT_HOUSEHOLDS
from benyfits_data.dataset import audit_rows, digest, read_partial_rows, read_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz import build as building
from benyfits_data.fuzz.build import ask_solver, select
from benyfits_data.fuzz.corpus import Objective
from benyfits_data.fuzz.coverage import line_coverage
from benyfits_data.fuzz.sample import sample_corpus
from benyfits_data.fuzz.search.selection import Selection
from benyfits_data.fuzz.verify import check_both_answers, verify_rows
from benyfits_data.fuzz.writing import feature_counts, reproducible
from benyfits_data.language.source import Source
from tests.commands import invoke
from tests.shared import SMALL, SMALL_OPTIONS

pytestmark = pytest.mark.xdist_group("build")
"""One process builds the sets that they read."""
DEAD = [
    ("AcceleratedStudyInAssociatePrograms", "if member.gpa is not None:  # clause 5"),
    (
        "COVIDnineteenFuneralAssistance",
        "if member.covid_funeral_expense_date is not None:  # clause 2",
    ),
    ("CoolingAssistanceBenefit", "if household.ac_age_years is not None:  # clause 3b"),
]
"""What is asked of whom constraints let have no None there."""


@pytest.fixture(params=["small_set", "published_2024"])
def folder(request: pytest.FixtureRequest) -> Path:
    """A set built without plausibility, and one with it."""
    path: Path = request.getfixturevalue(request.param)
    return path


SAMPLED = {"small_set": SMALL, "published_2024": DEFAULT_HOUSEHOLDS}


@pytest.mark.slow
def test_the_manifest_tells_how_the_set_was_built(folder):
    manifest = json.loads((folder / "diverse.manifest.json").read_text())
    rows = read_rows(folder / "diverse.jsonl")
    assert manifest["name"] == "diverse"
    assert manifest["sampled"] == SAMPLED[folder.name]
    assert manifest["households"] == len(rows)
    assert manifest["pairs"] == sum(len(row.programs) for row in rows)
    counts = manifest["coverage"]
    assert set(counts) >= {"lines", "covered", "branches", "branches_covered", "unreached"}
    assert [(one["program"], one["text"]) for one in counts["dead"]] == DEAD
    branches = sum(
        len(Source.of(one.checker).branches) for one in load_edition(manifest["edition"]).values()
    )
    assert counts["branches"] == branches - len(DEAD)
    # Settled households may run elements that nobody of a small corpus ran: a pair or two more.
    certificate = manifest["selection"]["certificate"]["pairs"]
    assert certificate["bound"] <= certificate["value"] <= 1.01 * certificate["bound"]
    assert manifest["selection"]["certificate"]["seconds"] > 0
    for name in reproducible("diverse"):
        assert manifest["files"][name] == digest(folder / name)


@pytest.mark.slow
def test_every_row_is_clean_and_wants_at_most_ten_programs(folder):
    audit = audit_rows(read_partial_rows(folder / "diverse.jsonl", "ours"), None)
    assert audit.is_clean
    assert audit.compared >= 82 * audit.households
    for row in read_rows(folder / "diverse.jsonl"):
        assert 1 <= len(row.programs) <= 10
        assert row.programs == tuple(sorted(row.programs))
        assert row.eligible == {name: row.labels[name] for name in row.programs}


NOTHING = {"dead": {}, "unknown": {}}


def alone(name):
    """Return the edition that `folder` is built for, with one program."""
    edition = load_edition(2024)
    return replace(edition, programs={name: edition.program(name)})


@pytest.mark.slow
def test_a_set_without_one_of_its_pairs_is_refused(folder):
    rows = read_rows(folder / "diverse.jsonl")
    report = json.loads((folder / "diverse.coverage.json").read_text())
    name, row_id = next(
        (program, row_id)
        for row_id, programs in report["pairs"].items()
        for program, own in programs.items()
        if own and program not in dict(DEAD)
    )
    edition = alone(name)
    assert verify_rows(rows, edition, NOTHING).alone[row_id][name]
    fewer = [
        replace(row, programs=tuple(one for one in row.programs if one != name))
        if row.id == row_id
        else row
        for row in rows
    ]
    with pytest.raises(SelectionError, match=f"chosen pairs of {name} miss (line|branch) "):
        verify_rows(fewer, edition, NOTHING)


@pytest.mark.slow
def test_a_branch_that_no_pair_takes_is_missed_unless_proven_dead_and_lines_do_not_ask(folder):
    rows = read_rows(folder / "diverse.jsonl")
    name = "COVIDnineteenFuneralAssistance"
    edition = alone(name)
    (dead,) = ask_solver(sample_corpus(SMALL, edition, 0))[1]["dead"][name]
    with pytest.raises(SelectionError, match="miss branch {} to {}, which".format(*dead)):
        verify_rows(rows, edition, NOTHING)
    verify_rows(rows, edition, {"dead": {name: [dead]}, "unknown": {}})
    verify_rows(rows, edition, {"dead": {}, "unknown": {name: [dead]}})
    verify_rows(rows, edition, NOTHING, lines_only=True)
    line = Source.of(edition.program(name).checker).body_lines[0]
    with pytest.raises(SelectionError, match=f"run line {line}, which the solver has proven dead"):
        verify_rows(rows, edition, {"dead": {name: [dead, line]}, "unknown": {}})


@pytest.mark.slow
def test_a_wrong_label_is_refused(folder):
    rows = read_rows(folder / "diverse.jsonl")
    name = rows[0].programs[0]
    flipped = not rows[0].labels[name]
    rows[0] = replace(
        rows[0],
        labels={**rows[0].labels, name: flipped},
        eligible={**rows[0].eligible, name: flipped},
    )
    with pytest.raises(SelectionError, match=f"{rows[0].id} is labelled {flipped} for {name}"):
        verify_rows(rows, alone(name), NOTHING)


@pytest.mark.slow
def test_a_program_with_one_answer_only_is_refused(folder):
    rows = read_rows(folder / "diverse.jsonl")
    check_both_answers(rows, load_edition(2024))
    one_sided = [
        replace(row, programs=tuple(name for name in row.programs if not row.eligible[name]))
        for row in rows
    ]
    with pytest.raises(SelectionError, match="no pair labelled True"):
        check_both_answers(one_sided, load_edition(2024))


def test_features_read_through_measures_count_for_a_program():
    counts = dict(feature_counts(load_edition(2024)))
    assert counts["age"] > 30
    assert counts["annual_work_income"] >= counts["annual_investment_income"] > 20
    assert counts["name"] == 0


def test_a_file_of_somebody_else_is_not_replaced(tmp_path):
    (tmp_path / "diverse.jsonl").write_text("mine")
    arguments = ["diverse", "--households", "50", "--output", str(tmp_path), "--no-pictures"]
    result = invoke(*arguments)
    assert result.exit_code == 1
    assert "--overwrite" in result.output
    assert (tmp_path / "diverse.jsonl").read_text() == "mine"


@pytest.mark.slow
def test_the_paper_selection_is_one_flag_away(small_set, tmp_path):
    arguments = ["diverse", *SMALL_OPTIONS, "--method", "greedy", "--output", tmp_path]
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    manifest = json.loads((tmp_path / "diverse.manifest.json").read_text())
    exact = json.loads((small_set / "diverse.manifest.json").read_text())
    assert manifest["selection"]["method"] == "greedy"
    assert manifest["coverage"]["lines"] == exact["coverage"]["lines"]
    # Only an exact selection crosses households; a child may run a line that no sampled one runs.
    assert manifest["coverage"]["covered"] <= exact["coverage"]["covered"]
    assert manifest["pairs"] >= exact["pairs"]


@pytest.mark.slow
def test_the_solver_finds_whom_the_sample_lacks_and_proves_the_rest_dead():
    edition = load_edition(2024)
    corpus = sample_corpus(2_000, edition, 0)
    found, unreached = ask_solver(corpus)
    assert 0 < found.joined < sum(map(len, corpus.missing().values()))
    assert found.missing() == unreached["dead"]
    assert [*unreached["dead"]] == [name for name, _ in DEAD]
    assert not unreached["unknown"]
    again, _ = ask_solver(found)
    assert again is found


def test_a_reader_that_misses_an_element_does_not_hide_it():
    """What the NumPy reader calls unreached is shown by the solver, and asked of the set."""
    edition = alone("FairFaresNYC")
    corpus = sample_corpus(50, edition, 0)
    line = corpus.answers.elements["FairFaresNYC"][0]
    trace = corpus.answers.traces["FairFaresNYC"]
    trace &= ~np.uint64(1)
    assert corpus.missing()["FairFaresNYC"][0] == line
    _, unreached = ask_solver(corpus)
    assert line not in unreached["dead"].get("FairFaresNYC", ())
    with pytest.raises(SelectionError, match=f"FairFaresNYC miss .*line {line}"):
        verify_rows([], edition, unreached)


@pytest.mark.parametrize("method", ["greedy", "exact"])
def test_a_selection_that_misses_an_element_is_refused(monkeypatch, method):
    corpus, lines = sample_corpus(50, load_edition(2024), 0), Objective("lines")
    nothing = Selection(corpus.households.take(slice(0, 1)), [[0]])
    monkeypatch.setattr(building, "select_greedily", lambda coverage: [(0, 0)])
    monkeypatch.setattr(building, "select_fewest", lambda *_: nothing)
    with pytest.raises(SelectionError, match="misses elements of AcceleratedStudy"):
        select(corpus, lines.coverage(corpus), lines, method, np.random.default_rng(0))


def test_each_trace_takes_one_pair():
    corpus, traces = sample_corpus(60, load_edition(2024), 0), Objective("traces")
    selection = select(corpus, traces.coverage(corpus), traces, "exact", np.random.default_rng(0))
    n_traces = sum(len(own.classes) for own in line_coverage(corpus.coverage))
    assert sum(map(len, selection.programs)) == n_traces


@pytest.mark.slow
def test_the_solver_shows_what_a_corpus_misses():
    name = "HIVAIDSServicesAdministration"
    edition = alone(name)
    corpus = sample_corpus(3, edition, 0)
    covers = ThoroughObjective(edition)
    grown, verdicts = prove_rest(corpus, covers, 1)
    missing = missing_of(covers.coverage(grown)).get(name, [])
    assert {one.element for one in verdicts if one.status == "impossible"} == set(missing)
    assert len(verdicts) > len(missing) > 0
