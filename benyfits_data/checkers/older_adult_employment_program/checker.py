"""Older Adult Employment Program: training on the job for older people."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size, income


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an older member without work lives in the city on a limited income."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    limit = thresholds.income_limit[household_size(household)]
    if not thresholds.own_income_decides:
        if household_income(household) > limit:  # clause 4
            return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 2
            continue
        if thresholds.own_income_decides:
            if income(member) > limit:  # reading whose-income
                continue
        if thresholds.asks_for_right_to_work:
            if not member.authorized_to_work_in_us:  # reading work-right
                continue
        if thresholds.unemployed_people_look:
            if member.days_looking_for_work == 0:  # reading unemployed
                continue
        if member.work_hours_per_week == 0:  # clause 3
            return True
    return False
