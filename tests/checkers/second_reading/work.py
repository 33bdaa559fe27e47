"""Work, training, college, leave."""

from benyfits_data.household.model import Household, Member
from tests.checkers.second_reading.terms import (
    HIGH_SCHOOL,
    HOMELESS,
    anybody_gets_cash,
    decides,
    family_income,
    in_city,
    in_state,
    is_foster,
    is_registered_if_a_man_of_18_to_25,
    row,
)

YOUTH_INCOME = (14_580, 19_720, 24_860, 30_000, 35_140, 40_280)


@decides("AcceleratedStudyInAssociatePrograms")
def accelerated_study(h: Household) -> bool:
    return any(
        m.accepted_to_cuny
        and (in_city(h) or m.eligible_for_instate_tuition)
        and (m.proficient_in_math or m.proficient_in_english_reading_and_writing)
        and m.college_credits <= 15
        and m.gpa is not None
        and m.gpa >= 2.0
        for m in h.members
    )


@decides("CUNYStart")
def cuny_start(h: Household) -> bool:
    return any(
        m.high_school_equivalent != "no diploma" and m.accepted_to_cuny and m.accepted_cuny_offer
        for m in h.members
    )


@decides("CUNYFatherhoodAcademy")
def fatherhood_academy(h: Household) -> bool:
    return in_city(h) and any(
        m.sex == "male" and m.is_parent and 18 <= m.age <= 30 for m in h.members
    )


@decides("AdvanceEarn")
def advance_earn(h: Household) -> bool:
    return in_city(h) and any(
        16 <= m.age <= 24
        and m.current_school_level == "none"
        and m.high_school_equivalent == "no diploma"
        and m.work_hours_per_week == 0
        and m.authorized_to_work_in_us
        for m in h.members
    )


def _is_youth_in_need(h: Household, m: Member, income_limit: int) -> bool:
    return has_listed_need(h, m) or family_income(h) <= income_limit


def has_listed_need(h: Household, m: Member) -> bool:
    """Whether a young member has one of the needs that ask nothing of the income."""
    return (
        anybody_gets_cash(h)
        or h.receives_snap
        or h.housing_type in HOMELESS
        or m.is_runaway
        or is_foster(m)
        or m.foster_age_out
        or m.involved_in_justice_system
        or m.weeks_pregnant is not None
        or m.is_parent
        or m.disabled
    )


@decides("LearnEarn")
def learn_earn(h: Household) -> bool:
    return in_city(h) and any(
        16 <= m.age <= 21
        and m.current_grade in (11, 12)
        and m.has_ssn
        and m.authorized_to_work_in_us
        and is_registered_if_a_man_of_18_to_25(m)
        and _is_youth_in_need(h, m, row(YOUTH_INCOME, h))
        for m in h.members
    )


@decides("TrainEarn")
def train_earn(h: Household) -> bool:
    return in_city(h) and any(
        16 <= m.age <= 24
        and m.work_hours_per_week == 0
        and is_registered_if_a_man_of_18_to_25(m)
        and m.current_school_level == "none"
        and (
            m.high_school_equivalent == "no diploma"
            or not m.proficient_in_english_reading_and_writing
        )
        and _is_youth_in_need(h, m, row(YOUTH_INCOME, h))
        for m in h.members
    )


@decides("JobsPlus")
def jobs_plus(h: Household) -> bool:
    return (
        h.housing_type == "NYCHA development"
        and h.lives_in_jobs_plus_neighborhood
        and any(m.age >= 16 for m in h.members)
    )


@decides("NYCLaddersForLeaders")
def ladders_for_leaders(h: Household) -> bool:
    return in_city(h) and any(
        (m.current_grade in HIGH_SCHOOL or m.current_school_level == "college")
        and 16 <= m.age <= 22
        and m.work_or_volunteer_experience
        and m.gpa is not None
        and m.gpa >= 3.0
        for m in h.members
    )


@decides("NYCYouthLeadershipCouncils")
def youth_leadership_councils(h: Household) -> bool:
    return in_city(h) and any(
        14 <= m.age <= 21 and (m.current_grade in HIGH_SCHOOL or m.enrolled_in_hse_program)
        for m in h.members
    )


@decides("SummerYouthEmploymentProgram")
def summer_youth_employment(h: Household) -> bool:
    return in_city(h) and any(14 <= m.age <= 24 for m in h.members)


@decides("OlderAdultEmploymentProgram")
def older_adult_employment(h: Household) -> bool:
    limits = (18_825, 25_550, 32_275, 39_000, 45_725, 52_450)
    return (
        in_city(h)
        and family_income(h) <= row(limits, h)
        and any(m.age >= 55 and m.work_hours_per_week == 0 for m in h.members)
    )


@decides("SilverCorps")
def silver_corps(h: Household) -> bool:
    limits = (60_240, 81_760, 103_280, 124_800, 146_320, 167_840)
    return (
        in_city(h)
        and family_income(h) <= row(limits, h)
        and any(m.age >= 55 and m.work_hours_per_week == 0 for m in h.members)
    )


@decides("WeSpeakNYC")
def we_speak(h: Household) -> bool:
    """Anyone may sign up."""
    return bool(h.members)


@decides("WorkforceoneCareerCenters")
def workforce_one(h: Household) -> bool:
    return in_city(h) and any(m.age >= 18 and m.authorized_to_work_in_us for m in h.members)


@decides("TextTwoWork")
def text_to_work(h: Household) -> bool:
    return in_city(h) or any(m.receives_hra for m in h.members)


@decides("NYSPaidFamilyLeave")
def paid_family_leave(h: Household) -> bool:
    def is_covered(m: Member) -> bool:
        employer = m.private_employer_in_nys or (m.government_job and m.employer_opt_in)
        hours, weeks, days = (
            m.work_hours_per_week,
            m.consecutive_work_weeks,
            m.nonconsecutive_work_days,
        )
        return employer and ((hours >= 20 and weeks >= 26) or (0 < hours < 20 and days >= 175))

    return in_state(h) and any(is_covered(m) for m in h.members)


@decides("NYSUnemploymentInsurance")
def unemployment_insurance(h: Household) -> bool:
    return any(may_claim(m) for m in h.members)


def may_claim(m: Member) -> bool:
    """Whether a member lost a job in the state not long ago, and may and can work."""
    return (
        m.lost_job
        and m.last_worked_in_nys
        and m.months_since_worked is not None
        and m.months_since_worked <= 18
        and m.can_work_immediately
        and m.authorized_to_work_in_us
        and m.was_authorized_to_work_when_job_lost
    )


@decides("SafeAndSickLeave")
def safe_and_sick_leave(h: Household) -> bool:
    return any(
        m.works_in_nyc
        and not (
            m.federal_work_study
            or m.scholarship
            or m.government_job
            or (m.is_therapist and m.therapist_meets_pay_threshold)
            or m.contractor
            or m.wep
            or m.collective_bargaining
        )
        for m in h.members
    )
