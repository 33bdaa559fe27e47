"""Family Assessment Program: help for families in conflict."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_child_in_care


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a family with a child struggles to get along."""
    if not household.struggles_to_relate:  # clause 2
        return False
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 3
            return False
    lives_with_elders = False
    if thresholds.family_children_only:
        for member in household.members:
            if member.relation == "parent":  # clause 1b
                lives_with_elders = True
            elif member.relation == "grandparent":  # clause 1b
                lives_with_elders = True
            elif member.relation == "other relative":  # clause 1b
                lives_with_elders = True
    for member in household.members:
        if member.age > thresholds.child_max_age:  # clause 1
            continue
        if thresholds.family_children_only:
            if is_child_in_care(member):  # clause 1a
                return True
            if member.relation == "self":  # clause 1b
                if lives_with_elders:  # clause 1b
                    return True
        else:
            return True
    return False
