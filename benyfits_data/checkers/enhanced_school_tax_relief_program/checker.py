"""Enhanced School Tax Relief: a lower school tax for older owners."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    income,
    is_resident_partner_of_owner,
    is_resident_spouse_of_owner,
    n_owners,
    owners_are_one_couple,
    owners_are_siblings,
    resident_owners_and_spouses_income,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the home's owners are old enough, live there and have a limited income."""
    if thresholds.asks_for_state:
        if household.place_of_residence == "New Jersey":  # clause 5
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
    elif household.housing_type == "manufactured home":  # clause 2f
        is_right_kind = True
    elif household.housing_type == "farmhouse":  # clause 2g
        is_right_kind = True
    elif household.housing_type == "mixed use property":  # clause 2h
        is_right_kind = True
    if thresholds.section_213_counts:
        if household.housing_type == "Section 213 coop":  # clause 2i
            is_right_kind = True
    if thresholds.every_owned_coop_counts:
        if household.housing_type == "HDFC development":  # reading coop-kinds
            is_right_kind = True
        elif household.housing_type == "Mitchell-Lama development":  # reading coop-kinds
            is_right_kind = True
        elif household.housing_type == "limited dividend development":  # reading coop-kinds
            is_right_kind = True
        elif household.housing_type == "redevelopment company development":  # reading coop-kinds
            is_right_kind = True
    if not is_right_kind:  # clauses 2a, 2b, 2c, 2d, 2e, 2f, 2g, 2h, 2i
        return False
    an_old_owner_lives_here = False
    for member in household.members:
        if not member.is_property_owner:  # clause 1
            continue
        if not member.primary_residence:  # clause 3
            continue
        if member.age >= thresholds.min_age:  # clause 3
            an_old_owner_lives_here = True
    if not an_old_owner_lives_here:  # clause 3
        return False
    if thresholds.ties_of_owners_matter:
        counted_income = 0
        for member in household.members:
            if member.is_property_owner:  # clause 4
                counted_income += income(member)
            elif thresholds.partners_count:
                if is_resident_partner_of_owner(household, member):  # clause 4
                    counted_income += income(member)
            else:
                if is_resident_spouse_of_owner(household, member):  # reading partner-income
                    counted_income += income(member)
        if counted_income > thresholds.income_limit:  # clause 4
            return False
        if owners_are_one_couple(household):  # clause 6b
            return True
        if owners_are_siblings(household):  # clause 6c
            return True
        for member in household.members:
            if not member.is_property_owner:  # clause 6a
                continue
            if member.age < thresholds.min_age:  # clause 6a
                return False
    else:
        if resident_owners_and_spouses_income(household) > thresholds.income_limit:  # clause 4
            return False
    return True
