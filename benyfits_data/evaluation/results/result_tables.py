"""The tables of results: who scored what, and what happened in dialogs."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.frames import FAILURES, calls_of, pairs_of, turns_of
from benyfits_data.evaluation.results.grouped_tables import (
    GROUPED,
    Cell,
    Grouped,
    first_of,
    total_of,
)
from benyfits_data.evaluation.results.guessed_runs import guess_runs
from benyfits_data.evaluation.results.paper_table import compare_with_paper, find_sets
from benyfits_data.evaluation.results.runs import Run, stack
from benyfits_data.evaluation.results.table import (
    UNDEFINED,
    Table,
    figure,
    range_of,
    tabulate,
)
from benyfits_data.evaluation.run_manifest import compare_manifests

Prices = Mapping[str, tuple[float, float, float]]
"""Dollars for a million tokens by model: read, written, read from the server's cache."""

LEADING = "F1 and turns of each agent"
LEADING_NOTE = (
    "F1 is over all pairs of a household and a program, in %, with its 95% interval\n"
    "over households; n counts dialogs, a turn is a question and its answer; x par:\n"
    "turns by the fewest questions that force the labels.{}"
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
        unknown = (math.nan,) * 3
        price = unknown if calls.uncounted_calls.sum() else prices.get(calls.model.iat[0], unknown)
        return float(np.dot((read - cached, calls.output_tokens.sum(), cached), price)) / 1e6

    def a_dialog(calls: Any) -> float:
        total = calls.input_tokens.sum() + calls.output_tokens.sum()
        return math.nan if calls.uncounted_calls.sum() else float(total / calls.n.iat[0])

    def tokens(column: str) -> Cell:
        # What no server counted is not 0.
        return lambda calls: UNDEFINED if calls.uncounted_calls.sum() else calls[column].sum()

    return Grouped(
        "Calls, tokens, money",
        {
            "calls": total_of("calls"),
            "kept replies": total_of("cached_calls"),
            "without token counts": total_of("uncounted_calls"),
            "tokens read": tokens("input_tokens"),
            "of them cached": tokens("cached_tokens"),
            "tokens written": tokens("output_tokens"),
            "tokens a dialog": lambda calls: figure(a_dialog(calls), 0),
            "dollars a dialog": lambda calls: figure(dollars(calls) / calls.n.iat[0], 4),
            "dollars": lambda calls: figure(dollars(calls), 4),
            "n": first_of("n"),
        },
        by="role",
        note="Where a server did not say how many tokens each call took, they are not known.",
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
    are_all = incomplete or scores.empty or not any(scores.unranked)
    note = LEADING_NOTE.format(
        "" if are_all else "\nPartial and broken runs are ranked with --incomplete only."
    )
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
    guessed = guess_runs(runs)
    with_baselines = stack([*guessed, *runs])
    pairs = with_baselines
    if len(pairs):  # A run without a scored dialog has no pair.
        pairs = pairs[pairs.number >= len(guessed)]
    frames = {pairs_of: pairs, turns_of: stack(runs, turns_of)}
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
