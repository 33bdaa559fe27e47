"""Office of Child Support Services: child support set and collected."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import has_spouse, has_spouse_or_partner, is_own_child


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a parent or guardian in the city brings up a child."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 1
            return False
    if thresholds.guardians_must_be_single:
        if has_spouse(household):  # reading single
            return False
    for member in household.members:
        if thresholds.applicant_is_the_caregiver:
            if member.relation != "self":  # reading other-caregiver
                continue
        if member.responsible_for_day_to_day:  # clause 2b
            if member.legal_guardian:  # clause 2b
                return True
    if not household.applicant.responsible_for_day_to_day:  # clause 2a
        return False
    if thresholds.parents_must_be_single:
        if has_spouse(household):  # clause 2a
            return False
        if thresholds.partners_count_as_spouses:
            if has_spouse_or_partner(household):  # reading partner
                return False
    for member in household.members:
        if not is_own_child(member):  # clause 2a
            continue
        if thresholds.stepchildren_are_left_out:
            if member.relation == "stepchild":  # clause 2a
                continue
        if thresholds.foster_children_are_left_out:
            if member.relation == "foster child":  # reading foster
                continue
        if member.age < thresholds.child_age:  # clause 2a
            return True
    return False
