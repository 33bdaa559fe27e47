"""F1 over pairs and averaged over programs; where a verdict on a program tells nothing."""

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.city_shares import city_shares, uninformative
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.baselines import baseline_runs, guess
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import (
    UNDEFINED,
    Table,
    cell,
    figure,
    range_of,
    tabulate,
)

ABOVE_NOTE = (
    "Above prior: what the agent scores of the points that `prior`, which asks nothing, leaves to "
    "100; 0 is guessing what is likelier in the city, 100 is perfect. Informative are the programs "
    "on which guessing is right in at most 98% of the city."
)


def list_micro_and_macro(runs: Sequence[Run]) -> Table:
    """Return F1 over all pairs and averaged over programs, and how far both are above guessing.

    Baselines come first; of each run all programs, then the informative ones. Where pairs have
    weights, both scores are those of the city and not of the sample.
    """

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        if not run.dialogs:
            return
        whole = "city" if any(dialog.weights for dialog in run.dialogs) else "pairs as they are"
        known = list(metrics.split_programs(run.dialogs))
        telling = [it for it in known if not _is_uninformative(it, run.dialogs[0].edition)]
        for which, names in {"all": known, "informative": telling}.items():
            dialogs = _of_programs(run.dialogs, names)
            above = [UNDEFINED] * 2
            with suppress(EvaluationError):
                unasked = guess(dialogs)
                over_pairs = metrics.compare_above(dialogs, unasked)
                above = [range_of(over_pairs), range_of(macro_f1(dialogs, names, unasked))]
            scores = cell(dialogs), range_of(macro_f1(dialogs, names))
            yield whole, which, len(names), scores[0], above[0], scores[1], above[1]

    header = "counts; programs; n programs; F1; above prior %; macro F1; above prior %"
    every = [*baseline_runs(runs), *runs]
    table = tabulate("F1 over pairs and averaged over programs", header, every, describe)
    return replace(table, note=ABOVE_NOTE if table.rows else "")


def _of_programs(dialogs: Sequence[Dialog], programs: Sequence[str]) -> list[Dialog]:
    """Return the dialogs that ask about some of the programs, with the verdicts on these alone."""
    kept = set(programs)
    return [
        replace(
            dialog,
            labels={name: label for name, label in dialog.labels.items() if name in kept},
            verdicts={name: said for name, said in dialog.verdicts.items() if name in kept},
        )
        for dialog in dialogs
        if kept & dialog.labels.keys()
    ]


def macro_f1(
    dialogs: Sequence[Dialog], programs: Sequence[str], base: Sequence[Dialog] = ()
) -> metrics.Interval:
    """Return the mean of programs' F1, in percent, with its 95% interval over households.

    A program that nobody may claim and of which nobody is told so has no F1, and is left out.

    Args:
        dialogs: Dialogs of one dataset and one agent.
        programs: The programs that count.
        base: The same dialogs ended otherwise: then how much is scored of what these leave open.
    """
    households = sorted({dialog.household for dialog in dialogs})
    both = [_sum_programs(some, households, programs) for some in (dialogs, base) if some]

    def statistic(totals: Sequence[metrics.Floats]) -> metrics.Floats:
        means = [_mean_of_programs(each) for each in totals]
        return metrics.share_above(*means) if base else means[0]

    if not both or not both[0].any():
        return metrics.Interval(math.nan, math.nan, math.nan)
    value = float(statistic([sums.sum(axis=0) for sums in both]))
    if len(households) < metrics.SMALLEST_SAMPLE:
        return metrics.Interval(value, math.nan, math.nan)
    weights = metrics.resample(len(households), 0)
    drawn = [(weights @ each.reshape(len(each), -1)).reshape(-1, *each.shape[1:]) for each in both]
    values = statistic(drawn)
    defined = values[~np.isnan(values)]
    low, high = np.percentile(defined, [2.5, 97.5]) if len(defined) else (math.nan, math.nan)
    return metrics.Interval(value, float(low), float(high))


def _sum_programs(
    dialogs: Sequence[Dialog], households: Sequence[str], programs: Sequence[str]
) -> metrics.Floats:
    """Return both parts of each program's F1 in each household, `(households, programs, 2)`."""
    rows = {name: number for number, name in enumerate(households)}
    places = {name: place for place, name in enumerate(programs)}
    sums = np.zeros((len(rows), len(places), 2))
    for dialog in dialogs:
        for name in dialog.labels.keys() & places.keys():
            weight = dialog.weights.get(name, 1.0)
            told, said = dialog.labels[name], dialog.verdicts[name]
            added = 2.0 * weight * (told and said), weight * (told + said)
            sums[rows[dialog.household], places[name]] += added
    return sums


def _mean_of_programs(totals: metrics.Floats) -> metrics.Floats:
    """Return the mean F1, in percent, of the programs that have one."""
    with np.errstate(invalid="ignore", divide="ignore"):
        each = 100 * totals[..., 0] / totals[..., 1]
    known = ~np.isnan(each)
    counted = np.maximum(known.sum(axis=-1), 1)
    return np.asarray(np.where(known, each, 0).sum(axis=-1) / counted)


def right_unasked(program: str, dialogs: Sequence[Dialog]) -> str:
    """Return where guessing is right, marked where a verdict then tells nothing of an agent."""
    (edition,) = {dialog.edition for dialog in dialogs}
    try:
        share = city_shares(edition)[program]
    except EvaluationError:
        return UNDEFINED
    mark = " (uninformative)" if _is_uninformative(program, edition) else ""
    return figure(100 * max(share, 1 - share)) + mark


def _is_uninformative(program: str, edition: int) -> bool:
    """Return whether guessing is right in nearly all of the city; not where nobody counted."""
    try:
        return program in uninformative(edition)
    except EvaluationError:
        return False
