"""Disabled Homeowners' Exemption: a lower property tax."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    income,
    n_owners,
    owners_are_one_couple,
    owners_are_siblings,
    owners_income,
    spouse_owns_home,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the home's owners are disabled, live there and have a low income."""
    if thresholds.asks_for_city:
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
    if thresholds.section_213_counts:
        if household.housing_type == "Section 213 coop":  # clause 2f
            is_right_kind = True
    if thresholds.owned_hdfc_home_counts:
        if household.housing_type == "HDFC development":  # reading coop-kinds
            is_right_kind = True
    if not is_right_kind:  # clauses 2a, 2b, 2c, 2d, 2e, 2f
        return False
    if household.in_excluded_housing_development:  # clause 6
        return False
    counted_income = owners_income(household)
    if thresholds.spouses_income_counts:
        for member in household.members:
            if not member.is_property_owner:  # reading spouse-income
                if member.relation == "spouse":  # reading spouse-income
                    if household.applicant.is_property_owner:  # reading spouse-income
                        counted_income += income(member)
                elif member.relation == "self":  # reading spouse-income
                    if spouse_owns_home(household):  # reading spouse-income
                        counted_income += income(member)
    if counted_income > thresholds.income_limit:  # clause 5
        return False
    every_owner_is_disabled = True
    the_right_owner_lives_here = False
    if thresholds.any_owner_may_live_there:
        an_owner_is_disabled = False
    for member in household.members:
        if not member.is_property_owner:  # clause 1
            continue
        if thresholds.seniors_have_the_other:
            if member.age >= thresholds.senior_age:  # reading beside-sche
                return False
        if thresholds.every_owner_must_live_there:
            if not member.primary_residence:  # reading who-resides
                return False
        if thresholds.any_owner_may_live_there:
            if member.primary_residence:  # reading who-resides
                the_right_owner_lives_here = True
        if not member.disabled:  # clauses 3a, 4
            every_owner_is_disabled = False
            continue
        if thresholds.disability_is_certified:
            if not member.receives_ssi:  # reading disability
                if not member.receives_ssdi:  # reading disability
                    if not member.receives_va_disability:  # reading disability
                        every_owner_is_disabled = False
                        continue
        if thresholds.any_owner_may_live_there:
            an_owner_is_disabled = True
        if member.primary_residence:  # clause 4
            the_right_owner_lives_here = True
    if not the_right_owner_lives_here:  # clause 4
        return False
    if thresholds.any_owner_may_live_there:
        if not an_owner_is_disabled:  # reading who-resides
            return False
    if every_owner_is_disabled:  # clause 3a
        return True
    if owners_are_one_couple(household):  # clause 3b
        return True
    if owners_are_siblings(household):  # clause 3c
        return True
    if thresholds.one_spouse_or_sibling_is_enough:
        if n_owners(household) > 1:  # reading couple-or-siblings
            for member in household.members:
                if not member.is_property_owner:  # reading couple-or-siblings
                    continue
                if member.relation == "spouse":  # reading couple-or-siblings
                    return True
                if member.relation == "sibling":  # reading couple-or-siblings
                    return True
    return False
