"""Incomes of households, drawn so that bands and poverty are as published, and who has them.

Earnings follow sex and full-time work, ranked by schooling and age (`incomes.py`): that is what
members' work would bring. Here every household gets one of its candidate incomes, by the
calibration of `calibration.py`, and its members their parts of it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtri

from benyfits_data import rounding
from benyfits_data.household.constants import LARGEST_INCOME_WITH_SSI
from benyfits_data.population.calibration import Bands, Poverty, calibrate, choose, settle
from benyfits_data.population.conditions import LARGEST, ends_of, parse_range
from benyfits_data.population.household_compositions import BOROUGHS, margin_of
from benyfits_data.population.poverty import Units, is_family, poverty_units
from benyfits_data.population.raking import fit_margins, product
from benyfits_data.population.sources import Sources
from benyfits_data.population.synthetic_city import City

Floats = NDArray[np.float64]
AGE_GROUPS = ("16-24", "25-44", "45-64", "65-110")
ROUNDS = 200
"""Of scaling a small table to its sums."""


@dataclass(frozen=True)
class Raw:
    """What everybody's work and pensions would bring, shape `(people,)` each.

    Attributes:
        earned: Earnings.
        least: The part of them that is due for the hours worked.
        other: Other income.
        due: The part of it that SSI fills up.
    """

    earned: Floats
    least: Floats
    other: Floats
    due: Floats


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
    return np.digitize(age, [ends_of(group)[0] for group in AGE_GROUPS[1:]])


@dataclass(frozen=True)
class _Candidates:
    """Candidate incomes of every household and what its members would have of each.

    Attributes:
        band: Published band of every candidate, shape `(candidates,)`.
        least: Factor on what work must bring, shape `(households, candidates)`.
        above: Factor on what raw earnings were above that, of the same shape.
        other: Factor on raw other income.
        rest: What the householder has besides.
        refused: Whether hours would be paid less than the minimum wage, or the household has too
            much for SSI, shape `(households, candidates)`.
        without_ssi: Whether SSI could not be what it is, of the same shape.
    """

    band: NDArray[np.int64]
    least: Floats
    above: Floats
    other: Floats
    rest: Floats
    refused: NDArray[np.bool_]
    without_ssi: NDArray[np.bool_]


def _candidates(city: City, raw: Raw, rng: np.random.Generator) -> _Candidates:
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
    income = rounding.floor(income)
    work, least, rest = (city.total(part)[:, None] for part in (raw.earned, raw.least, raw.other))
    most = work * sources.parameter("earnings_stretch")
    paid = np.where(work > 0, np.clip(income - rest, np.minimum(least, income), most), 0.0)
    kept = np.minimum(rest, income - paid)
    above = np.maximum(work - least, 0)
    tied = above < 1
    due = city.total(raw.due)[:, None]
    # A recipient who heads the home has nothing else but help.
    lives_on_it = city.of_householder(raw.due)[:, None] > 0
    beyond = lives_on_it & (income - paid - kept > sources.parameter("help", "median"))
    return _Candidates(
        band=band,
        least=np.where(tied, paid, np.minimum(paid, least)) / np.maximum(least, 1),
        above=np.where(tied, 0, np.maximum(paid - least, 0)) / np.maximum(above, 1),
        other=kept / np.maximum(rest, 1),
        rest=income - paid - kept,
        refused=(income < least) | ((due > 0) & (income >= LARGEST_INCOME_WITH_SSI)),
        without_ssi=(income < least + due) | beyond,
    )


def match_incomes(city: City, raw: Raw, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return everybody's earnings and other income, so that bands and poverty are as published."""
    sources, households = city.sources, city.households
    n = households.size
    found = _candidates(city, raw, rng)
    by_borough, by_age = income_shares(sources)
    overall = np.array(list(margin_of(sources, "household_income", "all").values()))
    tied = sources.parameter("income_rank_correlation")
    total = city.total(raw.earned + raw.other)
    rank = ndtri((np.argsort(np.argsort(rounding.settled(total), kind="stable")) + 0.5) / n)
    share = overall[found.band] / np.bincount(found.band)[found.band]
    middle = ndtri(np.cumsum(share) - share / 2)
    odds = share * np.exp((middle**2 - (middle - tied * rank[:, None]) ** 2 / (1 - tied**2)) / 2)
    # Who works is paid the minimum wage at least, and SSI is paid, but for very few.
    for found_so, chance in (
        (found.refused, sources.parameter("paid_below_minimum_odds")),
        (found.without_ssi, sources.parameter("ssi", "odds of another income")),
    ):
        odds *= np.where(found_so, chance, 1.0)
    group = households["borough"].astype(np.int64), age_group(households["householder_age"])
    ages = np.bincount(group[1], minlength=len(AGE_GROUPS)) / n
    boroughs = np.bincount(group[0], minlength=len(BOROUGHS)) / n
    # The table by age is raked to the bands of the city.
    aged = fit_margins(
        by_age * ages[:, None], [product(boroughs, by_borough)[None], ages[:, None]], ROUNDS
    )
    aged /= np.maximum(aged.sum(axis=1, keepdims=True), 1e-300)
    tables = [
        Bands(group[1], found.band, aged, exact=True),
        Bands(group[0], found.band, by_borough, exact=True),
    ]
    for name in ("income_earners_age", "income_household_size", "family_income_borough"):
        tables.insert(0, _archetypes(city, name, found.band, overall))
    units = poverty_units(city)
    fitted = calibrate(
        odds,
        tables,
        _poverty(city, units, found, raw),
    )
    likely = rounding.settled(product(fitted, np.arange(len(found.band))))
    order = np.lexsort((likely, group[0], group[1]))
    chosen = choose(fitted, order, rng.random())
    cell = group[1] * len(BOROUGHS) + group[0]
    pick = np.arange(n), settle(fitted, chosen, cell, found.band, rng)
    least, above, other, rest = (
        part[pick][city.household] for part in (found.least, found.above, found.other, found.rest)
    )
    earned = raw.least * least + (raw.earned - raw.least) * above
    return earned, raw.other * other + np.where(city.people["is_householder"], rest, 0)


def _archetypes(city: City, name: str, band: NDArray[np.int64], overall: Floats) -> Bands:
    """Return the classes of income of each kind of household, raked to the city's kinds and bands.

    The classes are runs of published bands; records of the state tell how they go with a kind.
    """
    joint = city.sources.joints[name]
    *dimensions, last = joint.dimensions
    classes = list(dict.fromkeys(key[-1] for key in joint.cells))
    kinds = list(dict.fromkeys(key[:-1] for key in joint.cells))
    ends = [int(city.sources.parameter(last, given)) for given in classes]
    of_band = np.searchsorted(ends, np.arange(len(overall)))
    counts = np.array([[joint.cells[*kind, each] for each in classes] for kind in kinds])
    group = np.zeros(city.households.size, np.int64)
    for place, kind in enumerate(kinds):
        atoms = (f"{dimension} {value}" for dimension, value in zip(dimensions, kind, strict=True))
        group[city.households.mask(" & ".join(atoms))] = place
    rows = np.asarray(np.bincount(group, minlength=len(kinds)) / len(group), float)
    columns = np.asarray(np.bincount(of_band, overall / overall.sum()), float)
    share = fit_margins(counts / counts.sum(), [rows[:, None], columns[None]], ROUNDS)
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
    return Bands(group, of_band[band], share, exact=False)


def _poverty(city: City, units: Units, found: _Candidates, raw: Raw) -> Poverty:
    """Return which units would be poor with each candidate, and the published shares."""
    n = city.households.size
    home = units.household
    income = units.total(raw.least)[:, None] * found.least[home]
    income += units.total(raw.earned - raw.least)[:, None] * found.above[home]
    income += units.total(raw.other)[:, None] * found.other[home]
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
        household=home,
        poor=income < units.threshold[:, None],
        members=sparse.csr_matrix(sparse.hstack(columns)),
        share=np.array([target.share for target in city.sources.poverty]),
    )
