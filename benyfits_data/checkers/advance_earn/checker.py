"""Advance & Earn: training for young people out of school and out of work."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import attends_school_or_college


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young member in the city has no diploma, no school and no work."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 2
            continue
        if member.age > thresholds.max_age:  # clause 2
            continue
        if thresholds.asks_for_no_school:
            if attends_school_or_college(member):  # clause 3
                continue
        if thresholds.class_counts_as_school:
            if member.enrolled_in_hse_program:  # reading class
                continue
        if thresholds.asks_for_no_diploma:
            if member.high_school_equivalent != "no diploma":  # clause 4
                continue
        if member.work_hours_per_week > 0:  # clause 5
            continue
        if not member.authorized_to_work_in_us:  # clause 6
            continue
        return True
    return False
