"""NYC Financial Empowerment Centers: free advice on money."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an adult lives or works in the city."""
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 1
            continue
        if household.place_of_residence == "New York City":  # clause 2a
            return True
        if member.works_in_nyc:  # clause 2b
            return True
    return False
