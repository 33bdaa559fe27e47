"""Earnings and other income by person, before and after they are matched to the households'.

Earnings follow sex and full-time work, ranked by schooling and age, and are at least the minimum
wage for the hours worked, but for a few.
"""

import numpy as np
from numpy.typing import NDArray

from benyfits_data import rounding
from benyfits_data.household.constants import (
    ADULT_AGE,
    AID_BASE,
    AID_OF_EACH,
    FULL_TIME_HOURS,
    LARGEST_INCOME_OF_A_CHILD,
    LARGEST_INCOME_WITH_SSI,
    LARGEST_OTHER_INCOME_WITH_SSI,
    LARGEST_PAY_OF_A_MONTH,
    LARGEST_PAY_OF_A_PUPIL,
    LARGEST_PAY_OF_AN_HOUR,
    LEAST_PAY_OF_A_DAY,
    LEAST_PAY_OF_FULL_DAYS,
    MONTHS_PER_YEAR,
    WEEKS_PER_YEAR,
)
from benyfits_data.population.conditions import parse_range
from benyfits_data.population.household_incomes import Raw, match_incomes
from benyfits_data.population.poverty import put_poverty
from benyfits_data.population.raking import allocate
from benyfits_data.population.synthetic_city import City

Floats = NDArray[np.float64]
ALL_YEAR = 50
"""Weeks, as the table of earnings counts a whole year."""
_SENIORITY = 16, 75
"""Ages outside of which pay changes no more."""


def add_incomes(city: City) -> None:
    """Put everybody's incomes, `household_income`, and the percentages of both poverty lines."""
    rng = city.rng("income")
    people, first = city.people, city.people["is_householder"]
    earned = _earnings(city, rng)
    other = _other(city, rng)
    raw = city.total(earned + other)
    # Who has no income lives on aid and help, and so do children of householders without any.
    heads = np.where(people.mask("relation self|spouse"), earned + other, 0)
    lacks = (raw < 1) | ((city.total(heads) < 1) & (city.households["household_minors"] > 0))
    noise = rng.normal(0, city.sources.parameter("help", "spread"), city.households.size)
    help_ = city.sources.parameter("help", "median") * np.exp(noise)
    other[first] += np.where(lacks, help_, 0)
    kept = np.where(people["work_hours_per_week"] > 0, 0, city.sources.parameter("pay_before_kept"))
    least = np.minimum(np.maximum(least_pay(city), kept * earned), earned)
    due = np.where(people["receives_ssi"], ssi_due(city, least), 0)
    other = np.where(people["receives_ssi"], due, other)
    earned, other = match_incomes(city, Raw(earned, least, other, due), rng)
    lowest = city.sources.parameter("least_earnings")
    drawn = lowest * (1 + rng.random(people.size))
    paid = rounding.ceil(np.where(earned < lowest, drawn, earned))
    paid = np.maximum(paid, _least_for_days(city))
    hours = people["work_hours_per_week"].astype(np.int64)
    of_hours = hours * WEEKS_PER_YEAR * LARGEST_PAY_OF_AN_HOUR
    most = np.where(hours > 0, of_hours, (MONTHS_PER_YEAR - 1) * LARGEST_PAY_OF_A_MONTH)
    most = np.where(_minors_and_pupils(city), np.minimum(most, LARGEST_PAY_OF_A_PUPIL), most)
    work_income = np.where(people["worked_last_year"], np.minimum(paid, most), 0)
    people.put("annual_work_income", work_income.astype(np.int32))
    people.put("annual_investment_income", rounding.nearest(other).astype(np.int32))
    update_totals(city)
    # Who is paid more than SSI leaves anything of, or lives with too much, loses it.
    kept = (ssi_due(city, work_income) > 0) & (people["household_income"] < LARGEST_INCOME_WITH_SSI)
    kept &= people["annual_investment_income"] <= LARGEST_OTHER_INCOME_WITH_SSI
    people.put("receives_ssi", people["receives_ssi"] & kept)
    city.households.put("ssi_members", city.count(people["receives_ssi"]))


def _minors_and_pupils(city: City) -> NDArray[np.bool_]:
    return np.asarray(
        (city.people["age"] < ADULT_AGE) | city.people.mask("current_school_level school")
    )


def update_totals(city: City) -> None:
    """Put incomes of couples and households, in percent of poverty and the area's median too."""
    people, households = city.people, city.households
    income = people["annual_work_income"] + people["annual_investment_income"]
    total = city.total(income)
    couple = city.total(np.where(people["couple"], income, 0))
    of_couple = np.where(people["couple"], couple[city.household], income)
    people.put("couple_income", of_couple.astype(np.int64))
    closest = people.mask("relation self|spouse")
    closest |= people.mask("relation child|adopted child|stepchild & age 0-20")
    works = people["work_hours_per_week"] > 0
    now = people["annual_investment_income"] + np.where(works, people["annual_work_income"], 0)
    of_family = np.where(closest, city.total(np.where(closest, now, 0))[city.household], now)
    size = np.where(closest, city.count(closest)[city.household], 1)
    people.put("has_income_for_aid", of_family <= AID_BASE + size * AID_OF_EACH)
    first = city.sources.parameter("poverty_guideline_first")
    each = city.sources.parameter("poverty_guideline_each")
    line = first + each * (households["household_size"] - 1)
    households.put("household_income", total.astype(np.int64))
    households.put("poverty", rounding.floor(100 * total / line).astype(np.int64))
    limit = city.parameter_of_households("half_of_area_median")
    households.put("area_median_percent", rounding.floor(50 * total / limit).astype(np.int64))
    put_poverty(city)


def _earnings(city: City, rng: np.random.Generator) -> NDArray[np.float64]:
    people, parameter = city.people, city.sources.parameter
    joint = city.sources.joints["earnings_sex_full_time"]
    bands = joint.labels[2]
    works = np.flatnonzero(people["worked_last_year"])
    hours, weeks = people["work_hours_per_week"][works], people["consecutive_work_weeks"][works]
    full = (hours >= FULL_TIME_HOURS) & (weeks >= ALL_YEAR)
    sex = people["sex"][works]
    shares = joint.table(("female", "male"), ("no", "yes"), bands).reshape(4, -1)
    shares /= shares.sum(axis=1, keepdims=True)
    levels = people.levels("education") or ()
    scores = [parameter("schooling_score", f"education {level}") for level in levels]
    schooling = np.array(scores)[people["education"][works]]
    age = people["age"][works]
    best, spread = (parameter("best_paid_age", given) for given in ("middle", "spread"))
    seniority = -(((np.clip(age, *_SENIORITY) - best) / spread) ** 2)
    score = parameter("earnings_score", "schooling") * schooling
    score += parameter("earnings_score", "seniority") * seniority
    score += parameter("earnings_score", "chance") * rng.normal(size=len(works))
    amount = np.log1p(hours * np.maximum(weeks, 8) / 100)
    score += np.where(full, 0, parameter("earnings_score", "part time") * amount)
    for given, tilt in city.sources.values_of("earnings_tilt").items():
        score[people.mask(given)[works]] += tilt
    cell = (sex.astype(np.int64) * 2 + full).astype(np.int64)
    band = allocate(cell, shares, rng, score)
    ends = [parse_range(text) for text in bands]
    low = np.array([pair[0] for pair in ends if pair], float)[band]
    high = np.array([min(pair[1], 10**6) for pair in ends if pair], float)[band]
    drawn = low + rng.random(len(works)) * (high - low)
    highest, tail = (parameter("top_earnings", given) for given in ("from", "tail"))
    top = low >= highest
    drawn[top] = highest * (1 - rng.random(top.sum())) ** (-1 / tail)
    earned = np.zeros(people.size)
    earned[works] = np.minimum(drawn, parameter("top_earnings", "most")) * parameter(
        "earnings_factor"
    )
    # Who works few hours is among the best paid by chance only; nothing is known of the hours of
    # whoever works no longer.
    most = np.where(full | (hours == 0), np.inf, hours * weeks * parameter("largest_hourly_pay"))
    earned[works] = np.minimum(earned[works], most)
    # The lowest published earnings are mostly of part of a year: hours times weeks say how much.
    short = rng.random(len(works)) < parameter("paid_below_minimum")
    earned[works] = np.where(
        short, earned[works], np.maximum(earned[works], least_pay(city)[works])
    )
    return earned


def least_pay(city: City) -> Floats:
    """Return what everybody's hours bring at the minimum wage, or up to so much more an hour."""
    weeks = np.maximum(city.people["consecutive_work_weeks"], 0)
    above = city.sources.parameter("minimum_wage", "least paid")
    share = city.rng("least pay").random(city.people.size)
    hourly = city.sources.parameter("minimum_wage") * (1 + above * share)
    return np.asarray(city.people["work_hours_per_week"] * weeks * hourly)


def _least_for_days(city: City) -> NDArray[np.int64]:
    """Return what everybody's days of work are paid at least (`days_of_work_are_paid`)."""
    is_full = city.people["work_hours_per_week"] >= FULL_TIME_HOURS
    days = city.people["nonconsecutive_work_days"].astype(np.int64)
    return days * np.where(is_full, LEAST_PAY_OF_FULL_DAYS, LEAST_PAY_OF_A_DAY)


def _other(city: City, rng: np.random.Generator) -> NDArray[np.float64]:
    people = city.people
    amount = people["interest_and_dividends"].astype(float)
    for name in ("social_security", "pension"):
        has = people["has_" + name]
        median, spread = (city.sources.parameter(name, given) for given in ("all", "spread"))
        amount[has] += median * np.exp(rng.normal(0, spread, has.sum()))
    return amount


def ssi_due(city: City, work: Floats) -> Floats:
    """Return what SSI leaves a recipient with a year, besides what everybody has from work.

    It fills other income up to the benefit and what is not counted, less half of what is earned
    beyond that. Spouses who both receive it share the benefit of a couple.

    Args:
        city: Homes with their recipients.
        work: Earnings of everybody.
    """
    people, parameter = city.people, city.sources.parameter
    both = people["receives_ssi"] & people["couple"]
    both &= city.count(both)[city.household] > 1
    alone = people["household_size"] == 1
    amount = np.where(alone, parameter("ssi", "alone"), parameter("ssi", "with others"))
    amount = np.where(both, parameter("ssi", "each of a couple"), amount)
    counted = np.maximum(work - parameter("ssi", "earnings not counted"), 0)
    counted *= parameter("ssi", "share of earnings counted")
    return np.asarray(np.maximum(amount - counted, 0))


def give_benefits(city: City) -> None:
    """Shift income within households so that recipients of SSI or SSDI have some of their own.

    The household's total stays: the amount comes from the other income of members without such
    benefits, or from the largest earnings, of which three quarters stay where they were.
    """
    people = city.people
    other = people["annual_investment_income"].astype(np.int64)
    work = people["annual_work_income"].astype(np.int64)
    recipient = people["receives_ssi"] | people["receives_ssdi"]
    wanted = np.maximum(city.sources.parameter("disability_benefit") - work, 0)
    wanted = np.where(
        people["receives_ssi"], rounding.floor(ssi_due(city, work.astype(float))), wanted
    )
    most = city.sources.parameter("disability_benefit", "most of earnings")
    lacking = np.where(recipient, np.maximum(wanted - other, 0), 0).astype(np.int64)
    need = city.total(lacking)
    spare = np.where(recipient, 0, other)
    pool = city.total(spare)
    from_other = np.minimum(need, pool)
    top = np.zeros(city.households.size, np.int64)
    np.maximum.at(top, city.household, work)
    least = rounding.ceil(least_pay(city))
    least = np.where(people["earns_minimum_wage"], np.minimum(least, work), least)
    spare_work = work - np.where(least <= work, least, _least_for_days(city))
    free = np.zeros(city.households.size)
    np.maximum.at(free, city.household, np.where(work == top[city.household], spare_work, 0))
    from_work = np.minimum(need - from_other, rounding.floor(np.minimum(top * most, free)))
    kept = 1 - from_other / np.maximum(pool, 1)
    other = np.where(recipient, other, rounding.floor(spare * kept[city.household])).astype(
        np.int64
    )
    earner = (work == top[city.household]) & (work > 0)
    _, first = np.unique(city.household[earner], return_index=True)
    payer = np.flatnonzero(earner)[first]
    work[payer] -= from_work[city.household[payer]].astype(np.int64)
    given = from_other + from_work
    part = np.where(need > 0, given / np.maximum(need, 1), 0)[city.household]
    other += rounding.floor(lacking * part).astype(np.int64)
    young = _minors_and_pupils(city)
    other[young] = np.minimum(other[young], LARGEST_INCOME_OF_A_CHILD)
    people.put("annual_investment_income", other.astype(np.int32))
    people.put("annual_work_income", work.astype(np.int32))
    update_totals(city)
