"""NYC Free Tax Prep: tax returns filed without a fee."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_in_tax_unit, tax_unit_income


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
    if not is_of_the_city:  # clauses 1a, 1b
        return False
    if tax_unit_income(household) <= thresholds.limit_without_dependents:  # clause 2a
        return True
    if tax_unit_income(household) > thresholds.limit_with_dependents:  # clause 2b
        return False
    for member in household.members:
        if member.dependent:  # clause 2b
            return True
    return False
