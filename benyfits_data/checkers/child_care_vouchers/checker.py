"""Child care vouchers: help with the cost of child care."""

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
    """Return whether there is a young child, need, and a reason why the parents cannot care."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 4
            return False
    if thresholds.resources_are_limited:
        if household.available_financial_resources > thresholds.max_resources:  # reading resources
            return False
    has_child = False
    has_foster_child = False
    has_cash_assistance = False
    for member in household.members:
        if member.receives_cash_assistance:  # clause 2a
            has_cash_assistance = True
        if member.age < thresholds.child_age_limit:  # clause 1
            if thresholds.own_children_only:
                if is_own_child(member):  # reading child
                    has_child = True
            else:
                if is_child_in_care(member):  # clause 1
                    has_child = True
            if thresholds.foster_child_needs_no_low_income:
                if member.in_foster_care:  # reading foster-child
                    has_foster_child = True
        elif thresholds.disability_raises_the_age:
            if member.age < thresholds.disabled_child_age:  # reading child
                if member.disabled:  # reading child
                    if is_child_in_care(member):  # reading child
                        has_child = True
    if not has_child:  # clause 1
        return False
    if lives_in_temporary_housing(household):  # clauses 2b, 3d
        return True
    for member in household.members:
        if member.relation != "self":  # clause 3
            if thresholds.partner_needs_a_reason:
                if not is_spouse_or_partner(member):  # clause 3
                    continue
            else:
                continue
        if member.work_hours_per_week >= thresholds.min_hours:  # clause 3a
            continue
        if member.enrolled_in_educational_training:  # clause 3b
            continue
        if member.enrolled_in_vocational_training:  # clause 3b
            continue
        if thresholds.school_counts_as_training:
            if attends_school_or_college(member):  # clause 3b
                continue
        if member.days_looking_for_work > 0:  # clause 3c
            continue
        if member.attending_service_for_domestic_violence:  # clause 3e
            continue
        if member.receiving_treatment_for_substance_abuse:  # clause 3f
            continue
        return False
    if has_cash_assistance:  # clause 2a
        return True
    if thresholds.foster_child_needs_no_low_income:
        if has_foster_child:  # reading foster-child
            return True
    size = parents_family_size(household)
    counted_income = parents_family_income(household)
    if thresholds.whole_household_counts:
        size = household_size(household)
        counted_income = household_income(household)
    if thresholds.minors_pay_is_left_out:
        counted_income = counted_income - minors_pay_in_parents_family(household)
    if thresholds.childs_ssi_is_left_out:
        counted_income = counted_income - income_of_children_with_ssi(household)
    if counted_income < thresholds.income_limit[size]:  # clause 2c
        return True
    return False
