import json
from pathlib import Path

import pytest

from benyfits_data.cli import cmd_prove
from benyfits_data.dataset import Row, write_rows
from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household
from benyfits_data.language import reader_agreement
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.reader_agreement import Disagreement
from benyfits_data.language.source import Source
from benyfits_data.language.z3_backend import Verdict
from tests.commands import invoke


def run(folder: Path, *arguments: str, code: int = 0) -> str:
    result = invoke("prove", *arguments, "--cache", folder / "kept")
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.slow
def test_every_element_of_a_program_gets_a_verdict_and_a_household_that_runs_it(
    tmp_path: Path,
) -> None:
    asked = ("checkers", "FairFaresNYC", "--edition", "2026", "--households", "0")
    program = load_edition(2026).program("FairFaresNYC")
    rows = json.loads(run(tmp_path, *asked, "--json"))["elements"]
    output = run(tmp_path, *asked)
    source = Source.of(program.checker)
    assert len(rows) == len(source.elements)
    assert output == "".join(
        f"2026: {len(some)} {words}: 0 covered, {len(some)} reachable, 0 dead, 0 unknown\n"
        for words, some in (("lines", source.body_lines), ("branches", source.branches))
    )
    for row in rows:
        one = row["element"]
        element = tuple(one) if isinstance(one, list) else one
        assert element in trace(program, Household.from_facts(row["household"])).elements


def test_lines_that_sampled_households_run_need_no_proof(tmp_path: Path) -> None:
    output = run(tmp_path, "checkers", "IDNYC", "--edition", "2024", "--households", "50")
    assert "2024: 3 lines: 3 covered, 0 reachable, 0 dead, 0 unknown\n" in output
    assert "2024: 2 branches: 2 covered, 0 reachable, 0 dead, 0 unknown\n" in output
    assert not (tmp_path / "kept").exists()


@pytest.mark.slow
def test_editions_are_compared(tmp_path: Path) -> None:
    output = run(tmp_path, "checkers", "FairFaresNYC", "IDNYC", "--households", "0")
    assert (
        "2024 to 2026: 1 program proven the same, 1 decide a household otherwise: FairFaresNYC "
        "(gains)"
    ) in output


def test_a_dead_line_is_named_and_exits_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = load_edition(2024).program("IDNYC")
    line = program.checker_path.read_text().splitlines().index("        return True") + 1
    dead = Verdict("IDNYC", 2024, line, "dead", None, 0.25)
    monkeypatch.setattr(cmd_prove, "_prove_elements", lambda *arguments: [dead])
    output = run(tmp_path, "checkers", "IDNYC", "--edition", "2024", code=1)
    told = f"{program.checker_path}:{line}: line {line}: return True (0.2 s)"
    assert f"dead in 2024: {told}" in output
    assert "1 lines: 0 covered, 0 reachable, 1 dead, 0 unknown" in output


def test_a_dead_branch_is_named_and_an_unknown_one_exits_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for status, code in (("dead", 0), ("unknown", 1)):
        verdict = Verdict("IDNYC", 2024, (10, 11), status, None, 0.25)
        monkeypatch.setattr(cmd_prove, "_prove_elements", lambda *_, one=verdict: [one])
        output = run(tmp_path, "checkers", "IDNYC", "--edition", "2024", code=code)
        assert f"{status} in 2024: " in output
        assert "branch 10 to 11: " in output


def test_readers_are_compared_on_as_many_pairs_as_asked() -> None:
    asked = ["prove", "readers", "IDNYC", "FairFaresNYC", "--edition", "2024", "--pairs", "101"]
    assert (
        invoke(*asked).output
        == "102 pairs: NumPy and CPython under coverage.py agree on label, lines and branches\n"
    )


def test_a_disagreement_is_printed_and_exits_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    household = Household.complete(**{"members": [{}]})
    wrong = Disagreement("IDNYC", household, 7, (True, frozenset({7})), (True, frozenset()))
    monkeypatch.setattr(reader_agreement, "compare_readers", lambda *arguments: [wrong])
    result = invoke("prove", "readers", "--pairs", "1", "IDNYC")
    assert result.exit_code == 1
    assert "readers disagree at line 7" in result.stderr


CITY, OUTSIDE = "New York City", "New York State outside the city"


def dataset(path: Path, places: list[str], edition: int = 2024) -> str:
    """Return the path of a dataset of pairs with a program that asks where people live."""
    rows = []
    for place in places:
        household, name = Household.complete([{}], place_of_residence=place), "IDNYC"
        labels = {name: load_edition(edition)[name].is_eligible(household)}
        rows.append(Row(f"r{len(rows)}", edition, household, "", (name,), labels, labels))
    write_rows(path, rows)
    return str(path)


@pytest.mark.slow
def test_a_pair_too_many_of_a_dataset_is_told(tmp_path: Path) -> None:
    few = dataset(tmp_path / "few.jsonl", [OUTSIDE, CITY])
    many = dataset(tmp_path / "many.jsonl", [OUTSIDE, CITY, CITY])
    header = "program\tpairs\tpossible\tproven\tgap\n"
    output = run(tmp_path, "fewest", few, "--households", "0", "--workers", "1")
    assert output == header + "Total\t2\t2\t2\t0\n"
    output = run(tmp_path, "fewest", many, "--households", "0", "--workers", "1")
    assert output == header + "IDNYC\t3\t2\t2\t1\nTotal\t3\t2\t2\t1\n"
    asked = ("fewest", many, "IDNYC", "--households", "50", "--workers", "1", "--json")
    told = json.loads(run(tmp_path, *asked))
    assert (told["edition"], told["objective"], told["gap"]) == (2024, "branches", 1)
    (own,) = told["programs"]
    eligible = [
        load_edition(2024)["IDNYC"].is_eligible(Household.from_facts(facts))
        for facts in own["households"]
    ]
    assert sorted(eligible) == [False, True]


def test_the_fewest_pairs_are_of_one_edition(tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.jsonl"
    lines = [
        Path(dataset(tmp_path / f"{year}.jsonl", [CITY], year)).read_text() for year in (2024, 2026)
    ]
    mixed.write_text("".join(lines))
    assert "editions 2024 and 2026" in run(tmp_path, "fewest", str(mixed), code=2)
    mixed.write_text("")
    assert "has no rows" in run(tmp_path, "fewest", str(mixed), code=2)


def test_an_unknown_program_is_refused(tmp_path: Path) -> None:
    result = invoke("prove", "checkers", "NoSuchProgram", "--households", "0")
    assert result.exit_code == 1
    assert "NoSuchProgram" in result.stderr
