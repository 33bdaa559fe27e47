"""Child care vouchers, from 2026: homelessness is no longer a need, the child has a status."""

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
    """Return whether there is a young child, need, and a reason why neither parent can care."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 4
            return False
    if thresholds.resources_are_limited:
        if household.available_financial_resources > thresholds.max_resources:  # clause 6
            return False
    has_child = False
    has_foster_child = False
    has_cash_assistance = False
    for member in household.members:
        if member.receives_cash_assistance:  # clause 2a
            has_cash_assistance = True
        if member.citizenship == "unlawful_resident":  # clause 5
            continue
        is_young_enough = False
        if member.age < thresholds.child_age_limit:  # clause 1a
            is_young_enough = True
        elif thresholds.disability_raises_the_age:
            if member.age < thresholds.disabled_child_age:  # clause 1b
                if member.disabled:  # clause 1b
                    is_young_enough = True
        if not is_young_enough:  # clauses 1a, 1b
            continue
        if thresholds.own_children_only:
            if not is_own_child(member):  # reading child
                continue
        else:
            if not is_child_in_care(member):  # clause 1
                continue
        has_child = True
        if thresholds.foster_child_needs_no_low_income:
            if member.in_foster_care:  # clause 2c
                has_foster_child = True
    if not has_child:  # clauses 1a, 1b, 5
        return False
    if not lives_in_temporary_housing(household):  # clause 3d
        for member in household.members:
            if member.relation != "self":  # clause 3
                if thresholds.partner_is_a_parent:
                    if not is_spouse_or_partner(member):  # clause 3
                        continue
                    if thresholds.partner_has_a_child:
                        if not member.is_parent:  # reading each-parent
                            continue
                else:
                    if member.relation != "spouse":  # reading each-parent
                        continue
            if member.work_hours_per_week >= thresholds.min_hours:  # clause 3a
                if thresholds.asks_for_minimum_wage:
                    if member.earns_minimum_wage:  # clause 3a
                        continue
                else:
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
        if has_foster_child:  # clause 2c
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
    if counted_income < thresholds.income_limit[size]:  # clause 2b
        return True
    return False
