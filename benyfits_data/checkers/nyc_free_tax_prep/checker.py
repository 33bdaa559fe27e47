"""NYC Free Tax Prep: tax returns filed without a fee."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import tax_unit_income


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the income of the tax unit is low enough with or without dependents."""
    if tax_unit_income(household) <= thresholds.limit_without_dependents:  # clause 1
        return True
    if tax_unit_income(household) > thresholds.limit_with_dependents:  # clause 2b
        return False
    for member in household.members:
        if member.dependent:  # clause 2a
            return True
    return False
