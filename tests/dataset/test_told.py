"""Labels of households told in part: what follows from that, and on what the others hang."""

import json
from pathlib import Path

import pytest

import benyfits_data as bd
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


@pytest.mark.slow
def test_other_values_of_the_facts_a_label_hangs_on_can_change_it(reader) -> None:  # type: ignore[no-untyped-def]
    household = Household.complete(**TOLD)
    changed = 0
    for program, facts in basis_of(reader, TOLD).items():
        label = RULES[program](household)
        for fact in facts:
            name = fact.rpartition(".")[2]
            position = int(fact[8]) if fact.startswith("members") else None
            for value in (True, False, 0, 30_000, 900_000, "elsewhere", "homeless"):
                told = json.loads(json.dumps(TOLD))
                (told if position is None else told["members"][position])[name] = value
                try:
                    other = Household.complete(**told)
                except bd.BenyfitsError:
                    continue
                changed += RULES[program](other) is not label
    assert changed > 10


def test_a_household_that_cannot_exist_is_read_without_constraints(reader) -> None:  # type: ignore[no-untyped-def]
    told = {"members": [{"age": 3, "annual_work_income": 900_000}]}
    basis = basis_of(reader, told, possible=False)
    assert basis["FairFaresNYC"] == ()


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
def test_tables_have_a_column_for_it(rows: Path, tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    run("label", str(rows), "--basis", "--output", str(table))
    header, line = table.read_text().splitlines()
    assert header.endswith(",assumed,basis")
    assert "IDNYC: place_of_residence" in line
    assert "FairFaresNYC:" not in line


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


def test_the_library_gives_a_frame() -> None:
    found = bd.label_told(RULES, [TOLD, {"members": [{"age": 30}]}])
    assert found.shape == (2 * len(RULES), 3)
    assert found.loc[(0, "FairFaresNYC")].tolist() == [False, True, []]
    assert found.loc[(1, "FairFaresNYC")].tolist()[:2] == [True, False]
    with pytest.raises(bd.BenyfitsError):
        bd.label_told(RULES, [{"members": [{"agee": 30}]}])
