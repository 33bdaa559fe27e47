"""Work, its pay, and looking for it."""

from benyfits_data.household.constants import (
    LARGEST_INCOME_OF_A_CHILD,
    MONTHS_PER_YEAR,
    SCHOOL_LEAVING_AGE,
    SHORT_MONTH,
    THERAPIST_AGE,
    VOLUNTEERING_AGE,
    WORKING_AGE,
)
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.model import Household, Member


@settles("work_hours_per_week")
def working_age(household: Household, member: Member) -> bool:
    """Nobody under 14 works."""
    if member.age < WORKING_AGE:
        return member.work_hours_per_week == 0
    return True


@settles("works_outside_home")
def bedridden_people_do_not_work_outside(household: Household, member: Member) -> bool:
    """Somebody confined to bed does not work outside the home."""
    if member.bedridden:
        return not member.works_outside_home
    return True


@settles("works_outside_home")
def works_outside_home_needs_work(household: Household, member: Member) -> bool:
    """Working outside the home goes with hours of work."""
    if member.works_outside_home:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("private_employer_in_nys")
def private_employer_in_nys_needs_work(household: Household, member: Member) -> bool:
    """A private employer goes with hours of work."""
    if member.private_employer_in_nys:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("government_job")
def government_job_needs_work(household: Household, member: Member) -> bool:
    """A government job goes with hours of work."""
    if member.government_job:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("contractor")
def contractor_needs_work(household: Household, member: Member) -> bool:
    """Work as a contractor goes with hours of work."""
    if member.contractor:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("transitional_job")
def transitional_job_needs_work(household: Household, member: Member) -> bool:
    """A transitional job goes with hours of work."""
    if member.transitional_job:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("wep")
def wep_needs_work(household: Household, member: Member) -> bool:
    """A Work Experience Program goes with hours of work."""
    if member.wep:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("collective_bargaining")
def collective_bargaining_needs_work(household: Household, member: Member) -> bool:
    """A collective bargaining agreement goes with hours of work."""
    if member.collective_bargaining:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("federal_work_study")
def federal_work_study_needs_work(household: Household, member: Member) -> bool:
    """Federal work study goes with hours of work."""
    if member.federal_work_study:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("scholarship")
def scholarship_needs_work(household: Household, member: Member) -> bool:
    """Paid work through a scholarship goes with hours of work."""
    if member.scholarship:
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("government_job")
def government_job_is_not_private(household: Household, member: Member) -> bool:
    """A government employee has no private employer."""
    if member.government_job:
        if member.private_employer_in_nys:
            return False
    return True


@settles("contractor")
def contractor_has_no_employer(household: Household, member: Member) -> bool:
    """An independent contractor has no employer."""
    if member.contractor:
        if member.private_employer_in_nys:
            return False
        if member.government_job:
            return False
    return True


@settles("works_in_nyc")
def work_in_nyc_is_for_somebody(household: Household, member: Member) -> bool:
    """Work in New York City is for a private employer, for the government, or as a contractor."""
    if member.works_in_nyc:
        if member.private_employer_in_nys:
            return True
        if member.government_job:
            return True
        if member.contractor:
            return True
        return False
    return True


@settles("employer_opt_in")
def opting_in_is_for_public_employers(household: Household, member: Member) -> bool:
    """Only public employers opt into Paid Family Leave."""
    if member.employer_opt_in:
        if not member.government_job:
            return False
    return True


@settles("federal_work_study")
def work_study_is_for_college(household: Household, member: Member) -> bool:
    """Federal work study is for college students."""
    if member.federal_work_study:
        if member.current_school_level != "college":
            return False
    return True


@settles("is_therapist")
def therapist_age(household: Household, member: Member) -> bool:
    """A licensed therapist is at least 22 years old."""
    if member.is_therapist:
        if member.age < THERAPIST_AGE:
            return False
    return True


@settles("therapist_meets_pay_threshold")
def therapist_pay_needs_license(household: Household, member: Member) -> bool:
    """The therapists' pay threshold is for therapists at work."""
    if member.therapist_meets_pay_threshold:
        if not member.is_therapist:
            return False
        if member.work_hours_per_week == 0:
            return False
    return True


@settles("consecutive_work_weeks")
def weeks_of_work_need_work(household: Household, member: Member) -> bool:
    """Weeks with a current employer go with hours of work."""
    if member.work_hours_per_week == 0:
        return member.consecutive_work_weeks == 0
    return True


@settles("nonconsecutive_work_days")
def days_of_work_need_work(household: Household, member: Member) -> bool:
    """Days with an employer go with hours of work and are at least the weeks in a row."""
    if member.work_hours_per_week == 0:
        return member.nonconsecutive_work_days == 0
    return member.nonconsecutive_work_days >= member.consecutive_work_weeks


@settles("annual_work_income")
def a_month_of_paid_work_brings_income(household: Household, member: Member) -> bool:
    """Who has worked for an employer on 30 days or more has earned something.

    A Work Experience Program is unpaid.
    """
    if member.nonconsecutive_work_days < SHORT_MONTH:
        return True
    if member.wep:
        return True
    return member.annual_work_income > 0


@settles("months_since_worked")
def months_since_work_are_for_those_out_of_work(household: Household, member: Member) -> bool:
    """Months since the last work are told for those who do not work now.

    They are 14 or older, and the months do not reach back before that age.
    """
    if member.months_since_worked is None:
        return True
    if member.work_hours_per_week > 0:
        return False
    if member.age < WORKING_AGE:
        return False
    return member.months_since_worked <= (member.age - WORKING_AGE) * MONTHS_PER_YEAR


@settles("months_since_worked")
def last_work_agrees_with_last_years_income(household: Household, member: Member) -> bool:
    """Somebody out of work earned last year exactly if the work ended within it."""
    if member.work_hours_per_week > 0:
        return True
    if member.annual_work_income > 0:
        if member.months_since_worked is None:
            return False
        return member.months_since_worked <= MONTHS_PER_YEAR
    if member.months_since_worked is None:
        return True
    return member.months_since_worked >= MONTHS_PER_YEAR


@settles("lost_job")
def lost_job_means_out_of_work(household: Household, member: Member) -> bool:
    """Who lost a job has worked before and does not work now."""
    if member.lost_job:
        if member.months_since_worked is None:
            return False
    return True


@settles("was_authorized_to_work_when_job_lost")
def authorization_when_job_lost(household: Household, member: Member) -> bool:
    """Authorization at the loss of a job is told for those who lost one; a citizen had it."""
    if not member.lost_job:
        return not member.was_authorized_to_work_when_job_lost
    if member.citizenship == "citizen_or_national":
        return member.was_authorized_to_work_when_job_lost
    return True


@settles("days_looking_for_work")
def job_search_age(household: Household, member: Member) -> bool:
    """Nobody under 14 looks for work."""
    if member.age < WORKING_AGE:
        return member.days_looking_for_work == 0
    return True


@settles("can_work_immediately")
def immediate_work_needs_age_and_health(household: Household, member: Member) -> bool:
    """Nobody under 14 or confined to bed can start work."""
    if member.can_work_immediately:
        if member.age < WORKING_AGE:
            return False
        if member.bedridden:
            return False
    return True


@settles("work_experience")
def work_experience_agrees_with_work(household: Household, member: Member) -> bool:
    """Work experience is told exactly for those who work or have worked."""
    if member.work_hours_per_week > 0:
        return member.work_experience
    if member.annual_work_income > 0:
        return member.work_experience
    if member.months_since_worked is not None:
        return member.work_experience
    return not member.work_experience


@settles("work_or_volunteer_experience")
def work_experience_is_experience_of_some_kind(household: Household, member: Member) -> bool:
    """Work experience counts as work or volunteer experience, which nobody under 10 has."""
    if member.work_experience:
        return member.work_or_volunteer_experience
    if member.age < VOLUNTEERING_AGE:
        return not member.work_or_volunteer_experience
    return True


@settles("annual_investment_income")
def children_have_no_large_income(household: Household, member: Member) -> bool:
    """Nobody under 16 has more than $20,000 a year of other income."""
    if member.age < SCHOOL_LEAVING_AGE:
        return member.annual_investment_income <= LARGEST_INCOME_OF_A_CHILD
    return True
