"""Family Resource Centers: support for parents of young people with challenges."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_child_in_care


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a child or young adult in care has emotional or mental challenges."""
    for member in household.members:
        if not is_child_in_care(member):  # clause 1
            continue
        if member.age > thresholds.child_max_age:  # clause 2
            continue
        if member.emotional_behavioral_condition:  # clause 3a
            return True
        if member.mental_health_condition:  # clause 3b
            return True
    return False
