"""Newborn Home Visiting Program."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_child_in_care, is_own_child, is_spouse_or_partner


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a newborn's family is one that the program visits."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 1
            return False
    has_newborn = False
    for member in household.members:
        if thresholds.babies_of_kin_count:
            if not is_child_in_care(member):  # reading whose-baby
                continue
        else:
            if not is_own_child(member):  # clause 2a
                continue
        if member.age_months is None:  # clause 2b
            continue
        if member.age_months < thresholds.baby_months:  # clause 2b
            has_newborn = True
    if not has_newborn:  # clauses 2a, 2b
        return False
    if household.acs:  # clause 3b
        return True
    if household.housing_type == "DHS shelter":  # clause 3c
        return True
    if thresholds.goes_by_neighborhood:
        if not household.lives_in_home_visit_neighborhood:  # clauses 3a, 3d
            return False
        for member in household.members:
            if not member.first_time_parent:  # clause 3d
                continue
            if member.relation == "self":  # clause 3d
                return True
            if is_spouse_or_partner(member):  # clause 3d
                return True
    if household.housing_type == "NYCHA development":  # clause 3a
        return True
    return False
