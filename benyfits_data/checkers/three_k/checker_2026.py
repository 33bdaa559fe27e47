"""3-K for All as of 2026: free early learning in the year before Pre-K."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a child of the right age lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.age < thresholds.child_min_age:  # clause 2
            continue
        if member.age < thresholds.child_age:  # clause 2
            return True
    return False
