"""The tables of results: declared by their columns, filled from frames, written as text.

What free text says, a reader says: the column `read by` names it.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product, zip_longest
from textwrap import shorten, wrap
from typing import Any

import numpy as np
import pandas as pd

from benyfits_data.dataset import to_csv
from benyfits_data.evaluation.record import VERDICTS
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.comparison import (
    DATASETS,
    PUBLISHED,
    UNREAD,
    find_sets,
    guess_runs,
)
from benyfits_data.evaluation.results.frames import (
    ERRORS,
    FAILURES,
    calls_of,
    dialogs_of,
    failures_of,
    pairs_of,
    turns_of,
)
from benyfits_data.evaluation.results.runs import Run, stack

Cell = Callable[[Any], Any]
"""What a column shows of a group of a frame's rows."""

LEADING = "F1 and turns of each agent"
LEADING_NOTE = (
    "F1 is over all pairs of a household and a program, in %, with its 95% interval\n"
    "over households (- below ten); n counts dialogs, a turn is a question and its\n"
    "answer; x par: turns by the fewest questions that force the labels.{}"
)
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
PAPER_NOTE = (
    "Published rows are as printed: other texts and households (docs/paper.md). The two F1 of "
    "their Random row look swapped: a coin on 47.9% eligible pairs (Diverse) expects about 49."
)
DIFFERENCE_NOTE = (
    "The agent's figures minus the other's on the same households, both drawn again together; ±: "
    "half the width of the 95% interval, - below ten households."
)
UNDEFINED = "-"
GAP = "  "
TRIALS = 3
"""The greatest k of pass^k: the paper's number of trials."""
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


def _pass_k(k: int) -> Cell:
    return lambda pairs: figure(metrics.pass_k(pairs, k))


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
READ_BY: Mapping[str, Cell] = {"read by": _first("read_by")}

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
        "Trials: spread, and households right in every verdict k times",
        {
            "trials": lambda pairs: pairs.trial.nunique(),
            "standard deviation of F1": lambda pairs: figure(metrics.spread(pairs)),
            **{f"pass^{k} %": _pass_k(k) for k in range(1, TRIALS + 1)},
        },
        where=lambda pairs: pairs.trial.nunique() > 1,
    ),
    Declared(
        "Error analysis",
        {"wrong": len, "the user's": _count("whose", "user"), **READ_BY},
        by="error",
        words=ERRORS,
        note=WHOSE_NOTE,
    ),
    Declared(
        "Faithfulness of the simulated user, in turns",
        {
            **{kind.replace("_", " "): _count("faithfulness", kind) for kind in VERDICTS},
            **{f"{kind.replace('_', ' ')} %": _share_of_read(kind) for kind in VERDICTS[1:3]},
            **READ_BY,
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


def list_runs(runs: Sequence[Run]) -> Table:
    """Return what became of every planned dialog: scored, broken off but scored, or unscored."""
    rows = []
    for run in runs:
        reasons = [*run.unscored.values(), *(failure.message for failure in run.broken_off)]
        counts = run.planned, len(run.dialogs), len(run.broken_off), len(run.unscored)
        rows.append((run.title, run.name, *counts, shorten((reasons or [""])[0], 400)))
    columns = "run; dataset; planned; scored; of them broken off; unscored; first reason"
    return tabulate("Dialogs planned and scored", columns, rows)


def list_differences(runs: Sequence[Run], guessed: Sequence[Run]) -> Table:
    """Return paired differences of each run and all others and baselines on the same households.

    Args:
        runs: Those that may be ranked.
        guessed: Baselines of the same sets; see `guess_runs`.
    """
    rows = []
    for first, second in [*combinations(runs, 2), *product(runs, guessed)]:
        # Decided and plain texts about the same households are held against each other, too.
        is_same_data = {**first.data, "texts": ""} == {**second.data, "texts": ""}
        played = {dialog.household for dialog in first.dialogs}
        if is_same_data and played == {dialog.household for dialog in second.dialogs}:
            differences = (
                difference_of(metrics.compare(first.pairs, second.pairs, statistic))
                for statistic in (metrics.f1, metrics.mean_turns)
            )
            rows.append((first.title, second.short_title, first.name, *differences, len(played)))
    columns = "agent; other; dataset; F1 better by; more turns by; n households"
    return tabulate("Paired differences, 95% intervals", columns, rows, DIFFERENCE_NOTE)


def compare_with_paper(
    runs: Sequence[Run], paper: Sequence[Mapping[str, str]], *, incomplete: bool = False
) -> Table:
    """Return the paper's Table 1: baselines, our runs with intervals, then the published rows.

    Args:
        runs: Our runs; of each, the sets that are complete.
        paper: The published rows, on the published data.
        incomplete: Whether runs of part of a set, or with unscored dialogs, are compared too.
    """
    rows = []
    for source, both in find_sets([*guess_runs(runs), *runs], incomplete=incomplete):
        cells: list[Any] = []
        for pairs in (both[name].pairs if name in both else pairs_of([]) for name in DATASETS):
            cells += [SCORES.columns[name](pairs) for name in ("F1", "turns", "n")]
        is_whole = len(both) == len(DATASETS)
        average = (
            [
                *map(
                    range_of,
                    metrics.bootstrap_combined({name: run.pairs for name, run in both.items()}),
                )
            ]
            if is_whole
            else [UNDEFINED] * 3
        )
        run = next(iter(both.values()))
        years = sorted({str(year) for each in both.values() for year in each.data["editions"]})
        whose = f"{source if source == PUBLISHED else source + ', '.join(years) + ' '}households"
        is_played = run.texts != UNREAD
        whose = f"this run, {whose}, {run.texts} texts" if is_played else f"baseline, {whose}"
        if run.profiles != "short" and source != PUBLISHED:
            whose += f", {run.profiles} profiles"
        rows.append((whose, run.agent, run.models, *cells, *average))
    for row in paper:
        source, agent, model, f1, turns, second_f1, second_turns, *averages = row.values()
        cells = [f1, turns, UNDEFINED, second_f1, second_turns, UNDEFINED, *averages]
        rows.append((f"published ({source})", agent, f"dialog {model}", *cells))
    columns = (
        *("source", "agent", "models"),
        *(f"{name} {what}" for name in DATASETS for what in ("F1", "turns", "n")),
        *("average F1", "average turns", "turn-weighted F1"),
    )
    return tabulate("These runs and the paper's", columns, rows, PAPER_NOTE if paper else "")


def rank_runs(runs: Sequence[Run], *, incomplete: bool = False) -> pd.DataFrame:
    """Return a row of scores for each run, set by set and the best first.

    Columns: `agent` and who played for it; `dataset` and edition; `n` scored dialogs; `f1`, with
    `f1_low` and `f1_high`; `turns`; `times_par`, all turns by the par of all dialogs that have one;
    `unscored` dialogs; `unranked`, why the run is not compared with others, empty if it is.

    Args:
        runs: Any runs.
        incomplete: Whether partial and broken runs are ranked too; else they come last.
    """
    rows: list[dict[str, Any]] = []
    for run in runs:
        f1 = metrics.bootstrap(run.pairs) if run.dialogs else metrics.Interval(math.nan)
        known = [(len(dialog.turns), dialog.par) for dialog in run.dialogs if dialog.par]
        turns, par = np.sum(known or [(0, 0)], axis=0)
        unranked = "broken off" if run.is_broken else "" if run.is_complete else "partial"
        rows.append(
            {
                "agent": run.short_title,
                "dataset": f"{run.name} {'+'.join(map(str, run.data['editions']))}",
                "n": len(run.dialogs),
                "f1": f1.value,
                "turns": metrics.score(run.pairs, metrics.mean_turns) if run.dialogs else math.nan,
                "times_par": turns / par if par else math.nan,
                "unscored": len(run.unscored),
                "unranked": unranked,
                "f1_low": f1.low,
                "f1_high": f1.high,
            }
        )

    def rank(row: Mapping[str, Any]) -> tuple[Any, ...]:
        is_last = row["unranked"] != "" and not incomplete
        return is_last, row["dataset"], math.isnan(row["f1"]), -row["f1"]

    rows.sort(key=rank)
    return pd.DataFrame(rows)


def list_scores(runs: Sequence[Run], *, incomplete: bool = False) -> Table:
    """Return the first table of results, baselines among the runs; see `rank_runs`."""
    compared = [run for run in runs if incomplete or run.is_complete]
    rows, is_any_unranked = [], False
    for row in rank_runs([*guess_runs(compared), *runs], incomplete=incomplete).to_dict("records"):
        f1 = range_of(metrics.Interval(row["f1"], row["f1_low"], row["f1_high"]), 0, "-")
        if row["unranked"] and not incomplete:
            f1, is_any_unranked = row["unranked"], True
        cells = figure(row["turns"]), figure(row["times_par"], 2), row["unscored"]
        rows.append((row["agent"], row["dataset"], row["n"], f1, *cells))
    more = "\nPartial and broken runs are ranked with --incomplete only." if is_any_unranked else ""
    columns = "agent; set; n; F1 (95%); turns; x par; unscored"
    return tabulate(LEADING, columns, rows, LEADING_NOTE.format(more), width=80)


def all_tables(
    runs: Sequence[Run], paper: Sequence[Mapping[str, str]], *, incomplete: bool = False
) -> list[Table]:
    """Return every table that has rows.

    Args:
        runs: Our runs.
        paper: The published rows; see `compare_with_paper`.
        incomplete: Whether runs of part of a set, or with unscored dialogs, are ranked too.
    """
    sets = find_sets(runs, incomplete=incomplete)
    ranked = list({id(run): run for _, both in sets for run in both.values()}.values())
    guessed = guess_runs(runs)
    tables = [
        list_scores(runs, incomplete=incomplete),
        list_runs(runs),
        compare_with_paper(runs, paper, incomplete=incomplete),
        list_differences(ranked, guessed),
        *(each.fill([*guessed, *runs] if each is SCORES else runs) for each in DECLARED),
    ]
    return [table for table in tables if table.rows]


def summarise(run: Run) -> list[Table]:
    """Return the tables to show when a run has ended."""
    return [t for t in (list_scores([run], incomplete=True), FAILED.fill([run])) if t.rows]
