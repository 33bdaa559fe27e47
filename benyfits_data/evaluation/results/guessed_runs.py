"""Runs of agents that ask nothing, computed for the datasets that other runs played."""

from collections.abc import Sequence

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents.baselines import GUESSES
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.run_manifest import digest
from benyfits_data.rng import stream

UNREAD = "unread"
"""What agents that ask nothing make of the texts; tells computed runs from played ones."""


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
    return Dialog(
        dialog.household,
        dialog.dataset,
        agent,
        roles={},
        size=dialog.size,
        labels=dialog.labels,
        verdicts=GUESSES[agent](list(dialog.labels), dialog.edition, rng),
        edition=dialog.edition,
        contested=dialog.contested,
        flips=dialog.flips,
        weights=dialog.weights,
        par=dialog.par,
    )
