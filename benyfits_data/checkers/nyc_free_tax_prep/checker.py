"""NYC Free Tax Prep: tax returns filed without a fee."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    income,
    is_in_tax_unit,
    is_own_child,
    tax_unit_income,
    tax_unit_work_income,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a filer lives or works in the city and the income on the return is low."""
    is_of_the_city = False
    if household.place_of_residence == "New York City":  # clause 1a
        is_of_the_city = True
    else:
        for member in household.members:
            if is_in_tax_unit(household, member):  # clause 1b
                if member.works_in_nyc:  # clause 1b
                    is_of_the_city = True
    if thresholds.asks_for_city:
        if not is_of_the_city:  # clauses 1a, 1b
            return False
    amount = tax_unit_income(household)
    if thresholds.earnings_decide:
        amount = tax_unit_work_income(household)
    if thresholds.whole_household_counts:
        amount = household_income(household)
    if amount <= thresholds.limit_without_dependents:  # clause 2a
        return True
    if thresholds.any_adult_may_file:
        for member in household.members:
            if is_in_tax_unit(household, member):  # reading other-filers
                continue
            if member.age < thresholds.adult_age:  # reading other-filers
                continue
            if income(member) <= thresholds.limit_without_dependents:  # reading other-filers
                return True
    if amount > thresholds.limit_with_dependents:  # clause 2b
        return False
    for member in household.members:
        if member.dependent:  # clause 2b
            return True
        if thresholds.unclaimed_children_count:
            if is_own_child(member):  # reading children
                if member.age < thresholds.unclaimed_child_age:  # reading children
                    return True
    return False
