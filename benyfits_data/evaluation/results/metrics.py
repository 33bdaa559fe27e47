"""Scores of dialogs: micro F1 over pairs, turns, turn-weighted F1, and how sure they are.

A score is a ratio of sums over dialogs (true and false positives and negatives, turns,
clarifications, dialogs), so every interval resamples households' sums and never the pairs, which
are not independent within a household. In a sample of the city pairs count by their weights; the
interval is that of a sample with replacement, which does not understate that of a stratified one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb, nan
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.record import VERDICTS, Dialog
from benyfits_data.rng import stream

COLUMNS = ("tp", "fp", "fn", "tn", "turns", "clarifications", "dialogs")
"""The sums a score is made of, in the order of every array here."""

SMALLEST_SAMPLE = 2
"""Households an interval is taken of: one, drawn again and again, would seem to be certain."""
DRAWS = 2000
"""Resamples of an interval: its ends then vary by some tenth of a point from seed to seed."""

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""From sums of shape (..., 7) to values of shape (...)."""
Amount = TypeVar("Amount", float, Floats)
Group = TypeVar("Group", int, str)


@dataclass(frozen=True)
class Interval:
    """A score with its 95% interval."""

    value: float
    low: float
    high: float


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


def sum_dialogs(dialogs: Iterable[Dialog]) -> Floats:
    """Return the sums of some dialogs, one per column of `COLUMNS`."""
    rows = [[*dialog.counts.values(), 1] for dialog in dialogs]
    total: Floats = np.array(rows, dtype=float).reshape(-1, len(COLUMNS)).sum(axis=0)
    return total


def score(dialogs: Iterable[Dialog], statistic: Statistic = f1) -> float:
    """Return a statistic of some dialogs, pairs of all of them pooled."""
    return float(statistic(sum_dialogs(dialogs)))


def weight_by_turns(f1_percent: Amount, turns: Amount) -> Amount:
    """Return turn-weighted F1 in percent: F1 / (T / 100 + 1), as the paper defines it.

    Args:
        f1_percent: F1 in percent, averaged over both datasets.
        turns: Turns per dialog, averaged over both datasets.
    """
    return f1_percent / (turns / 100 + 1)


def bootstrap(dialogs: Sequence[Dialog], statistic: Statistic = f1, *, seed: int = 0) -> Interval:
    """Return a statistic with its 95% percentile interval over resampled households.

    Args:
        dialogs: Dialogs of one dataset and one agent.
        statistic: From sums of shape (draws, 7) to values of shape (draws,).
        seed: Seed of the resampling.

    Raises:
        EvaluationError: There are no dialogs.
    """
    if not dialogs:
        raise EvaluationError("No dialogs to take an interval of. Run an evaluation first.")
    return _interval([_sum_households(dialogs)], lambda sums: statistic(sums[0]), (seed,))


def bootstrap_combined(
    by_dataset: Mapping[str, Sequence[Dialog]], *, seed: int = 0
) -> list[Interval]:
    """Return F1, turns and turn-weighted F1, averaged over datasets with equal weight.

    The households of each dataset are resampled apart.

    Args:
        by_dataset: The dialogs of each dataset.
        seed: Seed of the resampling.
    """

    def average_f1(sums: Floats) -> Floats:
        return np.asarray(f1(sums).mean(axis=0))

    def average_turns(sums: Floats) -> Floats:
        return np.asarray(mean_turns(sums).mean(axis=0))

    def weighted(sums: Floats) -> Floats:
        return weight_by_turns(average_f1(sums), average_turns(sums))

    groups = [_sum_households(dialogs) for dialogs in by_dataset.values()]
    seeds = range(seed, seed + len(groups))
    return [_interval(groups, each, seeds) for each in (average_f1, average_turns, weighted)]


def compare(
    first: Sequence[Dialog], second: Sequence[Dialog], statistic: Statistic = f1, *, seed: int = 0
) -> Interval:
    """Return first minus second with its 95% interval, both resampled by the same households.

    Args:
        first: Dialogs of one agent.
        second: Dialogs of another agent with the same households.
        statistic: As in `bootstrap`.
        seed: Seed of the resampling.

    Raises:
        EvaluationError: The two did not play the same households.
    """
    both = _sum_both(first, second)
    return _interval(both, lambda sums: statistic(sums[0]) - statistic(sums[1]), (seed, seed))


def compare_above(
    first: Sequence[Dialog], second: Sequence[Dialog], statistic: Statistic = f1, *, seed: int = 0
) -> Interval:
    """Return how much of 100 minus the second score the first gains, in percent, with interval.

    100 is a perfect score, 0 is that of second; it is not a number where second leaves nothing.

    Args:
        first: Dialogs of one agent.
        second: Dialogs of another agent with the same households.
        statistic: As in `bootstrap`, in percent.
        seed: Seed of the resampling.

    Raises:
        EvaluationError: The two did not play the same households.
    """
    both = _sum_both(first, second)
    return _interval(
        both, lambda sums: share_above(statistic(sums[0]), statistic(sums[1])), (seed, seed)
    )


def share_above(score_percent: Floats, base_percent: Floats) -> Floats:
    """Return how much of 100 minus the base a score gains, in percent."""
    with np.errstate(invalid="ignore", divide="ignore"):
        above = 100 * (score_percent - base_percent) / (100 - base_percent)
    return np.where(np.isfinite(above), above, nan)


def _sum_both(
    first: Sequence[Dialog], second: Sequence[Dialog]
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    ours, theirs = _sum_households(first), _sum_households(second)
    if ours.keys() != theirs.keys() or not ours:
        missing = sorted(ours.keys() ^ theirs.keys())[:3]
        raise EvaluationError(
            f"A paired difference needs the same households; {missing} were played by one agent "
            "only. Compare runs of the same dataset and limit.",
            households=missing,
        )
    return ours, theirs


def pass_k(dialogs: Iterable[Dialog], k: int) -> float:
    """Return pass^k in percent: how likely k trials of one household are right in every verdict.

    A household with c right ones of n trials counts C(c, k) / C(n, k), as tau-bench defines it;
    not-a-number where a household was played fewer than k times.

    Args:
        dialogs: Dialogs of one dataset and one run.
        k: How many trials.
    """
    chances = []
    for trials in group_dialogs(dialogs, lambda dialog: dialog.household).values():
        right = sum(dialog.verdicts == dialog.labels for dialog in trials)
        chances.append(comb(right, k) / comb(len(trials), k) if len(trials) >= k else nan)
    return 100 * float(np.mean(chances)) if chances else nan


def spread(dialogs: Sequence[Dialog]) -> float:
    """Return the standard deviation of F1 between trials, in points; not-a-number for one trial."""
    scores = [score(some) for some in group_dialogs(dialogs, lambda one: one.trial).values()]
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else nan


def group_dialogs(
    dialogs: Iterable[Dialog], key: Callable[[Dialog], Group]
) -> dict[Group, list[Dialog]]:
    """Return the dialogs of each group, by group in order.

    Args:
        dialogs: Any dialogs.
        key: What a dialog is grouped by, such as `lambda dialog: dialog.size`.
    """
    groups: dict[Group, list[Dialog]] = {}
    for dialog in dialogs:
        groups.setdefault(key(dialog), []).append(dialog)
    return {group: groups[group] for group in sorted(groups)}


def split_programs(dialogs: Iterable[Dialog]) -> dict[str, list[Dialog]]:
    """Return, for each program, the dialogs that name it, reduced to its verdict."""
    alone = [
        replace(dialog, labels={program: label}, verdicts={program: dialog.verdicts[program]})
        for dialog in dialogs
        for program, label in dialog.labels.items()
    ]
    return group_dialogs(alone, lambda dialog: next(iter(dialog.labels)))


def expect_random(positives: int, negatives: int, probability: float = 0.5) -> float:
    """Return the exact expected micro F1, in percent, of answering yes at random.

    True and false positives are independent binomials, so the expectation is a finite sum; an
    outcome without true positives has an F1 of 0.
    """
    from scipy.stats import binom

    if positives == 0:
        return 0.0
    tp = np.arange(positives + 1)[:, None]
    fp = np.arange(negatives + 1)[None, :]
    chance = binom.pmf(tp, positives, probability) * binom.pmf(fp, negatives, probability)
    return float(100 * (chance * 2 * tp / (tp + fp + positives)).sum())


def measure_faithfulness(dialogs: Iterable[Dialog]) -> dict[str, float]:
    """Return how answers held against the households, and the shares in percent.

    Keys: those of `VERDICTS` (counts of turns), and `unfaithful_share`, `over_claim_share`,
    `no_answer_share` (of the turns that were read and understood).
    """
    counts = Counter(turn.faithfulness for dialog in dialogs for turn in dialog.turns)
    told: dict[str, float] = {kind: counts[kind] for kind in VERDICTS}
    judged = sum(told.values()) - told["not_understood"] - told["not_read"]
    shares = {
        f"{kind}_share": 100 * told[kind] / judged if judged else nan
        for kind in ("unfaithful", "over_claim", "no_answer")
    }
    return {**told, **shares}


def measure_proofs(dialogs: Iterable[Dialog]) -> dict[str, int]:
    """Return what a proven user did not send.

    Keys: `turns`, `asked_again` (turns whose first answer was not sent), `replaced` (turns where
    our own sentence stands in).
    """
    turns = [turn for dialog in dialogs for turn in dialog.turns]
    return {
        "turns": len(turns),
        "asked_again": sum(bool(turn.unsent) for turn in turns),
        "replaced": sum(turn.is_replaced for turn in turns),
    }


def measure_acquittals(dialogs: Iterable[Dialog]) -> dict[str, float]:
    """Return how many wrong verdicts turn right on proven answers, and the share in percent.

    Keys: `acquitted`, `not_acquitted`, `unknown` (counts of wrong verdicts), and `share`
    (acquitted, of those that are known).
    """
    counts = Counter(found for dialog in dialogs for found in dialog.acquitted.values())
    known = counts[True] + counts[False]
    told = {"acquitted": counts[True], "not_acquitted": counts[False], "unknown": counts[None]}
    return {**told, "share": 100 * counts[True] / known if known else nan}


def _sum_households(dialogs: Iterable[Dialog]) -> dict[str, Floats]:
    """The sums of each household over all of its trials."""
    groups = group_dialogs(dialogs, lambda dialog: dialog.household)
    return {name: sum_dialogs(some) for name, some in groups.items()}


def _interval(
    groups: Sequence[Mapping[str, Floats]], statistic: Statistic, seeds: Sequence[int]
) -> Interval:
    """A statistic of the sums of all groups, stacked; each group's households are resampled."""
    rows = [np.stack(list(group.values())) for group in groups]
    value = float(statistic(np.stack([each.sum(axis=0) for each in rows])))
    if min(map(len, rows)) < SMALLEST_SAMPLE:
        return Interval(value, nan, nan)
    drawn = [resample(len(each), seed) @ each for each, seed in zip(rows, seeds, strict=True)]
    values = statistic(np.stack(drawn))
    defined = values[~np.isnan(values)]
    low, high = np.percentile(defined, [2.5, 97.5]) if len(defined) else (nan, nan)
    return Interval(value, float(low), float(high))


@lru_cache(maxsize=4)
def resample(households: int, seed: int) -> Floats:
    """Return how often each household is drawn, for each resample."""
    generator = stream(seed, "evaluation", "bootstrap", households, DRAWS)
    chances = np.full(households, 1 / households)
    return generator.multinomial(households, chances, size=DRAWS).astype(np.float64)
