"""Train & Earn: job training for young people out of school and work."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    lives_in_temporary_housing,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young person out of school and work has one of the listed needs."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    household_is_in_need = False
    has_low_income = False
    total_income = household_income(household)
    if thresholds.takes_weak_skills:
        if total_income < thresholds.income_limit[household_size(household)]:  # clause 7b
            has_low_income = True
    else:
        if total_income <= thresholds.income_limit[household_size(household)]:  # clause 7b
            has_low_income = True
    if household.receives_snap:  # clause 7a
        household_is_in_need = True
    elif lives_in_temporary_housing(household):  # clause 7c
        household_is_in_need = True
    else:
        for member in household.members:
            if member.receives_cash_assistance:  # clause 7d
                household_is_in_need = True
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 2
            continue
        if member.age > thresholds.max_age:  # clause 2
            continue
        if member.work_hours_per_week > 0:  # clause 3
            continue
        if thresholds.asks_for_right_to_work:
            if not member.authorized_to_work_in_us:  # reading work-right
                continue
        if member.current_school_level != "none":  # clause 4
            if thresholds.learners_may_study:
                if member.high_school_equivalent == "no diploma":  # reading school
                    continue
                if member.proficient_in_english_reading_and_writing:  # reading school
                    continue
            else:
                continue
        if member.is_eligible_for_selective_service:  # clause 5
            if not member.selective_service:  # clause 5
                continue
        if member.high_school_equivalent != "no diploma":  # clause 6a
            if member.proficient_in_english_reading_and_writing:  # clause 6b
                if thresholds.takes_weak_skills:
                    if not member.needs_basic_literacy:  # clause 6c
                        continue
                else:
                    continue
        if household_is_in_need:  # clauses 7a, 7c, 7d
            return True
        if has_low_income:  # clause 7b
            if thresholds.takes_weak_skills:
                if member.needs_help_to_study_or_work:  # clause 7b
                    return True
            else:
                return True
        if member.is_runaway:  # clause 7e
            return True
        if member.in_foster_care:  # clause 7f
            return True
        if member.foster_age_out:  # clause 7g
            return True
        if member.involved_in_justice_system:  # clause 7h
            return True
        if member.disabled:  # clause 7i
            return True
        if member.weeks_pregnant is not None:  # clause 7j
            return True
        if member.is_parent:  # clause 7k
            return True
    return False
