"""The tables of results: who scored what, and what happened in dialogs.

Most are declared: what a row of the frame is, what tells the table's rows apart, and what each
column computes of them. What free text says, a reader says: the column `read by` names it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd

from benyfits_data.evaluation.record import VERDICTS
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.frames import (
    ERRORS,
    FAILURES,
    calls_of,
    pairs_of,
    turns_of,
)
from benyfits_data.evaluation.results.guessed_runs import guess_runs
from benyfits_data.evaluation.results.paper_table import compare_with_paper, find_sets
from benyfits_data.evaluation.results.runs import Run, stack
from benyfits_data.evaluation.results.table import (
    UNDEFINED,
    Table,
    cell,
    figure,
    range_of,
    tabulate,
)
from benyfits_data.evaluation.run_manifest import compare_manifests

Prices = Mapping[str, tuple[float, float, float]]
"""Dollars for a million tokens by model: read, written, read from the server's cache."""
Cell = Callable[[Any], Any]
"""What a column shows of a group: a frame, whose columns the frames name."""
Mask = Callable[[Any], Any]

LEADING = "F1 and turns of each agent"
LEADING_NOTE = (
    "F1 is over all pairs of a household and a program, in %, with its 95% interval\n"
    "over households; n counts dialogs, a turn is a question and its answer; x par:\n"
    "turns by the fewest questions that force the labels.{}"
)
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


def _first(column: str) -> Cell:
    return lambda group: group[column].iat[0]


def _total(column: str) -> Cell:
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
READ_BY = {"read by": _first("read_by")}

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
            "track": _first("track"),
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
            "pairs undecided": _total("undecided"),
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
            "replaced by our words": _total("is_replaced"),
            **READ_BY,
        },
        rows_of=turns_of,
        note="A proven user that said what is not so is asked again, then our words stand in.",
    ),
)


def list_trials(pairs: pd.DataFrame) -> Table:
    """Return how much trials of the same dialogs differ, and pass^k for each k."""
    most = pairs.trial.max() if len(pairs) else 0
    chances = {
        f"pass^{k} %": lambda run, k=k: figure(metrics.pass_k(run, k)) for k in range(1, most + 1)
    }
    return Grouped(
        "Trials: spread, and households right in every verdict k times",
        {
            "trials": lambda run: run.trial.nunique(),
            "standard deviation of F1": lambda run: figure(metrics.spread(run)),
            **chances,
        },
        where=lambda run: run.trial.nunique() > 1,
    ).fill(pairs)


def list_failures(pairs: pd.DataFrame) -> Table:
    """Return how often each kind of failure was recorded."""
    if len(pairs):
        pairs = pairs.drop_duplicates(["number", "dialog"]).explode("failures")
    kinds = pairs.rename(columns={"failures": "kind"})
    return Grouped("Failures", {"count": len}, by="kind", words=FAILURES).fill(kinds)


def list_usage(runs: Sequence[Run], prices: Prices) -> Table:
    """Return calls, tokens and money by role, kept replies and tokens cached by servers apart."""

    def dollars(calls: Any) -> float:
        read, cached = calls.input_tokens.sum(), calls.cached_tokens.sum()
        price = prices.get(calls.model.iat[0], (math.nan,) * 3)
        return float(np.dot((read - cached, calls.output_tokens.sum(), cached), price)) / 1e6

    def a_dialog(calls: Any) -> float:
        return float((calls.input_tokens.sum() + calls.output_tokens.sum()) / calls.n.iat[0])

    return Grouped(
        "Calls, tokens, money",
        {
            "calls": _total("calls"),
            "kept replies": _total("cached_calls"),
            "tokens read": _total("input_tokens"),
            "of them cached": _total("cached_tokens"),
            "tokens written": _total("output_tokens"),
            "tokens a dialog": lambda calls: figure(a_dialog(calls), 0),
            "dollars a dialog": lambda calls: figure(dollars(calls) / calls.n.iat[0], 4),
            "dollars": lambda calls: figure(dollars(calls), 4),
            "n": _first("n"),
        },
        by="role",
    ).fill(stack(runs, calls_of))


def list_runs(runs: Sequence[Run]) -> Table:
    """Return what became of every planned dialog: scored, broken off but scored, or unscored."""
    rows = []
    for run in runs:
        reasons = [*run.unscored.values(), *(failure.message for failure in run.broken_off)]
        counts = run.planned, len(run.dialogs), len(run.broken_off), len(run.unscored)
        rows.append((run.title, run.name, *counts, shorten((reasons or [""])[0], 400)))
    columns = "run; dataset; planned; scored; of them broken off; unscored; first reason"
    return tabulate("Dialogs planned and scored", columns, rows)


def list_differences(runs: Sequence[Run]) -> Table:
    """Return paired differences in F1 and turns of all runs that played the same households."""
    rows = []
    for first, second in combinations(runs, 2):
        # Decided and plain texts about the same households are held against each other, too.
        is_same_data = {**first.data, "texts": ""} == {**second.data, "texts": ""}
        played = {dialog.household for dialog in first.dialogs}
        if is_same_data and played == {dialog.household for dialog in second.dialogs}:
            differences = (
                range_of(metrics.compare(first.pairs, second.pairs, statistic))
                for statistic in (metrics.f1, metrics.mean_turns)
            )
            rows.append((first.title, second.title, first.name, *differences, len(played)))
    columns = "first; second; dataset; F1, first minus second; turns; n households"
    return tabulate("Paired differences, 95% intervals", columns, rows)


def list_manifest_differences(first: Sequence[Run], second: Sequence[Run]) -> Table:
    """Return everything on which scores may depend that differs between two runs.

    Args:
        first: The run, or runs, of one log folder.
        second: Those of another.
    """
    rows = [
        (name, *map(str, values))
        for ours, theirs in product(first, second)
        for name, values in compare_manifests(ours.manifest, theirs.manifest).items()
    ]
    return tabulate("What differs", "setting; first; second", dict.fromkeys(rows))


def rank_runs(runs: Sequence[Run], *, incomplete: bool = False) -> pd.DataFrame:
    """Return a row of scores for each run, set by set and the best first.

    Columns: `agent` and who played for it; `dataset` and edition; `n` scored dialogs; `f1`, with
    `f1_low` and `f1_high`; `turns`; `times_par`, all turns by the par of all dialogs that have one;
    `unscored` dialogs; `unranked`, why the run is not compared with others, empty if it is.

    Args:
        runs: Any runs.
        incomplete: Whether partial and broken runs are ranked too; else they come last.
    """
    scores = pd.DataFrame([_rank(run) for run in runs])
    if scores.empty:
        return scores
    scores["last"] = (scores.unranked != "") & (not incomplete)
    order = scores.sort_values(
        ["last", "dataset", "f1"], ascending=[True, True, False], kind="stable"
    )
    return order.drop(columns="last").reset_index(drop=True)


def _rank(run: Run) -> dict[str, Any]:
    f1 = metrics.bootstrap(run.pairs) if run.dialogs else metrics.Interval(math.nan)
    known = [(len(dialog.turns), dialog.par) for dialog in run.dialogs if dialog.par is not None]
    turns, par = np.sum(known or [(0, 0)], axis=0)
    return {
        "agent": run.title if run.roles else run.agent,
        "dataset": f"{run.name} {'+'.join(map(str, run.data['editions']))}",
        "n": len(run.dialogs),
        "f1": f1.value,
        "turns": metrics.score(run.pairs, metrics.mean_turns) if run.dialogs else math.nan,
        "times_par": turns / par if par else math.nan,
        "unscored": len(run.unscored),
        "unranked": "broken off" if run.is_broken else "" if run.is_complete else "partial",
        "f1_low": f1.low,
        "f1_high": f1.high,
    }


def list_scores(runs: Sequence[Run], *, incomplete: bool = False) -> Table:
    """Return the first table of results, baselines among the runs; see `rank_runs`."""
    compared = [run for run in runs if incomplete or run.is_complete]
    scores = rank_runs([*guess_runs(compared), *runs], incomplete=incomplete)
    rows = []
    for one in scores.to_dict("records"):
        f1 = figure(one["f1"])
        if not math.isnan(one["f1_low"]):
            f1 += f" ({one['f1_low']:.0f}-{one['f1_high']:.0f})"
        f1 = f1 if incomplete or not one["unranked"] else one["unranked"]
        cells = figure(one["turns"]), figure(one["times_par"], 2), one["unscored"]
        rows.append((one["agent"], one["dataset"], one["n"], f1, *cells))
    are_all = scores.empty or not any(scores.unranked)
    note = LEADING_NOTE.format("" if are_all else "\nPartial and broken runs are not ranked.")
    columns = "agent; set; n; F1 (95%); turns; x par; unscored"
    return tabulate(LEADING, columns, rows, note, width=80)


def all_tables(
    runs: Sequence[Run],
    paper: Sequence[Mapping[str, str]],
    *,
    incomplete: bool = False,
    prices: Prices | None = None,
) -> list[Table]:
    """Return every table that has rows.

    Args:
        runs: Our runs.
        paper: The published rows; see `compare_with_paper`.
        incomplete: Whether runs of part of a set, or with unscored dialogs, are ranked too.
        prices: What the tokens of models cost.
    """
    sets = find_sets(runs, incomplete=incomplete)
    ranked = list({id(run): run for _, both in sets for run in both.values()}.values())
    frames = {rows_of: stack(runs, rows_of) for rows_of in (pairs_of, turns_of)}
    pairs, with_baselines = frames[pairs_of], stack([*guess_runs(runs), *runs])
    tables = [
        list_scores(runs, incomplete=incomplete),
        list_runs(runs),
        compare_with_paper(runs, paper, incomplete=incomplete),
        list_differences(ranked),
        list_trials(pairs),
        *(
            each.fill(with_baselines if each.with_baselines else frames[each.rows_of])
            for each in GROUPED
        ),
        list_failures(pairs),
        list_usage(runs, prices or {}),
    ]
    return [table for table in tables if table.rows]


def summarise(run: Run) -> list[Table]:
    """Return the tables to show when a run has ended."""
    tables = [list_scores([run], incomplete=True), list_failures(stack([run]))]
    return [table for table in tables if table.rows]
