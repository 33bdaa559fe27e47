"""Kindergarten and elementary school: a place in kindergarten."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a child of kindergarten age lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if thresholds.beginners_only:
            if member.current_grade is not None:  # reading already-in-school
                continue
        if member.age < thresholds.min_age:  # clause 2
            continue
        if member.age <= thresholds.max_age:  # clause 2
            return True
    return False
