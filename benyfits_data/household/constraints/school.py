"""School, diplomas and college."""

from benyfits_data.household.constants import (
    COMPULSORY_SCHOOL_AGE,
    FIRST_GRADE_WITH_CREDITS,
    FOSTER_CARE_AGE,
    LAST_GRADE,
    OLDEST_KINDERGARTNER,
    OLDEST_PRE_KINDERGARTNER,
    PRE_KINDERGARTEN_AGE,
    READING_AGE,
    SCHOOL_LEAVING_AGE,
    WORKING_AGE,
    YOUNGEST_KINDERGARTNER,
)
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.model import Household, Member


@settles("current_school_level")
def school_age_children_attend_school(household: Household, member: Member) -> bool:
    """Children from 6 to 15 attend school."""
    if member.age < COMPULSORY_SCHOOL_AGE:
        return True
    if member.age >= SCHOOL_LEAVING_AGE:
        return True
    return member.current_school_level == "school"


@settles("current_school_level")
def school_level_fits_the_age(household: Household, member: Member) -> bool:
    """Pre-kindergarten is for ages 3 to 5, school for 4 to 21, college for 16 and older."""
    if member.current_school_level == "pre-kindergarten":
        if member.age < PRE_KINDERGARTEN_AGE:
            return False
        return member.age <= OLDEST_PRE_KINDERGARTNER
    if member.current_school_level == "school":
        if member.age < YOUNGEST_KINDERGARTNER:
            return False
        return member.age <= FOSTER_CARE_AGE
    if member.current_school_level == "college":
        return member.age >= SCHOOL_LEAVING_AGE
    return True


@settles("current_grade")
def grade_is_for_school(household: Household, member: Member) -> bool:
    """A grade from kindergarten to 12 is told for those at school, and only for them."""
    if member.current_school_level == "school":
        return member.current_grade is not None
    return member.current_grade is None


@settles("current_grade")
def grade_fits_the_age(household: Household, member: Member) -> bool:
    """A kindergartner is 4 to 7 years old, and each grade adds a year; grade 12 lasts up to 21."""
    if member.current_grade is None:
        return True
    if member.age < member.current_grade + YOUNGEST_KINDERGARTNER:
        return False
    if member.current_grade == LAST_GRADE:
        return member.age <= FOSTER_CARE_AGE
    return member.age <= member.current_grade + OLDEST_KINDERGARTNER


@settles("school_type")
def school_type_is_for_school(household: Household, member: Member) -> bool:
    """A type of school is told for those at school, and only for them."""
    if member.current_school_level == "school":
        return member.school_type is not None
    return member.school_type is None


@settles("repeating_grade")
def repeating_a_grade_happens_at_school(household: Household, member: Member) -> bool:
    """Only those at school repeat a grade."""
    if member.repeating_grade:
        if member.current_school_level != "school":
            return False
    return True


@settles("high_school_equivalent")
def diploma_comes_after_school(household: Household, member: Member) -> bool:
    """A high school or equivalency diploma comes after school.

    Nobody under 16 or in kindergarten to grade 12 has one; college students do.
    """
    if member.age < SCHOOL_LEAVING_AGE:
        return member.high_school_equivalent == "no diploma"
    if member.current_school_level == "school":
        return member.high_school_equivalent == "no diploma"
    if member.current_school_level == "college":
        return member.high_school_equivalent != "no diploma"
    return True


@settles("enrolled_in_hse_program")
def hse_program_is_for_those_without_diploma(household: Household, member: Member) -> bool:
    """An equivalency program is for those of 16 and older without diploma or school."""
    if member.enrolled_in_hse_program:
        if member.age < SCHOOL_LEAVING_AGE:
            return False
        if member.high_school_equivalent != "no diploma":
            return False
        if member.current_school_level != "none":
            return False
    return True


@settles("enrolled_in_educational_training")
def educational_training_age(household: Household, member: Member) -> bool:
    """Educational training programs take people of 14 and older."""
    if member.enrolled_in_educational_training:
        if member.age < WORKING_AGE:
            return False
    return True


@settles("enrolled_in_vocational_training")
def vocational_training_age(household: Household, member: Member) -> bool:
    """Vocational training programs take people of 16 and older."""
    if member.enrolled_in_vocational_training:
        if member.age < SCHOOL_LEAVING_AGE:
            return False
    return True


@settles("college_credits")
def college_credits_come_after_school_age(household: Household, member: Member) -> bool:
    """College credits are for people of 16 and older in high school or with a diploma."""
    if member.college_credits == 0:
        return True
    if member.age < SCHOOL_LEAVING_AGE:
        return False
    if member.current_grade is not None:
        return member.current_grade >= FIRST_GRADE_WITH_CREDITS
    return member.high_school_equivalent != "no diploma"


@settles("gpa")
def gpa_begins_in_high_school(household: Household, member: Member) -> bool:
    """Nobody under 14 has a grade point average."""
    if member.age < WORKING_AGE:
        return member.gpa is None
    return True


@settles("accepted_to_cuny")
def cuny_admits_graduates(household: Household, member: Member) -> bool:
    """CUNY admits people of 16 and older who are in grade 12 or have a diploma."""
    if not member.accepted_to_cuny:
        return True
    if member.age < SCHOOL_LEAVING_AGE:
        return False
    if member.current_grade is not None:
        return member.current_grade == LAST_GRADE
    return member.high_school_equivalent != "no diploma"


@settles("accepted_cuny_offer")
def cuny_offer_needs_admission(household: Household, member: Member) -> bool:
    """A CUNY offer is accepted by those admitted."""
    if member.accepted_cuny_offer:
        if not member.accepted_to_cuny:
            return False
    return True


@settles("eligible_for_instate_tuition")
def instate_tuition_needs_residence(household: Household, member: Member) -> bool:
    """In-state tuition is for people of 16 and older who live in New York State."""
    if member.eligible_for_instate_tuition:
        if member.age < SCHOOL_LEAVING_AGE:
            return False
        if household.place_of_residence == "New Jersey":
            return False
    return True


@settles("proficient_in_math")
def math_proficiency_age(household: Household, member: Member) -> bool:
    """Nobody under 6 is proficient in mathematics."""
    if member.proficient_in_math:
        if member.age < READING_AGE:
            return False
    return True


@settles("proficient_in_english_reading_and_writing")
def english_proficiency_age(household: Household, member: Member) -> bool:
    """Nobody under 6 is proficient in reading and writing."""
    if member.proficient_in_english_reading_and_writing:
        if member.age < READING_AGE:
            return False
    return True
