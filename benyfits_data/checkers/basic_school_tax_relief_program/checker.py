"""Basic STAR: relief from school taxes for people who own the home they live in."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    income,
    is_resident_spouse_of_owner,
    resident_owners_and_spouses_income,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an owner lives in a home of a listed kind and owners' income is low enough."""
    if thresholds.asks_for_state:
        if household.place_of_residence == "New Jersey":  # clause 5
            return False
    lives_in_own_home = False
    for member in household.members:
        if not member.is_property_owner:  # clause 1
            continue
        if member.primary_residence:  # clause 3
            lives_in_own_home = True
    if not lives_in_own_home:  # clauses 1, 3
        return False
    is_listed_home = False
    if household.housing_type == "one-family house":  # clause 2a
        is_listed_home = True
    elif household.housing_type == "two-family house":  # clause 2b
        is_listed_home = True
    elif household.housing_type == "three-family house":  # clause 2c
        is_listed_home = True
    elif household.housing_type == "condo":  # clause 2d
        is_listed_home = True
    elif household.housing_type == "cooperative apartment":  # clause 2e
        is_listed_home = True
    elif household.housing_type == "manufactured home":  # clause 2f
        is_listed_home = True
    elif household.housing_type == "farmhouse":  # clause 2g
        is_listed_home = True
    elif household.housing_type == "mixed use property":  # clause 2h
        is_listed_home = True
    if thresholds.section_213_counts:
        if household.housing_type == "Section 213 coop":  # clause 2i
            is_listed_home = True
    if thresholds.every_owned_coop_counts:
        if household.housing_type == "HDFC development":  # reading coop-kinds
            is_listed_home = True
        elif household.housing_type == "Mitchell-Lama development":  # reading coop-kinds
            is_listed_home = True
        elif household.housing_type == "limited dividend development":  # reading coop-kinds
            is_listed_home = True
        elif household.housing_type == "redevelopment company development":  # reading coop-kinds
            is_listed_home = True
    if thresholds.kinds_of_homes_are_listed:
        if not is_listed_home:  # clauses 2a, 2b, 2c, 2d, 2e, 2f, 2g, 2h, 2i
            return False
    else:
        if household.tenure != "owner":  # reading homes
            return False
    counted_income = 0
    if thresholds.whole_household_counts:
        counted_income = household_income(household)
    elif thresholds.spouse_of_absent_owner_counts:
        for member in household.members:
            if not member.primary_residence:  # clause 4
                continue
            if member.is_property_owner:  # clause 4
                counted_income += income(member)
            elif is_resident_spouse_of_owner(household, member):  # clause 4
                counted_income += income(member)
    else:
        counted_income = resident_owners_and_spouses_income(household)
    if counted_income > thresholds.credit_income_limit:  # clause 4
        return False
    return True
