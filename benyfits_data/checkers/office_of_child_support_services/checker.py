"""Office of Child Support Services: child support set and collected."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import has_spouse, is_own_child


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a parent or guardian in the city brings up a child."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.responsible_for_day_to_day:  # clause 2b
            if member.legal_guardian:  # clause 2b
                return True
    if not household.applicant.responsible_for_day_to_day:  # clause 2a
        return False
    if thresholds.parents_must_be_single:
        if has_spouse(household):  # clause 2a
            return False
    for member in household.members:
        if not is_own_child(member):  # clause 2a
            continue
        if member.relation == "stepchild":  # clause 2a
            continue
        if member.age < thresholds.child_age:  # clause 2a
            return True
    return False
