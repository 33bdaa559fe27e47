"""Commodity Supplemental Food Program: a monthly package of food for older people."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an older member lives in the state on a low household income."""
    if household.place_of_residence == "New Jersey":  # clause 2
        return False
    if household_income(household) > thresholds.income_limit[household_size(household)]:  # clause 3
        return False
    for member in household.members:
        if member.age >= thresholds.min_age:  # clause 1
            return True
    return False
