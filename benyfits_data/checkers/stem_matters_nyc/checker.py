"""STEM Matters NYC: science and technology programs for students."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a pupil who counts goes to a public or charter school in the city."""
    if thresholds.home_stands_for_school:
        if household.place_of_residence != "New York City":  # clause 1
            return False
    for member in household.members:
        if member.current_grade is None:  # clause 2
            continue
        if thresholds.present_grade_counts:
            if member.current_grade == 0:  # reading grade
                continue
        if member.current_grade > thresholds.last_grade:  # clause 2
            continue
        if member.school_type == "public":  # clause 3a
            return True
        if member.school_type == "charter":  # clause 3b
            return True
    return False
