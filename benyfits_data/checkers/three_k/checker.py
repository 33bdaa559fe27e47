"""3-K for All: free early learning."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a small child lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if thresholds.has_lowest_age:
            if member.age < thresholds.child_min_age:  # clause 2
                continue
        if member.age < thresholds.child_age:  # clause 2
            return True
    return False
