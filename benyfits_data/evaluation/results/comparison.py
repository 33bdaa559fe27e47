"""Runs compared: with each other, with agents that ask nothing, and with the paper's Table 1."""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from textwrap import shorten
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from benyfits_data.errors import ArgumentError, EvaluationError
from benyfits_data.evaluation.agents.baselines import GUESSES
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import Run, dialogs_of, pairs_of, stack, turns_of
from benyfits_data.evaluation.results.tables import (
    DECLARED,
    FAILED,
    SCORES,
    UNDEFINED,
    Table,
    difference_of,
    figure,
    range_of,
    tabulate,
)
from benyfits_data.evaluation.run_manifest import digest
from benyfits_data.rng import stream

LEADING = "F1 and turns of each agent"
LEADING_NOTE = (
    "F1 is over all pairs of a household and a program, in %, with its 95% interval\n"
    "over households (- below ten); n counts dialogs, a turn is a question and its\n"
    "answer; x par: turns by the fewest questions that force the labels.{}"
)
PAPER_NOTE = (
    "Published rows are as printed: other texts and households (docs/paper.md). The two F1 of "
    "their Random row look swapped: a coin on 47.9% eligible pairs (Diverse) expects about 49."
)
DIFFERENCE_NOTE = (
    "The agent's figures minus the other's on the same households, both drawn again together; ±: "
    "half the width of the 95% interval, - below ten households."
)
UNREAD = "unread"
"""What agents that ask nothing make of the texts; tells computed runs from played ones."""
DATASETS = ("diverse", "representative")
PUBLISHED = "published "
"""Begins the name of the sets that the paper's authors published."""
PAPER_DESIGN = "paper's design, "
"""Begins what is said of our set of the paper's design, `representative-25`."""


def guess_runs(runs: Sequence[Run]) -> list[Run]:
    """Return a run of each baseline on every dataset that some runs played, one trial each.

    A baseline that was run itself on a dataset, or that knows nothing of its edition, is left out.

    Args:
        runs: Any runs.
    """
    fullest: dict[str, Run] = {}
    played: set[tuple[str, str]] = set()
    for run in runs:
        # Agents that ask nothing read no texts.
        key = digest({**run.data, "texts": UNREAD})
        played.add((run.agent, key))
        if key not in fullest or len(_first_trial(run)) > len(_first_trial(fullest[key])):
            fullest[key] = run
    guessed = []
    for name in GUESSES:
        for key, run in fullest.items():
            try:
                dialogs = [_guess(dialog, name) for dialog in _first_trial(run)]
            except EvaluationError:
                continue
            if dialogs and (name, key) not in played:
                how = {"agent": {"name": name}, "roles": {}, "texts": UNREAD, "trials": 1}
                unscored = {place: why for place, why in run.unscored.items() if place[1] == 1}
                guessed.append(Run({**how, "dataset": run.data}, dialogs, unscored))
                guessed[-1].name = run.name
    return guessed


def _first_trial(run: Run) -> list[Dialog]:
    return [dialog for dialog in run.dialogs if dialog.trial == 1]


def _guess(dialog: Dialog, agent: str) -> Dialog:
    """The dialog as an agent that asks nothing would have ended it."""
    rng = stream(0, "evaluation", agent, dialog.household)
    verdicts = GUESSES[agent](list(dialog.labels), dialog.edition, rng)
    nothing: dict[str, Any] = {"turns": [], "failures": [], "code": {}, "traces": {}, "usage": {}}
    return replace(dialog, agent=agent, roles={}, verdicts=verdicts, errors={}, **nothing)


def read_paper() -> list[dict[str, str]]:
    """Return the rows of the paper's Table 1, on the published data, as printed there."""
    path = Path(__file__).parent / "paper_results.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


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
        average = [UNDEFINED] * 3
        if len(both) == len(DATASETS):
            averaged = {name: run.pairs for name, run in both.items()}
            average = [*map(range_of, metrics.bootstrap_combined(averaged))]
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


Rows = Literal["runs", "dialogs", "pairs", "turns"]


class Evaluation:
    """Runs of agents and what they scored; printed, it is the first table of `results`.

    Attributes:
        runs: The runs, each with its manifest, its dialogs and the reasons of those unscored.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = list(runs)

    @property
    def dialogs(self) -> list[Dialog]:
        """The scored dialogs of all runs."""
        return [dialog for run in self.runs for dialog in run.dialogs]

    def to_pandas(self, of: Rows = "runs") -> pd.DataFrame:
        """Return the evaluation as a `pandas.DataFrame`.

        Args:
            of: `runs`: a row each, with its scores. `dialogs`: a row each, with its number of turns
                and what went wrong. `pairs`: a row for each program of a dialog, its label and the
                agent's verdict. `turns`: a row for each question and its answer.

        Raises:
            ArgumentError: `of` is none of these.
        """
        if of not in get_args(Rows):
            raise ArgumentError(
                f"of is {of!r}, expected one of {', '.join(get_args(Rows))}.", of=of
            )
        if of == "runs":
            return rank_runs(self.runs, incomplete=True)
        if of == "turns":
            return stack(self.runs, turns_of)
        if of == "pairs":
            return stack(self.runs)
        wrong = [
            sum(label != dialog.verdicts[name] for name, label in dialog.labels.items())
            for dialog in self.dialogs
        ]
        dialogs = stack(self.runs, dialogs_of).rename(columns={"asked": "programs"})
        return dialogs.drop(columns="n", errors="ignore").assign(wrong=wrong)

    def __repr__(self) -> str:
        return list_scores(self.runs, incomplete=True).to_text().rstrip()

    def _repr_html_(self) -> str:
        table = list_scores(self.runs, incomplete=True)
        html: str = pd.DataFrame(list(table.rows), columns=list(table.header)).to_html(index=False)
        return html
