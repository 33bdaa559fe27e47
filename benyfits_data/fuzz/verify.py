"""Checking a finished set from scratch: only its rows, the checkers and coverage.py are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benyfits_data.dataset import Row
from benyfits_data.editions import Edition
from benyfits_data.errors import SelectionError
from benyfits_data.language.coverage_tracer import trace_pairs
from benyfits_data.language.source import Source


@dataclass(frozen=True)
class Evidence:
    """What the reference tracer saw of a set.

    Attributes:
        covered: The lines that the pairs of each program run.
        own_lines: For each pair, the lines that no other pair of its program runs, by row id.
    """

    covered: dict[str, frozenset[int]]
    own_lines: dict[str, dict[str, tuple[int, ...]]]


def verify_rows(
    rows: Sequence[Row], edition: Edition, expected: Mapping[str, Sequence[int]]
) -> Evidence:
    """Return what the pairs of a set cover, as traced by coverage.py.

    Args:
        rows: The set.
        edition: Gives the checkers.
        expected: The lines that the corpus covers, by program.

    Raises:
        SelectionError: A line is missed, a label is wrong, or a household breaks a constraint.
    """
    for row in rows:
        if broken := row.household.violations():
            raise SelectionError(
                f"{row.id} breaks {broken[0].constraint}: {broken[0].says} Report this as a bug.",
                row=row.id,
                violations=broken,
            )
    pairs = [(name, row) for name in expected for row in rows if name in row.programs]
    traces = trace_pairs([(edition.program(name), row.household) for name, row in pairs])
    lines_of: dict[str, dict[str, frozenset[int]]] = {name: {} for name in expected}
    for (name, row), trace in zip(pairs, traces, strict=True):
        if row.eligible[name] is not trace.eligible or row.labels[name] is not trace.eligible:
            raise SelectionError(
                f"{row.id} is labelled {row.eligible[name]} for {name}, but its checker under "
                f"coverage.py says {trace.eligible}. The readers disagree: report this as a bug.",
                row=row.id,
                program=name,
            )
        lines_of[name][row.id] = trace.lines
    covered: dict[str, frozenset[int]] = {}
    own_lines: dict[str, dict[str, tuple[int, ...]]] = {row.id: {} for row in rows}
    for name, lines in lines_of.items():
        covered[name] = frozenset[int]().union(*lines.values())
        if missed := sorted(frozenset(expected[name]) ^ covered[name]):
            raise SelectionError(
                f"The chosen pairs of {name} miss the lines {missed} that the corpus covers. "
                "Report this as a bug.",
                program=name,
                missed=missed,
            )
        for row_id, own in lines.items():
            others = (other for other_id, other in lines.items() if other_id != row_id)
            own_lines[row_id][name] = tuple(sorted(own.difference(*others)))
    return Evidence(covered, own_lines)


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
