"""Workforce1 Career Centers: preparation for jobs and matches with employers."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an adult in the city may work."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 2
            continue
        if member.authorized_to_work_in_us:  # clause 3
            return True
    return False
