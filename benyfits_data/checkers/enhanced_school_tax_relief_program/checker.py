"""Enhanced School Tax Relief: a lower school tax for older owners."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    n_owners,
    owners_and_resident_spouses_income,
    owners_are_one_couple,
    owners_are_siblings,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the home's owners are old enough, live there and have a limited income."""
    if n_owners(household) == 0:  # clause 1
        return False
    is_right_kind = False
    if household.housing_type == "one-family house":  # clause 2a
        is_right_kind = True
    elif household.housing_type == "two-family house":  # clause 2b
        is_right_kind = True
    elif household.housing_type == "three-family house":  # clause 2c
        is_right_kind = True
    elif household.housing_type == "condo":  # clause 2d
        is_right_kind = True
    elif household.housing_type == "cooperative apartment":  # clause 2e
        is_right_kind = True
    elif household.housing_type == "manufactured home":  # clause 2f
        is_right_kind = True
    elif household.housing_type == "farmhouse":  # clause 2g
        is_right_kind = True
    elif household.housing_type == "mixed use property":  # clause 2h
        is_right_kind = True
    if not is_right_kind:  # clauses 2a, 2b, 2c, 2d, 2e, 2f, 2g, 2h
        return False
    if owners_and_resident_spouses_income(household) > thresholds.income_limit:  # clause 5
        return False
    every_owner_is_old_enough = True
    an_old_owner_lives_here = False
    for member in household.members:
        if not member.is_property_owner:  # clause 1
            continue
        if member.age < thresholds.min_age:  # clauses 3a, 4
            every_owner_is_old_enough = False
        elif member.primary_residence:  # clause 4
            an_old_owner_lives_here = True
    if not an_old_owner_lives_here:  # clause 4
        return False
    if every_owner_is_old_enough:  # clause 3a
        return True
    if owners_are_one_couple(household):  # clause 3b
        return True
    if owners_are_siblings(household):  # clause 3c
        return True
    return False
