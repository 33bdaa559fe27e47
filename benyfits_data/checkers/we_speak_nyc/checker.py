"""We Speak NYC: conversation classes for English learners."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member of the right age is learning English."""
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 1
            continue
        if not member.proficient_in_english_reading_and_writing:  # clause 2
            return True
    return False
