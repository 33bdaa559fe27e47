"""`benyfits-data explain`: a household of a dataset, one program, the clauses in words."""

from pathlib import Path

import pytest

from benyfits_data.dataset import Row, write_rows
from benyfits_data.household.model import Household
from tests.commands import invoke


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A dataset of two households."""
    members = [
        {"name": "Ana", "age": 80, "annual_work_income": 18_000},
        {"name": "Ben", "relation": "grandchild", "age": 8},
    ]
    path = tmp_path / "two.jsonl"
    poor, rich = [{"members": members}, {"members": [{"age": 30, "annual_work_income": 90_000}]}]
    write_rows(
        path,
        [
            Row(f"two-{number}", 2024, Household.complete(**facts), "", ("FairFaresNYC",), {}, {})
            for number, facts in enumerate((poor, rich))
        ],
    )
    return path


def explained(dataset: Path, identifier: str, *more: str) -> str:
    arguments = ["explain", str(dataset), identifier, "FairFaresNYC", *more]
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_deciding_clause_is_told_with_values_thresholds_and_its_text(dataset: Path) -> None:
    lines = explained(dataset, "two-1").splitlines()
    assert lines[0] == "two-1, Fair Fares NYC (2024): not eligible, decided by clause 3."
    assert lines[2].startswith("Clause 3: The yearly income of the whole household")
    assert lines[3:] == [
        "  The yearly income before taxes of all members: $90,000, more than $18,072, the income "
        "limit for a household size of 1."
    ]


def test_every_condition_is_printed_on_demand_with_a_star_where_it_decided(dataset: Path) -> None:
    assert "Ana:" not in explained(dataset, "two-0").splitlines()
    lines = explained(dataset, "two-0", "--all").splitlines()
    ana, ben = lines.index("Ana:"), lines.index("Ben:")
    old = "Ana's age: 80 years, more than"
    assert lines[ana + 1] == f"    clause 2  {old} 18 years."
    assert lines[ana + 2] == f"  * clause 2  {old} 64 years."
    assert lines[ben + 1] == "  * clause 2  Ben's age: 8 years, less than 18 years."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["two-9", "FairFaresNYC"], "has no household 'two-9', but two-0 to two-1"),
        (["two-0", "FairFare"], "Did you mean FairFaresNYC?"),
    ],
)
def test_an_unknown_household_or_program_is_a_clear_error(
    dataset: Path, arguments: list[str], message: str
) -> None:
    result = invoke("explain", dataset, *arguments)
    assert result.exit_code == 1
    assert message in result.stderr
