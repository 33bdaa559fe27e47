"""NYC Tenant Resource Portal: help for renters."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household rents its home."""
    if household.tenure != "renter":  # clause 1
        return False
    return True
