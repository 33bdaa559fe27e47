"""Checking a finished set from scratch: only its rows, the checkers and coverage.py are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benyfits_data.dataset import Row
from benyfits_data.editions import Edition
from benyfits_data.errors import SelectionError
from benyfits_data.language.coverage_tracer import trace_pairs
from benyfits_data.language.source import Element, Source, named, place

Unreached = Mapping[Literal["dead", "unknown"], Mapping[str, Sequence[Element]]]
"""Lines and branches that no household of a corpus runs, by program: proven dead, or not proven."""


@dataclass(frozen=True)
class Evidence:
    """What the reference tracer saw of a set.

    Attributes:
        covered: The lines and branches that the pairs of each program run.
        alone: For each pair, those that no other pair of its program runs, by row id.
    """

    covered: dict[str, frozenset[Element]]
    alone: dict[str, dict[str, tuple[Element, ...]]]


def verify_rows(
    rows: Sequence[Row],
    edition: Edition,
    unreached: Unreached,
    *,
    lines_only: bool = False,
) -> Evidence:
    """Return what the pairs of a set cover, as traced by coverage.py.

    Args:
        rows: The set.
        edition: Gives the checkers, and with them all that is to be covered.
        unreached: `dead` lines and branches, which nobody may cover, and those of which it is
            `unknown`, by program.
        lines_only: Whether branches need not be covered.

    Raises:
        SelectionError: An element is missed, a dead one is covered, a label is wrong, or a
            household breaks a constraint.
    """
    for row in rows:
        if broken := row.household.violations():
            raise SelectionError(
                f"{row.id} breaks {broken[0].constraint}: {broken[0].says} Report this as a bug.",
                row=row.id,
                violations=broken,
            )
    pairs = [(name, row) for name in edition.programs for row in rows if name in row.programs]
    traces = trace_pairs([(edition.program(name), row.household) for name, row in pairs])
    ran: dict[str, dict[str, frozenset[Element]]] = {name: {} for name in edition.programs}
    for (name, row), trace in zip(pairs, traces, strict=True):
        if row.eligible[name] is not trace.eligible or row.labels[name] is not trace.eligible:
            raise SelectionError(
                f"{row.id} is labelled {row.eligible[name]} for {name}, but its checker under "
                f"coverage.py says {trace.eligible}. The readers disagree: report this as a bug.",
                row=row.id,
                program=name,
            )
        ran[name][row.id] = trace.elements
    covered: dict[str, frozenset[Element]] = {}
    alone_in: dict[str, dict[str, tuple[Element, ...]]] = {row.id: {} for row in rows}
    for name, elements in ran.items():
        covered[name] = frozenset[Element]().union(*elements.values())
        source = Source.of(edition.program(name).checker)
        asked = set(source.body_lines if lines_only else source.elements)
        dead, unknown = (set(unreached[status].get(name, ())) for status in ("dead", "unknown"))
        if missed := sorted(asked - dead - unknown - covered[name], key=place):
            raise SelectionError(
                f"The chosen pairs of {name} miss {', '.join(map(named, missed))}, which nobody "
                "has proven dead. Report this as a bug.",
                program=name,
                missed=missed,
            )
        if alive := sorted(dead & covered[name], key=place):
            raise SelectionError(
                f"The chosen pairs of {name} run {', '.join(map(named, alive))}, which the solver "
                "has proven dead. Report this as a bug.",
                program=name,
                alive=alive,
            )
        for row_id, alone in elements.items():
            others = (other for other_id, other in elements.items() if other_id != row_id)
            alone_in[row_id][name] = tuple(sorted(alone.difference(*others), key=place))
    return Evidence(covered, alone_in)


def check_both_answers(rows: Sequence[Row], edition: Edition) -> None:
    """Check that every program has eligible and ineligible pairs in the set.

    A program that asks nothing has eligible ones alone.

    Raises:
        SelectionError: A program has pairs of one answer only; more households may help.
    """
    for name, program in edition.programs.items():
        answers = {row.eligible[name] for row in rows if name in row.programs}
        if not Source.of(program.checker).decisions:
            continue
        if answers != {True, False}:
            wanted = ", ".join(str(answer) for answer in sorted({True, False} - answers))
            raise SelectionError(
                f"{name} has no pair labelled {wanted}. Sample more households, or look at its "
                "checker: a rule that everybody or nobody meets is rare.",
                program=name,
                answers=answers,
            )
