"""Our runs beside the paper's Table 1: F1 and turns on both sets, and their averages."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.frames import pairs_of
from benyfits_data.evaluation.results.guessed_runs import UNREAD, guess_runs
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import UNDEFINED, Table, cell, range_of, tabulate
from benyfits_data.evaluation.run_manifest import digest

PAPER = Path(__file__).parent / "paper_results.csv"
"""The published rows, on the published data."""
DATASETS = ("diverse", "representative")
PUBLISHED = "published "
"""Begins the name of the sets that the paper's authors published."""
PAPER_DESIGN = "paper's design, "
"""Begins what is said of our set of the paper's design, `representative-25`."""
NOTE = (
    "Published rows are as printed: other texts and households (docs/paper.md). The two F1 of "
    "their Random row look swapped: a coin on 47.9% eligible pairs (Diverse) expects about 49."
)


def read_paper() -> list[dict[str, str]]:
    """Return the rows of the paper's Table 1, on the published data, as printed there."""
    with PAPER.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


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
            cells += [cell(pairs), cell(pairs, metrics.mean_turns), pairs.dialog.nunique()]
        is_whole = len(both) == len(DATASETS)
        average = [*map(range_of, average_sets(both))] if is_whole else [UNDEFINED] * 3
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
    return tabulate("These runs and the paper's", "; ".join(columns), rows, NOTE if paper else "")


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
