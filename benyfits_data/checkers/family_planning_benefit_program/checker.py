"""Family Planning Benefit Program: birth control and related care."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size, income, yearly


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a citizen or lawful resident of the state lives on a low household income."""
    if household.place_of_residence == "New Jersey":  # clause 1
        return False
    size = household_size(household)
    if not thresholds.own_income_decides:
        if household_income(household) > yearly(thresholds.income_limit_month[size]):  # clause 3
            return False
    for member in household.members:
        if thresholds.own_income_decides:
            if income(member) > yearly(thresholds.income_limit_month[size]):  # reading whose-income
                continue
        if member.citizenship == "unlawful_resident":  # clause 2
            continue
        if thresholds.medicaid_excludes:
            if member.receives_medicaid:  # clause 4
                continue
        return True
    return False
