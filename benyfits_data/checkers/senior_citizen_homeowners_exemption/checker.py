"""Senior Citizen Homeowners' Exemption: lower property tax for older owners."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    income,
    is_resident_spouse_of_owner,
    n_owners,
    owners_are_one_couple,
    owners_are_siblings,
    owners_income,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the owners are old enough, live in the home and have a limited income."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 1
            return False
    if household.tenure != "owner":  # clause 1
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
    if thresholds.section_213_counts:
        if household.housing_type == "Section 213 coop":  # clause 2f
            is_listed_home = True
    if thresholds.developments_count:
        if household.housing_type == "HDFC development":  # reading coop-kinds
            is_listed_home = True
        elif household.housing_type == "Mitchell-Lama development":  # reading coop-kinds
            is_listed_home = True
        elif household.housing_type == "limited dividend development":  # reading coop-kinds
            is_listed_home = True
        elif household.housing_type == "redevelopment company development":  # reading coop-kinds
            is_listed_home = True
    if not is_listed_home:  # clauses 2a, 2b, 2c, 2d, 2e, 2f
        return False
    total_income = owners_income(household)
    if thresholds.spouses_income_counts:
        for member in household.members:
            if is_resident_spouse_of_owner(household, member):  # reading spouse-income
                if not member.is_property_owner:  # reading spouse-income
                    total_income += income(member)
    if total_income > thresholds.income_limit:  # clause 5
        return False
    has_long_or_earlier_claim = False
    every_owner_is_senior = True
    some_owner_is_senior = False
    for member in household.members:
        if member.months_owned_property is not None:  # clause 6a
            if member.months_owned_property >= thresholds.min_months:  # clause 6a
                has_long_or_earlier_claim = True
        if not member.is_property_owner:  # clause 1
            continue
        if not member.primary_residence:  # clause 4
            return False
        if thresholds.every_owner_needs_the_year:
            if member.months_owned_property is not None:  # reading twelve-months
                if member.months_owned_property < thresholds.min_months:  # reading twelve-months
                    if not member.had_previous_sche:  # reading twelve-months
                        return False
        if member.had_previous_sche:  # clause 6b
            has_long_or_earlier_claim = True
        if member.age >= thresholds.min_age:  # clauses 3a, 3b, 3c
            some_owner_is_senior = True
        else:
            every_owner_is_senior = False
    if not has_long_or_earlier_claim:  # clauses 6a, 6b
        return False
    if every_owner_is_senior:  # clause 3a
        return True
    if not some_owner_is_senior:  # clauses 3b, 3c
        return False
    if thresholds.any_spouse_or_sibling_is_enough:
        if n_owners(household) > 1:  # reading couple-or-siblings
            for member in household.members:
                if not member.is_property_owner:  # reading couple-or-siblings
                    continue
                if member.relation == "spouse":  # reading couple-or-siblings
                    return True
                if member.relation == "sibling":  # reading couple-or-siblings
                    return True
    if owners_are_one_couple(household):  # clause 3b
        return True
    if owners_are_siblings(household):  # clause 3c
        return True
    return False
