"""Fair Fares NYC: half-price subway and bus rides."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size, income


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member of working age lives in the city on a low household income."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    size = household_size(household)
    if not thresholds.own_income_decides:
        if household_income(household) > thresholds.income_limit[size]:  # clause 3
            return False
    for member in household.members:
        if thresholds.own_income_decides:
            if income(member) > thresholds.income_limit[size]:  # reading whose-income
                continue
        if member.age < thresholds.min_age:  # clause 2
            continue
        if member.age > thresholds.max_age:  # clause 2
            continue
        return True
    return False
