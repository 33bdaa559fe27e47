"""Earnings by person, other income, and household totals matched to the published bands.

Earnings follow sex and full-time work, ranked by schooling and age. Households are then ranked by
their raw income within borough and age of householder, and take the incomes of the fitted bands in
that order: the bands come out exactly, and who is rich or poor stays a matter of who works.
"""

import numpy as np
from numpy.typing import NDArray

from benyfits_data.population.conditions import LARGEST, parse_range
from benyfits_data.population.household_compositions import BOROUGHS, margin_of
from benyfits_data.population.raking import allocate, fit_margins, systematic_rounding
from benyfits_data.population.sources import Sources
from benyfits_data.population.synthetic_city import City

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
_INCOME_TAIL, _LARGEST_INCOME = 1.9, 1_900_000
_LEAST_EARNINGS = 300


def add_incomes(city: City) -> None:
    """Put `annual_work_income`, `annual_investment_income`, `household_income` and `poverty`."""
    rng = city.rng("income")
    earned = _earnings(city, rng)
    other = _other(city, rng)
    raw = city.total(earned + other)
    # People without any income of their own live on aid and help.
    help_ = np.exp(rng.normal(8.4, 0.7, city.households.size))
    bare = raw < 1
    other[city.people["is_householder"]] += np.where(bare, help_, 0)
    raw = np.where(bare, help_, raw)
    target = _match(city, raw, rng)
    factor = (target / raw)[city.household]
    works = city.people["worked_last_year"]
    work_income = np.where(works, np.maximum(np.round(earned * factor), _LEAST_EARNINGS), 0)
    rest = np.round(other * factor)
    city.people.put("annual_work_income", work_income.astype(np.int32))
    city.people.put("annual_investment_income", rest.astype(np.int32))
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


def _match(city: City, raw: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a target income for every household, in the order of raw income within groups."""
    by_borough, by_age = income_shares(city.sources)
    bands = list(margin_of(city.sources, "household_income", "all").items())
    overall = np.array([share for _, share in bands])
    borough = city.households["borough"].astype(np.int64)
    ages = age_group(city.households["householder_age"])
    group = borough * len(AGE_GROUPS) + ages
    numbers = np.bincount(group, minlength=len(BOROUGHS) * len(AGE_GROUPS)).reshape(5, 4)
    fitted = by_borough[:, None] * by_age[None] / overall
    fitted *= (numbers / np.maximum(fitted.sum(axis=2), 1e-300))[..., None]
    borough_total = numbers.sum(axis=1)[:, None] * by_borough
    by_total = borough_total.sum(axis=0) / len(raw)
    ages_in_city = numbers.sum(axis=0)[:, None]
    age_total = by_age * ages_in_city
    age_total = fit_margins(
        age_total / age_total.sum(), [by_total[None], ages_in_city / len(raw)], 200
    )
    age_total = age_total / age_total.sum(axis=1, keepdims=True) * ages_in_city
    fitted = fit_margins(
        fitted, [age_total[None], borough_total[:, None], numbers[..., None].astype(float)], 100
    )
    target = np.zeros(len(raw))
    score = np.log(raw + 3_000) + rng.normal(0, 0.3, len(raw))
    for parameter in city.sources.parameters:
        if parameter.name == "income_tilt":
            score[city.households.mask(parameter.given)] += parameter.value
    ends = [parse_range(text) or (0, LARGEST) for text, _ in bands]
    flat = fitted.reshape(-1, len(bands))
    whole = systematic_rounding(flat.ravel(), rng).reshape(flat.shape)
    for position in range(len(flat)):
        who = np.flatnonzero(group == position)
        if not len(who):
            continue
        counts = np.maximum(whole[position], 0)
        codes = np.repeat(np.arange(len(bands)), counts)[: len(who)]
        codes = np.concatenate([codes, np.full(len(who) - len(codes), 5)])
        target[who[np.argsort(score[who], kind="stable")]] = np.sort(_amounts(codes, ends, rng))
    return target


def _amounts(
    codes: NDArray[np.int64], ends: list[tuple[int, int]], rng: np.random.Generator
) -> NDArray[np.float64]:
    low = np.array([pair[0] for pair in ends], float)[codes]
    high = np.array([float(min(pair[1], _LARGEST_INCOME)) for pair in ends])[codes]
    u = rng.random(len(codes))
    drawn = low + u * (high - low)
    top = codes == len(ends) - 1
    tail = low[top] * (1 - u[top] * (1 - (_LARGEST_INCOME / low[top]) ** -_INCOME_TAIL)) ** (
        -1 / _INCOME_TAIL
    )
    drawn[top] = np.minimum(tail, _LARGEST_INCOME)
    return np.asarray(np.floor(drawn))


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
