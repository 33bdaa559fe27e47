"""Work, its pay, and looking for it."""

from benyfits_data.household.constants import (
    FULL_TIME_HOURS,
    LARGEST_INCOME_OF_A_CHILD,
    LEAST_PAY_OF_A_DAY,
    LEAST_PAY_OF_FULL_DAYS,
    MONTHS_PER_YEAR,
    SCHOOL_LEAVING_AGE,
    SHORT_MONTH,
    WORKING_AGE,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


@repaired_by("nonconsecutive_work_days")
def days_of_work_are_at_least_the_weeks(household: Household, member: Member) -> bool:
    """Days with an employer in all are at least the weeks in a row."""
    return member.nonconsecutive_work_days >= member.consecutive_work_weeks


@repaired_by("annual_work_income")
def days_of_work_are_paid(household: Household, member: Member) -> bool:
    """Who works is paid for the days: $10 each at least, $30 from 35 hours a week.

    Fewer than 30 days may be unpaid still, and a Work Experience Program is.
    """
    if member.nonconsecutive_work_days < SHORT_MONTH or member.wep:
        return True
    if member.work_hours_per_week >= FULL_TIME_HOURS:
        return member.annual_work_income >= member.nonconsecutive_work_days * LEAST_PAY_OF_FULL_DAYS
    return member.annual_work_income >= member.nonconsecutive_work_days * LEAST_PAY_OF_A_DAY


@repaired_by("months_since_worked")
def months_since_work_fit_the_age(household: Household, member: Member) -> bool:
    """Months since the last work do not reach back before the age of 14."""
    if member.months_since_worked is None:
        return True
    return member.months_since_worked <= (member.age - WORKING_AGE) * MONTHS_PER_YEAR


@repaired_by("months_since_worked")
def last_work_agrees_with_last_years_income(household: Household, member: Member) -> bool:
    """Somebody out of work earned last year exactly if the work ended within it."""
    if member.work_hours_per_week > 0:
        return True
    if member.months_since_worked is None:
        return member.annual_work_income == 0
    if member.annual_work_income > 0:
        return member.months_since_worked <= MONTHS_PER_YEAR
    return member.months_since_worked >= MONTHS_PER_YEAR


@repaired_by("annual_investment_income")
def children_have_no_large_income(household: Household, member: Member) -> bool:
    """Nobody under 16 has more than $20,000 a year of other income."""
    if member.age < SCHOOL_LEAVING_AGE:
        return member.annual_investment_income <= LARGEST_INCOME_OF_A_CHILD
    return True
