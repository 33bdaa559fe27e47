"""HomeFirst: help with the down payment on a first home."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    is_spouse_or_partner,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the applicant may buy a first home on the household's income."""
    size = household_size(household)
    if household_income(household) > thresholds.income_limit[size]:  # clause 1
        return False
    if thresholds.partner_buys_too:
        for member in household.members:
            if is_spouse_or_partner(member):  # reading buyer
                if not member.first_time_home_buyer:  # reading buyer
                    return False
    if thresholds.veterans_qualify:
        if household.applicant.first_time_home_buyer:  # clause 2a
            return True
        if household.applicant.honorable_service:  # clause 2b
            return True
    elif household.applicant.first_time_home_buyer:  # clause 2
        return True
    return False
