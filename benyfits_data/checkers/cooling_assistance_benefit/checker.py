"""Cooling Assistance Benefit: an air conditioner for households that heat can harm."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size, yearly


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether heat can harm a member, cooling is lacking and money is short."""
    if thresholds.asks_for_state:
        if household.place_of_residence == "New Jersey":  # clause 6
            return False
    if thresholds.somebody_has_a_number:
        nobody_has_a_number = True
        for member in household.members:
            if member.has_ssn:  # reading number
                nobody_has_a_number = False
        if nobody_has_a_number:  # reading number
            return False
    can_be_harmed = False
    has_lawful_member = False
    for member in household.members:
        if member.heat_exacerbated_condition:  # clause 1a
            can_be_harmed = True
        elif member.age >= thresholds.elder_age:  # clause 1b
            can_be_harmed = True
        elif member.age < thresholds.child_age:  # clause 1c
            can_be_harmed = True
        if member.citizenship != "unlawful_resident":  # clause 2
            has_lawful_member = True
    if not can_be_harmed:  # clauses 1a, 1b, 1c
        return False
    if not has_lawful_member:  # clause 2
        return False
    if household.ac:  # clause 3a
        if household.ac_age_years is not None:  # clause 3b
            if household.ac_age_years < thresholds.ac_age:  # clause 3b
                return False
    if household.got_heap_ac is not None:  # clause 4a
        if household.got_heap_ac < thresholds.heap_ac_wait:  # clause 4b
            return False
        if thresholds.the_wait_must_be_over:
            if household.got_heap_ac == thresholds.heap_ac_wait:  # reading five-years
                return False
    if household.receives_snap:  # clause 5a
        return True
    for member in household.members:
        if member.receives_temporary_assistance:  # clause 5b
            return True
        if thresholds.any_ssi_counts:
            if member.receives_ssi:  # reading ssi
                return True
    if household_size(household) == 1:  # clause 5c
        if household.applicant.receives_ssi:  # clause 5c
            return True
    if thresholds.subsidized_home_suffices:
        if household.heat_included_in_rent:  # clause 5e
            if household.housing_type == "NYCHA development":  # clause 5e
                return True
            if household.housing_type == "Section 8":  # clause 5e
                return True
            if thresholds.any_subsidy_counts:
                if household.receives_fpha:  # reading subsidized
                    return True
                if household.receives_housing_assistance:  # reading subsidized
                    return True
    limit = thresholds.income_limit_month[household_size(household)]
    if household_income(household) <= yearly(limit):  # clause 5d
        return True
    return False
