"""Lifeline: a lower bill for phone or internet."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size, income


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household receives one of five benefits or has a low income."""
    if thresholds.somebody_has_a_number:
        nobody_has_a_number = True
        for member in household.members:
            if member.has_ssn:  # reading number
                nobody_has_a_number = False
        if nobody_has_a_number:  # reading number
            return False
    if household.receives_snap:  # clause 1
        return True
    if household.receives_fpha:  # clause 4
        return True
    size = household_size(household)
    if not thresholds.own_income_decides:
        if household_income(household) <= thresholds.income_limit[size]:  # clause 6
            return True
    for member in household.members:
        if thresholds.own_income_decides:
            if income(member) <= thresholds.income_limit[size]:  # reading whose-income
                return True
        if member.receives_ssi:  # clause 2
            return True
        if member.receives_medicaid:  # clause 3
            return True
        if member.receives_vpsb:  # clause 5
            return True
    return False
