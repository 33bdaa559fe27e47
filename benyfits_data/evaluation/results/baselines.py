"""What agents that ask nothing would score on what was played: computed from its labels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents.baselines import GUESSES
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.recorded import likelier
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.run_manifest import digest
from benyfits_data.rng import stream

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
