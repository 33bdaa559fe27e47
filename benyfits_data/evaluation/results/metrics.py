"""Scores over a frame of pairs: micro F1, turns, and how sure they are.

A score is a ratio of sums (true and false positives and negatives, turns, dialogs), so every
interval resamples households' sums and never the pairs, which are not independent within a
household. In a sample of the city pairs count by their weights; the interval is that of a sample
with replacement, which does not understate that of a stratified one.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import nan
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from benyfits_data.errors import EvaluationError
from benyfits_data.rng import stream

COLUMNS = ("tp", "fp", "fn", "tn", "turns", "clarifications", "dialogs")
"""The sums a score is made of, in the order of every array here."""
SMALLEST_SAMPLE = 10
"""Households an interval is taken of: fewer, drawn again, would seem to be certain."""
DRAWS = 2000
"""Resamples of an interval: its ends then vary by some tenth of a point from seed to seed."""

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""From sums of shape (..., 7) to values of shape (...)."""
Amount = TypeVar("Amount", float, Floats)


class Interval(NamedTuple):
    """A score with its 95% interval."""

    value: float
    low: float = nan
    high: float = nan


def _ratio(above: str, below: str, scale: float = 100) -> Statistic:
    """The ratio of two sums of columns, one named twice counting twice; nan where below is 0."""

    def total(sums: Floats, columns: str) -> Floats:
        names = columns.split()
        weights = [names.count(name) - names.count(f"-{name}") for name in COLUMNS]
        return np.asarray(sums @ np.array(weights, dtype=float))

    def statistic(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(scale * total(sums, above) / total(sums, below))

    return statistic


f1 = _ratio("tp tp", "tp tp fp fn")
accuracy = _ratio("tp tn", "tp fp fn tn")
precision = _ratio("tp", "tp fp")
recall = _ratio("tp", "tp fn")
mean_turns = _ratio("turns", "dialogs", 1)
mean_first_turns = _ratio("turns -clarifications", "dialogs", 1)
"""Turns per dialog without clarifications; the others are in percent, micro averages over pairs."""


def score(pairs: pd.DataFrame, statistic: Statistic = f1) -> float:
    """Return a statistic of some pairs, all of them pooled."""
    return float(statistic(_sum_households(pairs).sum(axis=0)))


def weight_by_turns(f1_percent: Amount, turns: Amount) -> Amount:
    """Return turn-weighted F1 in percent: F1 / (T / 100 + 1), as the paper defines it.

    Args:
        f1_percent: F1 in percent, averaged over both datasets.
        turns: Turns per dialog, averaged over both datasets.
    """
    return f1_percent / (turns / 100 + 1)


def bootstrap(pairs: pd.DataFrame, statistic: Statistic = f1, *, seed: int = 0) -> Interval:
    """Return a statistic with its 95% percentile interval over resampled households.

    Of fewer than `SMALLEST_SAMPLE` households there is no interval.

    Args:
        pairs: Pairs of one dataset and one agent.
        statistic: From sums of households.
        seed: Seed of the resampling.

    Raises:
        EvaluationError: There are no pairs.
    """
    if pairs.empty:
        raise EvaluationError("No dialogs to take an interval of. Run an evaluation first.")
    return _interval([_sum_households(pairs)], statistic, (seed,))


def bootstrap_combined(by_dataset: Mapping[str, pd.DataFrame]) -> list[Interval]:
    """Return F1, turns and turn-weighted F1, averaged over datasets with equal weight.

    The households of each dataset are resampled apart.

    Args:
        by_dataset: The pairs of each dataset.
    """
    sums = [_sum_households(pairs) for pairs in by_dataset.values()]

    def average(statistic: Statistic) -> Callable[..., Floats]:
        return lambda *drawn: np.asarray(np.mean([statistic(each) for each in drawn], axis=0))

    def weighted(*drawn: Floats) -> Floats:
        return weight_by_turns(average(f1)(*drawn), average(mean_turns)(*drawn))

    seeds = range(len(sums))
    return [_interval(sums, each, seeds) for each in (average(f1), average(mean_turns), weighted)]


def compare(first: pd.DataFrame, second: pd.DataFrame, statistic: Statistic = f1) -> Interval:
    """Return first minus second with its 95% interval, both resampled by the same households.

    Args:
        first: Pairs of one agent.
        second: Pairs of another agent with the same households.
        statistic: As in `bootstrap`.
    """
    both = [_sum_households(pairs) for pairs in (first, second)]
    return _interval(both, lambda ours, theirs: statistic(ours) - statistic(theirs), (0, 0))


def spread(pairs: pd.DataFrame) -> float:
    """Return the standard deviation of F1 between trials, in points; not-a-number for one trial."""
    scores = [score(some) for _, some in pairs.groupby("trial")]
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else nan


def _sum_households(pairs: pd.DataFrame) -> Floats:
    """The sums of each household over all of its trials: (households, 7)."""
    rows, households = pd.factorize(pairs.household, sort=True)
    sums = np.zeros((len(households), len(COLUMNS)))
    label, verdict = pairs.label.to_numpy(bool), pairs.verdict.to_numpy(bool)
    column = np.where(label, np.where(verdict, 0, 2), np.where(verdict, 1, 3))
    np.add.at(sums, (rows, column), pairs.weight.to_numpy())
    _, first = np.unique(pairs.dialog, return_index=True)
    of_dialogs = np.stack([pairs.turns, pairs.clarifications, np.ones(len(pairs))], axis=1)
    np.add.at(sums[:, 4:], rows[first], of_dialogs[first])
    return sums


def _interval(
    groups: Sequence[Floats], statistic: Callable[..., Floats], seeds: Sequence[int]
) -> Interval:
    """A statistic of the sums of all groups, each of whose households are resampled."""
    value = float(statistic(*(each.sum(axis=0) for each in groups)))
    if min(map(len, groups)) < SMALLEST_SAMPLE:
        return Interval(value)
    drawn = (_resample(len(each), seed) @ each for each, seed in zip(groups, seeds, strict=True))
    values = statistic(*drawn)
    defined = values[~np.isnan(values)]
    return Interval(value, *map(float, np.percentile(defined, [2.5, 97.5]) if len(defined) else ()))


@lru_cache(maxsize=4)
def _resample(households: int, seed: int) -> Floats:
    """How often each household is drawn, for each resample."""
    generator = stream(seed, "evaluation", "bootstrap", households, DRAWS)
    chances = np.full(households, 1 / households)
    return generator.multinomial(households, chances, size=DRAWS).astype(np.float64)
