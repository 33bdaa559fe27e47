"""Dialogs as frames: a row for each pair of a household and a program, or for each turn."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.recorded import city_shares

KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))
ERRORS: Mapping[str, str] = KINDS["errors"]
"""Where a wrong verdict comes from, in the words of the tables."""
FAILURES: Mapping[str, str] = KINDS["failures"]
"""What each kind of failure means."""
PROOFS = {True: "proven", False: "not proven", None: "unknown"}
OF_DIALOG = (
    *("household", "trial", "edition", "size", "asked", "turns", "clarifications", "par"),
    *("failures", "dialog"),
)
OF_PROGRAM = (
    *("program", "label", "verdict", "weight", "contested", "flips", "undecided"),
    *("error", "whose", "proof", "city_share"),
)


def pairs_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each program that a dialog asks about.

    Columns of the dialog: `household`, `trial`, `edition`, `size` (members), `asked` (programs),
    `turns`, `clarifications`, `par`, `failures` (their kinds), `dialog` (its number). Of the pair:
    `program`, `label`, `verdict`, `weight`, `contested`, `flips` (options that change the label),
    `undecided` (when the questions were used up), `error` (where a wrong verdict comes from) and
    `whose` it is, `proof` (whether the answers prove the verdict; empty where not measured), and
    `city_share` (of the city, eligible for the program; not-a-number where nobody counted).
    """
    rows = []
    for number, one in enumerate(dialogs):
        clarifications = sum(turn.kind == "clarification" for turn in one.turns)
        # An agent that decides about all programs at once names none at its limit.
        limits = {item.program for item in one.failures if item.kind == "limit_reached"}
        blame, shares = one.blame(), _shares(one.edition)
        of_dialog = (
            *(one.household, one.trial, one.edition, one.size, len(one.labels)),
            *(len(one.turns), clarifications, np.nan if one.par is None else one.par),
            *([failure.kind for failure in one.failures], number),
        )
        rows += [
            (
                *of_dialog,
                *(name, label, one.verdicts[name], one.weights.get(name, 1.0)),
                *(name in one.contested, tuple(one.flips.get(name, ()))),
                *(bool(limits & {None, name}), one.errors.get(name), blame.get(name)),
                PROOFS[one.proven[name]] if name in one.proven else "",
                shares.get(name, np.nan),
            )
            for name, label in one.labels.items()
        ]
    return pd.DataFrame(rows, columns=[*OF_DIALOG, *OF_PROGRAM])


def turns_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each turn: its dialog, its number, and what its record says."""
    return pd.DataFrame(
        {"household": one.household, "trial": one.trial, "turn": number, **asdict(turn)}
        for one in dialogs
        for number, turn in enumerate(one.turns, 1)
    )


def calls_of(dialogs: Sequence[Dialog]) -> pd.DataFrame:
    """Return a row for each role of a dialog: who played it, its calls and tokens."""
    return pd.DataFrame(
        {"household": one.household, "role": role, "model": one.roles.get(role), **asdict(usage)}
        for one in dialogs
        for role, usage in one.usage.items()
    )


def _shares(edition: int) -> Mapping[str, float]:
    try:
        return city_shares(edition)
    except EvaluationError:
        return {}
