"""Office of Child Support Services as of 2026: parents need not be single."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_own_child


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the applicant is a parent or guardian who brings up a child."""
    if not household.applicant.responsible_for_day_to_day:  # clause 1
        return False
    if household.applicant.legal_guardian:  # clause 2b
        return True
    for member in household.members:
        if not is_own_child(member):  # clause 2a
            continue
        if member.age < thresholds.child_age:  # clause 2a
            return True
    return False
