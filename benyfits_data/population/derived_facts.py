"""Features that follow from others: rules that the tables only name, as code."""

from collections.abc import Callable
from datetime import date
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benyfits_data import rounding
from benyfits_data.household.constants import (
    ADULT_AGE,
    AGE_COUNTED_IN_YEARS,
    DAYS_PER_WEEK,
    LEAST_INCOME_OF_OWN_SUPPORT,
    LEAST_MONTHS_BETWEEN_BIRTHS,
    LONG_MONTH,
    MONTHS_PER_YEAR,
    SHORT_MONTH,
    WORKING_AGE,
)
from benyfits_data.population.conditions import NONE
from benyfits_data.population.incomes import add_incomes, give_benefits, least_pay
from benyfits_data.population.synthetic_city import City

Rule = Callable[[City], None]
RULES: dict[str, Rule] = {}
"""Rule of every feature that is neither drawn nor a flag whose conditions the tables tell."""

AFTERWARDS: dict[str, Rule] = {}
"""What is derived once a feature has been drawn."""

_CAME_FIRST = ("unlawful_resident", "lawful_resident", "citizen_or_national")
"""Status of siblings from the oldest on: who was born abroad is older than who was born here."""
_DAYS_OF_WORK = 260
"""Of a year: five days a week."""
_FIRST_WEEK_KNOWN = 4
"""Of a pregnancy: the week of the first missed period."""
_WEEKS_OF_A_MONTH = 4
"""Of the nine months that are drawn alike: the weeks from the first one known to the 39th."""
_LONGEST_WITHOUT_WORK = 420
"""Months: 35 years, more than which nobody is asked about."""
_LATE, _FIRST_WAVE, _LATER = (
    (date(2020, 1, 1), date(2020, 1, 19)),
    (date(2020, 3, 15), date(2020, 6, 30)),
    (date(2020, 7, 1), date(2022, 12, 31)),
)
"""Funerals before the first day that is covered, in the city's first wave, and from then on."""
_BIRTHDAYS_DRAWN = 10
"""How often siblings born too close are drawn anew before all of their home are born in one month.
"""


def _register(rules: dict[str, Rule], feature: str) -> Callable[[Rule], Rule]:
    def register(function: Rule) -> Rule:
        rules[feature] = function
        return function

    return register


rule, after = partial(_register, RULES), partial(_register, AFTERWARDS)
"""Decorators, called with a feature, that make a function its rule."""
rule("annual_work_income")(add_incomes)
after("has_received_ssi_or_ssdi")(give_benefits)


def is_choice(city: City, column: str, *values: str) -> NDArray[np.bool_]:
    """Return which households have one of some values of a household's choice."""
    return city.households.mask(f"{column} {'|'.join(values)}")


@rule("age_months")
def _age_months(city: City) -> None:
    age, rng = city.people["age"], city.rng("age_months")
    counted = age < AGE_COUNTED_IN_YEARS
    month = rng.integers(0, MONTHS_PER_YEAR, city.people.size)
    children = np.flatnonzero(counted & city.people.mask("relation child"))
    # Children of one home and age are twins.
    home = city.household[children]
    _, first, births = np.unique(
        home * AGE_COUNTED_IN_YEARS + age[children], return_index=True, return_inverse=True
    )
    for _ in range(_BIRTHDAYS_DRAWN):
        month[children] = month[children[first]][births]
        again = _born_too_close(home, age[children] * MONTHS_PER_YEAR + month[children])
        month[children[again]] = rng.integers(0, MONTHS_PER_YEAR, len(again))
    month[children] = month[children[first]][births]
    left = _born_too_close(home, age[children] * MONTHS_PER_YEAR + month[children])
    month[children[np.isin(home, home[left])]] = 0
    months = np.where(counted, age * MONTHS_PER_YEAR + month, NONE)
    city.people.put("age_months", months.astype(np.int32))


def _born_too_close(home: NDArray[np.int64], months: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the places of children of one home that are neither twins nor born apart."""
    who = np.lexsort((months, home))
    gap = np.diff(months[who])
    close = (np.diff(home[who]) == 0) & (gap > 0) & (gap < LEAST_MONTHS_BETWEEN_BIRTHS)
    return np.union1d(who[:-1][close], who[1:][close])


def _children_of_citizens_are_citizens(city: City) -> None:
    """Let children of citizens change places with citizens whose parents have their status."""
    people, rng = city.people, city.rng("citizenship of children")
    status, levels = people["citizenship"].copy(), people.levels("citizenship") or ()
    child = people.mask(f"relation child & age 0-{ADULT_AGE - 1}")
    citizen = people.mask("citizenship citizen_or_national")
    parent = people.mask("relation self|spouse|domestic partner") & citizen
    of_citizen = city.count(parent)[city.household] > 0
    of = city.of_householder(status)[city.household]
    last = rng.random(people.size) - people["age"]
    for code in range(len(levels)):
        for borough in range(len(people.levels("borough") or ())):
            here = child & (people["borough"] == borough)
            giving = np.flatnonzero(here & of_citizen & ~citizen & (status == code))
            taking = np.flatnonzero(here & ~of_citizen & citizen & (of == code))
            taking = taking[np.argsort(last[taking])][: len(giving)]
            status[taking] = code
            status[giving[: len(taking)]] = levels.index("citizen_or_national")
    people.put("citizenship", status, levels)


def _older_children_came_first(city: City) -> None:
    """Let minor children of one home change status, so that citizens are the youngest of them."""
    people = city.people
    status, levels = people["citizenship"].copy(), people.levels("citizenship") or ()
    rank = np.array([_CAME_FIRST.index(level) for level in levels])
    children = np.flatnonzero(people.mask(f"relation child & age 0-{ADULT_AGE - 1}"))
    by_age = children[np.lexsort((-people["age"][children], city.household[children]))]
    by_status = children[np.lexsort((rank[status[children]], city.household[children]))]
    status[by_age] = status[by_status].copy()
    people.put("citizenship", status, levels)


@after("citizenship")
def _lawful_members(city: City) -> None:
    _children_of_citizens_are_citizens(city)
    _older_children_came_first(city)
    lawful = ~city.people.mask("citizenship unlawful_resident")
    households, people = city.households, city.people
    households.put("lawful_members", city.count(lawful))
    levels = people.levels("citizenship")
    households.put("householder_citizenship", city.of_householder(people["citizenship"]), levels)


@rule("first_time_parent")
def _first_time_parent(city: City) -> None:
    people = city.people
    children = "relation child|adopted child|stepchild"
    babies = city.count(people.mask(f"{children} & age 0"))[city.household]
    older = city.count(people.mask(f"{children} & age 1-110"))[city.household]
    parents = people.mask("is_parent yes & relation self|spouse|domestic partner")
    people.put("first_time_parent", parents & (babies > 0) & (older == 0))


@rule("current_grade")
def _grade(city: City) -> None:
    people, rng = city.people, city.rng("current_grade")
    at_school = people.mask("current_school_level school")
    behind = rng.random(people.size) < city.sources.parameter("behind_grade")
    grade = np.clip(people["age"] - 5 - behind, 0, 12)
    people.put("current_grade", np.where(at_school, grade, NONE).astype(np.int32))


@after("disabled")
def _disabled_members(city: City) -> None:
    city.households.put("disabled_members", city.count(city.people["disabled"]))
    city.households.put("has_disabled_member", city.households["disabled_members"] > 0)


@rule("nonconsecutive_work_days")
def _days(city: City) -> None:
    people = city.people
    hours, weeks = people["work_hours_per_week"], people["consecutive_work_weeks"]
    per_week = np.clip(rounding.ceil(hours / 8), 1, 5)
    people.put(
        "nonconsecutive_work_days", np.minimum(weeks * per_week, _DAYS_OF_WORK).astype(np.int32)
    )


@after("employment")
def _working_parents(city: City) -> None:
    people = city.people
    parents = people["own_minor_at_home"]
    idle = city.count(parents & ~people.mask("employment employed"))
    works = (city.count(parents) > 0) & (idle == 0)
    people.put("parents_work", works[city.household] & (people["age"] < ADULT_AGE))


@after("emotional_behavioral_condition")
def _behavior(city: City) -> None:
    children = city.people.mask(f"emotional_behavioral_condition yes & age 0-{ADULT_AGE - 1}")
    city.households.put("child_behavior", city.count(children) > 0)


@rule("weeks_pregnant")
def _weeks_pregnant(city: City) -> None:
    people = city.people
    pregnant = people["months_pregnant"] >= 0
    elapsed = people["months_pregnant"] + city.rng("weeks_pregnant").random(people.size)
    weeks = np.int32(_FIRST_WEEK_KNOWN + np.floor(elapsed * _WEEKS_OF_A_MONTH))
    people.put("weeks_pregnant", np.where(pregnant, weeks, NONE).astype(np.int32))
    months = weeks * DAYS_PER_WEEK // LONG_MONTH
    people.put("months_pregnant", np.where(pregnant, months, NONE).astype(np.int32))


@rule("months_since_worked")
def _months_since_worked(city: City) -> None:
    people, rng = city.people, city.rng("months_since_worked")
    age = people["age"]
    oldest = np.maximum((age - WORKING_AGE) * 12, 12)
    searching = people["days_looking_for_work"] // SHORT_MONTH
    recent = np.where(searching > 0, searching, rng.integers(1, 12, people.size))
    share, power = (
        city.sources.parameter("years_since_work", given) for given in ("all", "recent")
    )
    longer = 12 + rng.random(people.size) ** power * (
        np.clip(oldest * share, 12, _LONGEST_WITHOUT_WORK) - 12
    )
    # Who was dismissed and looks for work is not out of it for long.
    dismissed = 12 * (1 + rng.random(people.size))
    longer = rounding.floor(np.where(people["lost_job"], dismissed, longer))
    earned = people["annual_work_income"] > 0
    # A month was hardly paid more than a household of the city has.
    usual = city.sources.parameter("median_household_income") / MONTHS_PER_YEAR
    paid_for = rounding.ceil(people["annual_work_income"] / usual)
    ended = np.minimum(recent, np.maximum(MONTHS_PER_YEAR - paid_for, 1))
    months = np.where(earned, ended, np.maximum(longer, searching))
    months = np.minimum(months, oldest)
    stopped = people["work_experience"] & (people["work_hours_per_week"] == 0)
    people.put("months_since_worked", np.where(stopped, months, NONE).astype(np.int32))


@after("worked_last_year")
def _who_brings_pay(city: City) -> None:
    worked, couple = city.people["worked_last_year"], city.people["couple"]
    city.households.put("earners", city.count(worked))
    of_couple = couple & (city.count(worked & couple)[city.household] > 0)
    city.people.put("paid_in_couple", worked | of_couple)
    least = rounding.floor(least_pay(city)).astype(np.int64)
    city.people.put("own_least_pay", least)
    city.households.put("least_pay", city.total(least))


@after("filing_jointly")
def _income_of_filers(city: City) -> None:
    people, joint = city.people, city.households["filing_jointly"][city.household]
    files = people.mask("relation self") | (people.mask("relation spouse") & joint)
    income = people["annual_work_income"] + people["annual_investment_income"]
    city.households.put("filers_have_income", city.total(np.where(files, income, 0)) > 0)


@after("dependent")
def _claims(city: City) -> None:
    city.households.put("claims_dependents", city.count(city.people["dependent"]) > 0)


@rule("provides_over_half_of_own_financial_support")
def _own_support(city: City) -> None:
    people, households = city.people, city.households
    income = people["annual_work_income"] + people["annual_investment_income"]
    # Everybody's support costs the same share of what the household lives on.
    share = (households["household_income"] / households["household_size"])[city.household]
    least = LEAST_INCOME_OF_OWN_SUPPORT
    supports = (2 * income > share) & (income >= least) & (people["age"] >= WORKING_AGE)
    people.put("provides_over_half_of_own_financial_support", supports & ~people["dependent"])


@rule("earns_minimum_wage")
def _minimum_wage(city: City) -> None:
    people = city.people
    hours = people["work_hours_per_week"] * np.maximum(people["consecutive_work_weeks"], 0)
    least = rounding.floor(hours * city.sources.parameter("minimum_wage"))
    people.put("earns_minimum_wage", (hours > 0) & (people["annual_work_income"] >= least))


@rule("covid_funeral_expense_date")
def _funeral_date(city: City) -> None:
    people, rng = city.people, city.rng("covid_funeral_expense_date")
    u = rng.random(people.size)
    day = rng.random(people.size)

    def between(first: date, last: date) -> NDArray[np.float64]:
        return first.toordinal() + np.floor(day * (last.toordinal() - first.toordinal() + 1))

    early, spring, later = (between(*ends) for ends in (_LATE, _FIRST_WAVE, _LATER))
    given = ("before 2020-01-20", "to 2020-06-30")
    before, wave = (city.sources.parameter("funeral_dates", when) for when in given)
    drawn = np.where(u < before, early, np.where(u < before + wave, spring, later))
    paid = people["covid_funeral_expenses"]
    people.put("covid_funeral_expense_date", np.where(paid, drawn, NONE).astype(np.int32))
