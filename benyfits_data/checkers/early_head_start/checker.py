"""Early Head Start: care and learning for babies and toddlers."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    is_child_in_care,
    lives_in_temporary_housing,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young child in care lives in need of one of the kinds that count."""
    has_young_child = False
    for member in household.members:
        if not is_child_in_care(member):  # clause 1
            continue
        if member.age > thresholds.child_max_age:  # clause 1
            continue
        has_young_child = True
        if member.in_foster_care:  # clause 2d
            return True
    if not has_young_child:  # clause 1
        return False
    if lives_in_temporary_housing(household):  # clause 2a
        return True
    if thresholds.snap_qualifies:
        if household.receives_snap:  # clause 2f
            return True
    size = household_size(household)
    if household_income(household) <= thresholds.income_limit[size]:  # clause 2e
        return True
    for member in household.members:
        if member.receives_cash_assistance:  # clause 2b
            return True
        if member.receives_ssi:  # clause 2c
            return True
    return False
