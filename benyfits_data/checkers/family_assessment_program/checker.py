"""Family Assessment Program: help for families in conflict."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a family with a child struggles to get along."""
    if not household.struggles_to_relate:  # clause 2
        return False
    for member in household.members:
        if member.age <= thresholds.child_max_age:  # clause 1
            return True
    return False
