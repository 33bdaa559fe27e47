"""Incomes of households, drawn so that bands and poverty are as published, and who has them.

Earnings follow sex and full-time work, ranked by schooling and age (`incomes.py`): that is what
members' work would bring. Here every household gets one of some candidate incomes, one inside each
narrow band, with starting odds by its rank among raw incomes (a Gaussian copula), and its members
their parts of it. The odds are tilted until the expected shares of households in the bands of each
group, and of the poor among people and families of each group, are those published: generalised
raking of Deville and Särndal (1992) over the candidates, by Newton steps on the multipliers of
poverty in turn with proportional fitting of the bands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product as product_of

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtri

from benyfits_data import rounding
from benyfits_data.household.constants import LARGEST_INCOME_WITH_SSI
from benyfits_data.population.conditions import LARGEST, ends_of, parse_range
from benyfits_data.population.household_structure import BOROUGHS
from benyfits_data.population.poverty import is_family, poverty_units
from benyfits_data.population.raking import fit_margins, product, run_of, solve, systematic_rounding
from benyfits_data.population.synthetic_city import City

Floats = NDArray[np.float64]
AGE_GROUPS = ("16-24", "25-44", "45-64", "65-110")
_SCALINGS = 200
"""Of a small table to its sums."""
_ROUNDS = 25
"""After which the farthest group is 0.7 points from its poverty: 16 leave it 16 points away, and 40
no nearer, as published tables contradict each other there."""
_LAST_ROUNDS = 6
_RIDGE = 1e-6
_CLOSE = 1 / 5000
"""A part of its people by which every group may be off its poverty: less than is published."""
_LONGEST_STEP = 1
_GOLDEN = (np.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Bands:
    """Shares of the households of each group in each band.

    Attributes:
        group: Group of every household, shape `(households,)`.
        band: Band of every candidate, shape `(candidates,)`.
        share: Wanted, shape `(groups, bands)`, rows summing to 1.
        exact: Whether the shares are published, and fitted last.
    """

    group: NDArray[np.int64]
    band: NDArray[np.int64]
    share: Floats
    exact: bool

    @cached_property
    def members(self) -> sparse.csr_matrix:
        """Which households are in each group, shape `(groups, households)`."""
        n = len(self.group)
        place = self.group, np.arange(n)
        return sparse.csr_matrix((np.ones(n), place), (len(self.share), n))


@dataclass(frozen=True)
class Poverty:
    """Shares of people or families who are poor, group by group.

    Attributes:
        household: Household of each unit, shape `(units,)`.
        poor: Whether a unit would be poor, shape `(units, candidates)`.
        members: How many of a group a unit holds, sparse, shape `(units, groups)`.
        share: Wanted, shape `(groups,)`.
    """

    household: NDArray[np.int64]
    poor: NDArray[np.bool_]
    members: sparse.csr_matrix
    share: Floats


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

    @property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """What is due for hours, what is earned above that, and other income."""
        return self.least, self.earned - self.least, self.other


@dataclass(frozen=True)
class _Candidates:
    """Candidate incomes of every household and what its members would have of each.

    Attributes:
        band: Published band of every candidate, shape `(candidates,)`.
        factors: On each of the `parts` of raw incomes, shape `(households, candidates)`.
        rest: What the householder has besides, of the same shape.
        refused: Whether hours would be paid less than the minimum wage, or the household has too
            much for SSI, of the same shape.
        without_ssi: Whether SSI could not be what it is, of the same shape.
    """

    band: NDArray[np.int64]
    factors: tuple[Floats, Floats, Floats]
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
    ends = [parse_range(text) or (0, LARGEST) for text in sources.margin("household_income")]
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
        factors=(
            np.where(tied, paid, np.minimum(paid, least)) / np.maximum(least, 1),
            np.where(tied, 0, np.maximum(paid - least, 0)) / np.maximum(above, 1),
            kept / np.maximum(rest, 1),
        ),
        rest=income - paid - kept,
        refused=(income < least) | ((due > 0) & (income >= LARGEST_INCOME_WITH_SSI)),
        without_ssi=(income < least + due) | beyond,
    )


def match_incomes(city: City, raw: Raw, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return everybody's earnings and other income, so that bands and poverty are as published."""
    sources, households = city.sources, city.households
    n = households.size
    candidates = _candidates(city, raw, rng)
    band = candidates.band
    overall, by_borough, by_age = (
        np.array([list(sources.margin("household_income", each).values()) for each in given])
        for given in (
            ["all"],
            [f"borough {name}" for name in BOROUGHS],
            [f"householder_age {ends}" for ends in AGE_GROUPS],
        )
    )
    tied = sources.parameter("income_rank_correlation")
    total = city.total(raw.earned + raw.other)
    rank = ndtri((np.argsort(np.argsort(rounding.settled(total), kind="stable")) + 0.5) / n)
    share = overall[0, band] / np.bincount(band)[band]
    middle = ndtri(np.cumsum(share) - share / 2)
    odds = share * np.exp((middle**2 - (middle - tied * rank[:, None]) ** 2 / (1 - tied**2)) / 2)
    # Who works is paid the minimum wage at least, and SSI is paid, but for very few.
    for is_rare, chance in (
        (candidates.refused, sources.parameter("paid_below_minimum_odds")),
        (candidates.without_ssi, sources.parameter("ssi", "odds of another income")),
    ):
        odds *= np.where(is_rare, chance, 1.0)
    # Whoever has no status seldom lives on a large income.
    falling = np.exp(-sources.parameter("income_without_status") * np.maximum(middle, 0))
    odds[households["lawful_members"] < households["household_size"]] *= falling
    borough = households["borough"].astype(np.int64)
    ends = [ends_of(group)[0] for group in AGE_GROUPS[1:]]
    age_group = np.digitize(households["householder_age"], ends)
    ages = np.bincount(age_group, minlength=len(AGE_GROUPS)) / n
    boroughs = np.bincount(borough, minlength=len(BOROUGHS)) / n
    # The table by age is raked to the bands of the city.
    aged = fit_margins(
        by_age * ages[:, None], [product(boroughs, by_borough)[None], ages[:, None]], _SCALINGS
    )
    aged /= np.maximum(aged.sum(axis=1, keepdims=True), 1e-300)
    records = "family_income_borough", "income_household_size", "income_earners_age"
    tables = [
        *(_archetypes(city, name, band, overall[0]) for name in records),
        Bands(age_group, band, aged, exact=True),
        Bands(borough, band, by_borough, exact=True),
    ]
    fitted = _calibrate(odds, tables, _poverty(city, candidates, raw))
    likely = rounding.settled(product(fitted, np.arange(len(band))))
    order = np.lexsort((likely, borough, age_group))
    chosen = _choose(fitted, order, rng.random())
    cell = age_group * len(BOROUGHS) + borough
    pick = np.arange(n), _settle(fitted, chosen, cell, band, rng)
    least, above, other = (
        part * factor[pick][city.household]
        for part, factor in zip(raw.parts, candidates.factors, strict=True)
    )
    rest = candidates.rest[pick][city.household]
    return least + above, other + np.where(city.people["is_householder"], rest, 0)


def _archetypes(city: City, name: str, band: NDArray[np.int64], overall: Floats) -> Bands:
    """Return the classes of income of each kind of household, raked to the city's kinds and bands.

    The classes are runs of published bands; records of the state tell how they go with a kind.
    """
    joint = city.sources.joints[name]
    *dimensions, last = joint.dimensions
    *labels, classes = joint.labels
    kinds = list(product_of(*labels))
    ends = [int(city.sources.parameter(last, given)) for given in classes]
    of_band = np.searchsorted(ends, np.arange(len(overall)))
    counts = joint.table(*joint.labels).reshape(len(kinds), -1)
    group = np.zeros(city.households.size, np.int64)
    for place, kind in enumerate(kinds):
        atoms = (f"{dimension} {value}" for dimension, value in zip(dimensions, kind, strict=True))
        group[city.households.mask(" & ".join(atoms))] = place
    rows = np.asarray(np.bincount(group, minlength=len(kinds)) / len(group), float)
    columns = np.asarray(np.bincount(of_band, overall / overall.sum()), float)
    share = fit_margins(counts / counts.sum(), [rows[:, None], columns[None]], _SCALINGS)
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
    return Bands(group, of_band[band], share, exact=False)


def _poverty(city: City, candidates: _Candidates, raw: Raw) -> Poverty:
    """Return which units would be poor with each candidate, and the published shares."""
    n, units, targets = city.households.size, poverty_units(city), city.sources.poverty
    home = units.household
    income = np.zeros((len(home), len(candidates.band)))
    for part, factor in zip(raw.parts, candidates.factors, strict=True):
        income += units.total(part)[:, None] * factor[home]
    income[:n] += candidates.rest
    columns = []
    for target in targets:
        counts = np.zeros(len(home))
        if target.unit == "person":
            among = city.people.mask(target.given) & units.counted
            counts += np.bincount(units.of_person[among], minlength=len(home))
        else:
            counts[:n] = city.households.mask(target.given) & is_family(city)
        columns.append(sparse.csr_matrix(counts[:, None]))
    return Poverty(
        household=home,
        poor=rounding.settled(income) < units.threshold[:, None],
        members=sparse.csr_matrix(sparse.hstack(columns)),
        share=np.array([target.share for target in targets]),
    )


def _calibrate(odds: Floats, bands: Sequence[Bands], poverty: Poverty) -> Floats:
    """Return the probability of each candidate, shape `(households, candidates)` as their odds.

    Tables of bands are fitted in turn, targets of poverty solved together; odds of 0 stay 0.
    """
    fitted = odds / odds.sum(axis=1, keepdims=True)
    totals = np.asarray(poverty.members.sum(axis=0)).ravel()
    held = totals > 0
    members = poverty.members[:, held]
    by_group = members.T.tocsr()
    weighted_members = by_group.copy()
    wanted = poverty.share[held] * totals[held]
    passes = [
        (units, run_of(poverty.household[units]), poverty.poor[units])
        for units in _passes(poverty.household, len(fitted))
    ]
    chance = np.empty(len(poverty.household))
    for _ in range(_ROUNDS):
        for table in bands:
            _fit(fitted, table)
        for units, homes, poor in passes:
            chance[units] = (fitted[homes] * poor).sum(axis=1)
        gradient = wanted - members.T @ chance
        weighted_members.data = by_group.data * (chance * (1 - chance))[by_group.indices]
        spread = weighted_members @ members
        curve = np.asarray(spread.todense()) / totals.max() + _RIDGE * np.eye(len(wanted))
        if np.abs(gradient / totals[held]).max() < _CLOSE:
            break
        step = solve(curve, gradient / totals.max())
        pull = np.clip(members @ step, -_LONGEST_STEP, _LONGEST_STEP)
        for units, homes, poor in passes:
            fitted[homes] *= np.where(poor, np.exp(pull[units])[:, None], 1.0)
        fitted /= fitted.sum(axis=1, keepdims=True)
    for table in [table for table in bands if table.exact] * _LAST_ROUNDS:
        _fit(fitted, table)
    return np.asarray(fitted)


def _passes(household: NDArray[np.int64], n: int) -> list[NDArray[np.intp]]:
    """Return units in lists in which no household comes twice."""
    order = np.argsort(household, kind="stable")
    counts = np.bincount(household, minlength=n)
    rank = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    return [order[rank == place] for place in range(int(counts.max()))]


def _fit(fitted: Floats, table: Bands) -> None:
    """Scale the odds so that every group has its shares of the bands, in place."""
    reached = product(table.members @ fitted, np.eye(table.share.shape[1])[table.band])
    wanted = table.share * reached.sum(axis=1, keepdims=True)
    factor = np.where(reached > 0, wanted / np.maximum(reached, 1e-300), 1.0)
    fitted *= factor[:, table.band].take(table.group, axis=0)
    fitted /= fitted.sum(axis=1, keepdims=True)


def _choose(fitted: Floats, order: NDArray[np.int64], start: float) -> NDArray[np.int64]:
    """Return a candidate for every household, in every run of `order` close to what is expected.

    Households take the places of the golden-ratio sequence from `start` on, which fills the unit
    interval evenly however far it has got; those with like probabilities stand side by side.
    """
    place = np.empty(len(order))
    place[order] = (start + _GOLDEN * np.arange(len(order))) % 1.0
    reached = rounding.settled(np.cumsum(fitted, axis=1), 9)
    return np.asarray((reached[:, :-1] <= place[:, None] * reached[:, -1:]).sum(axis=1))


def _settle(
    fitted: Floats,
    chosen: NDArray[np.int64],
    cell: NDArray[np.int64],
    band: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return the choice with the expected number of each band in every cell, rounded.

    Where a band is chosen too often, the households that would most likely have had another change.
    Cells side by side round together.
    """
    inside = np.eye(band.max() + 1)[band]
    chance = product(fitted, inside)
    counts = [np.bincount(cell, column) for column in chance.T]
    expected = np.stack(counts, axis=1).astype(np.float64)
    wanted = systematic_rounding(expected.ravel(), rng).reshape(expected.shape)
    chosen = chosen.copy()
    for place in range(len(wanted)):
        who = np.flatnonzero(cell == place)
        missing = wanted[place] - np.bincount(band[chosen[who]], minlength=len(inside[0]))
        while (missing > 0).any() and (missing < 0).any():
            source, target = int(missing.argmin()), int(missing.argmax())
            those = who[band[chosen[who]] == source]
            likely = those[np.argsort(-rounding.settled(chance[those, target], 9), kind="stable")]
            moved = likely[: min(-missing[source], missing[target])]
            chosen[moved] = rounding.settled(fitted[moved] * inside[:, target], 9).argmax(axis=1)
            missing[source] += len(moved)
            missing[target] -= len(moved)
    return chosen
