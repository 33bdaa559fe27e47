"""Infant and Toddler Programs: care for a long day and the whole year."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    attends_school_or_college,
    household_income,
    household_size,
    is_child_in_care,
    lives_in_temporary_housing,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young child's parents need care, or the household's income is low."""
    has_young_child = False
    for member in household.members:
        if not is_child_in_care(member):  # clause 1
            continue
        if member.age <= thresholds.child_max_age:  # clause 1
            has_young_child = True
    if not has_young_child:  # clause 1
        return False
    size = household_size(household)
    if thresholds.low_income_suffices:
        if household_income(household) <= thresholds.income_limit[size]:  # clause 3
            return True
    elif household_income(household) > thresholds.income_limit[size]:  # clause 3
        return False
    if lives_in_temporary_housing(household):  # clause 2h
        return True
    for member in household.members:
        if member.relation != "self":  # clause 2
            if member.relation != "spouse":  # clause 2
                continue
        if member.work_hours_per_week >= thresholds.min_hours:  # clause 2a
            continue
        if member.enrolled_in_educational_training:  # clause 2b
            continue
        if member.enrolled_in_vocational_training:  # clause 2c
            continue
        if attends_school_or_college(member):  # clause 2d
            continue
        if member.attending_service_for_domestic_violence:  # clause 2f
            continue
        if member.receiving_treatment_for_substance_abuse:  # clause 2g
            continue
        if member.days_looking_for_work == 0:  # clause 2e
            return False
        if member.days_looking_for_work > thresholds.max_days_looking:  # clause 2e
            return False
    return True
