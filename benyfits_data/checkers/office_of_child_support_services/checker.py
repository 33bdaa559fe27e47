"""Office of Child Support Services: child support set and collected."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import has_spouse, is_own_child


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the applicant is a single parent or guardian who brings up a child."""
    if not household.applicant.responsible_for_day_to_day:  # clause 1
        return False
    if household.applicant.legal_guardian:  # clause 2b
        return True
    if thresholds.parents_must_be_single:
        if has_spouse(household):  # clause 2a
            return False
    for member in household.members:
        if not is_own_child(member):  # clause 2a
            continue
        if member.age < thresholds.child_age:  # clause 2a
            return True
    return False
