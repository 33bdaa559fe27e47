"""Medicaid for Pregnant Women."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    family_income,
    family_size,
    family_size_with_unborn,
    household_income,
    household_size,
    parents_family_income,
    parents_family_size,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member is pregnant and the income fits the family with the unborn."""
    if household.place_of_residence == "New Jersey":  # clause 1
        return False
    is_pregnant = False
    for member in household.members:
        if member.weeks_pregnant is None:  # clause 3
            continue
        if thresholds.asks_for_status:
            if member.citizenship == "unlawful_resident":  # reading status
                continue
        is_pregnant = True
    if not is_pregnant:  # clause 3
        return False
    size = family_size_with_unborn(household)
    total_income = household_income(household)
    if thresholds.friends_do_not_count:
        size += family_size(household) - household_size(household)
        total_income = family_income(household)
    if thresholds.parents_family_counts:
        size += parents_family_size(household) - household_size(household)
        total_income = parents_family_income(household)
    if total_income > thresholds.income_limit[size]:  # clause 2
        return False
    return True
