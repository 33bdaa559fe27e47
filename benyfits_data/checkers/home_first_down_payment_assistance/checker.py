"""HomeFirst: help with the down payment on a first home."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    is_spouse_or_partner,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the applicant, or the couple, may buy a first home on a limited income."""
    size = household_size(household)
    if household_income(household) > thresholds.income_limit[size]:  # clause 1
        return False
    owned_a_home = False
    for member in household.members:
        if member.relation != "self":  # clause 2
            if thresholds.partner_buys_too:
                if not is_spouse_or_partner(member):  # clause 2
                    continue
            else:
                continue
        if thresholds.veterans_qualify:
            if member.honorable_service:  # clause 2b
                return True
            if not member.first_time_home_buyer:  # clause 2a
                owned_a_home = True
        else:
            if not member.first_time_home_buyer:  # clause 2
                owned_a_home = True
    if owned_a_home:  # clause 2
        return False
    return True
