"""Medicaid for Pregnant Women."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    family_income,
    family_size,
    family_size_with_unborn,
    household_income,
    household_size,
    medicaid_family_income,
    medicaid_family_size,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member is pregnant and the income fits the family with the unborn."""
    if household.place_of_residence == "New Jersey":  # clause 1
        return False
    for member in household.members:
        if member.weeks_pregnant is None:  # clause 2
            continue
        if thresholds.asks_for_status:
            if member.citizenship == "unlawful_resident":  # reading status
                continue
        if thresholds.whole_household_counts:
            size = family_size_with_unborn(household)
            if household_income(household) <= thresholds.income_limit[size]:  # reading whose-income
                return True
        elif thresholds.relatives_count:
            relatives = family_size_with_unborn(household)
            relatives += family_size(household) - household_size(household)
            most = thresholds.income_limit[relatives]
            if family_income(household) <= most:  # reading whose-income
                return True
        else:
            limit = thresholds.income_limit[medicaid_family_size(household, member)]
            if medicaid_family_income(household, member) <= limit:  # clause 3
                return True
    return False
