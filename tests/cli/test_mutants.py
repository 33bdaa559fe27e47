import json
from pathlib import Path
from typing import Any

import pytest

from benyfits_data.adequacy import noticed
from benyfits_data.adequacy.noticed import PAIRS
from benyfits_data.adequacy.set_comparison import ALL
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


def run(*arguments: object) -> str:
    few = ["--households", "50", "--program", "IDNYC", "--workers", "1"]
    result = invoke("mutants", *few, *arguments)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
def test_a_dataset_detects_what_its_pairs_decide_otherwise(tmp_path: Path) -> None:
    city = dataset(tmp_path / "city.jsonl", (CITY, ["IDNYC"]))
    both = dataset(tmp_path / "both.jsonl", (CITY, ["IDNYC"]), (JERSEY, ["IDNYC"]))
    other = dataset(tmp_path / "other.jsonl", (CITY, ["FairFaresNYC"]))
    content = json.loads(run("--json", str(city), str(both), str(other)))
    covered = {Path(name).stem: its["covered"] for name, its in content["datasets"].items()}
    mutants, pairs = ({name: its[kind] for name, its in covered.items()} for kind in (ALL, PAIRS))
    made = content["made"][ALL]
    assert content["datasets"][str(city)]["pairs"] == 1
    assert 0 == mutants["other"] < mutants["city"] < mutants["both"] <= made["possible"]
    assert made["made"] == made["possible"] + made["impossible"] + made["unknown"]
    assert pairs["city"] < pairs["both"] == content["made"][PAIRS]["possible"]
    assert covered["city"]["lines"] > pairs["other"] == 0


@pytest.mark.slow
def test_missed_mutants_are_listed(tmp_path: Path) -> None:
    city = dataset(tmp_path / "city.jsonl", (CITY, ["IDNYC"]))
    both = dataset(tmp_path / "both.jsonl", (CITY, ["IDNYC"]), (JERSEY, ["IDNYC"]))
    wanted = "IDNYC line"
    assert wanted in run("--missed", str(city))
    listed = run("--missed", str(both))
    assert "misses" not in listed
    assert "100.0%" in listed


@pytest.mark.slow
def test_what_one_file_shows_is_possible_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noticed, "prove_missing", lambda *_: [])
    monkeypatch.setattr(noticed, "find_witnesses", lambda *_: ((), ()))
    few = ["--households", "1", "--json"]
    city = dataset(tmp_path / "city.jsonl", (CITY, ["IDNYC"]))
    both = dataset(tmp_path / "both.jsonl", (CITY, ["IDNYC"]), (JERSEY, ["IDNYC"]))
    content = json.loads(run(*few, city, both))
    covered = [its["covered"][ALL] for its in content["datasets"].values()]
    assert covered[0] < covered[1] <= content["made"][ALL]["possible"]


@pytest.mark.slow
def test_rules_are_those_of_the_rows_unless_told(tmp_path: Path) -> None:
    old = dataset(tmp_path / "old.jsonl", (CITY, ["IDNYC"]), edition=2024)
    new = dataset(tmp_path / "new.jsonl", (CITY, ["IDNYC"]), edition=2026)
    assert "mutants of the checkers of 2026" in run(str(new))
    assert "mutants of the checkers of 2024" in run("--edition", "2024", str(old), str(new))


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
    content = json.loads(run("--json", "--format", "published", path))
    (report,) = content["datasets"].values()
    assert report["pairs"] == 1
    assert report["covered"][ALL] > 0
