"""How many households tell two agents apart: the power of a set of weighted pairs.

F1 is a ratio of weighted sums over households, so its variance is that of its linearisation
(Woodruff 1971), households taken as drawn with replacement, which does not understate it.
"""

from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import Row, to_csv
from benyfits_data.rng import stream

Floats = NDArray[np.float64]
RECALL, FALSE_ALARMS = 0.7, 0.05
"""The better agent: what it finds of eligible pairs, and what it claims of the others."""
DIFFERENCES = (2, 3, 5)
SHARED = (0.0, 0.5, 0.8)
"""Which part of the pairs two agents decide by the same luck; agents of one kind err alike."""
AGENTS = 200
"""Pairs of agents that are simulated: the columns then vary by some percent from seed to seed."""
_SURE, _POWER = 1.959964, 0.841621
"""Quantiles of the normal distribution: 95% two-sided, 80% power."""
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
            times = ((_SURE + _POWER) * error / (points / 100)) ** 2
            needed = ceil(times * len(rows)), ceil(times * pairs)
            lines.append((points, shared, f"{100 * error:.2f}", len(rows), pairs, *needed))
    return to_csv(COLUMNS, lines)


def _error_of_difference(
    weights: Floats, labels: Floats, difference: float, shared: float, rng: np.random.Generator
) -> float:
    """Return the standard error of the paired difference in F1 of two simulated agents."""
    found = (weights * labels).sum()
    claimed = FALSE_ALARMS * (weights * (1 - labels)).sum()
    better = 2 * RECALL * found / (found + RECALL * found + claimed)
    worse = better - difference
    recall = worse * (found + claimed) / (found * (2 - worse))
    luck = rng.random(labels.shape)
    other = np.where(rng.random(labels.shape) < shared, luck, rng.random(labels.shape))
    verdicts = [
        np.where(labels > 0, draws < hits, draws < FALSE_ALARMS).astype(float)
        for draws, hits in ((luck, RECALL), (other, recall))
    ]
    first, second = (linearise(weights, labels, each)[1] for each in verdicts)
    return standard_error(first - second)
