"""Home Energy Assistance Program: help with the cost of heat."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size, yearly


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a household with a lawful member has a low income or is on assistance."""
    has_lawful_member = False
    for member in household.members:
        if member.citizenship != "unlawful_resident":  # clause 1
            has_lawful_member = True
    if not has_lawful_member:  # clause 1
        return False
    size = household_size(household)
    if household_income(household) <= yearly(thresholds.income_limit_month[size]):  # clause 2a
        return True
    if household.receives_snap:  # clause 2b
        return True
    for member in household.members:
        if member.receives_temporary_assistance:  # clause 2c
            return True
        if member.receives_ssi:  # clause 2d
            if size == 1:  # clause 2d
                return True
    return False
