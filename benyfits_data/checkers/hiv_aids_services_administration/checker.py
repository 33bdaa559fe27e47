"""HIV/AIDS Services Administration: benefits and services."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member has been diagnosed with HIV or AIDS."""
    for member in household.members:
        if member.hiv_aids:  # clause 1
            return True
    return False
