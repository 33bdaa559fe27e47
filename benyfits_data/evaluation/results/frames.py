"""Dialogs as frames: a row for each pair of a household and a program, or for each turn."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.record import Dialog
from benyfits_data.recorded import city_shares

KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))
ERRORS: Mapping[str, str] = KINDS["errors"]
"""Where a wrong verdict comes from, in the words of the tables."""
FAILURES: Mapping[str, str] = KINDS["failures"]
"""What each kind of failure means."""
OF_DIALOG = (
    *("household", "trial", "edition", "size", "asked", "turns", "clarifications", "facts_asked"),
    *("par", "failures", "dialog"),
)
OF_PROGRAM = (
    *("dialog", "program", "label", "verdict", "weight", "contested"),
    *("error", "whose", "city_share"),
)


def dialogs_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each dialog.

    Columns: `household`, `trial`, `edition`, `size` (members), `asked` (programs), `turns`,
    `clarifications`, `facts_asked`, `par`, `failures` (their kinds), `dialog` (its number).
    """
    rows = (
        (
            *(
                dialog.household,
                dialog.trial,
                dialog.edition,
                dialog.size,
                len(dialog.labels),
                len(dialog.turns),
            ),
            sum(turn.kind == "clarification" for turn in dialog.turns),
            *(
                dialog.facts_asked,
                dialog.par,
                [failure.kind for failure in dialog.failures],
                number,
            ),
        )
        for number, dialog in enumerate(dialogs)
    )
    kinds = {"facts_asked": float, "par": float, "dialog": int}
    return pd.DataFrame(rows, columns=OF_DIALOG).astype(kinds)


def pairs_of(dialogs: Sequence[Dialog]) -> pd.DataFrame:
    """Return a row for each program that a dialog asks about.

    Columns of the dialog are those of `dialogs_of`. Of the pair: `program`, `label`, `verdict`,
    `weight`, `contested`, `error` (where a wrong verdict comes from) and `whose` it is, and
    `city_share` (of the city, eligible for the program; not-a-number where it is not known).
    """
    rows = []
    for number, dialog in enumerate(dialogs):
        blame, shares = dialog.blame(), _shares(dialog.edition)
        rows += [
            (
                *(number, name, label, dialog.verdicts[name], dialog.weights.get(name, 1.0)),
                *(name in dialog.contested, dialog.errors.get(name), blame.get(name)),
                shares.get(name, np.nan),
            )
            for name, label in dialog.labels.items()
        ]
    of_programs = pd.DataFrame(rows, columns=OF_PROGRAM).astype({"dialog": int})
    return dialogs_of(dialogs).merge(of_programs, on="dialog")


def turns_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each turn: its dialog, its number, and what its record says."""
    return pd.DataFrame(
        {"household": dialog.household, "trial": dialog.trial, "turn": number, **asdict(turn)}
        for dialog in dialogs
        for number, turn in enumerate(dialog.turns, 1)
    )


def failures_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each failure: its dialog, and what its record says."""
    return pd.DataFrame(
        {"household": dialog.household, "trial": dialog.trial, **asdict(failure)}
        for dialog in dialogs
        for failure in dialog.failures
    )


def calls_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each role of a dialog: who played it, its calls, and its tokens in all."""
    return pd.DataFrame(
        {
            "household": dialog.household,
            "role": role,
            "model": dialog.roles.get(role),
            **asdict(usage),
            "tokens": usage.input_tokens + usage.output_tokens,
        }
        for dialog in dialogs
        for role, usage in dialog.usage.items()
    )


def _shares(edition: int) -> Mapping[str, float]:
    try:
        return city_shares(edition)
    except EvaluationError:
        return {}
