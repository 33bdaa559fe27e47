"""Early Intervention Program: help for babies and toddlers."""

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
        if member.age <= thresholds.max_age:  # clause 2
            return True
    return False
