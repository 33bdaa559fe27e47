"""Child care vouchers: help to pay the child care that a family chooses."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    attends_school_or_college,
    household_income,
    household_size,
    is_child_in_care,
    lives_in_temporary_housing,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether there is a young child, need, and a reason why the applicant cannot care."""
    has_child = False
    has_cash_assistance = False
    for member in household.members:
        if member.receives_cash_assistance:  # clause 2a
            has_cash_assistance = True
        if member.age < thresholds.child_age_limit:  # clause 1
            if is_child_in_care(member):  # clause 1
                has_child = True
    if not has_child:  # clause 1
        return False
    if lives_in_temporary_housing(household):  # clauses 2b, 3d
        return True
    has_reason = False
    if household.applicant.work_hours_per_week >= thresholds.min_hours:  # clause 3a
        has_reason = True
    elif household.applicant.enrolled_in_educational_training:  # clause 3b
        has_reason = True
    elif household.applicant.enrolled_in_vocational_training:  # clause 3b
        has_reason = True
    elif attends_school_or_college(household.applicant):  # clause 3b
        has_reason = True
    elif household.applicant.days_looking_for_work > 0:  # clause 3c
        has_reason = True
    elif household.applicant.attending_service_for_domestic_violence:  # clause 3e
        has_reason = True
    elif household.applicant.receiving_treatment_for_substance_abuse:  # clause 3f
        has_reason = True
    if not has_reason:  # clauses 3a, 3b, 3c, 3e, 3f
        return False
    if has_cash_assistance:  # clause 2a
        return True
    limit = thresholds.income_limit[household_size(household)]
    if household_income(household) < limit:  # clause 2c
        return True
    return False
