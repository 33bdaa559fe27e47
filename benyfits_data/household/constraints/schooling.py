"""School, diplomas and college."""

from benyfits_data.household.constants import (
    COMPULSORY_SCHOOL_AGE,
    FOSTER_CARE_AGE,
    LAST_GRADE,
    LEAST_MONTHS_OF_A_KINDERGARTNER,
    MOST_CREDITS_OF_A_YEAR,
    MOST_CREDITS_WITHOUT_BASIC_SKILLS,
    OLDEST_KINDERGARTNER,
    OLDEST_PRE_KINDERGARTNER,
    PRE_KINDERGARTEN_AGE,
    SCHOOL_LEAVING_AGE,
    YOUNGEST_KINDERGARTNER,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


@repaired_by("current_school_level")
def school_age_children_attend_school(household: Household, member: Member) -> bool:
    """Children from 6 to 15 attend school."""
    if member.age < COMPULSORY_SCHOOL_AGE or member.age >= SCHOOL_LEAVING_AGE:
        return True
    return member.current_school_level == "school"


@repaired_by("current_school_level")
def school_level_fits_the_age(household: Household, member: Member) -> bool:
    """Pre-kindergarten is for ages 3 to 5, school for 4 to 21, college for 16 and older."""
    if member.current_school_level == "pre-kindergarten":
        return member.age >= PRE_KINDERGARTEN_AGE and member.age <= OLDEST_PRE_KINDERGARTNER
    if member.current_school_level == "school":
        return member.age >= YOUNGEST_KINDERGARTNER and member.age <= FOSTER_CARE_AGE
    return member.current_school_level != "college" or member.age >= SCHOOL_LEAVING_AGE


@repaired_by("current_school_level")
def the_bedridden_attend_no_college(household: Household, member: Member) -> bool:
    """Nobody who is confined to bed attends college."""
    return member.current_school_level != "college" or not member.bedridden


@repaired_by("current_grade")
def grade_fits_the_age(household: Household, member: Member) -> bool:
    """A kindergartner is 4 to 7 years old, and each grade adds a year; grade 12 lasts up to 21.

    Who enters kindergarten is 4 years and 8 months old at least.
    """
    if member.current_grade is None:
        return True
    if member.age_months is not None and member.age_months < LEAST_MONTHS_OF_A_KINDERGARTNER:
        return False
    if member.current_grade == LAST_GRADE and member.age > FOSTER_CARE_AGE:
        return False
    if (
        member.current_grade < LAST_GRADE
        and member.age > member.current_grade + OLDEST_KINDERGARTNER
    ):
        return False
    return member.age >= member.current_grade + YOUNGEST_KINDERGARTNER


@repaired_by("high_school_equivalent")
def college_students_have_a_diploma(household: Household, member: Member) -> bool:
    """College students have a high school or equivalency diploma."""
    return member.current_school_level != "college" or member.high_school_equivalent != "no diploma"


@repaired_by("college_credits")
def credits_are_earned_at_thirty_a_year(household: Household, member: Member) -> bool:
    """College credits are at most 30 for each year since the age of 16, and 30 at that age."""
    years = member.age - SCHOOL_LEAVING_AGE
    if years <= 1:
        return member.college_credits <= MOST_CREDITS_OF_A_YEAR
    return member.college_credits <= years * MOST_CREDITS_OF_A_YEAR


@repaired_by("needs_basic_literacy")
def basic_skills_to_improve_are_lacking(household: Household, member: Member) -> bool:
    """Who needs to improve basic skills is not proficient in mathematics or in English.

    And has earned 60 college credits at most.
    """
    if not member.needs_basic_literacy:
        return True
    if member.college_credits > MOST_CREDITS_WITHOUT_BASIC_SKILLS:
        return False
    return not member.proficient_in_math or not member.proficient_in_english_reading_and_writing
