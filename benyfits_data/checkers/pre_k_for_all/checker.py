"""Pre-K for All: free preschool."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a child of preschool age lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if thresholds.goes_by_birth_year:
            if member.age_months is None:  # clause 2
                continue
            if member.age_months < thresholds.min_months:  # clause 2
                continue
            if member.age_months > thresholds.max_months:  # clause 2
                continue
        else:
            if member.age < thresholds.min_age:  # clause 2
                continue
            if member.age > thresholds.max_age:  # clause 2
                continue
        return True
    return False
