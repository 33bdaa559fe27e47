"""F1 over pairs and averaged over programs; where a verdict on a program tells nothing."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.city_shares import city_shares, uninformative
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.baselines import baseline_runs
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import (
    UNDEFINED,
    Table,
    cell,
    figure,
    range_of,
    tabulate,
)


def list_micro_and_macro(runs: Sequence[Run]) -> Table:
    """Return F1 over all pairs and averaged over programs, baselines first.

    Where pairs have weights, both are those of the city and not of the sample.
    """

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        if run.dialogs:
            known = metrics.split_programs(run.dialogs)
            telling = [it for it in known if not _is_uninformative(it, run.dialogs[0].edition)]
            averages = (macro_f1(run.dialogs, names) for names in (list(known), telling))
            whole = "city" if any(dialog.weights for dialog in run.dialogs) else "pairs as they are"
            yield whole, cell(run.dialogs), *map(range_of, averages), len(known), len(telling)

    header = (
        "counts; F1; macro F1; macro F1, informative programs; n programs; n informative programs"
    )
    every = [*baseline_runs(runs), *runs]
    return tabulate("F1 over pairs and averaged over programs", header, every, describe)


def macro_f1(dialogs: Sequence[Dialog], programs: Sequence[str]) -> metrics.Interval:
    """Return the mean of programs' F1, in percent, with its 95% interval over households.

    A program that nobody may claim and of which nobody is told so has no F1, and is left out.

    Args:
        dialogs: Dialogs of one dataset and one agent.
        programs: The programs that count.
    """
    households = sorted({dialog.household for dialog in dialogs})
    rows = {name: number for number, name in enumerate(households)}
    places = {name: place for place, name in enumerate(programs)}
    sums = np.zeros((len(rows), len(places), 2))
    for dialog in dialogs:
        for name in dialog.labels.keys() & places.keys():
            weight = dialog.weights.get(name, 1.0)
            told, said = dialog.labels[name], dialog.verdicts[name]
            added = 2.0 * weight * (told and said), weight * (told + said)
            sums[rows[dialog.household], places[name]] += added

    def mean(totals: metrics.Floats) -> metrics.Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            each = 100 * totals[..., 0] / totals[..., 1]
        known = ~np.isnan(each)
        counted = np.maximum(known.sum(axis=-1), 1)
        return np.asarray(np.where(known, each, 0).sum(axis=-1) / counted)

    value = float(mean(sums.sum(axis=0))) if sums.any() else math.nan
    if len(rows) < metrics.SMALLEST_SAMPLE or not sums.any():
        return metrics.Interval(value, math.nan, math.nan)
    drawn = metrics.resample(len(rows), 0) @ sums.reshape(len(rows), -1)
    low, high = np.percentile(mean(drawn.reshape(-1, len(places), 2)), [2.5, 97.5])
    return metrics.Interval(value, float(low), float(high))


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
