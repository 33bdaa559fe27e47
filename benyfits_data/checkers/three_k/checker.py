"""3-K for All: free early learning."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_child_in_care


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a small child lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if thresholds.child_is_in_care:
            if not is_child_in_care(member):  # reading whose-child
                continue
        if thresholds.goes_by_birth_year:
            if member.age_months is None:  # clause 2
                continue
            if member.age_months < thresholds.min_months:  # clause 2
                continue
            if member.age_months > thresholds.max_months:  # clause 2
                continue
        else:
            if thresholds.youngest_are_left_out:
                if member.age < thresholds.lowest_age:  # reading ages
                    continue
            if member.age >= thresholds.child_age:  # clause 2
                continue
        return True
    return False
