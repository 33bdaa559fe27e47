"""A table of results, how it is declared, and how its cells are written."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import pandas as pd

from benyfits_data.dataset import to_csv
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents.baselines import GUESSES
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.recorded import likelier
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.run_manifest import digest
from benyfits_data.rng import stream

UNDEFINED = "-"
GAP = "  "
Rows = Iterable[Iterable[Any]]


@dataclass(frozen=True)
class Table:
    """A table: a title, a header, rows of text, and what else has to be said of it.

    Attributes:
        width: Columns that it has to fit as text; as wide as its cells if 0.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    width: int = 0

    def to_csv(self) -> str:
        """Return the table as CSV."""
        return to_csv(self.header, self.rows)

    def to_markdown(self) -> str:
        """Return the table as Markdown, with its title."""
        lines = [f"### {self.title}", "", "| " + " | ".join(self.header) + " |"]
        lines.append("|" + "---|" * len(self.header))
        lines += [
            "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.rows
        ]
        return "\n".join([*lines, *(["", self.note] if self.note else [])]) + "\n"

    def to_text(self) -> str:
        """Return the table in columns for a terminal, with its title."""
        rows = (self.header, *self.rows)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        while self.width and sum(widths) + len(GAP) * (len(widths) - 1) > self.width:
            widths[widths.index(max(widths))] -= 1
        lines = (
            line for row in rows for line in zip_longest(*map(wrap, row, widths), fillvalue="")
        )
        text = [
            GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *text, *([self.note] if self.note else [])]) + "\n"


def tabulate(title: str, columns: str, rows: Rows, note: str = "") -> Table:
    """Return a table; its columns are named in one text, with `; ` between them."""
    return Table(title, tuple(columns.split("; ")), tuple(tuple(map(str, it)) for it in rows), note)


def per_run(
    title: str,
    columns: str,
    note: str = "",
    note_of: Callable[[Run], str] = lambda run: "",
    *,
    with_baselines: bool = False,
) -> Callable[[Callable[..., Rows]], Callable[..., Table]]:
    """Declare a table by the rows of one run; each stands behind the run's title and dataset.

    Args:
        title: The table's title.
        columns: Names of the columns that the rows fill, with `; ` between them.
        note: What stands below, where the table has rows.
        note_of: What is said below of one run; nothing if empty.
        with_baselines: Whether agents that ask nothing stand before the runs.
    """

    def declare(rows_of: Callable[..., Rows]) -> Callable[..., Table]:
        def table(runs: Sequence[Run], *settings: Any) -> Table:
            compared = [*baseline_runs(runs), *runs] if with_baselines else runs
            rows = [
                (run.title, run.name, *row) for run in compared for row in rows_of(run, *settings)
            ]
            notes = [note, *map(note_of, compared)] if rows else []
            return tabulate(title, f"run; dataset; {columns}", rows, "\n".join(filter(None, notes)))

        table.__doc__ = rows_of.__doc__
        return table

    return declare


def figure(value: float, digits: int = 1) -> str:
    """Return a figure with so many decimals, or a dash where there is none."""
    return UNDEFINED if math.isnan(value) else f"{value:.{digits}f}"


def cell(pairs: pd.DataFrame, statistic: metrics.Statistic = metrics.f1) -> str:
    """Return a score of some pairs with its interval, or a dash without any."""
    return UNDEFINED if pairs.empty else range_of(metrics.bootstrap(pairs, statistic))


def range_of(interval: metrics.Interval) -> str:
    """Return a score with its interval, where it has one."""
    if math.isnan(interval.value) or math.isnan(interval.low):
        return figure(interval.value)
    return f"{figure(interval.value)} ({figure(interval.low)} to {figure(interval.high)})"


UNREAD = "unread"
"""What agents that ask nothing make of the texts; tells computed runs from played ones."""


def guess(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return pairs with the verdicts of the agent `prior`.

    Raises:
        EvaluationError: Nobody counted who may claim the programs of an edition.
    """
    known = {year: likelier(year) for year in pairs.edition.unique()}
    said = [known[year][name] for year, name in zip(pairs.edition, pairs.program, strict=True)]
    return pairs.assign(verdict=said)


def baseline_runs(runs: Sequence[Run]) -> list[Run]:
    """Return a run of each baseline on every dataset that some runs played, one trial each.

    A baseline that was run itself on a dataset, or that knows nothing of its edition, is left out.

    Args:
        runs: Any runs.
    """
    fullest: dict[str, Run] = {}
    played: set[tuple[str, str]] = set()
    for run in runs:
        # Agents that ask nothing read no texts.
        key = digest({name: value for name, value in run.data.items() if name != "texts"})
        played.add((run.agent, key))
        if len(_first_trial(run)) > len(_first_trial(fullest[key]) if key in fullest else ()):
            fullest[key] = run
    baselines = []
    for name in GUESSES:
        for key, run in fullest.items():
            if (name, key) in played:
                continue
            try:
                dialogs = [_instead(dialog, name) for dialog in _first_trial(run)]
            except EvaluationError:
                continue
            how = {"agent": {"name": name}, "roles": {}, "texts": UNREAD, "trials": 1}
            unscored = {key: why for key, why in run.unscored.items() if key[1] == 1}
            baseline = Run({**how, "dataset": run.data}, dialogs, unscored)
            baseline.name = run.name
            baselines.append(baseline)
    return baselines


def _first_trial(run: Run) -> list[Dialog]:
    return [dialog for dialog in run.dialogs if dialog.trial == 1]


def _instead(dialog: Dialog, agent: str) -> Dialog:
    """The dialog as an agent that asks nothing would have ended it."""
    rng = stream(0, "evaluation", agent, dialog.household)
    verdicts = GUESSES[agent](list(dialog.labels), dialog.edition, rng)
    nothing: dict[str, Any] = {"turns": [], "failures": [], "usage": {}, "errors": {}}
    nothing |= {"roles": {}, "code": {}, "traces": {}}
    return replace(dialog, agent=agent, verdicts=verdicts, **nothing)
