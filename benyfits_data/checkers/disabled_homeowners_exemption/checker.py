"""Disabled Homeowners' Exemption: a lower property tax."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    n_owners,
    owners_are_one_couple,
    owners_are_siblings,
    owners_income,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the home's owners are disabled, live there and have a low income."""
    if household.place_of_residence != "New York City":  # clause 7
        return False
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
    elif household.housing_type == "Section 213 coop":  # clause 2f
        is_right_kind = True
    if not is_right_kind:  # clauses 2a, 2b, 2c, 2d, 2e, 2f
        return False
    if household.in_excluded_housing_development:  # clause 6
        return False
    if owners_income(household) > thresholds.income_limit:  # clause 5
        return False
    every_owner_is_disabled = True
    a_disabled_owner_lives_here = False
    for member in household.members:
        if not member.is_property_owner:  # clause 1
            continue
        if not member.disabled:  # clauses 3a, 4
            every_owner_is_disabled = False
        elif member.primary_residence:  # clause 4
            a_disabled_owner_lives_here = True
    if not a_disabled_owner_lives_here:  # clause 4
        return False
    if every_owner_is_disabled:  # clause 3a
        return True
    if owners_are_one_couple(household):  # clause 3b
        return True
    if owners_are_siblings(household):  # clause 3c
        return True
    return False
