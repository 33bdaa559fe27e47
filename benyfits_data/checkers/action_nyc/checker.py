"""ActionNYC: free legal help with immigration."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    return True
