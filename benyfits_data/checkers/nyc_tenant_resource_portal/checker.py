"""NYC Tenant Resource Portal: help for renters."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household rents its home in the city."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 1
            return False
    if thresholds.only_owners_are_out:
        if household.tenure == "owner":  # reading renter
            return False
    else:
        if household.tenure != "renter":  # clause 2
            return False
    return True
