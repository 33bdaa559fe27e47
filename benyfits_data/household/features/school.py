"""School, diplomas, college."""

from dataclasses import dataclass
from typing import Literal

from benyfits_data.household.schema import choice, decimal, flag, number

SchoolLevel = Literal["none", "pre-kindergarten", "school", "college"]
SchoolType = Literal["public", "charter", "private"]
Diploma = Literal["no diploma", "high school diploma", "HSE diploma", "GED"]


@dataclass(frozen=True, kw_only=True)
class School:
    """What a member attends now and has finished."""

    current_school_level: SchoolLevel = choice(
        "{subject} {value}.",
        {
            "none": "{does} not attend school now",
            "pre-kindergarten": "attend{s} pre-kindergarten",
            "school": "attend{s} school",
            "college": "attend{s} college",
        },
        ask="What school or college {does} {subject} attend now, if any?",
        default="none",
        off="none",
        note="With current_grade this is the published current_school_level.",
    )
    current_grade: int | None = number(
        "{subject} {is} in {value}.",
        ask="What grade {is} {subject} in?",
        maximum=12,
        default=None,
        none="{subject} {is} not in any grade from kindergarten to 12.",
        published=None,
        note="0 is kindergarten; None outside kindergarten to grade 12. In the summer, the grade "
        "last attended.",
        when="current_school_level == 'school'",
        always=True,
    )
    repeating_grade: bool = flag(
        "is",
        "repeating {possessive} current grade",
        published=None,
        when="current_school_level == 'school'",
    )
    school_type: SchoolType | None = choice(
        "The school is {value}.",
        {"public": "a public school", "charter": "a charter school", "private": "a private school"},
        ask="Is the school public, charter or private?",
        default=None,
        none="{subject} {does} not go to a public, charter or private school.",
        published=None,
        note="For kindergarten to grade 12.",
        when="current_school_level == 'school'",
        always=True,
    )
    high_school_equivalent: Diploma = choice(
        "{subject} {value}.",
        {
            "no diploma": "{has} no high school or equivalency diploma",
            "high school diploma": "{has} a high school diploma",
            "HSE diploma": "{has} a high school equivalency (HSE) diploma",
            "GED": "{has} a GED",
        },
        ask="Which high school or equivalency diploma {does} {subject} have, if any?",
        default="high school diploma",
        off="no diploma",
        when="age >= SCHOOL_LEAVING_AGE",
        needs="current_school_level != 'school'",
    )
    enrolled_in_hse_program: bool = flag(
        "is",
        "enrolled in a high school equivalency program",
        published=None,
        when="age >= SCHOOL_LEAVING_AGE",
        needs=("high_school_equivalent == 'no diploma'", "current_school_level == 'none'"),
    )
    enrolled_in_educational_training: bool = flag(
        "is", "in an educational training program", when="age >= WORKING_AGE"
    )
    enrolled_in_vocational_training: bool = flag(
        "is", "in a vocational training program", when="age >= SCHOOL_LEAVING_AGE"
    )
    accepted_to_cuny: bool = flag(
        "has done",
        "been admitted to a CUNY college",
        when="age >= SCHOOL_LEAVING_AGE",
        needs="may_enter_college",
    )
    accepted_cuny_offer: bool = flag(
        "has done",
        "accepted the offer of a place at CUNY",
        published=None,
        note="The student's own yes; being admitted is accepted_to_cuny.",
        when="accepted_to_cuny",
    )
    will_study_full_time_for_associate_degree: bool = flag(
        "does",
        "agree{s} to study full-time for an associate degree in a major that CUNY ASAP covers",
        published=None,
        when="accepted_to_cuny",
    )
    eligible_for_instate_tuition: bool = flag(
        "is",
        "entitled to in-state tuition if ever enrolled at CUNY",
        when="age >= SCHOOL_LEAVING_AGE",
        needs="place_of_residence != 'New Jersey'",
    )
    college_credits: int = number(
        "{subject} {has} earned {count}.",
        ask="How many college credits {has} {subject} earned?",
        unit="college credit",
        maximum=250,
        zero="{subject} {has} earned no college credits.",
        when="age >= SCHOOL_LEAVING_AGE",
        needs="may_have_credits",
    )
    gpa: float | None = decimal(
        "{subject} {has} a grade point average (GPA) of {value}.",
        ask="What is {possessive} grade point average (GPA)?",
        maximum=4.0,
        none="{subject} {has} no grade point average (GPA).",
        note="A high school or entry GPA counts.",
        when="age >= WORKING_AGE",
    )
    needs_basic_literacy: bool = flag(
        "does",
        "need{s} to improve {possessive} basic reading, writing or math skills",
        published=None,
        when="age >= SCHOOL_LEAVING_AGE",
    )
    needs_help_to_study_or_work: bool = flag(
        "does",
        "need{s} help to finish school or to find or keep a job",
        published=None,
        when="age >= SCHOOL_LEAVING_AGE",
    )
    proficient_in_math: bool = flag(
        "is", "proficient in mathematics", default=True, when="age >= READING_AGE"
    )
    proficient_in_english_reading_and_writing: bool = flag(
        "is", "proficient in reading and writing English", default=True, when="age >= READING_AGE"
    )
