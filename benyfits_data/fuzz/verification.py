"""Checking a finished set from scratch: only its rows, the checkers and coverage.py are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benyfits_data.dataset import Row
from benyfits_data.editions import Edition
from benyfits_data.errors import SelectionError
from benyfits_data.language.tracing import Trace, trace_pairs


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
        expected: The lines that the pool covers, by program.

    Raises:
        SelectionError: A line is missed, a label is wrong, a household breaks a constraint, or a
            program lacks eligible or ineligible pairs where the pool had both.
    """
    covered: dict[str, frozenset[int]] = {}
    own_lines: dict[str, dict[str, tuple[int, ...]]] = {row.id: {} for row in rows}
    for row in rows:
        if broken := row.household.violations():
            raise SelectionError(
                f"{row.id} breaks {broken[0].constraint}: {broken[0].says} Report this as a bug.",
                row=row.id,
                violations=broken,
            )
    pairs = [(name, row) for name in expected for row in rows if name in row.programs]
    found = trace_pairs([(edition.program(name), row.household) for name, row in pairs])
    seen: dict[str, list[tuple[Row, Trace]]] = {name: [] for name in expected}
    for (name, row), trace in zip(pairs, found, strict=True):
        seen[name].append((row, trace))
    for name, lines in expected.items():
        for row, trace in seen[name]:
            if row.eligible[name] is not trace.eligible or row.labels[name] is not trace.eligible:
                raise SelectionError(
                    f"{row.id} is labelled {row.eligible[name]} for {name}, but its checker under "
                    f"coverage.py says {trace.eligible}. The readers disagree: report this as a "
                    "bug.",
                    row=row.id,
                    program=name,
                )
            others = [other.lines for _, other in seen[name] if other is not trace]
            own = trace.lines - frozenset[int]().union(*others)
            own_lines[row.id][name] = tuple(sorted(own))
        covered[name] = frozenset[int]().union(*(trace.lines for _, trace in seen[name]))
        if covered[name] != frozenset(lines):
            missed = sorted(frozenset(lines) - covered[name])
            raise SelectionError(
                f"The chosen pairs of {name} miss the lines {missed} that the pool covers. Report "
                "this as a bug.",
                program=name,
                missed=missed,
            )
    return Evidence(covered, own_lines)


def check_both_answers(rows: Sequence[Row], edition: Edition) -> None:
    """Check that every program has eligible and ineligible pairs in the set.

    Raises:
        SelectionError: A program has pairs of one answer only; more households may help.
    """
    for name in edition.programs:
        answers = {row.eligible[name] for row in rows if name in row.programs}
        if answers != {True, False}:
            wanted = ", ".join(str(answer) for answer in sorted({True, False} - answers))
            raise SelectionError(
                f"{name} has no pair labelled {wanted}. Sample more households, or look at its "
                "checker: a rule that everybody or nobody meets is rare.",
                program=name,
                answers=answers,
            )
