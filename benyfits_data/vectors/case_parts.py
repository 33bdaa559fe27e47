"""What test cases of several formats have in common: what is told beside a request, money."""

from collections.abc import Mapping
from typing import Any

from benyfits_data.household.model import Household, Member
from benyfits_data.vectors.choosing import TestVector


def describe(vector: TestVector, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the keys that every format has beside its request."""
    program = vector.program
    return {
        "program": names[program.name],
        "our_program": program.name,
        "edition": program.edition,
        "eligible": vector.explanation.eligible,
        "decided_by": list(vector.explanation.clauses),
        "says": vector.explanation.texts,
        "source": program.sources.list if program.sources else "",
        "not_expressed": vector.untold,
    }


def income_entries(member: Member, kinds: tuple[str, str], frequency: str) -> list[dict[str, Any]]:
    """Return a member's incomes a year, from work and from all else, under a format's names."""
    amounts = (member.annual_work_income, member.annual_investment_income)
    return [
        {"amount": str(amount), "type": kind, "frequency": frequency}
        for amount, kind in zip(amounts, kinds, strict=True)
        if amount
    ]


def rent_entries(household: Household) -> list[dict[str, str]]:
    """Return a household's rent as a list of expenses, empty for none."""
    rent = household.monthly_rent_spending
    return [{"amount": str(rent), "type": "Rent", "frequency": "Monthly"}] if rent else []
