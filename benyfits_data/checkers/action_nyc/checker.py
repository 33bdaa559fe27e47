"""ActionNYC: free legal help with immigration."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household lives in the city."""
    if thresholds.providers_refuse_higher_incomes:
        limit = thresholds.provider_limit[household_size(household)]
        if household_income(household) > limit:  # reading income
            return False
    if thresholds.new_yorkers_live_in_the_city:
        if household.place_of_residence != "New York City":  # clause 1
            return False
    else:
        if household.place_of_residence == "New Jersey":  # reading new-yorker
            return False
    return True
