"""Scores of dialogs: micro F1 over pairs, turns, turn-weighted F1, and how sure they are.

A score is a function of six sums (true and false positives and negatives, turns,
clarifications) and the number of dialogs, so every interval resamples households' sums and never
the pairs, which are not independent within a household.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.record import Dialog
from benyfits_data.rng import stream

COLUMNS = ("tp", "fp", "fn", "tn", "turns", "clarifications", "dialogs")
"""The sums a score is made of, in the order of every array here."""

SMALLEST_SAMPLE = 2
"""Households an interval is taken of: one, drawn again and again, would seem to be certain."""

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""From sums of shape (..., 7) to values of shape (...)."""


@dataclass(frozen=True)
class Scores:
    """Scores in percent, turns per dialog; not-a-number where nothing was to be counted."""

    accuracy: float
    precision: float
    recall: float
    f1: float
    turns: float
    turns_without_clarifications: float
    pairs: int
    dialogs: int


@dataclass(frozen=True)
class Interval:
    """A score with its 95% interval."""

    value: float
    low: float
    high: float


def sum_dialogs(dialogs: Iterable[Dialog]) -> Floats:
    """Return the sums of some dialogs, one per column of `COLUMNS`."""
    total = np.zeros(len(COLUMNS))
    for dialog in dialogs:
        counts = dialog.counts
        total += [*(counts[column] for column in COLUMNS[:-1]), 1]
    return total


def score(dialogs: Sequence[Dialog]) -> Scores:
    """Return the scores of some dialogs, pairs of all of them pooled."""
    return score_sums(sum_dialogs(dialogs))


def score_sums(sums: Floats) -> Scores:
    """Return the scores that belong to sums in the order of `COLUMNS`."""
    tp, fp, fn, tn, turns, clarifications, dialogs = sums
    pairs = tp + fp + fn + tn
    return Scores(
        accuracy=_percent(tp + tn, pairs),
        precision=_percent(tp, tp + fp),
        recall=_percent(tp, tp + fn),
        f1=float(f1(sums)),
        turns=_ratio(turns, dialogs),
        turns_without_clarifications=_ratio(turns - clarifications, dialogs),
        pairs=int(pairs),
        dialogs=int(dialogs),
    )


def f1(sums: Floats) -> Floats:
    """Return micro F1 in percent for sums of shape (..., 7); not-a-number without positives."""
    tp, fp, fn = sums[..., 0], sums[..., 1], sums[..., 2]
    return _share(2 * tp, 2 * tp + fp + fn, 100)


def accuracy(sums: Floats) -> Floats:
    """Return accuracy in percent for sums of shape (..., 7)."""
    return _share(sums[..., 0] + sums[..., 3], sums[..., :4].sum(axis=-1), 100)


def recall(sums: Floats) -> Floats:
    """Return recall in percent for sums of shape (..., 7)."""
    return _share(sums[..., 0], sums[..., 0] + sums[..., 2], 100)


def precision(sums: Floats) -> Floats:
    """Return precision in percent for sums of shape (..., 7)."""
    return _share(sums[..., 0], sums[..., 0] + sums[..., 1], 100)


def mean_turns(sums: Floats) -> Floats:
    """Return turns per dialog for sums of shape (..., 7)."""
    return _share(sums[..., 4], sums[..., 6])


def mean_first_turns(sums: Floats) -> Floats:
    """Return turns per dialog without clarifications for sums of shape (..., 7)."""
    return _share(sums[..., 4] - sums[..., 5], sums[..., 6])


def weight_by_turns(f1_percent: float, turns: float) -> float:
    """Return turn-weighted F1 in percent: F1 / (T / 100 + 1), as the paper defines it.

    Args:
        f1_percent: F1 in percent, averaged over both datasets.
        turns: Turns per dialog, averaged over both datasets.
    """
    return f1_percent / (turns / 100 + 1)


def combine(by_dataset: Mapping[str, Sequence[Dialog]]) -> tuple[float, float, float]:
    """Return F1, turns and turn-weighted F1, averaged over datasets with equal weight."""
    sums = np.stack([sum_dialogs(dialogs) for dialogs in by_dataset.values()])
    return tuple(map(float, _combine(sums)))  # type: ignore[return-value]


def bootstrap_combined(
    by_dataset: Mapping[str, Sequence[Dialog]], *, draws: int = 2000, seed: int = 0
) -> tuple["Interval", "Interval", "Interval"]:
    """Return F1, turns and turn-weighted F1 over datasets, with their 95% intervals.

    The households of each dataset are resampled apart.

    Args:
        by_dataset: The dialogs of each dataset.
        draws: How many resamples.
        seed: Seed of the resampling.
    """
    sums = [group_by_household(dialogs)[1] for dialogs in by_dataset.values()]
    enough = all(len(rows) >= SMALLEST_SAMPLE for rows in sums)
    resampled = [
        _resample(len(rows), draws, seed + place) @ rows for place, rows in enumerate(sums)
    ]
    drawn = _combine(np.stack(resampled)) if enough else [np.zeros(0)] * 3
    first, second, third = (
        _interval(value, values) for value, values in zip(combine(by_dataset), drawn, strict=True)
    )
    return first, second, third


def _combine(sums: Floats) -> list[Floats]:
    """Average F1, average turns and turn-weighted F1, for sums of shape (datasets, ..., 7)."""
    average_f1, average_turns = f1(sums).mean(axis=0), mean_turns(sums).mean(axis=0)
    return [average_f1, average_turns, np.asarray(average_f1 / (average_turns / 100 + 1))]


def group_by_household(dialogs: Iterable[Dialog]) -> tuple[list[str], Floats]:
    """Return household names in order and their sums over all trials, one row each."""
    groups: dict[str, list[Dialog]] = {}
    for dialog in dialogs:
        groups.setdefault(dialog.household, []).append(dialog)
    names = sorted(groups)
    if not names:
        return [], np.zeros((0, len(COLUMNS)))
    return names, np.stack([sum_dialogs(groups[name]) for name in names])


def bootstrap(
    dialogs: Sequence[Dialog],
    statistic: Statistic = f1,
    *,
    draws: int = 2000,
    seed: int = 0,
) -> Interval:
    """Return a statistic with its 95% percentile interval over resampled households.

    Args:
        dialogs: Dialogs of one dataset and one agent.
        statistic: From sums of shape (draws, 7) to values of shape (draws,).
        draws: How many resamples.
        seed: Seed of the resampling.

    Raises:
        EvaluationError: There are no dialogs.
    """
    names, sums = group_by_household(dialogs)
    if not names:
        raise EvaluationError("No dialogs to take an interval of. Run an evaluation first.")
    value = float(statistic(sums.sum(axis=0)))
    if len(names) < SMALLEST_SAMPLE:
        return Interval(value, float("nan"), float("nan"))
    return _interval(value, statistic(_resample(len(names), draws, seed) @ sums))


def compare(
    first: Sequence[Dialog],
    second: Sequence[Dialog],
    statistic: Statistic = f1,
    *,
    draws: int = 2000,
    seed: int = 0,
) -> Interval:
    """Return first minus second with its 95% interval, both resampled by the same households.

    Args:
        first: Dialogs of one agent.
        second: Dialogs of another agent with the same households.
        statistic: As in `bootstrap`.
        draws: How many resamples.
        seed: Seed of the resampling.

    Raises:
        EvaluationError: The two did not play the same households.
    """
    names, first_sums = group_by_household(first)
    other_names, second_sums = group_by_household(second)
    if names != other_names or not names:
        missing = sorted(set(names) ^ set(other_names))[:3]
        raise EvaluationError(
            f"A paired difference needs the same households; {missing} were played by one agent "
            "only. Compare runs of the same dataset and limit.",
            households=missing,
        )
    weights = _resample(len(names), draws, seed)
    values = statistic(weights @ first_sums) - statistic(weights @ second_sums)
    observed = statistic(first_sums.sum(axis=0)) - statistic(second_sums.sum(axis=0))
    return _interval(float(observed), values)


def pass_k(dialogs: Iterable[Dialog], k: int) -> float:
    """Return pass^k in percent: how likely k trials of one household are right in every verdict.

    A household with c right ones of n trials counts C(c, k) / C(n, k), as tau-bench defines it;
    not-a-number where a household was played fewer than k times.

    Args:
        dialogs: Dialogs of one dataset and one run.
        k: How many trials.
    """
    right: dict[str, list[bool]] = {}
    for dialog in dialogs:
        right.setdefault(dialog.household, []).append(dialog.verdicts == dialog.labels)
    chances = [
        comb(sum(trials), k) / comb(len(trials), k) if len(trials) >= k else float("nan")
        for trials in right.values()
    ]
    return 100 * float(np.mean(chances)) if chances else float("nan")


def spread(dialogs: Sequence[Dialog]) -> float:
    """Return the standard deviation of F1 between trials, in points; not-a-number for one trial."""
    trials = sorted({dialog.trial for dialog in dialogs})
    scores = [score([item for item in dialogs if item.trial == trial]).f1 for trial in trials]
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else float("nan")


def group_dialogs(
    dialogs: Iterable[Dialog], key: Callable[[Dialog], Hashable]
) -> dict[Hashable, list[Dialog]]:
    """Return the dialogs of each group, by group in order.

    Args:
        dialogs: Any dialogs.
        key: What a dialog is grouped by, such as `lambda dialog: dialog.size`.
    """
    groups: dict[Hashable, list[Dialog]] = {}
    for dialog in dialogs:
        groups.setdefault(key(dialog), []).append(dialog)
    return {group: groups[group] for group in sorted(groups, key=_sort_key)}


def split_programs(dialogs: Iterable[Dialog]) -> dict[Hashable, list[Dialog]]:
    """Return, for each program, the dialogs that name it, reduced to its verdict."""
    programs: dict[Hashable, list[Dialog]] = {}
    for dialog in dialogs:
        for program, label in dialog.labels.items():
            verdict = {program: dialog.verdicts[program]}
            alone = replace(dialog, labels={program: label}, verdicts=verdict)
            programs.setdefault(program, []).append(alone)
    return dict(sorted(programs.items(), key=lambda item: str(item[0])))


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


def count_failures(dialogs: Iterable[Dialog]) -> dict[str, int]:
    """Return how often each kind of failure was recorded, by kind."""
    kinds: dict[str, int] = {}
    for dialog in dialogs:
        for failure in dialog.failures:
            kinds[failure.kind] = kinds.get(failure.kind, 0) + 1
    return dict(sorted(kinds.items()))


def measure_faithfulness(dialogs: Iterable[Dialog]) -> dict[str, float]:
    """Return how answers held against the households, and the shares in percent.

    Keys: `faithful`, `unfaithful`, `no_answer`, `unidentified` (counts of turns), and
    `unfaithful_share`, `no_answer_share` (of the turns whose fact was identified).
    """
    counts = {"faithful": 0, "unfaithful": 0, "no_answer": 0, "unidentified": 0}
    for dialog in dialogs:
        for turn in dialog.turns:
            counts[turn.faithfulness] += 1
    identified = counts["faithful"] + counts["unfaithful"] + counts["no_answer"]
    return {
        **counts,
        "unfaithful_share": _percent(counts["unfaithful"], identified),
        "no_answer_share": _percent(counts["no_answer"], identified),
    }


def _share(part: Floats, whole: Floats, scale: float = 1) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(scale * part / whole)


@lru_cache(maxsize=4)
def _resample(households: int, draws: int, seed: int) -> Floats:
    generator = stream(seed, "evaluation", "bootstrap", households, draws)
    chances = np.full(households, 1 / households)
    return generator.multinomial(households, chances, size=draws).astype(np.float64)


def _interval(value: float, values: Floats) -> Interval:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return Interval(value, float("nan"), float("nan"))
    low, high = np.percentile(defined, [2.5, 97.5])
    return Interval(value, float(low), float(high))


def _sort_key(group: Hashable) -> tuple[int, float, str]:
    return (0, float(group), "") if isinstance(group, int | float) else (1, 0.0, str(group))


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")


def _percent(part: float, whole: float) -> float:
    return 100 * _ratio(part, whole)
