"""Earnings by person, other income, and household totals matched to the published bands.

Earnings follow sex and full-time work, ranked by schooling and age. Households are then ranked by
their raw income within borough and age of householder, and take the incomes of the fitted bands in
that order: the bands come out exactly, and who is rich or poor stays a matter of who works.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtri

from benyfits_data.population.calibration import Bands, Poverty, calibrate, choose
from benyfits_data.population.conditions import LARGEST, parse_range
from benyfits_data.population.household_compositions import BOROUGHS, margin_of
from benyfits_data.population.poverty import Units, is_family, poverty_units, put_poverty
from benyfits_data.population.raking import allocate, fit_margins
from benyfits_data.population.sources import Sources
from benyfits_data.population.synthetic_city import City

Floats = NDArray[np.float64]

AGE_GROUPS = ("16-24", "25-44", "45-64", "65-110")
SCHOOLING = {
    "no high school": -1.4,
    "some high school": -1.0,
    "high school": -0.5,
    "some college": -0.1,
    "associate": 0.2,
    "bachelor": 0.9,
    "graduate": 1.4,
}
_TOP_OF_EARNINGS, _EARNINGS_TAIL = 100_000, 2.2
_LEAST_EARNINGS = 300


def add_incomes(city: City) -> None:
    """Put everybody's incomes, `household_income`, and the percentages of both poverty lines."""
    rng = city.rng("income")
    people, first = city.people, city.people["is_householder"]
    earned = _earnings(city, rng)
    other = _other(city, rng)
    raw = city.total(earned + other)
    # People without any income of their own live on aid and help.
    help_ = np.exp(rng.normal(8.4, 0.7, city.households.size))
    other[first] += np.where(raw < 1, help_, 0)
    raw = np.where(raw < 1, help_, raw)
    hours = people["work_hours_per_week"] * np.maximum(people["consecutive_work_weeks"], 0)
    least = np.minimum(hours * city.sources.parameter("minimum_wage"), earned)
    work, kept, rest = (
        part[city.household] for part in _match(city, raw, earned, other, least, rng)
    )
    work_income = np.where(
        people["worked_last_year"], np.maximum(np.round(earned * work), _LEAST_EARNINGS), 0
    )
    people.put("annual_work_income", work_income.astype(np.int32))
    other_income = np.round(other * kept + np.where(first, rest, 0))
    people.put("annual_investment_income", other_income.astype(np.int32))
    update_totals(city)


def update_totals(city: City) -> None:
    """Put the household's income and its percentage of the poverty guideline."""
    people, households = city.people, city.households
    total = city.total(people["annual_work_income"] + people["annual_investment_income"])
    first = city.sources.parameter("poverty_guideline_first")
    each = city.sources.parameter("poverty_guideline_each")
    line = first + each * (households["household_size"] - 1)
    households.put("household_income", total.astype(np.int64))
    households.put("poverty", np.floor(100 * total / line).astype(np.int64))
    put_poverty(city)


def _earnings(city: City, rng: np.random.Generator) -> NDArray[np.float64]:
    people = city.people
    cells = city.sources.joints["earnings_sex_full_time"].cells
    bands = list(dict.fromkeys(key[2] for key in cells))
    works = np.flatnonzero(people["worked_last_year"])
    hours, weeks = people["work_hours_per_week"][works], people["consecutive_work_weeks"][works]
    full = (hours >= 35) & (weeks >= 50)
    sex = people["sex"][works]
    shares = np.array(
        [
            [cells[(s, f, band)] for band in bands]
            for s in ("female", "male")
            for f in ("no", "yes")
        ],
        float,
    )
    shares /= shares.sum(axis=1, keepdims=True)
    levels = people.levels("education") or ()
    schooling = np.array([SCHOOLING[level] for level in levels])[people["education"][works]]
    age = people["age"][works]
    seniority = -(((np.clip(age, 16, 75) - 48) / 20) ** 2)
    score = 0.55 * schooling + 0.35 * seniority + 0.75 * rng.normal(size=len(works))
    score += np.where(full, 0.0, 0.85 * np.log1p(hours * np.maximum(weeks, 8) / 100))
    cell = (sex.astype(np.int64) * 2 + full).astype(np.int64)
    band = allocate(cell, shares, rng, score)
    ends = [parse_range(text) for text in bands]
    low = np.array([pair[0] for pair in ends if pair], float)[band]
    high = np.array([min(pair[1], 10**6) for pair in ends if pair], float)[band]
    drawn = low + rng.random(len(works)) * (high - low)
    top = low >= _TOP_OF_EARNINGS
    drawn[top] = _TOP_OF_EARNINGS * (1 - rng.random(top.sum())) ** (-1 / _EARNINGS_TAIL)
    earned = np.zeros(people.size)
    earned[works] = np.minimum(drawn, 900_000) * city.sources.parameter("earnings_factor")
    return earned


def _other(city: City, rng: np.random.Generator) -> NDArray[np.float64]:
    people = city.people
    amount = people["interest_and_dividends"].astype(float)
    for name, spread in (("social_security", 0.35), ("pension", 0.8)):
        has = people["has_" + name]
        median = city.sources.parameter(name)
        amount[has] += median * np.exp(rng.normal(0, spread, has.sum()))
    return amount


def income_shares(sources: Sources) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the share of households in each income band, by borough and by age of householder.

    Returns:
        Shapes `(5, 10)` and `(4, 10)`, rows summing to 1.
    """
    boroughs = [margin_of(sources, "household_income", f"borough {name}") for name in BOROUGHS]
    ages = [
        margin_of(sources, "household_income", f"householder_age {ends}") for ends in AGE_GROUPS
    ]
    return (
        np.array([list(shares.values()) for shares in boroughs]),
        np.array([list(shares.values()) for shares in ages]),
    )


def age_group(age: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the position of an age of householder in `AGE_GROUPS`."""
    return np.digitize(age, [25, 45, 65])


@dataclass(frozen=True)
class _Candidates:
    """Candidate incomes of every household and what its members would have of each.

    Attributes:
        band: Published band of every candidate, shape `(candidates,)`.
        income: Of the household, shape `(households, candidates)`.
        earned: Factor on raw earnings, of the same shape.
        other: Factor on raw other income.
        rest: What the householder has besides.
    """

    band: NDArray[np.int64]
    income: Floats
    earned: Floats
    other: Floats
    rest: Floats


def _candidates(
    city: City, earned: Floats, other: Floats, least: Floats, rng: np.random.Generator
) -> _Candidates:
    """Return an income within each narrow band, and how it is made up.

    Other income keeps its amount while earnings rise or fall with the household's income, between
    the least that the members' work may be paid and a multiple of what was drawn; beyond that other
    income is cut, or the householder has more of it.
    """
    sources = city.sources
    ends = [
        parse_range(text) or (0, LARGEST) for text in margin_of(sources, "household_income", "all")
    ]
    parts = [int(sources.parameter("income_candidates", f"band {i}")) for i in range(len(ends))]
    band = np.repeat(np.arange(len(ends)), parts)
    part = np.concatenate([np.arange(count) / count for count in parts])
    width = 1 / np.array(parts)[band]
    u = part + width * rng.random((city.households.size, len(band)))
    low, high = (np.array([end[i] for end in ends], float)[band] for i in (0, 1))
    largest, tail = sources.parameter("largest_income"), sources.parameter("income_tail")
    income = low + u * (np.minimum(high, largest) - low)
    top = band == len(ends) - 1
    income[:, top] = low[top] * (1 - u[:, top] * (1 - (largest / low[top]) ** -tail)) ** (-1 / tail)
    income = np.floor(income)
    work, rest = city.total(earned)[:, None], city.total(other)[:, None]
    floor = np.minimum(city.total(least)[:, None], work)
    most = work * sources.parameter("earnings_stretch")
    paid = np.where(work > 0, np.clip(income - rest, np.minimum(floor, income), most), 0.0)
    kept = np.minimum(rest, income - paid)
    return _Candidates(
        band=band,
        income=income,
        earned=paid / np.maximum(work, 1),
        other=kept / np.maximum(rest, 1),
        rest=income - paid - kept,
    )


def _match(
    city: City, raw: Floats, earned: Floats, other: Floats, least: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Return factors on earnings and other income, and what is added, for every household."""
    sources, households = city.sources, city.households
    n = households.size
    found = _candidates(city, earned, other, least, rng)
    by_borough, by_age = income_shares(sources)
    overall = np.array(list(margin_of(sources, "household_income", "all").values()))
    tied = sources.parameter("income_rank_correlation")
    rank = ndtri((np.argsort(np.argsort(raw, kind="stable")) + 0.5) / n)
    share = overall[found.band] / np.bincount(found.band)[found.band]
    middle = ndtri(np.cumsum(share) - share / 2)
    odds = share * np.exp((middle**2 - (middle - tied * rank[:, None]) ** 2 / (1 - tied**2)) / 2)
    # Who works is paid the minimum wage at least; the self-employed may have less.
    odds *= np.where(
        found.earned * city.total(earned)[:, None] + 1
        < np.minimum(city.total(least), city.total(earned))[:, None],
        sources.parameter("paid_below_minimum_odds"),
        1.0,
    )
    group = households["borough"].astype(np.int64), age_group(households["householder_age"])
    ages = np.bincount(group[1], minlength=len(AGE_GROUPS)) / n
    boroughs = np.bincount(group[0], minlength=len(BOROUGHS)) / n
    # The table by age is raked to the bands of the city.
    aged = fit_margins(by_age * ages[:, None], [(boroughs @ by_borough)[None], ages[:, None]], 200)
    aged /= np.maximum(aged.sum(axis=1, keepdims=True), 1e-300)
    units = poverty_units(city)
    fitted = calibrate(
        odds,
        [Bands(group[1], found.band, aged), Bands(group[0], found.band, by_borough)],
        _poverty(city, units, found, earned, other),
    )
    order = np.lexsort((fitted @ np.arange(len(found.band)), group[1], group[0]))
    pick = np.arange(n), choose(fitted, order, rng.random())
    return found.earned[pick], found.other[pick], found.rest[pick]


def _poverty(
    city: City, units: Units, found: _Candidates, earned: Floats, other: Floats
) -> Poverty:
    """Return which units would be poor with each candidate, and the published shares."""
    n = city.households.size
    work, rest = units.total(earned)[:, None], units.total(other)[:, None]
    income = work * found.earned[units.household] + rest * found.other[units.household]
    income[:n] += found.rest
    columns = []
    for target in city.sources.poverty:
        if target.unit == "person":
            among = city.people.mask(target.given) & units.counted
            counts = np.bincount(units.of_person[among], minlength=len(units.household))
        else:
            family = city.households.mask(target.given) & is_family(city)
            counts = np.zeros(len(units.household), np.int64)
            counts[:n] = family
        columns.append(sparse.csr_matrix(counts[:, None].astype(float)))
    return Poverty(
        household=units.household,
        poor=income < units.threshold[:, None],
        members=sparse.csr_matrix(sparse.hstack(columns)),
        share=np.array([target.share for target in city.sources.poverty]),
    )


def give_benefits(city: City) -> None:
    """Shift income within households so that recipients of SSI or SSDI have some of their own.

    The household's total stays: the amount comes from the other income of members without such
    benefits, or from the largest earnings, of which three quarters stay where they were.
    """
    people = city.people
    other = people["annual_investment_income"].astype(np.int64)
    work = people["annual_work_income"].astype(np.int64)
    recipient = people["receives_ssi"] | people["receives_ssdi"]
    wanted = int(city.sources.parameter("disability_benefit"))
    lacking = np.where(recipient, np.maximum(wanted - other - work, 0), 0)
    need = city.total(lacking)
    spare = np.where(recipient, 0, other)
    pool = city.total(spare)
    from_other = np.minimum(need, pool)
    top = np.zeros(city.households.size, np.int64)
    np.maximum.at(top, city.household, work)
    from_work = np.minimum(need - from_other, np.floor(top * 0.25))
    kept = 1 - from_other / np.maximum(pool, 1)
    other = np.where(recipient, other, np.floor(spare * kept[city.household])).astype(np.int64)
    earner = (work == top[city.household]) & (work > 0)
    _, first = np.unique(city.household[earner], return_index=True)
    payer = np.flatnonzero(earner)[first]
    work[payer] -= from_work[city.household[payer]].astype(np.int64)
    given = from_other + from_work
    part = np.where(need > 0, given / np.maximum(need, 1), 0)[city.household]
    other += np.floor(lacking * part).astype(np.int64)
    young = (people["age"] < 16) & (other > 20_000)
    other[young] = 20_000
    people.put("annual_investment_income", other.astype(np.int32))
    people.put("annual_work_income", work.astype(np.int32))
    update_totals(city)
