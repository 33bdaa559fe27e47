"""Head Start: learning and care before kindergarten."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    is_child_in_care,
    lives_in_temporary_housing,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a child in care of the right age lives in need of one of the kinds."""
    has_child_of_age = False
    for member in household.members:
        if not is_child_in_care(member):  # clause 1
            continue
        if member.age < thresholds.min_age:  # clause 1
            continue
        if member.age > thresholds.max_age:  # clause 1
            continue
        has_child_of_age = True
        if member.in_foster_care:  # clause 2e
            return True
    if not has_child_of_age:  # clause 1
        return False
    if household.receives_snap:  # clause 2c
        return True
    if lives_in_temporary_housing(household):  # clause 2a
        return True
    size = household_size(household)
    if thresholds.income_at_limit_qualifies:
        if household_income(household) <= thresholds.income_limit[size]:  # clause 2f
            return True
    elif household_income(household) < thresholds.income_limit[size]:  # clause 2f
        return True
    for member in household.members:
        if member.receives_cash_assistance:  # clause 2b
            return True
        if member.receives_ssi:  # clause 2d
            return True
    return False
