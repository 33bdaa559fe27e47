"""We Speak NYC: conversation classes for English learners."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household may sign up, as anybody may."""
    if thresholds.only_the_audience_counts:
        for member in household.members:
            if member.age < thresholds.audience_min_age:  # reading anyone
                continue
            if not member.proficient_in_english_reading_and_writing:  # reading anyone
                return True
        return False
    else:
        return True
