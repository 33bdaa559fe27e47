"""The tables of results: declared by their columns, filled from frames, written as text."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd

from benyfits_data.dataset import to_csv
from benyfits_data.evaluation.record import VERDICTS
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import (
    ERRORS,
    FAILURES,
    Run,
    calls_of,
    dialogs_of,
    failures_of,
    pairs_of,
    stack,
    turns_of,
)

Cell = Callable[[Any], Any]
"""What a column shows of a group of a frame's rows."""

SCORES_NOTE = (
    "Uncontested: pairs whose label no reading of the city's text changes. Informative: programs "
    "on which `prior`, which asks nothing, is right in at most 98% of the city. Facts asked: of "
    "members and the household, a dialog, where all its questions were read: five in one question "
    "are five."
)
PAR_NOTE = (
    "Par: the fewest questions whose answers force the labels, exact (docs/benchmark.md). A dialog "
    "that asks for several facts at once, or guesses, may lie below."
)
WHOSE_NOTE = (
    "A wrong verdict is the user's if an unfaithful answer came before it in the dialog; all "
    "others are the agent's."
)
UNDEFINED = "-"
GAP = "  "
UNINFORMATIVE = 0.98
"""Where guessing the likelier answer is right in more of the city than this, a verdict tells
nothing of an agent."""


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


def tabulate(
    title: str,
    columns: str | Sequence[str],
    rows: Iterable[Iterable[Any]],
    note: str = "",
    width: int = 0,
) -> Table:
    """Return a table of anything; names of columns may stand in one text, with `; ` between."""
    header = columns.split("; ") if isinstance(columns, str) else columns
    return Table(title, tuple(header), tuple(tuple(map(str, row)) for row in rows), note, width)


def figure(value: float, digits: int = 1) -> str:
    """Return a figure with so many decimals, or a dash where there is none."""
    return UNDEFINED if math.isnan(value) else f"{value:.{digits}f}"


def range_of(interval: metrics.Interval, digits: int = 1, to: str = " to ") -> str:
    """Return a score with its interval; a dash where it has none."""
    ends = f"{figure(interval.low, digits)}{to}{figure(interval.high, digits)}"
    shown = UNDEFINED if math.isnan(interval.low) else ends
    return UNDEFINED if math.isnan(interval.value) else f"{figure(interval.value)} ({shown})"


def difference_of(interval: metrics.Interval) -> str:
    """Return a paired difference and how sure it is: `+4.1 ± 1.2`."""
    half = figure((interval.high - interval.low) / 2)
    sure = f"({UNDEFINED})" if half == UNDEFINED else f"± {half}"
    return UNDEFINED if math.isnan(interval.value) else f"{interval.value:+.1f} {sure}"


@dataclass(frozen=True)
class Declared:
    """A table whose rows are groups of a frame's rows, each of one run.

    Attributes:
        title: Its title.
        columns: What each column computes of a group.
        rows_of: What a row of the frame is; see `frames`.
        by: Of which column a group has one value; a group is a whole run if empty.
        words: What these values are called in the table.
        where: Which groups are shown; all if not given.
        note: What stands below.
    """

    title: str
    columns: Mapping[str, Cell]
    rows_of: Callable[..., pd.DataFrame] = pairs_of
    by: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    where: Cell = len
    note: str = ""

    def fill(self, runs: Sequence[Run]) -> Table:
        """Return the table of some runs."""
        frame, keys = stack(runs, self.rows_of), [self.by] if self.by else []
        rows = []
        for (_, *values), group in frame.groupby(["number", *keys]) if len(frame) else ():
            if self.where(group):
                named = [self.words.get(str(value), str(value)) for value in values]
                cells = [column(group) for column in self.columns.values()]
                rows.append((group.run.iat[0], group.dataset.iat[0], *named, *cells))
        return tabulate(self.title, ["run", "dataset", *keys, *self.columns], rows, self.note)


def _score(statistic: metrics.Statistic = metrics.f1, without: Cell | None = None) -> Cell:
    """A score with its interval; pairs that are left out count nothing, their households do."""

    def compute(pairs: pd.DataFrame) -> str:
        kept = 1.0 if without is None else ~without(pairs)
        weighed = pairs.assign(weight=pairs.weight * kept)
        return range_of(metrics.bootstrap(weighed, statistic)) if len(pairs) else UNDEFINED

    return compute


def _count(column: str, value: str) -> Cell:
    return lambda group: (group[column] == value).sum()


def _first(column: str) -> Cell:
    return lambda group: group[column].iat[0]


def _total(column: str) -> Cell:
    return lambda group: group[column].sum()


def _over_par(statistic: Cell, digits: int = 1) -> Cell:
    """A figure of the turns above par, of dialogs that have a par."""
    return lambda dialogs: figure(statistic((dialogs.turns - dialogs.par).dropna()), digits)


def _turns_with_par(dialogs: pd.DataFrame) -> Any:
    return dialogs.turns[dialogs.par.notna()]


def _facts_asked(pairs: pd.DataFrame) -> str:
    """The mean of facts asked a dialog; none where some question of a dialog was not read."""
    return figure(pairs.drop_duplicates("dialog").facts_asked.mean(skipna=False))


def _of_calls(column: str, digits: int | None = None) -> Cell:
    """The sum of a column over calls, or its share of a dialog; what no server counted is not 0."""

    def compute(calls: Any) -> Any:
        if calls.uncounted_calls.any():
            return UNDEFINED
        total = calls[column].sum()
        return total if digits is None else figure(total / calls.n.iat[0], digits)

    return compute


def _prior_share(pairs: Any) -> Any:
    """In how much of the city the likelier verdict on each pair's program is right."""
    return np.maximum(pairs.city_share, 1 - pairs.city_share)


def _is_uninformative(pairs: Any) -> Any:
    return _prior_share(pairs) > UNINFORMATIVE


def _prior_is_right(pairs: pd.DataFrame) -> str:
    mark = " (uninformative)" if _is_uninformative(pairs).iat[0] else ""
    return figure(100 * _prior_share(pairs).iat[0]) + mark


def _share_of_read(kind: str) -> Cell:
    """The share of a verdict on answers in those that were read, in percent."""

    def compute(turns: Any) -> str:
        n_read = turns.faithfulness.isin(VERDICTS[:-1]).sum()
        return figure(100 * (turns.faithfulness == kind).sum() / n_read if n_read else math.nan)

    return compute


N_DIALOGS: Mapping[str, Cell] = {"n": lambda pairs: pairs.dialog.nunique()}

SCORES = Declared(
    "All scores, 95% intervals over households",
    {
        "accuracy": _score(metrics.accuracy),
        "recall": _score(metrics.recall),
        "precision": _score(metrics.precision),
        "F1": _score(),
        "F1, uncontested": _score(without=lambda pairs: pairs.contested),
        "F1, informative": _score(without=_is_uninformative),
        "turns": _score(metrics.mean_turns),
        "without clarifications": _score(metrics.mean_first_turns),
        "facts asked": _facts_asked,
        **N_DIALOGS,
    },
    note=SCORES_NOTE,
)
FAILED = Declared("Failures", {"count": len}, rows_of=failures_of, by="kind", words=FAILURES)
DECLARED = (
    SCORES,
    Declared(
        "By program",
        {
            "accuracy": _score(metrics.accuracy),
            "F1": _score(),
            "turns": _score(metrics.mean_turns),
            **N_DIALOGS,
            "prior is right in % of the city": _prior_is_right,
        },
        by="program",
    ),
    Declared(
        "Turns over par",
        {
            "with par": lambda dialogs: dialogs.par.count(),
            "no par": lambda dialogs: dialogs.par.isna().sum(),
            "mean par": lambda dialogs: figure(dialogs.par.mean()),
            "turns": lambda dialogs: figure(_turns_with_par(dialogs).mean()),
            "over par": _over_par(pd.Series.mean),
            "median over": _over_par(pd.Series.median),
            "p90 over": _over_par(lambda over: over.quantile(0.9)),
            "max over": _over_par(pd.Series.max, 0),
            "turns a par question": lambda dialogs: figure(
                _turns_with_par(dialogs).sum() / (dialogs.par.sum() or math.nan), 2
            ),
        },
        rows_of=dialogs_of,
        where=lambda dialogs: dialogs.par.notna().any(),
        note=PAR_NOTE,
    ),
    Declared(
        "Trials",
        {
            "trials": lambda pairs: pairs.trial.nunique(),
            "standard deviation of F1": lambda pairs: figure(metrics.spread(pairs)),
        },
        where=lambda pairs: pairs.trial.nunique() > 1,
    ),
    Declared(
        "Error analysis",
        {"wrong": len, "the user's": _count("whose", "user")},
        by="error",
        words=ERRORS,
        note=WHOSE_NOTE,
    ),
    Declared(
        "Faithfulness of the simulated user, in turns",
        {
            **{kind.replace("_", " "): _count("faithfulness", kind) for kind in VERDICTS},
            **{f"{kind.replace('_', ' ')} %": _share_of_read(kind) for kind in VERDICTS[1:3]},
        },
        rows_of=turns_of,
    ),
    FAILED,
    Declared(
        "Calls and tokens",
        {
            "served by": lambda calls: ", ".join(sorted(set().union(*calls.served))) or UNDEFINED,
            "calls": _total("calls"),
            "kept replies": _total("cached_calls"),
            "without token counts": _total("uncounted_calls"),
            "tokens read": _of_calls("input_tokens"),
            "of them cached": _of_calls("cached_tokens"),
            "tokens written": _of_calls("output_tokens"),
            "tokens a dialog": _of_calls("tokens", 0),
            "n": _first("n"),
        },
        rows_of=calls_of,
        by="role",
        note="Where a server did not say how many tokens each call took, they are not known.",
    ),
)
