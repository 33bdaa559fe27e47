"""Work, its pay, and looking for it."""

from benyfits_data.household.constants import (
    ADULT_AGE,
    FULL_TIME_HOURS,
    HALF_TIME_HOURS,
    LARGEST_INCOME_OF_A_CHILD,
    LARGEST_PAY_BELOW_MINIMUM_WAGE,
    LARGEST_PAY_OF_A_MONTH,
    LARGEST_PAY_OF_A_PUPIL,
    LARGEST_PAY_OF_AN_HOUR,
    LEAST_MINIMUM_WAGE,
    LEAST_PAY_OF_A_DAY,
    LEAST_PAY_OF_FULL_DAYS,
    MONTHS_PER_YEAR,
    MOST_HOURS_OF_A_PUPIL,
    MOST_HOURS_OF_A_YOUNGER_PUPIL,
    QUARTER_TIME_HOURS,
    SCHOOL_LEAVING_AGE,
    SHORT_MONTH,
    WEEKS_PER_YEAR,
    WORKING_AGE,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


@repaired_by("nonconsecutive_work_days")
def days_of_work_are_at_least_the_weeks(household: Household, member: Member) -> bool:
    """Days with an employer in all are at least the weeks in a row."""
    return member.nonconsecutive_work_days >= member.consecutive_work_weeks


@repaired_by("nonconsecutive_work_days")
def days_of_work_have_an_hour_each(household: Household, member: Member) -> bool:
    """Days with an employer are no more than the hours of a year."""
    return member.nonconsecutive_work_days <= member.work_hours_per_week * WEEKS_PER_YEAR


@repaired_by("annual_work_income")
def days_of_work_are_paid(household: Household, member: Member) -> bool:
    """Who works is paid for the days: $10 each at least, $60 from 35 hours a week.

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
    """Somebody out of work earned last year exactly if the work ended within it.

    For each month until then it was $20,000 at most.
    """
    if member.work_hours_per_week > 0:
        return True
    if member.months_since_worked is None:
        return member.annual_work_income == 0
    if member.annual_work_income > 0:
        months_worked = MONTHS_PER_YEAR - member.months_since_worked
        return member.annual_work_income <= months_worked * LARGEST_PAY_OF_A_MONTH
    return member.months_since_worked >= MONTHS_PER_YEAR


@repaired_by("annual_investment_income")
def children_have_no_large_income(household: Household, member: Member) -> bool:
    """Nobody under 18 or at school has more than $20,000 a year of other income."""
    if member.age < ADULT_AGE or member.current_school_level == "school":
        return member.annual_investment_income <= LARGEST_INCOME_OF_A_CHILD
    return True


@repaired_by("annual_work_income")
def children_earn_little(household: Household, member: Member) -> bool:
    """Nobody under 16 earns more than $20,000 a year, nobody at 16, 17 or school over $40,000."""
    if member.age < SCHOOL_LEAVING_AGE:
        return member.annual_work_income <= LARGEST_INCOME_OF_A_CHILD
    if member.age < ADULT_AGE or member.current_school_level == "school":
        return member.annual_work_income <= LARGEST_PAY_OF_A_PUPIL
    return True


@repaired_by("earns_minimum_wage")
def minimum_wage_is_paid(household: Household, member: Member) -> bool:
    """Who is paid the minimum wage has $15 for each hour of the weeks with the employer at least.

    Of the hours a week 35, 20, 10 or 1 are counted: no fact is multiplied by another.
    """
    if not member.earns_minimum_wage:
        return True
    if member.work_hours_per_week >= FULL_TIME_HOURS:
        hours = member.consecutive_work_weeks * FULL_TIME_HOURS
    elif member.work_hours_per_week >= HALF_TIME_HOURS:
        hours = member.consecutive_work_weeks * HALF_TIME_HOURS
    elif member.work_hours_per_week >= QUARTER_TIME_HOURS:
        hours = member.consecutive_work_weeks * QUARTER_TIME_HOURS
    else:
        hours = member.consecutive_work_weeks
    return member.annual_work_income >= hours * LEAST_MINIMUM_WAGE


@repaired_by("earns_minimum_wage")
def pay_below_minimum_wage_is_low(household: Household, member: Member) -> bool:
    """Who is paid less than the minimum wage has $20 for each hour of a whole year at most.

    Who has been with the employer for less than a year may have had another one who paid more.
    """
    if member.earns_minimum_wage or member.consecutive_work_weeks < WEEKS_PER_YEAR:
        return True
    most = member.work_hours_per_week * (WEEKS_PER_YEAR * LARGEST_PAY_BELOW_MINIMUM_WAGE)
    return member.annual_work_income <= most


@repaired_by("annual_work_income")
def nobody_is_paid_a_fortune_by_the_hour(household: Household, member: Member) -> bool:
    """Who works has $500 for each hour of a whole year at most, others $10,000 a month."""
    if member.work_hours_per_week == 0:
        return member.annual_work_income <= MONTHS_PER_YEAR * LARGEST_PAY_OF_A_MONTH
    most = member.work_hours_per_week * (WEEKS_PER_YEAR * LARGEST_PAY_OF_AN_HOUR)
    return member.annual_work_income <= most


@repaired_by("work_hours_per_week")
def pupils_work_part_time(household: Household, member: Member) -> bool:
    """Who goes to school works 28 hours a week at most when 16 or 17, 18 hours when younger."""
    if member.age >= ADULT_AGE or member.current_school_level != "school":
        return True
    if member.age < SCHOOL_LEAVING_AGE:
        return member.work_hours_per_week <= MOST_HOURS_OF_A_YOUNGER_PUPIL
    return member.work_hours_per_week <= MOST_HOURS_OF_A_PUPIL
