"""Tables of scores: who scored what, beside baselines and the published rows, and by groups."""

import math
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Any

import pandas as pd

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.recorded import city_shares, uninformative
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.dialog_tables import USER_COLUMNS, describe_user
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import (
    UNDEFINED,
    UNREAD,
    Rows,
    Table,
    baseline_runs,
    cell,
    figure,
    guess,
    per_run,
    range_of,
    tabulate,
)
from benyfits_data.evaluation.run_manifest import digest

DATASETS = ("diverse", "representative")
PUBLISHED = "published "
"""Begins the name of the sets that the paper's authors published."""
PAPER_DESIGN = "paper's design, "
"""Begins what is said of our set of the paper's design, `representative-25`."""
PAPER_NOTE = (
    "Published rows are as printed: other texts and households (docs/paper.md). The two F1 of "
    "their Random row look swapped: a coin on 47.9% eligible pairs (Diverse) expects about 49."
)
ABOVE_NOTE = (
    "Above prior: what the agent scores of the points that `prior`, which asks nothing, leaves to "
    "100; 0 is guessing what is likelier in the city, 100 is perfect. Informative are the programs "
    "on which guessing is right in at most 98% of the city."
)
TITLE = "F1 and turns of each agent"
NOTE = (
    "F1 is over all pairs of a household and a program, in %, with its 95% interval\n"
    "over households; n counts dialogs, a turn is a question and its answer; x par:\n"
    "turns by the fewest questions that force the labels.{}"
)
MOST_LISTED = 5
"""Dialogs a sentence names, so that it stays one."""


def rank_runs(runs: Sequence[Run], *, incomplete: bool = False) -> pd.DataFrame:
    """Return a row of scores for each run, set by set and the best first.

    Columns: `agent` and who played for it; `dataset` and edition; `n` scored dialogs; `f1`, with
    `f1_low` and `f1_high`; `turns`; `times_par`, all turns by the par of all dialogs that have one;
    `unscored` dialogs; `unranked`, why the run is not compared with others, empty if it is.

    Args:
        runs: Any runs.
        incomplete: Whether partial and broken runs are ranked too; else they come last.
    """
    scores = pd.DataFrame([_score(run) for run in runs])
    if scores.empty:
        return scores
    scores["last"] = (scores.unranked != "") & (not incomplete)
    order = scores.sort_values(
        ["last", "dataset", "f1"], ascending=[True, True, False], kind="stable"
    )
    return order.drop(columns="last").reset_index(drop=True)


def _score(run: Run) -> dict[str, Any]:
    unranked = "broken off" if run.is_broken else "" if run.is_complete else "partial"
    f1 = metrics.bootstrap(run.pairs) if run.dialogs else metrics.Interval(math.nan)
    known = [it for it in run.dialogs if it.par is not None]
    par = sum(it.par or 0 for it in known)
    return {
        "agent": run.title if run.roles else run.agent,
        "dataset": f"{run.name} {'+'.join(map(str, run.data['editions']))}",
        "n": len(run.dialogs),
        "f1": f1.value,
        "turns": metrics.score(run.pairs, metrics.mean_turns) if run.dialogs else math.nan,
        "times_par": sum(len(it.turns) for it in known) / par if par else math.nan,
        "unscored": len(run.unscored),
        "unranked": unranked,
        "f1_low": f1.low,
        "f1_high": f1.high,
    }


def list_scores(runs: Sequence[Run], *, incomplete: bool = False) -> Table:
    """Return the first table of results, baselines among the runs; see `rank_runs`."""
    compared = [run for run in runs if incomplete or run.is_complete]
    scores = rank_runs([*baseline_runs(compared), *runs], incomplete=incomplete)
    rows = []
    for it in scores.to_dict("records"):
        f1 = figure(it["f1"])
        if not math.isnan(it["f1_low"]):
            f1 += f" ({it['f1_low']:.0f}-{it['f1_high']:.0f})"
        is_ranked = incomplete or not it["unranked"]
        cells = (figure(it["turns"]), figure(it["times_par"], 2), it["unscored"])
        f1 = f1 if is_ranked else it["unranked"]
        rows.append((it["agent"], it["dataset"], it["n"], f1, *cells))
    are_all = scores.empty or not any(scores.unranked)
    note = NOTE.format("" if are_all else "\nPartial and broken runs are not ranked.")
    table = tabulate(TITLE, "agent; set; n; F1 (95%); turns; x par; unscored", rows, note)
    return Table(table.title, table.header, table.rows, note, width=80)


@per_run(
    "Dialogs planned and scored", "planned; scored; of them broken off; unscored; first reason"
)
def list_runs(run: Run) -> Rows:
    """Return what became of every planned dialog: scored, broken off but scored, or unscored."""
    reasons = [*run.unscored.values(), *(failure.message for failure in run.broken_off)]
    first = shorten(reasons[0], 400) if reasons else ""
    yield run.planned, len(run.dialogs), len(run.broken_off), len(run.unscored), first


def compare_runs(
    runs: Sequence[Run], paper: Sequence[Mapping[str, str]], *, incomplete: bool = False
) -> Table:
    """Return the paper's Table 1: baselines, our runs with intervals, then the published rows.

    Args:
        runs: Our runs; of each, the sets that are complete.
        paper: The published rows, on the published data.
        incomplete: Whether runs of part of a set, or with unscored dialogs, are compared too.
    """
    rows = []
    for source, both in find_sets([*baseline_runs(runs), *runs], incomplete=incomplete):
        cells: list[Any] = []
        for name in DATASETS:
            pairs = both[name].pairs if name in both else metrics.pairs_of([])
            n = len(both[name].dialogs) if name in both else 0
            cells += [cell(pairs), cell(pairs, metrics.mean_turns), n]
        is_whole = len(both) == len(DATASETS)
        average = [*map(range_of, average_sets(both))] if is_whole else [UNDEFINED] * 3
        run = next(iter(both.values()))
        years = sorted({str(year) for each in both.values() for year in each.data["editions"]})
        whose = f"{source if source == PUBLISHED else source + ', '.join(years) + ' '}households"
        is_played = run.texts != UNREAD
        whose = f"this run, {whose}, {run.texts} texts" if is_played else f"baseline, {whose}"
        if run.profiles != "short" and source != PUBLISHED:
            whose += f", {run.profiles} profiles"
        user = describe_user([dialog for each in both.values() for dialog in each.dialogs])
        rows.append((whose, run.agent, run.models, *cells, *average, *user))
    for row in paper:
        source, agent, model, f1, turns, second_f1, second_turns, *averages = row.values()
        cells = [f1, turns, UNDEFINED, second_f1, second_turns, UNDEFINED, *averages]
        cells += [UNDEFINED] * len(USER_COLUMNS)
        rows.append((f"published ({source})", agent, f"dialog {model}", *cells))
    columns = (
        *("source", "agent", "models"),
        *(f"{name} {what}" for name in DATASETS for what in ("F1", "turns", "n")),
        *("average F1", "average turns", "turn-weighted F1", *USER_COLUMNS),
    )
    return tabulate("F1 and turns", "; ".join(columns), rows, PAPER_NOTE if paper else "")


def average_sets(both: Mapping[str, Run]) -> list[metrics.Interval]:
    """Return F1, turns and turn-weighted F1 over both of the benchmark's sets."""
    return metrics.bootstrap_combined({name: run.pairs for name, run in both.items()})


def find_sets(runs: Sequence[Run], *, incomplete: bool = False) -> list[tuple[str, dict[str, Run]]]:
    """Return the runs of the benchmark's sets that may be ranked, by set, for each way of playing.

    Before them stands where the sets come from: `PUBLISHED`, `PAPER_DESIGN`, or empty for ours.

    Args:
        runs: Any runs.
        incomplete: Whether part of a set, or one with unscored dialogs, will do.
    """
    sets: dict[tuple[str, str], dict[str, Run]] = {}
    for run in runs:
        column = str(run.data["column"] or (run.data["name"] if incomplete else ""))
        source = PUBLISHED if column.startswith(PUBLISHED) else ""
        name = column.removeprefix(source)
        if name == "representative-25":
            source, name = PAPER_DESIGN, "representative"
        if run.dialogs and name in DATASETS and (incomplete or run.is_complete):
            sets.setdefault((digest(run.settings), source), {}).setdefault(name, run)
    for (settings, source), both in sets.items():
        if source == PAPER_DESIGN and "diverse" in (ours := sets.get((settings, ""), {})):
            both["diverse"] = ours["diverse"]
    return [(source, both) for (_, source), both in sets.items()]


def explain_limit(run: Run) -> str:
    """Return which pairs were undecided when the questions were used up; empty without any."""
    pairs = run.pairs
    late = pairs[pairs.undecided.astype(bool)]
    if late.empty:
        return ""
    listed = [
        f"{household}{'' if trial == 1 else f', trial {trial}'}: {', '.join(some.program)}"
        for (household, trial), some in late.groupby(["household", "trial"], observed=True)
    ]
    more = f"; and {len(listed) - MOST_LISTED} more" if len(listed) > MOST_LISTED else ""
    others = figure(metrics.score(pairs.drop(late.index)))
    return (
        f"{run.title} on {run.name}: all questions were used up in {len(listed)} of "
        f"{len(run.dialogs)} dialogs, with {len(late)} of {len(pairs)} pairs undecided. They were "
        f"decided on what was known by then, {sum(late.label != late.verdict)} of them wrongly; F1 "
        f"of all other pairs is {others}. Undecided: {'; '.join(listed[:MOST_LISTED])}{more}."
    )


@per_run(
    "All scores, 95% intervals over households",
    "trial; accuracy; recall; precision; F1; turns; without clarifications; n",
    note_of=explain_limit,
    with_baselines=True,
)
def detail_runs(run: Run) -> Rows:
    """Return every score of baselines, of each run and trial and of all trials, with intervals."""
    pairs = run.pairs
    trials: dict[Any, pd.DataFrame] = dict(iter(pairs.groupby("trial")))
    if len(trials) > 1:
        trials["all"] = pairs
    statistics = (
        *(metrics.accuracy, metrics.recall, metrics.precision, metrics.f1),
        *(metrics.mean_turns, metrics.mean_first_turns),
    )
    for trial, some in trials.items():
        yield trial, *(cell(some, one) for one in statistics), some.dialog.nunique()


@per_run(
    "F1 over pairs and averaged over programs",
    "counts; programs; n programs; F1; above prior %; macro F1; above prior %",
    ABOVE_NOTE,
    with_baselines=True,
)
def list_micro_and_macro(run: Run) -> Rows:
    """Return F1 over all pairs and averaged over programs, and how far both are above guessing.

    Of each run all programs, then the informative ones. Where pairs have weights, both scores are
    those of the city and not of the sample.
    """
    if not run.dialogs:
        return
    counted = "city" if any(dialog.weights for dialog in run.dialogs) else "pairs as they are"
    pairs = run.pairs
    informative = pairs[~pairs.program.isin(_uninformative(run.dialogs[0].edition))]
    for which, some in {"all": pairs, "informative": informative}.items():
        cells = []
        for statistic in (metrics.f1, metrics.macro_f1):
            try:
                above = metrics.compare(some, guess(some), statistic, metrics.share_above)
                cells += [cell(some, statistic), range_of(above)]
            except EvaluationError:
                cells += [cell(some, statistic), UNDEFINED]
        yield counted, which, some.program.nunique(), *cells


@per_run(
    "Trials: spread, and households right in every verdict k times",
    "trials; standard deviation of F1; k; pass^k %",
)
def list_trials(run: Run) -> Rows:
    """Return how much trials of the same dialogs differ, and pass^k for each k."""
    pairs = run.pairs
    n = pairs.trial.nunique()
    for k in range(1, n + 1) if n > 1 else ():
        yield n, figure(metrics.spread(pairs)), k, figure(metrics.pass_k(pairs, k))


@per_run("By program", "program; accuracy; F1; turns; n; prior is right in % of the city")
def list_programs(run: Run) -> Rows:
    """Return scores by program, and where a verdict on one tells nothing of an agent."""
    for key, some in run.pairs.groupby("program", observed=True):
        name = str(key)
        statistics = (metrics.accuracy, metrics.f1, metrics.mean_turns)
        (year,) = {it.edition for it in run.dialogs if name in it.labels}
        try:
            share = city_shares(year)[name]
            right = figure(100 * max(share, 1 - share))
        except EvaluationError:
            right = UNDEFINED
        mark = " (uninformative)" if name in _uninformative(year) else ""
        cells = [cell(some, one) for one in statistics]
        yield name, *cells, some.dialog.nunique(), right + mark


def _uninformative(edition: int) -> frozenset[str]:
    """The programs on which guessing is right in nearly all of the city; none if nobody counted."""
    try:
        return uninformative(edition)
    except EvaluationError:
        return frozenset()
