"""What hangs on readings and texts: uncontested pairs, orders of agents, price of ambiguity."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import Table, cell, figure, range_of, tabulate
from benyfits_data.evaluation.run_options import DECIDED, PLAIN


def list_contested(runs: Sequence[Run]) -> Table:
    """Return F1 on all pairs and on those whose label no unscored reading changes."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        pairs = sum(len(dialog.labels) for dialog in run.dialogs)
        contested = sum(len(dialog.contested) for dialog in run.dialogs)
        if run.dialogs:
            sure = list(map(uncontested, run.dialogs))
            yield run.texts, pairs, contested, cell(run.dialogs), cell(sure)

    header = "texts; pairs; contested; F1, all pairs; F1, uncontested pairs"
    return tabulate("F1 without contested pairs", header, runs, describe)


def uncontested(dialog: Dialog) -> Dialog:
    """Return a dialog without the pairs whose label is contested."""
    kept = {name: label for name, label in dialog.labels.items() if name not in dialog.contested}
    return replace(dialog, labels=kept)


def under_option(dialog: Dialog, program: str, option: str) -> Dialog:
    """Return a dialog with the labels as they are under one option, `reading=option`."""
    if option not in dialog.flips.get(program, ()):
        return dialog
    return replace(dialog, labels={**dialog.labels, program: not dialog.labels[program]})


def list_orders(runs: Sequence[Run]) -> Table:
    """Return which agents change places in F1 under another option of a reading.

    Compared are runs that played the same data with the same texts; all other readings keep the
    option in force.
    """
    rows = []
    for first, second in combinations(runs, 2):
        if not _are_comparable(first, second):
            continue
        before = metrics.score(first.dialogs) - metrics.score(second.dialogs)
        for program, option in _options(first.dialogs):
            scores = [
                metrics.score(under_option(dialog, program, option) for dialog in run.dialogs)
                for run in (first, second)
            ]
            if (scores[0] - scores[1]) * before < 0:
                told = f"{program} {option}"
                rows.append((first.title, second.title, first.name, told, *_signed(before, scores)))
    header = ("first", "second", "dataset", "under", "F1, first minus second", "under it")
    return Table("Orders that a reading would change", header, tuple(rows))


def list_prices(runs: Sequence[Run]) -> Table:
    """Return what plain texts cost: F1 with decided texts minus F1 with plain ones, paired."""
    rows = []
    for first in runs:
        for second in runs:
            if (first.texts, second.texts) != (DECIDED, PLAIN) or not _differ_in_texts(
                first, second
            ):
                continue
            differences = [
                range_of(metrics.compare(first.dialogs, second.dialogs, statistic))
                for statistic in (metrics.f1, metrics.mean_turns)
            ]
            scores = [cell(run.dialogs) for run in (first, second)]
            rows.append((first.agent, first.players, first.name, *scores, *differences))
    header = (
        *("agent", "models", "dataset", "F1, decided texts", "F1, plain texts"),
        *("F1, decided minus plain", "turns, decided minus plain"),
    )
    return Table("Price of ambiguity", header, tuple(rows))


def _are_comparable(first: Run, second: Run) -> bool:
    played = [{dialog.household for dialog in run.dialogs} for run in (first, second)]
    return first.data == second.data and first.texts == second.texts and played[0] == played[1]


def _differ_in_texts(first: Run, second: Run) -> bool:
    """Return whether two runs played the same households in the same way, with other texts."""
    played = [{dialog.household for dialog in run.dialogs} for run in (first, second)]
    settings, data = (
        [{**told, "texts": ""} for told in pair]
        for pair in ((first.settings, second.settings), (first.data, second.data))
    )
    return (
        bool(played[0])
        and played[0] == played[1]
        and settings[0] == settings[1]
        and (data[0] == data[1])
    )


def _options(dialogs: Iterable[Dialog]) -> Iterator[tuple[str, str]]:
    found = {
        (program, option)
        for dialog in dialogs
        for program, options in dialog.flips.items()
        for option in options
    }
    yield from sorted(found)


def _signed(before: float, scores: Sequence[float]) -> tuple[str, str]:
    return figure(before), figure(scores[0] - scores[1])
