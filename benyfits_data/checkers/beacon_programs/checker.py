"""Beacon programs: community centers in school buildings."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import attends_school_or_college


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member of the right age is enrolled in school."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # reading place
            return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 1
            continue
        if thresholds.adults_qualify:
            if member.age > thresholds.max_age:  # clause 2a
                return True
            if thresholds.any_school_counts:
                if attends_school_or_college(member):  # clause 2b
                    return True
            else:
                if member.current_grade is not None:  # reading school
                    return True
        else:
            if member.age > thresholds.max_age:  # clause 1
                continue
            if thresholds.any_school_counts:
                if attends_school_or_college(member):  # clause 2
                    return True
            else:
                if member.current_grade is not None:  # reading school
                    return True
    return False
