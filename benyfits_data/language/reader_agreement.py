"""Two readers on the same households: CPython under coverage.py, and NumPy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benyfits_data.editions import Edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace_many
from benyfits_data.language.numpy_backend import label_and_trace


@dataclass(frozen=True)
class Disagreement:
    """One household and program that the readers read differently.

    Attributes:
        program: The program.
        household: The household.
        line: The first line that one reader runs and the other does not; `None` when only the
            labels differ.
        cpython: Label and lines by CPython.
        numpy: Label and lines by the NumPy reader.
    """

    program: str
    household: Household
    line: int | None
    cpython: tuple[bool, frozenset[int]]
    numpy: tuple[bool, frozenset[int]]

    def describe(self) -> str:
        """Return household, line and both readings in a few lines."""
        return "\n".join(
            [
                f"{self.program}: readers disagree at line {self.line}",
                *(
                    f"  {reader}: {label}, lines {sorted(lines)}"
                    for reader, (label, lines) in (("CPython", self.cpython), ("NumPy", self.numpy))
                ),
                f"  household: {self.household.facts()}",
            ]
        )


def compare_readers(
    edition: Edition,
    households: Households,
    programs: Sequence[str] | None = None,
    tick: Callable[[int], None] = lambda pairs: None,
) -> list[Disagreement]:
    """Return every pair of a household and a program that the two readers read differently.

    Args:
        edition: Whose checkers.
        households: Whom to ask about.
        programs: The programs; all unless given.
        tick: Told how many pairs were compared, after each program.
    """
    batch = label_and_trace(edition, households, programs)
    people = [households.household(row, constrained=False) for row in range(len(households))]
    found = []
    for name in batch.labels:
        traces = trace_many(edition.program(name), people)
        for row, reference in enumerate(traces):
            cpython = (reference.eligible, reference.lines)
            numpy = (bool(batch.labels[name][row]), batch.trace(name, row))
            if cpython != numpy:
                lines = sorted(cpython[1] ^ numpy[1])
                found.append(
                    Disagreement(name, people[row], lines[0] if lines else None, cpython, numpy)
                )
        tick(len(people))
    return found
