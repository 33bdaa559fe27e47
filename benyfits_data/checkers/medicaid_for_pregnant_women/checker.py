"""Medicaid for Pregnant Women."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import family_size_with_unborn, household_income


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member is pregnant and the income fits the family with the unborn."""
    if household.place_of_residence == "New Jersey":  # clause 1
        return False
    is_pregnant = False
    for member in household.members:
        if member.weeks_pregnant is not None:  # clause 3
            is_pregnant = True
    if not is_pregnant:  # clause 3
        return False
    family_size = family_size_with_unborn(household)
    if household_income(household) > thresholds.income_limit[family_size]:  # clause 2
        return False
    return True
