"""Family and Community Engagement Centers: support for families of children with disabilities."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_child_in_care, is_spouse_or_partner


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a family in the city cares for a child with a disability."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    applicant_is_a_child = False
    if thresholds.applicant_may_be_the_child:
        for member in household.members:
            if member.relation == "parent":  # clause 2
                applicant_is_a_child = True
            elif member.relation == "grandparent":  # clause 2
                applicant_is_a_child = True
    for member in household.members:
        if member.age > thresholds.child_max_age:  # clause 2
            continue
        if thresholds.any_relation_counts:
            if member.relation == "self":  # reading relation
                continue
            if is_spouse_or_partner(member):  # reading relation
                continue
        else:
            if not is_child_in_care(member):  # clause 2
                if member.relation != "self":  # clause 2
                    continue
                if not applicant_is_a_child:  # clause 2
                    continue
        if member.disabled:  # clause 2a
            return True
        if thresholds.suspected_conditions_count:
            if member.developmental_condition:  # clause 2b
                return True
    if thresholds.trainings_count:
        return True
    else:
        return False
