"""Two readers on the same households: CPython under coverage.py, and NumPy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benyfits_data.editions import Edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace_many
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.source import Element, named, place


@dataclass(frozen=True)
class Disagreement:
    """One household and program that the readers read differently.

    Attributes:
        program: The program.
        household: The household.
        element: The first line or branch that one reader runs and the other does not; `None`
            when only the labels differ.
        cpython: Label, lines and branches by CPython.
        numpy: Label, lines and branches by the NumPy reader.
    """

    program: str
    household: Household
    element: Element | None
    cpython: tuple[bool, frozenset[Element]]
    numpy: tuple[bool, frozenset[Element]]

    def describe(self) -> str:
        """Return household, line or branch and both readings in a few lines."""
        where = "the label" if self.element is None else named(self.element)
        return "\n".join(
            [
                f"{self.program}: readers disagree at {where}",
                *(
                    f"  {reader}: {label}, {sorted(ran, key=place)}"
                    for reader, (label, ran) in (("CPython", self.cpython), ("NumPy", self.numpy))
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
    disagreements = []
    for name in batch.labels:
        traces = trace_many(edition.program(name), people)
        for row, reference in enumerate(traces):
            cpython = (reference.eligible, reference.elements)
            numpy = (bool(batch.labels[name][row]), batch.trace(name, row))
            if cpython != numpy:
                first = min(cpython[1] ^ numpy[1], key=place, default=None)
                disagreements.append(Disagreement(name, people[row], first, cpython, numpy))
        tick(len(people))
    return disagreements
