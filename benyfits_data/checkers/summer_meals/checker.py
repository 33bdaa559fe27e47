"""Summer Meals: free meals while school is out."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member is young enough."""
    for member in household.members:
        if member.age <= thresholds.max_age:  # clause 1
            return True
    return False
