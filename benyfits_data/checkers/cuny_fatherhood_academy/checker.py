"""CUNY Fatherhood Academy: diploma, college and work for young fathers."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import expects_a_child_with_partner


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young father lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 3
            continue
        if member.age > thresholds.max_age:  # clause 3
            continue
        if member.sex != "male":  # clause 2a
            continue
        if member.is_parent:  # clause 2b
            return True
        if thresholds.expecting_fathers_count:
            if expects_a_child_with_partner(household, member):  # clause 2b
                return True
    return False
