"""`benyfits-data par` prints floors and writes only what it is told to."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benyfits_data.dataset import Row, read_rows, write_rows
from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household
from benyfits_data.par import (
    compute_par,
    par_file,
    par_path,
    read_par,
    row_digest,
    summarize_par,
)
from tests.commands import invoke

PROGRAMS = ("FairFaresNYC", "IDNYC")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENYFITS_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    edition, rows = load_edition(2026), []
    for number, age in enumerate((70, 30)):
        home = Household.complete(
            members=[{"age": age, "annual_work_income": 9_000}, {"relation": "child", "age": 5}]
            if age < 60
            else [{"age": age}]
        )
        eligible = {name: edition.program(name).is_eligible(home) for name in PROGRAMS}
        rows.append(Row(f"r{number}", 2026, home, "Text.", PROGRAMS, eligible, eligible))
    path = tmp_path_factory.mktemp("par") / "two.jsonl"
    write_rows(path, rows)
    return path


def run(*arguments: object) -> str:
    done = invoke("par", *arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.slow
def test_a_table_ends_with_mean_median_and_largest(file: Path) -> None:
    before = sorted(file.parent.iterdir())
    lines = [line.split("\t") for line in run(file, "--workers", 1, "--check").splitlines()]
    assert lines[0] == ["row", "members", "programs", "par"]
    assert [line[0] for line in lines[1:]] == ["r0", "r1", "mean", "median", "max"]
    assert lines[1] == ["r0", "1", "2", "3"]
    assert sorted(file.parent.iterdir()) == before


@pytest.mark.slow
def test_floors_are_written_beside_the_set_and_read_again(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "two.jsonl"
    copied.write_bytes(file.read_bytes())
    told = json.loads(run(copied, "--json", "--write", "--workers", 1))
    rows, known = read_rows(copied), read_par(par_path(copied))
    assert {row.id: known[row_digest(row)].turns for row in rows} == told["rows"]
    assert told["par"] == summarize_par(known.values())
    assert compute_par(rows, 2) == known
    # What is known is not computed again.
    monkeypatch.setattr("benyfits_data.par.compute_par", None)
    assert json.loads(run(copied, "--json")) == told


def test_floors_of_rules_before_a_correction_are_not_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition, (row, _) = load_edition(2026), read_rows(file)
    assert edition.record
    corrected = replace(edition, record=replace(edition.record, digest="other"))
    digests = set()
    for rules in (edition, corrected, replace(edition, record=None)):
        monkeypatch.setattr(par_file, "load_edition", lambda year, rules=rules: rules)
        par_file._rules_digest.cache_clear()
        digests.add(row_digest(row))
    par_file._rules_digest.cache_clear()
    assert len(digests) == 3


def test_a_set_without_rows_has_no_par(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", encoding="utf-8")
    assert json.loads(run(empty, "--json")) == {"rows": {}, "par": {}}
    assert run(empty).splitlines() == ["row\tmembers\tprograms\tpar"]


@pytest.mark.parametrize(
    "fault",
    [
        {"questions": {"one": ["members"]}},
        {"par": 3},
        {"par": {"one": 1}},
        {"questions": "m"},
        {"questions": [1]},
        {"of": None},
        {"id": 3},
    ],
)
def test_lines_that_tell_no_floors_are_refused(
    file: Path, tmp_path: Path, fault: dict[str, object]
) -> None:
    copied = tmp_path / "two.jsonl"
    copied.write_bytes(file.read_bytes())
    told = {"id": "r0", "of": "0", "par": 1, "questions": ["members"]}
    par_path(copied).write_text(json.dumps(told) + "\n", encoding="utf-8")
    assert len(read_par(par_path(copied))) == 1
    par_path(copied).write_text(json.dumps(told | fault) + "\n", encoding="utf-8")
    done = invoke("par", copied)
    assert done.exit_code == 1
    assert "expected id, of, a number par and as many questions" in done.output + done.stderr
