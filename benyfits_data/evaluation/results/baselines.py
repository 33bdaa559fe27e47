"""What agents that ask nothing would score on what was played: computed from its labels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents.unasking import GUESSES
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.run_manifest import digest
from benyfits_data.rng import stream

UNREAD = "unread"
"""What agents that ask nothing make of the texts; tells computed runs from played ones."""


def _verdicts(name: str, dialog: Dialog) -> dict[str, bool]:
    rng = stream(0, "evaluation", name, dialog.household)
    return GUESSES[name](list(dialog.labels), dialog.edition, rng)


def guess(dialogs: Sequence[Dialog]) -> list[Dialog]:
    """Return the dialogs as the agent `prior` would have ended them, asking nothing.

    Raises:
        EvaluationError: Nobody counted who may claim the programs of an edition.
    """
    return [_instead(it, "prior", _verdicts("prior", it)) for it in dialogs]


def baseline_runs(runs: Sequence[Run]) -> list[Run]:
    """Return a run of each baseline on every dataset that some runs played, one trial each.

    A baseline that was run itself on a dataset, or that knows nothing of its edition, is left out.

    Args:
        runs: Any runs.
    """
    fullest: dict[str, Run] = {}
    played: set[tuple[str, str]] = set()
    for run in runs:
        key = _identity(run)
        played.add((run.agent, key))
        if len(_first_trial(run)) > len(_first_trial(fullest[key]) if key in fullest else ()):
            fullest[key] = run
    found = []
    for name in GUESSES:
        for key, run in fullest.items():
            if (name, key) in played:
                continue
            try:
                dialogs = [_instead(it, name, _verdicts(name, it)) for it in _first_trial(run)]
            except EvaluationError:
                continue
            told: dict[str, Any] = {
                "agent": {"name": name},
                "roles": {},
                "texts": UNREAD,
                "trials": 1,
            }
            lost = {key: why for key, why in run.unscored.items() if key[1] == 1}
            own = Run({**told, "dataset": run.data}, dialogs, lost)
            own.name = run.name
            found.append(own)
    return found


def _identity(run: Run) -> str:
    """Return what tells datasets apart for an agent that reads no texts."""
    return digest({name: told for name, told in run.data.items() if name != "texts"})


def _first_trial(run: Run) -> list[Dialog]:
    return [dialog for dialog in run.dialogs if dialog.trial == 1]


def _instead(dialog: Dialog, agent: str, verdicts: dict[str, bool]) -> Dialog:
    nothing: dict[str, Any] = {"turns": [], "failures": [], "usage": {}, "errors": {}}
    nothing |= {"roles": {}, "code": {}, "traces": {}}
    return replace(dialog, agent=agent, verdicts=verdicts, **nothing)
