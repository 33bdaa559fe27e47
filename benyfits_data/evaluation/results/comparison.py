"""What runs are compared with: agents that ask nothing, and the paper's Table 1."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents.baselines import GUESSES
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.run_manifest import digest
from benyfits_data.rng import stream

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
