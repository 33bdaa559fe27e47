"""Which income every household has, so that bands and poverty come out as published.

Every household has a few candidate incomes, one inside each narrow band, with starting odds by its
rank among raw incomes (a Gaussian copula). The odds are tilted until the expected shares of
households in the bands of each group, and of the poor among people and families of each group, are
those published: generalised raking of Deville and Särndal (1992) over the candidates, by Newton
steps on the multipliers of poverty in turn with proportional fitting of the bands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benyfits_data import rounding
from benyfits_data.population.raking import product, solve, systematic_rounding

Floats = NDArray[np.float64]
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


def calibrate(odds: Floats, bands: Sequence[Bands], poverty: Poverty) -> Floats:
    """Return the probability of each candidate, shape `(households, candidates)`.

    Args:
        odds: Starting odds, of the same shape; what is 0 stays 0.
        bands: Tables of bands; each is fitted in turn.
        poverty: Targets of poverty, all solved together.
    """
    fitted = odds / odds.sum(axis=1, keepdims=True)
    totals = np.asarray(poverty.members.sum(axis=0)).ravel()
    held = totals > 0
    members = poverty.members[:, held]
    wanted = poverty.share[held] * totals[held]
    for _ in range(_ROUNDS):
        for table in [*bands] * 2:
            _fit(fitted, table)
        chance = (fitted[poverty.household] * poverty.poor).sum(axis=1)
        gradient = wanted - members.T @ chance
        spread = members.T @ sparse.diags(chance * (1 - chance)) @ members
        curve = np.asarray(spread.todense()) / totals.max() + _RIDGE * np.eye(len(wanted))
        if np.abs(gradient / totals[held]).max() < _CLOSE:
            break
        step = solve(curve, gradient / totals.max())
        pull = np.clip(members @ step, -_LONGEST_STEP, _LONGEST_STEP)
        for unit_rows in _passes(poverty.household, len(fitted)):
            factor = np.exp(pull[unit_rows])[:, None]
            poor = poverty.poor[unit_rows]
            fitted[poverty.household[unit_rows]] *= np.where(poor, factor, 1.0)
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
    found = product(table.members @ fitted, np.eye(table.share.shape[1])[table.band])
    wanted = table.share * found.sum(axis=1, keepdims=True)
    factor = np.where(found > 0, wanted / np.maximum(found, 1e-300), 1.0)
    fitted *= factor[:, table.band][table.group]
    fitted /= fitted.sum(axis=1, keepdims=True)


def choose(fitted: Floats, order: NDArray[np.int64], start: float) -> NDArray[np.int64]:
    """Return a candidate for every household, in every run of `order` close to what is expected.

    Households take the places of the golden-ratio sequence, which fills the unit interval evenly
    however far it has got.

    Args:
        fitted: Probabilities, shape `(households, candidates)`.
        order: Households with like probabilities stand side by side.
        start: Where the sequence starts, 0 to 1.
    """
    place = np.empty(len(order))
    place[order] = (start + _GOLDEN * np.arange(len(order))) % 1.0
    reached = rounding.settled(np.cumsum(fitted, axis=1), 9)
    return np.asarray((reached[:, :-1] <= place[:, None] * reached[:, -1:]).sum(axis=1))


def settle(
    fitted: Floats,
    chosen: NDArray[np.int64],
    cell: NDArray[np.int64],
    band: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return the choice with the expected number of each band in every cell, rounded.

    Where a band is chosen too often, the households that would most likely have had another change.

    Args:
        fitted: Probabilities, shape `(households, candidates)`.
        chosen: Candidate of every household.
        cell: Cell of every household; cells side by side round together.
        band: Band of every candidate.
        rng: Random stream of the rounding.
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
            found = who[band[chosen[who]] == source]
            likely = found[np.argsort(-rounding.settled(chance[found, target], 9), kind="stable")]
            moved = likely[: min(-missing[source], missing[target])]
            chosen[moved] = rounding.settled(fitted[moved] * inside[:, target], 9).argmax(axis=1)
            missing[source] += len(moved)
            missing[target] -= len(moved)
    return chosen
