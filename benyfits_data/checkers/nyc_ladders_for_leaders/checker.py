"""NYC Ladders for Leaders: professional summer internships for students."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a student with experience and good grades lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.current_grade is None:  # clause 2a
            if member.current_school_level != "college":  # clause 2b
                continue
        elif member.current_grade < thresholds.first_grade:  # clause 2a
            continue
        if member.age < thresholds.min_age:  # clause 3
            continue
        if member.age > thresholds.max_age:  # clause 3
            continue
        if not member.work_or_volunteer_experience:  # clause 4
            continue
        if member.gpa is None:  # clause 5
            if thresholds.missing_average_passes:
                return True
            else:
                continue
        if member.gpa >= thresholds.min_gpa:  # clause 5
            return True
    return False
