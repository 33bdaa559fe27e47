"""Public high schools of New York City: admission."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city pupil is about to begin high school or has just begun it."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.current_grade is None:  # clauses 2a, 2b
            continue
        if member.current_grade == thresholds.middle_school_final_grade:  # clause 2a
            return True
        if member.current_grade != thresholds.high_school_first_grade:  # clause 2b
            continue
        if thresholds.first_time_only:
            if member.repeating_grade:  # clause 2b
                continue
        return True
    return False
