"""Infant and Toddler Programs: care for a long day and the whole year."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    attends_school_or_college,
    household_income,
    household_size,
    income_of_children_with_ssi,
    is_child_in_care,
    is_own_child,
    is_spouse_or_partner,
    lives_in_temporary_housing,
    minors_pay_in_parents_family,
    parents_family_income,
    parents_family_size,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young child's parents need care, or the household's income is low."""
    if not thresholds.foster_child_may_live_elsewhere:
        if thresholds.asks_for_city:
            if household.place_of_residence != "New York City":  # clause 4
                return False
    if thresholds.resources_are_limited:
        if household.available_financial_resources > thresholds.max_resources:  # clause 6
            return False
    has_young_child = False
    has_foster_child = False
    for member in household.members:
        if thresholds.own_children_only:
            if not is_own_child(member):  # reading kin
                continue
        else:
            if not is_child_in_care(member):  # clause 1
                continue
        if member.age > thresholds.child_max_age:  # clause 1
            continue
        if thresholds.newborns_wait:
            if member.age_months is not None:  # reading six-weeks
                if member.age_months < thresholds.first_month_of_care:  # reading six-weeks
                    continue
        if thresholds.foster_child_may_live_elsewhere:
            if member.citizenship == "unlawful_resident":  # clause 5
                continue
            if household.place_of_residence != "New York City":  # clause 4
                if not member.in_foster_care:  # clause 4
                    continue
        has_young_child = True
        if thresholds.foster_child_needs_no_low_income:
            if member.in_foster_care:  # clause 3
                has_foster_child = True
    if thresholds.foster_child_may_live_elsewhere:
        if not has_young_child:  # clauses 1, 4, 5
            return False
    else:
        if not has_young_child:  # clause 1
            return False
    size = parents_family_size(household)
    counted_income = parents_family_income(household)
    if thresholds.whole_household_counts:
        size = household_size(household)
        counted_income = household_income(household)
    if thresholds.minors_pay_is_left_out:
        counted_income = counted_income - minors_pay_in_parents_family(household)
    if thresholds.childs_ssi_is_left_out:
        counted_income = counted_income - income_of_children_with_ssi(household)
    has_low_income = False
    if counted_income <= thresholds.income_limit[size]:  # clause 3
        has_low_income = True
    if thresholds.foster_child_needs_no_low_income:
        if has_foster_child:  # clause 3
            has_low_income = True
    if thresholds.low_income_suffices:
        if has_low_income:  # clause 3
            return True
    elif not has_low_income:  # clause 3
        return False
    if lives_in_temporary_housing(household):  # clause 2g
        return True
    for member in household.members:
        if member.relation != "self":  # clause 2
            if thresholds.partner_is_a_parent:
                if not is_spouse_or_partner(member):  # reading parents
                    continue
            else:
                if member.relation != "spouse":  # clause 2
                    continue
        if member.work_hours_per_week >= thresholds.min_hours:  # clause 2a
            continue
        if member.enrolled_in_educational_training:  # clause 2b
            continue
        if member.enrolled_in_vocational_training:  # clause 2c
            continue
        if thresholds.school_counts_as_training:
            if attends_school_or_college(member):  # clause 2d
                continue
        if member.attending_service_for_domestic_violence:  # clause 2f
            continue
        if thresholds.substance_treatment_counts:
            if member.receiving_treatment_for_substance_abuse:  # clause 2h
                continue
        if member.days_looking_for_work == 0:  # clause 2e
            return False
        if member.days_looking_for_work > thresholds.max_days_looking:  # clause 2e
            return False
    return True
