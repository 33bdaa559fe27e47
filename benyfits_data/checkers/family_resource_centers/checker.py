"""Family Resource Centers: support for parents of young people with challenges."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_child_in_care, is_own_child


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a child or young adult in care has emotional or mental challenges."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 4
            return False
    lives_with_elders = False
    if thresholds.applicant_may_be_the_child:
        for member in household.members:
            if member.relation == "parent":  # clause 1c
                lives_with_elders = True
            elif member.relation == "grandparent":  # clause 1c
                lives_with_elders = True
    for member in household.members:
        if member.age > thresholds.child_max_age:  # clause 2
            continue
        if member.relation == "self":  # clauses 1a, 1b, 1c
            if not lives_with_elders:  # clause 1c
                continue
        elif not is_own_child(member):  # clauses 1a, 1b
            if not is_child_in_care(member):  # clause 1b
                continue
            if thresholds.all_kin_need_a_carer:
                if not household.applicant.responsible_for_day_to_day:  # reading minor-kin
                    if not household.applicant.legal_guardian:  # reading minor-kin
                        continue
            if thresholds.grown_kin_need_a_carer:
                if member.age >= thresholds.grown_age:  # clause 1b
                    if not household.applicant.responsible_for_day_to_day:  # clause 1b
                        if not household.applicant.legal_guardian:  # clause 1b
                            continue
        if member.emotional_behavioral_condition:  # clause 3a
            return True
        if member.mental_health_condition:  # clause 3b
            return True
    return False
