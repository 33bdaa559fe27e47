"""The table of incomes: every program that reads one is in it, and its page is up to date."""

from pathlib import Path

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.household.registry import names_in
from benyfits_data.upkeep.income_table import income_page, income_row

PAGE = Path(__file__).parents[2] / "docs" / "incomes.md"
NO_AMOUNT = {
    "ChildAndDependentCareTaxCredit": "asks whether something was earned",
}
"""Programs that read earnings and hold them against no amount."""


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == income_page(), (
        "docs/incomes.md is stale: python -m benyfits_data.cli.reference docs"
    )


@pytest.mark.parametrize("year", [2024, 2026])
def test_every_program_that_reads_income_has_a_row(year: int) -> None:
    for name, program in load_edition(year).programs.items():
        facts = {"annual_work_income", "annual_investment_income"}
        reads = bool(names_in(program.checker) & facts) and name not in NO_AMOUNT
        assert (income_row(program) is not None) == reads, name


def test_a_reading_that_turns_the_unit_changes_the_row() -> None:
    program = load_edition(2026).program("ChildCareVouchers")
    row, other = income_row(program), income_row(program.under("unit", "household"))
    assert row is not None
    assert other is not None
    assert "all members" in other[1]
    assert "all members" not in row[1]
    assert row[3] == "out"
