"""HIV/AIDS Services Administration: benefits and services."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member has been diagnosed with HIV or AIDS."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 2
            return False
    for member in household.members:
        if member.hiv_aids:  # clause 1
            return True
    return False
