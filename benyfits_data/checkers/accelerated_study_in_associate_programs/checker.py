"""CUNY ASAP: help to finish an associate degree on time."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member admitted to CUNY has few credits and a sufficient GPA."""
    for member in household.members:
        if not member.accepted_to_cuny:  # clause 1
            continue
        if household.place_of_residence != "New York City":  # clause 2a
            if not member.eligible_for_instate_tuition:  # clause 2b
                continue
        if member.college_credits > thresholds.max_college_credits:  # clause 4
            continue
        if thresholds.asks_for_a_gpa:
            if member.gpa is None:  # clause 5
                continue
        if member.gpa is not None:  # clause 5
            if member.gpa < thresholds.min_gpa:  # clause 5
                continue
        if thresholds.full_time_study_is_asked:
            if not member.will_study_full_time_for_associate_degree:  # clause 6
                continue
        if thresholds.one_subject_is_enough:
            if member.proficient_in_math:  # clause 3a
                return True
            if member.proficient_in_english_reading_and_writing:  # clause 3b
                return True
        else:
            if member.proficient_in_math:  # clause 3a
                if member.proficient_in_english_reading_and_writing:  # clause 3b
                    return True
    return False
