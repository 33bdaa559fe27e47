"""How the facts of a member are drawn, so that most are possible at once."""

import numpy as np

from benyfits_data.fuzz.chances import Chances, Codes, Lanes, Special, code_of, pick
from benyfits_data.household.constants import (
    ADULT_AGE,
    AGE_COUNTED_IN_YEARS,
    COMPULSORY_SCHOOL_AGE,
    FOSTER_CARE_AGE,
    LARGEST_INCOME_OF_A_CHILD,
    LAST_GRADE,
    MONTHS_PER_YEAR,
    OLDEST_KINDERGARTNER,
    OLDEST_PRE_KINDERGARTNER,
    OLDEST_PREGNANCY_AGE,
    PRE_KINDERGARTEN_AGE,
    PREGNANCY_AGE,
    SCHOOL_LEAVING_AGE,
    SHORT_MONTH,
    SUBSTANCE_AGE,
    WORKING_AGE,
    YOUNGEST_KINDERGARTNER,
)
from benyfits_data.household.declaration import NONE_CODE
from benyfits_data.household.features import FEATURES


def _relation(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    # Families are composed as a whole: what gives way to a contradiction are other facts.
    own = lanes.own("relation")
    return np.where(lanes.rows == 0, code_of("relation", "self"), own)


def _age(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    relation = lanes.own("relation")
    return chances.ages.draw(relation, lanes.applicant("age"), rng)


def _age_months(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    age = lanes.own("age").astype(np.int64)
    months = age * MONTHS_PER_YEAR + rng.integers(0, MONTHS_PER_YEAR, len(lanes))
    near = chances.number(FEATURES["age_months"], len(lanes), rng).astype(np.int64)
    months = np.where(near // MONTHS_PER_YEAR == age, near, months)
    return np.where(age < AGE_COUNTED_IN_YEARS, months, NONE_CODE)


def _citizenship(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    return pick({0: 0.6, 1: 0.25, 2: 0.15}, len(lanes), rng)


def _school_level(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    none, nursery, school, college = (
        code_of("current_school_level", name)
        for name in ("none", "pre-kindergarten", "school", "college")
    )
    age = lanes.own("age")
    n = len(lanes)
    grown = pick({none: 0.7, college: 0.3}, n, rng)
    youth = pick({none: 0.3, school: 0.4, college: 0.3}, n, rng)
    small = pick({none: 0.3, nursery: 0.35, school: 0.35}, n, rng)
    small[(age < YOUNGEST_KINDERGARTNER) & (small == school)] = nursery
    drawn = np.where(age > FOSTER_CARE_AGE, grown, youth)
    drawn = np.where(age < SCHOOL_LEAVING_AGE, school, drawn)
    drawn = np.where(age < COMPULSORY_SCHOOL_AGE, small, drawn)
    assert OLDEST_PRE_KINDERGARTNER < COMPULSORY_SCHOOL_AGE
    return np.where(age < PRE_KINDERGARTEN_AGE, none, drawn)


def _grade(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    age = lanes.own("age").astype(np.int64)
    low = np.clip(age - OLDEST_KINDERGARTNER, 0, LAST_GRADE)
    high = np.clip(age - YOUNGEST_KINDERGARTNER, low, LAST_GRADE)
    at_school = lanes.own("current_school_level") == code_of("current_school_level", "school")
    return np.where(at_school, rng.integers(low, high + 1), NONE_CODE)


def _school_type(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    at_school = lanes.own("current_school_level") == code_of("current_school_level", "school")
    return np.where(at_school, rng.integers(0, 3, len(lanes)), NONE_CODE)


def _diploma(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    drawn = pick({0: 0.4, 1: 0.2, 2: 0.2, 3: 0.2}, len(lanes), rng)
    level = lanes.own("current_school_level")
    college = level == code_of("current_school_level", "college")
    drawn = np.where(college & (drawn == 0), 1, drawn)
    too_early = (lanes.own("age") < SCHOOL_LEAVING_AGE) | (
        level == code_of("current_school_level", "school")
    )
    return np.where(too_early, 0, drawn)


def _from_age(feature: str, youngest: int, otherwise: int) -> Special:
    def draw(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
        drawn = chances.plain(FEATURES[feature], lanes, rng)
        return np.where(lanes.own("age") < youngest, otherwise, drawn)

    return draw


def _hours(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    hours = chances.number(FEATURES["work_hours_per_week"], len(lanes), rng)
    idle = (rng.random(len(lanes)) < 0.45) | (lanes.own("age") < WORKING_AGE)
    return np.where(idle, 0, hours)


def _at_work(feature: str) -> Special:
    def draw(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
        drawn = chances.plain(FEATURES[feature], lanes, rng)
        return np.where(lanes.own("work_hours_per_week") == 0, 0, drawn)

    return draw


def _work_days(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    weeks = lanes.own("consecutive_work_weeks").astype(float)
    days = np.maximum(chances.number(FEATURES["nonconsecutive_work_days"], n, rng), weeks)
    # Some have just begun.
    days = np.where(rng.random(n) < 0.4, weeks + rng.integers(0, 10, n), days)
    return np.where(lanes.own("work_hours_per_week") == 0, 0, days)


def _works_outside(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    working: Codes = lanes.own("work_hours_per_week") > 0
    return working & (rng.random(len(lanes)) < 0.6)


def _work_income(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    working = lanes.own("work_hours_per_week") > 0
    # Few days of work may be unpaid still.
    shortly = working & (lanes.own("nonconsecutive_work_days") < SHORT_MONTH)
    nothing = rng.random(n) < np.select([shortly, working], [0.7, 0.02], 0.7)
    nothing |= lanes.own("age") < WORKING_AGE
    return np.where(nothing, 0, chances.amount(500, 200_000, n, rng))


def _other_income(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    amount = chances.amount(100, 150_000, n, rng)
    young = lanes.own("age") < SCHOOL_LEAVING_AGE
    amount = np.where(young, np.minimum(amount, LARGEST_INCOME_OF_A_CHILD), amount)
    return np.where(rng.random(n) < np.where(young, 0.9, 0.55), 0, amount)


def _months_since_worked(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    age = lanes.own("age").astype(np.int64)
    longest = np.maximum((age - WORKING_AGE + 1) * MONTHS_PER_YEAR, MONTHS_PER_YEAR)
    lately = np.minimum(chances.number(FEATURES["months_since_worked"], n, rng), MONTHS_PER_YEAR)
    long_ago = np.minimum(MONTHS_PER_YEAR + np.floor(rng.random(n) ** 3 * 300), longest)
    drawn = np.where(lanes.own("annual_work_income") > 0, lately, long_ago)
    never = (lanes.own("annual_work_income") == 0) & (rng.random(n) < 0.5)
    never |= (lanes.own("work_hours_per_week") > 0) | (age < WORKING_AGE)
    return np.where(never, NONE_CODE, drawn)


def _years_sober(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    longest = lanes.own("age").astype(float) - SUBSTANCE_AGE
    years = np.minimum(chances.number(FEATURES["years_sober"], n, rng), longest)
    return np.where((longest < 0) | (rng.random(n) < 0.5), NONE_CODE, years)


def _weeks_pregnant(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    age = lanes.own("age")
    possible = (age >= PREGNANCY_AGE) & (age <= OLDEST_PREGNANCY_AGE)
    possible &= lanes.own("sex") == code_of("sex", "female")
    weeks = chances.number(FEATURES["weeks_pregnant"], n, rng)
    return np.where(possible & (rng.random(n) < 0.4), weeks, NONE_CODE)


def _months_pregnant(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    weeks = lanes.own("weeks_pregnant").astype(np.int64)
    # 7 days a week over 365/12 days a month lies within the bounds of short and long months.
    return np.where(weeks == NONE_CODE, NONE_CODE, weeks * 7 * MONTHS_PER_YEAR // 365)


def _owner(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    possible = lanes.shared("tenure") == code_of("tenure", "owner")
    possible &= lanes.own("age") >= ADULT_AGE
    owners: Codes = possible & (rng.random(len(lanes)) < 0.6)
    return owners


def _months_owned(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    longest = lanes.own("age").astype(np.int64) * MONTHS_PER_YEAR
    months = chances.number(FEATURES["months_owned_property"], len(lanes), rng)
    return np.where(lanes.own("is_property_owner"), np.minimum(months, longest), NONE_CODE)


def _funeral_date(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    days = chances.number(FEATURES["covid_funeral_expense_date"], len(lanes), rng)
    return np.where(lanes.own("covid_funeral_expenses"), days, NONE_CODE)


MEMBER: dict[str, Special] = {
    "relation": _relation,
    "age": _age,
    "age_months": _age_months,
    "citizenship": _citizenship,
    "current_school_level": _school_level,
    "current_grade": _grade,
    "school_type": _school_type,
    "high_school_equivalent": _diploma,
    "college_credits": _from_age("college_credits", SCHOOL_LEAVING_AGE, 0),
    "gpa": _from_age("gpa", WORKING_AGE, NONE_CODE),
    "work_hours_per_week": _hours,
    "consecutive_work_weeks": _at_work("consecutive_work_weeks"),
    "nonconsecutive_work_days": _work_days,
    "works_outside_home": _works_outside,
    "annual_work_income": _work_income,
    "annual_investment_income": _other_income,
    "months_since_worked": _months_since_worked,
    "days_looking_for_work": _from_age("days_looking_for_work", WORKING_AGE, 0),
    "years_sober": _years_sober,
    "weeks_pregnant": _weeks_pregnant,
    "months_pregnant": _months_pregnant,
    "is_property_owner": _owner,
    "months_owned_property": _months_owned,
    "covid_funeral_expense_date": _funeral_date,
}
