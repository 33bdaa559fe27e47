"""How many questions a dialog may have: as in the paper, or in proportion to its par."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from benyfits_data.errors import EvaluationError

if TYPE_CHECKING:
    from benyfits_data.evaluation.planned import PlannedDialog

PAPER = "paper"
QUESTIONS_PER_PROGRAM = 20
QUESTIONS = 100
"""The paper's limits: 20 questions per program, 100 in all."""
FEWEST = QUESTIONS_PER_PROGRAM
"""Questions of any dialog: where two would prove all labels, finding out which two takes some."""


def paper_limit(n_programs: int) -> int:
    """Return how many questions the paper gives a dialog about so many programs."""
    return min(QUESTIONS, QUESTIONS_PER_PROGRAM * n_programs)


def limit_of(row: "PlannedDialog", max_turns: str, track: str | None) -> int:
    """Return how many questions a dialog may have.

    Args:
        row: The dialog; with the par that the limit needs.
        max_turns: `paper`, or `par:K` for K times its par, and `FEWEST` at least.
        track: What one question may ask; a single fact unless given.
    """
    factor = read_factor(max_turns)
    if factor is None:
        return paper_limit(len(row.programs))
    return max(FEWEST, math.ceil(factor * row.par[track or "one"]))


def read_factor(max_turns: str) -> float | None:
    """Return K of `par:K`, nothing of `paper`.

    Raises:
        EvaluationError: It is neither.
    """
    kind, _, text = max_turns.partition(":")
    try:
        factor = float(text) if kind == "par" else math.nan
    except ValueError:
        factor = math.nan
    if max_turns != PAPER and not 1 <= factor < math.inf:
        raise EvaluationError(
            f"--max-turns {max_turns}: expected `paper` or `par:K`, K times the fewest questions "
            "that force the labels, K from 1 on, such as par:6.",
            max_turns=max_turns,
        )
    return None if max_turns == PAPER else factor


def require_par(rows: Sequence["PlannedDialog"], max_turns: str, track: str | None) -> None:
    """Return nothing where every row has the par that a limit needs.

    Raises:
        EvaluationError: Rows lack it, or `max_turns` is none.
    """
    name = track or "one"
    if read_factor(max_turns) is None:
        return
    if missing := [row.id for row in rows if name not in row.par]:
        raise EvaluationError(
            f"--max-turns {max_turns}: {len(missing)} rows have no par of the track {name}, the "
            f"first is {missing[0]}. Add it: `benyfits-data par FILE --track {name} --write`.",
            rows=missing,
        )


def describe_limit(
    rows: Sequence["PlannedDialog"], max_turns: str, track: str | None
) -> dict[str, Any]:
    """Return what a manifest says of the limit; arguments and errors are those of `require_par`."""
    require_par(rows, max_turns, track)
    if max_turns == PAPER:
        return {"questions": QUESTIONS, "questions_per_program": QUESTIONS_PER_PROGRAM}
    return {"max_turns": max_turns, "fewest": FEWEST}
