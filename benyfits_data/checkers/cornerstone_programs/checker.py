"""Cornerstone programs: community centers in public housing."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household lives in a NYCHA development."""
    if household.housing_type != "NYCHA development":  # clause 1
        return False
    return True
