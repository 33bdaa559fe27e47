"""COMPASS NYC: free activities after school."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member in the city is in any grade of school."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.current_grade is not None:  # clause 2
            return True
    return False
