import json
from pathlib import Path
from typing import Any

import pytest

from benyfits_data.adequacy import noticed
from benyfits_data.editions import DEFAULT_EDITION
from benyfits_data.household.model import Household
from tests.commands import invoke

CITY = {"members": [{"age": 30}], "place_of_residence": "New York City"}
JERSEY = {"members": [{"age": 30}], "place_of_residence": "New Jersey"}


def dataset(
    path: Path, *rows: tuple[dict[str, Any], list[str]], edition: int | None = None
) -> Path:
    own = {} if edition is None else {"edition": edition}
    lines = [
        {"id": f"row {at}", "household": Household.complete(**facts).facts(), "programs": programs}
        | own
        for at, (facts, programs) in enumerate(rows)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def run(folder: Path, *arguments: str) -> str:
    few = ["--households", "50", "--program", "IDNYC", "--workers", "1"]
    kept = ["--cache", str(folder / "kept")]
    result = invoke("mutants", *few, *kept, *arguments)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
def test_a_dataset_detects_what_its_pairs_decide_otherwise(tmp_path: Path) -> None:
    city = dataset(tmp_path / "city.jsonl", (CITY, ["IDNYC"]))
    both = dataset(tmp_path / "both.jsonl", (CITY, ["IDNYC"]), (JERSEY, ["IDNYC"]))
    other = dataset(tmp_path / "other.jsonl", (CITY, ["FairFaresNYC"]))
    told = json.loads(run(tmp_path, "--json", str(city), str(both), str(other)))
    figures = {Path(name).stem: report for name, report in told["datasets"].items()}
    assert figures["city"]["pairs"] == 1
    assert figures["other"]["detected"] == 0
    assert 0 < figures["city"]["detected"] < figures["both"]["detected"]
    assert figures["both"]["wrong"] == told["mutants"]["wrong"]
    pairs = {name: own["elements"]["independence pairs"] for name, own in figures.items()}
    assert pairs["city"]["covered"] < pairs["both"]["covered"] == pairs["both"]["possible"]
    assert figures["city"]["elements"]["lines"]["covered"] > pairs["other"]["covered"] == 0
    assert told["mutants"]["made"] == sum(
        told["mutants"][status] for status in ("wrong", "equivalent", "unknown")
    )


@pytest.mark.slow
def test_missed_mutants_are_listed(tmp_path: Path) -> None:
    city = dataset(tmp_path / "city.jsonl", (CITY, ["IDNYC"]))
    both = dataset(tmp_path / "both.jsonl", (CITY, ["IDNYC"]), (JERSEY, ["IDNYC"]))
    wanted = "IDNYC line"
    assert wanted in run(tmp_path, "--missed", str(city))
    listed = run(tmp_path, "--missed", str(both))
    assert "misses" not in listed
    assert "100.0%" in listed


@pytest.mark.slow
def test_what_one_file_shows_is_possible_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noticed, "prove_missing", lambda *_: [])
    few = ["--households", "1", "--json"]
    city = dataset(tmp_path / "city.jsonl", (CITY, ["IDNYC"]))
    both = dataset(tmp_path / "both.jsonl", (CITY, ["IDNYC"]), (JERSEY, ["IDNYC"]))
    told = json.loads(run(tmp_path, *few, str(city), str(both)))["datasets"]
    wrong = {Path(name).stem: report["wrong"] for name, report in told.items()}
    assert wrong["city"] == wrong["both"] > told[str(city)]["detected"]


@pytest.mark.slow
def test_tables_are_written_for_the_report(tmp_path: Path) -> None:
    city = dataset(tmp_path / "city.jsonl", (CITY, ["IDNYC"]))
    run(tmp_path, "--output", str(tmp_path), str(city))
    table = (tmp_path / "mutants.csv").read_text().splitlines()
    assert table[0].startswith("what,made,impossible,")
    assert table[-1].startswith("all mutants,")
    assert [line.split(",")[0] for line in table[1:4]] == [
        "branches",
        "independence pairs",
        "lines",
    ]
    missed = (tmp_path / "mutants.missed.csv").read_text().splitlines()
    assert all(",IDNYC,line " in line for line in missed[1:])
    assert len(missed) > 1


@pytest.mark.slow
def test_mutants_are_counted_without_a_dataset(tmp_path: Path) -> None:
    output = run(tmp_path)
    assert f"mutants of the checkers of {DEFAULT_EDITION}" in output
    assert "condition negated" in output


@pytest.mark.slow
def test_rules_are_those_of_the_rows_unless_told(tmp_path: Path) -> None:
    old = dataset(tmp_path / "old.jsonl", (CITY, ["IDNYC"]), edition=2024)
    new = dataset(tmp_path / "new.jsonl", (CITY, ["IDNYC"]), edition=2026)
    assert "mutants of the checkers of 2026" in run(tmp_path, str(new))
    assert "mutants of the checkers of 2024" in run(
        tmp_path, "--edition", "2024", str(old), str(new)
    )


def test_files_of_several_editions_are_refused(tmp_path: Path) -> None:
    old = dataset(tmp_path / "old.jsonl", (CITY, ["IDNYC"]), edition=2024)
    new = dataset(tmp_path / "new.jsonl", (CITY, ["IDNYC"]), edition=2026)
    result = invoke("mutants", old, new)
    assert result.exit_code != 0
    for told in ("2024 in", "old.jsonl", "2026 in", "new.jsonl", "--edition"):
        assert told in result.output


@pytest.mark.slow
def test_published_files_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "published.jsonl"
    member = {"features": {"age": 30, "relation": "self", "place_of_residence": "New York City"}}
    row = {"hh": {"features": {"members": [member]}}, "edge_case_programs": ["IDNYC"]}
    path.write_text(json.dumps(row) + "\n")
    told = json.loads(run(tmp_path, "--json", "--format", "published", str(path)))
    (report,) = told["datasets"].values()
    assert report["pairs"] == 1
    assert report["detected"] > 0
