"""Labels of households told in part: what follows from that, and on what the others hang."""

import json
from pathlib import Path

import pytest

from benyfits_data.dataset.labelling import ToldReader
from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household
from tests.commands import invoke

TOLD = {"members": [{"age": 70}, {"relation": "spouse", "age": 68}], "tenure": "renter"}
RULES = load_edition(2026)


@pytest.fixture(scope="module")
def reader() -> ToldReader:
    return ToldReader()


def basis_of(reader: ToldReader, told: dict, possible: bool = True):  # type: ignore[no-untyped-def,type-arg]
    return reader.find_basis(told, Household.fill_in(told), RULES, possible=possible)


@pytest.mark.slow
def test_an_age_over_the_limit_proves_and_a_home_nobody_told_is_assumed(reader) -> None:  # type: ignore[no-untyped-def]
    basis = basis_of(reader, TOLD)
    assert basis["FairFaresNYC"] == ()
    assert basis["IDNYC"] == ("place_of_residence",)
    assert basis_of(reader, TOLD | {"place_of_residence": "New York City"})["IDNYC"] == ()


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"id": "a", "edition": 2026, "household": TOLD}) + "\n")
    return path


def run(*words: str) -> str:
    result = invoke(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_rows_say_on_what_each_label_hangs(rows: Path) -> None:
    row = json.loads(run("label", str(rows), "--basis"))
    assert row["basis"].keys() == row["labels"].keys()
    assert row["basis"]["FairFaresNYC"] == []
    assert row["basis"]["IDNYC"] == ["place_of_residence"]
    assert "basis" not in json.loads(run("label", str(rows)))


@pytest.mark.slow
def test_the_solver_has_the_last_word_if_asked(rows: Path) -> None:
    few = json.loads(run("label", str(rows), "--basis"))["basis"]
    more = json.loads(run("label", str(rows), "--basis", "--prove"))["basis"]
    proven = {name for name, facts in few.items() if not facts}
    assert proven <= {name for name, facts in more.items() if not facts}
    assert more["IDNYC"] == ["place_of_residence"]


def test_explanations_say_it_too(rows: Path) -> None:
    told = run("explain", str(rows), "a", "FairFaresNYC", "IDNYC")
    assert "This follows from the facts that are given, whatever the others may be." in told
    assert "This depends on facts that are not given and were assumed: place_of_residence." in told
    found = json.loads(run("explain", str(rows), "a", "FairFaresNYC", "IDNYC", "--json"))
    assert [it["hangs_on"] for it in found] == [[], ["place_of_residence"]]
