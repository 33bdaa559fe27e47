"""Learn & Earn: pupils on the way to college and work."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    income,
    lives_in_temporary_housing,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city pupil who may work is a junior or senior and in need."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    has_pupil = False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 2
            continue
        if member.age > thresholds.max_age:  # clause 2
            continue
        if member.current_grade is None:  # clause 3
            continue
        if member.current_grade < thresholds.first_grade:  # clause 3
            continue
        if not member.has_ssn:  # clause 4
            continue
        if not member.authorized_to_work_in_us:  # clause 5
            continue
        if thresholds.registration_begins_at_18:
            if member.is_eligible_for_selective_service:  # clause 6
                if not member.selective_service:  # clause 6
                    continue
        else:
            if member.sex == "male":  # reading selective-service
                if not member.selective_service:  # reading selective-service
                    continue
        has_pupil = True
        if member.is_runaway:  # clause 7e
            return True
        if member.in_foster_care:  # clause 7f
            return True
        if member.foster_age_out:  # clause 7g
            return True
        if member.involved_in_justice_system:  # clause 7h
            return True
        if member.months_pregnant is not None:  # clause 7i
            return True
        if member.is_parent:  # clause 7j
            return True
        if member.disabled:  # clause 7k
            if thresholds.own_income_decides:
                if income(member) <= thresholds.income_limit[1]:  # clause 7k
                    return True
            else:
                return True
    if not has_pupil:  # clauses 2, 3, 4, 5, 6
        return False
    if household.receives_snap:  # clause 7b
        return True
    if thresholds.homeless_families_count:
        if lives_in_temporary_housing(household):  # clause 7c
            return True
    size = household_size(household)
    if household_income(household) <= thresholds.income_limit[size]:  # clause 7d
        return True
    for member in household.members:
        if member.receives_cash_assistance:  # clause 7a
            return True
    return False
