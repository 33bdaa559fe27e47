"""A sample of pairs of a household and a program: allocation, inclusion, the draw, and its power.

The population is every pair of a household of the city and a program. Strata are program by verdict
by nearness to a limit; a pair's weight is one over its inclusion probability (Horvitz and Thompson
1952). Draws come out even: in order, or in rows and columns.

Power is how many households tell two agents apart. F1 is a ratio of weighted sums over households,
so its variance is that of its linearisation (Woodruff 1971), households taken as drawn with
replacement, which does not understate it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import Row, to_csv
from benyfits_data.intervals import CONFIDENCE
from benyfits_data.rng import stream

Floats = NDArray[np.float64]

EVERY = 4.0
"""Pairs of each verdict of each program, before what is left goes to the commoner verdicts: with 4
a verdict is missed in less than one sample of a thousand, and all programs together take a third
of 250 households with 10 programs."""
POWER, OF_ELIGIBLE, OF_NEAR = 0.7, 2.0, 0.75
"""What is left goes to verdicts by their size to this power, to eligible pairs twice as often, and
within a verdict to near and far by their size to that power. Seen on 250 households: the interval
of F1 of an agent with recall 0.7 is 0.050 wide without false alarms and 0.061 with 5% of them;
0.055 and 0.070 with square roots throughout; in proportion to size, rare positives are few.
"""
_ROUNDS = 60
_CLOSE = 0.01
_SMALL = 1e-12
_TINY = 1e-9
_BATCH = 20_000


@dataclass(frozen=True)
class Design:
    """Inclusion probabilities.

    Attributes:
        households: Of each household, shape `(n,)`; they add up to the size of the sample.
        rates: Sampling rate of each stratum; what a pair's probability is in proportion to.
        strata: Stratum of each pair, shape `(n, programs)`.
        per_household: Programs of each household in the sample.
    """

    households: Floats
    rates: Floats
    strata: NDArray[np.int32]
    per_household: int

    def given(self, chosen: NDArray[np.intp]) -> Floats:
        """Return how likely each program is asked about in chosen households, `(k, programs)`."""
        return _shares(self.rates[self.strata[chosen]], self.per_household)


def allocate(sizes: Floats, pairs: float) -> Floats:
    """Return how many pairs each stratum gets, about `pairs` in all, never more than it can give.

    Each verdict of a program gets `EVERY`, half of all pairs at most, and from the rest in
    proportion to a power of its size: a compromise between figures for the whole and for each
    program (Bankier 1988).

    Args:
        sizes: Pairs of each stratum in the city: program, verdict (no, yes), nearness (no, yes).
        pairs: Size of the sample.
    """
    verdicts = sizes.sum(axis=2)
    most = verdicts / 2
    assured = (verdicts > 0) * min(EVERY, pairs / (2 * max(int((verdicts > 0).sum()), 1)))
    claims = verdicts**POWER * np.array([1.0, OF_ELIGIBLE])
    low, high = 0.0, pairs / max(float(claims.max()), 1.0)
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        total = np.minimum(most, assured + middle * claims).sum()
        low, high = (middle, high) if total < pairs else (low, middle)
    wanted = np.minimum(most, assured + high * claims)
    parts = sizes**OF_NEAR
    parts /= np.maximum(parts.sum(axis=2, keepdims=True), _SMALL)
    return np.asarray(np.minimum(wanted[..., None] * parts, sizes))


def design(
    strata: NDArray[np.int32], targets: Floats, households: int, per_household: int
) -> Design:
    """Return inclusion probabilities that give each stratum the pairs it should have.

    A pair's probability is its stratum's rate; a household's is what its pairs add up to, divided
    by the programs it is asked about. Where a rare verdict asks for more than that, the household
    follows the rare verdict and its other pairs are taken more often than their strata need; the
    rates are then adjusted in rounds until the strata have what they should (iterative
    proportional fitting).

    Args:
        strata: Stratum of each pair, shape `(n, programs)`; one without a target is never taken.
        targets: Pairs of each stratum.
        households: Households of the sample.
        per_household: Programs of each.
    """
    counts = np.bincount(strata.ravel(), minlength=len(targets)).astype(float)
    rates = np.minimum(np.divide(targets, counts, where=counts > 0, out=np.zeros_like(counts)), 1)
    for _ in range(_ROUNDS):
        inclusion = np.empty(len(strata))
        reached = np.zeros(len(targets))
        for start in range(0, len(strata), _BATCH):
            rows = slice(start, start + _BATCH)
            asked = rates[strata[rows]]
            wanted = np.maximum(asked.sum(axis=1) / per_household, asked.max(axis=1))
            inclusion[rows] = np.minimum(wanted, 1)
            pairs = inclusion[rows, None] * _shares(asked, per_household)
            reached += np.bincount(strata[rows].ravel(), pairs.ravel(), len(targets))
        ratio = np.divide(targets, reached, where=reached > 0, out=np.ones_like(reached))
        if np.abs(ratio - 1).max() < _CLOSE:
            break
        rates = np.minimum(rates * ratio, 1)
    return Design(inclusion * households / inclusion.sum(), rates, strata, per_household)


def _shares(asked: Floats, per_household: int) -> Floats:
    """Return probabilities in proportion to rates, at most 1, that add up to the programs asked."""
    shares = asked * (per_household / np.maximum(asked.sum(axis=1, keepdims=True), _SMALL))
    over = np.flatnonzero(shares.max(axis=1) > 1)
    if len(over):
        shares[over] = _capped(asked[over], per_household)
    return np.asarray(shares)


def _capped(asked: Floats, total: int) -> Floats:
    """Return `min(1, c * asked)` with the `c` of each row for which it adds up to `total`."""
    ordered = -np.sort(-asked, axis=1)
    rest = asked.sum(axis=1, keepdims=True) - np.cumsum(ordered, axis=1) + ordered
    ranks = np.arange(asked.shape[1])
    # With the k largest at 1, the others share what is left; the first k that fits is right.
    factors = (total - ranks) / np.maximum(rest, _SMALL)
    fits = (factors * ordered <= 1) | (ranks >= total)
    first = fits.argmax(axis=1)[:, None]
    factor = np.take_along_axis(factors, first, axis=1)
    capped = np.minimum(asked * np.maximum(factor, 0), 1)
    capped[(asked > np.take_along_axis(ordered, first, axis=1)) & (first > 0)] = 1
    return np.asarray(capped)


def draw_systematically(
    chances: Floats, order: NDArray[np.intp], rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return places drawn with given chances, whose sum is a whole number.

    Any run of places in `order` whose chances add up to c is drawn from c times, rounded up or
    down (Madow 1949).
    """
    ends = np.cumsum(chances[order])
    number = round(float(ends[-1]))
    at = (rng.random() + np.arange(number)) * (ends[-1] / number)
    return np.asarray(order[np.searchsorted(ends, at, side="right").clip(max=len(order) - 1)])


def round_dependently(
    chances: Floats, columns: NDArray[np.integer], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Return which entries of a matrix are drawn, each with its chance, even in rows and columns.

    Rows whose chances add up to a whole number are drawn from that often; every column is drawn
    from as often as its chances add up to, rounded up or down. Entries that are still open are
    moved around cycles, one up, the next down, until all are 0 or 1 (dependent rounding: Gandhi,
    Khuller, Parthasarathy and Srinivasan 2006).

    Args:
        chances: Shape `(rows, n)`; rows add up to whole numbers.
        columns: To which column each entry counts, same shape.
        rng: Draws.
    """
    height, width = chances.shape
    n_columns = int(columns.max()) + 1
    totals = np.bincount(columns.ravel(), chances.ravel(), n_columns)
    # One more row and column take what is missing to whole numbers: then only cycles are open.
    slack = np.ceil(totals - _TINY) - totals
    rows = np.repeat(np.arange(height), width).tolist()
    entries = list(zip(rows, columns.ravel().tolist(), strict=True))
    value = dict(zip(entries, chances.ravel().tolist(), strict=True))
    value |= {(height, column): float(slack[column]) for column in range(n_columns)}
    missing = float(np.ceil(slack.sum() - _TINY) - slack.sum())
    value[height, n_columns] = missing
    value[height + 1, n_columns] = 1 - missing
    _move_around_cycles(value, height + 2, rng)
    return np.array([value[entry] > 0.5 for entry in entries]).reshape(chances.shape)


def _move_around_cycles(
    value: dict[tuple[int, int], float], height: int, rng: np.random.Generator
) -> None:
    """Set every entry to 0 or 1; nodes of the walk are rows, and columns after them."""
    open_at: dict[int, dict[int, None]] = {}
    for (row, column), chance in value.items():
        if _TINY < chance < 1 - _TINY:
            open_at.setdefault(row, {})[height + column] = None
            open_at.setdefault(height + column, {})[row] = None

    def key(one: int, other: int) -> tuple[int, int]:
        return (one, other - height) if one < height else (other, one - height)

    def close(one: int, other: int) -> None:
        del open_at[one][other]
        del open_at[other][one]

    for start in list(open_at):
        path = [start]
        while path:
            here = path[-1]
            before = path[-2] if len(path) > 1 else None
            there = next((node for node in open_at[here] if node != before), None)
            if there is None:
                # What rounding errors left: a single open entry, as good as 0 or 1.
                path.pop()
                if before is not None:
                    value[key(here, before)] = float(round(value[key(here, before)]))
                    close(here, before)
                continue
            if there not in path:
                path.append(there)
                continue
            nodes = [*path[path.index(there) :], there]
            cycle = list(pairwise(nodes))
            up, down = cycle[::2], cycle[1::2]
            most_up, most_down = (
                min([1 - value[key(*edge)] for edge in rise] + [value[key(*edge)] for edge in fall])
                for rise, fall in ((up, down), (down, up))
            )
            is_up = rng.random() * (most_up + most_down) < most_down
            step = most_up if is_up else -most_down
            del path[path.index(there) + 1 :]
            for edges, change in ((up, step), (down, -step)):
                for edge in edges:
                    value[key(*edge)] += change
                    if not _TINY < value[key(*edge)] < 1 - _TINY:
                        close(*edge)


RECALL, FALSE_ALARMS = 0.7, 0.05
"""The better agent: what it finds of eligible pairs, and what it claims of the others."""
DIFFERENCES = (2, 3, 5)
SHARED = (0.0, 0.5, 0.8)
"""Which part of the pairs two agents decide by the same luck; agents of one kind err alike."""
AGENTS = 200
"""Pairs of agents that are simulated: the columns then vary by some percent from seed to seed."""
_POWER = 0.841621
"""Quantile of the normal distribution: 80% power."""
COLUMNS = (
    *("f1_difference_points", "errors_shared", "standard_error_points", "households", "pairs"),
    *("households_needed", "pairs_needed"),
)


def linearise(weights: Floats, labels: Floats, verdicts: Floats) -> tuple[float, Floats]:
    """Return F1 and what each household adds to its error; all of shape `(households, programs)`.

    Pairs that are not in the set have weight 0.
    """
    above = 2 * (weights * labels * verdicts).sum(axis=1)
    below = (weights * (labels + verdicts)).sum(axis=1)
    f1 = above.sum() / below.sum()
    return float(f1), np.asarray((above - f1 * below) / below.sum())


def standard_error(parts: Floats) -> float:
    """Return the standard error of a linearised statistic from what each household adds to it."""
    n = len(parts)
    return float(np.sqrt(n / (n - 1) * ((parts - parts.mean()) ** 2).sum()))


def as_arrays(rows: Sequence[Row]) -> tuple[Floats, Floats]:
    """Return weights and labels of the pairs of a set, shape `(households, programs)`."""
    places = {name: place for place, name in enumerate(rows[0].labels)}
    weights, labels = (np.zeros((len(rows), len(places))) for _ in range(2))
    for number, row in enumerate(rows):
        for name in row.programs:
            weights[number, places[name]] = row.weights.get(name, 1.0)
            labels[number, places[name]] = row.labels[name]
    return weights, labels


def power_table(rows: Sequence[Row]) -> str:
    """Return a CSV: what tells two agents 2, 3, 5 points of F1 apart, 95% sure, 80% of the time.

    The second agent finds fewer of the eligible pairs, by as much as makes the difference.
    """
    weights, labels = as_arrays(rows)
    pairs, lines = sum(len(row.programs) for row in rows), []
    rng = stream(0, "population", "power")
    for points in DIFFERENCES:
        for shared in SHARED:
            errors = [
                _error_of_difference(weights, labels, points / 100, shared, rng)
                for _ in range(AGENTS)
            ]
            error = float(np.sqrt(np.mean(np.square(errors))))
            times = ((CONFIDENCE + _POWER) * error / (points / 100)) ** 2
            needed = ceil(times * len(rows)), ceil(times * pairs)
            lines.append((points, shared, f"{100 * error:.2f}", len(rows), pairs, *needed))
    return to_csv(COLUMNS, lines)


def _error_of_difference(
    weights: Floats, labels: Floats, difference: float, shared: float, rng: np.random.Generator
) -> float:
    """Return the standard error of the paired difference in F1 of two simulated agents."""
    eligible = (weights * labels).sum()
    claimed = FALSE_ALARMS * (weights * (1 - labels)).sum()
    better = 2 * RECALL * eligible / (eligible + RECALL * eligible + claimed)
    worse = better - difference
    recall = worse * (eligible + claimed) / (eligible * (2 - worse))
    luck = rng.random(labels.shape)
    other = np.where(rng.random(labels.shape) < shared, luck, rng.random(labels.shape))
    verdicts = [
        np.where(labels > 0, draws < hits, draws < FALSE_ALARMS).astype(float)
        for draws, hits in ((luck, RECALL), (other, recall))
    ]
    first, second = (linearise(weights, labels, each)[1] for each in verdicts)
    return standard_error(first - second)
