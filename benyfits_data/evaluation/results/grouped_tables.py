"""Tables that are declared: each row is a group of a frame's rows.

Declared are what a row of the frame is, what tells the table's rows apart, and what each column
computes of them. What free text says, a reader says: the column `read by` names it.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from benyfits_data.evaluation.record import VERDICTS
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.frames import ERRORS, pairs_of, turns_of
from benyfits_data.evaluation.results.table import (
    UNDEFINED,
    Table,
    cell,
    figure,
    tabulate,
)

Cell = Callable[[Any], Any]
"""What a column shows of a group: a frame, whose columns the frames name."""
Mask = Callable[[Any], Any]

SCORES_NOTE = (
    "Uncontested: pairs whose label no reading of the city's text changes. Informative: programs "
    "on which `prior`, which asks nothing, is right in at most 98% of the city. Macro F1 is the "
    "mean over programs."
)
PAR_NOTE = (
    "Par: the fewest questions whose answers force the labels, on the agent's track, exact "
    "(docs/benchmark.md). A dialog that asks for several facts at once, or guesses, may lie below."
)
WHOSE_NOTE = (
    "A wrong verdict is the user's where it turns right once the agent's own questions are "
    "answered truly."
)
UNINFORMATIVE = 0.98
"""Where guessing the likelier answer is right in more of the city than this, a verdict tells
nothing of an agent."""


@dataclass(frozen=True)
class Grouped:
    """A table whose rows are groups of a frame's rows, each of one run.

    Attributes:
        title: Its title.
        columns: What each column computes of a group.
        rows_of: What a row of the frame is; see `frames`.
        by: Of which column a group has one value; a group is a whole run if empty.
        words: What these values are called in the table.
        where: Which groups are shown; all if not given.
        note: What stands below.
        with_baselines: Whether agents that ask nothing stand before the runs.
    """

    title: str
    columns: Mapping[str, Cell]
    rows_of: Callable[..., pd.DataFrame] = pairs_of
    by: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    where: Cell | None = None
    note: str = ""
    with_baselines: bool = False

    def fill(self, frame: pd.DataFrame) -> Table:
        """Return the table of a frame made by `runs.stack`."""
        keys = [self.by] if self.by else []
        rows = []
        for (_, *values), group in frame.groupby(["number", *keys]) if len(frame) else ():
            if self.where is None or self.where(group):
                named = [self.words.get(str(value), str(value)) for value in values]
                cells = [column(group) for column in self.columns.values()]
                rows.append((group.run.iat[0], group.dataset.iat[0], *named, *cells))
        return tabulate(self.title, ["run", "dataset", *keys, *self.columns], rows, self.note)


def _score(statistic: metrics.Statistic = metrics.f1, without: Mask | None = None) -> Cell:
    """A score with its interval; pairs that are left out count nothing, their households do."""

    def compute(pairs: pd.DataFrame) -> str:
        kept = 1.0 if without is None else ~without(pairs)
        return cell(pairs.assign(weight=pairs.weight * kept), statistic)

    return compute


def _count(column: str, value: str) -> Cell:
    return lambda group: (group[column] == value).sum()


def _percent(part: Cell, whole: Cell) -> Cell:
    return lambda group: figure(100 * part(group) / whole(group)) if whole(group) else UNDEFINED


def first_of(column: str) -> Cell:
    """Return what shows the first value of a column in a group."""
    return lambda group: group[column].iat[0]


def total_of(column: str) -> Cell:
    """Return what shows the sum of a column over a group."""
    return lambda group: group[column].sum()


def _n_dialogs(pairs: pd.DataFrame) -> int:
    return pairs.dialog.nunique()


def _of_dialogs(statistic: Cell, digits: int = 1) -> Cell:
    """A figure of dialogs, each once, that have a par."""

    def compute(pairs: pd.DataFrame) -> str:
        dialogs = pairs.dropna(subset="par").drop_duplicates("dialog")
        return figure(statistic(dialogs.assign(over=dialogs.turns - dialogs.par)), digits)

    return compute


def _prior_share(pairs: Any) -> Any:
    """In how much of the city the likelier verdict on each pair's program is right."""
    return np.maximum(pairs.city_share, 1 - pairs.city_share)


def _is_uninformative(pairs: Any) -> Any:
    return _prior_share(pairs) > UNINFORMATIVE


def _prior_is_right(pairs: pd.DataFrame) -> str:
    mark = " (uninformative)" if _is_uninformative(pairs).iat[0] else ""
    return figure(100 * _prior_share(pairs).iat[0]) + mark


def _is_judged(turns: pd.DataFrame) -> int:
    return turns.faithfulness.isin(VERDICTS[:-2]).sum()


WHOSE = {f"the {who}'s": _count("whose", who) for who in ("agent", "user")} | {
    "unknown": _count("whose", "unknown")
}
READ_BY = {"read by": first_of("read_by")}

GROUPED = (
    Grouped(
        "All scores, 95% intervals over households",
        {
            "accuracy": _score(metrics.accuracy),
            "recall": _score(metrics.recall),
            "precision": _score(metrics.precision),
            "F1": _score(),
            "macro F1": _score(metrics.macro_f1),
            "F1, uncontested": _score(without=lambda pairs: pairs.contested),
            "F1, informative": _score(without=_is_uninformative),
            "turns": _score(metrics.mean_turns),
            "without clarifications": _score(metrics.mean_first_turns),
            "n": _n_dialogs,
        },
        note=SCORES_NOTE,
        with_baselines=True,
    ),
    Grouped(
        "By program",
        {
            "accuracy": _score(metrics.accuracy),
            "F1": _score(),
            "turns": _score(metrics.mean_turns),
            "n": _n_dialogs,
            "prior is right in % of the city": _prior_is_right,
        },
        by="program",
    ),
    Grouped(
        "Turns over par",
        {
            "track": first_of("track"),
            "with par": lambda pairs: pairs.dropna(subset="par").dialog.nunique(),
            "no par": lambda pairs: pairs[pairs.par.isna()].dialog.nunique(),
            "mean par": _of_dialogs(lambda dialogs: dialogs.par.mean()),
            "turns": _of_dialogs(lambda dialogs: dialogs.turns.mean()),
            "over par": _of_dialogs(lambda dialogs: dialogs.over.mean()),
            "median over": _of_dialogs(lambda dialogs: dialogs.over.median()),
            "p90 over": _of_dialogs(lambda dialogs: dialogs.over.quantile(0.9)),
            "max over": _of_dialogs(lambda dialogs: dialogs.over.max(), 0),
            "turns a par question": _of_dialogs(
                lambda dialogs: dialogs.turns.sum() / (dialogs.par.sum() or math.nan), 2
            ),
        },
        where=lambda pairs: pairs.par.notna().any(),
        note=PAR_NOTE,
    ),
    Grouped(
        "Questions used up",
        {
            "dialogs": lambda pairs: _n_dialogs(pairs[pairs.undecided]),
            "of": _n_dialogs,
            "pairs undecided": total_of("undecided"),
            "of them wrong": lambda pairs: ((pairs.label != pairs.verdict) & pairs.undecided).sum(),
            "F1 of all other pairs": lambda pairs: cell(pairs[~pairs.undecided]),
        },
        where=lambda pairs: pairs.undecided.any(),
        note="Undecided pairs are decided on what was known by then.",
    ),
    Grouped(
        "Questions without need",
        {
            "questions": lambda turns: turns.use.count(),
            "repeated": _count("use", "repeated"),
            "could change nothing": _count("use", "irrelevant"),
            "not mapped to facts": _count("use", "unmapped"),
            **READ_BY,
        },
        rows_of=turns_of,
        where=lambda turns: turns.use.notna().any(),
    ),
    Grouped(
        "Verdicts that the answers prove",
        {
            "verdicts": lambda pairs: (pairs.proof != "").sum(),
            "proven %": _percent(
                _count("proof", "proven"), lambda pairs: (pairs.proof != "").sum()
            ),
            "lucky": lambda pairs: _count("proof", "not proven")(
                pairs[pairs.label == pairs.verdict]
            ),
            "unproven and wrong": lambda pairs: _count("proof", "not proven")(
                pairs[pairs.label != pairs.verdict]
            ),
            "not known": _count("proof", "unknown"),
            **READ_BY,
        },
        where=lambda pairs: (pairs.proof != "").any(),
    ),
    Grouped(
        "Whose wrong verdicts are",
        {
            "wrong": lambda pairs: pairs.error.count(),
            "of pairs": len,
            **WHOSE,
            "the user's, % of known": _percent(
                WHOSE["the user's"], lambda pairs: pairs.whose.isin(("agent", "user")).sum()
            ),
            **READ_BY,
        },
        where=lambda pairs: pairs.error.notna().any(),
        note=WHOSE_NOTE,
    ),
    Grouped("Error analysis", {"wrong": len, **WHOSE, **READ_BY}, by="error", words=ERRORS),
    Grouped(
        "Faithfulness of the simulated user, in turns",
        {
            **{kind.replace("_", " "): _count("faithfulness", kind) for kind in VERDICTS},
            **{
                f"{kind.replace('_', ' ')} %": _percent(_count("faithfulness", kind), _is_judged)
                for kind in VERDICTS[1:4]
            },
            "asked again": lambda turns: turns.unsent.map(bool).sum(),
            "replaced by our words": total_of("is_replaced"),
            **READ_BY,
        },
        rows_of=turns_of,
        note="A proven user that said what is not so is asked again, then our words stand in.",
    ),
)
