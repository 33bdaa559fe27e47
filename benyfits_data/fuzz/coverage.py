"""What each household of a corpus covers in each program: the input of every selection.

A program's elements are what its chosen pairs must cover together: lines and branches of its
checker, its lines alone, its unique traces; `adequacy` adds conditions that decide alone and
mutants. Households that cover the same elements of a program form one class.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.language.source import Element

ObjectiveName = Literal["branches", "lines", "traces", "thorough"]
"""Lines and branches; lines, the paper's; unique sets of lines; all that `adequacy` counts."""

MOST_PROGRAMS = 10
"""Programs that one household of the Diverse set is interested in, at most."""

Pair = tuple[int, int]
"""Position of a household in the corpus, position of a program among those covered."""


@dataclass(frozen=True)
class Coverage:
    """What the households of a corpus cover in one program.

    Attributes:
        program: The program's name.
        elements: What can be covered: lines first, then branches, conditions that decide alone and
            mutants, these as -1, -2, ...; or traces.
        classes: Which elements each class covers, shape `(classes, elements)`.
        class_of: The class of each household, shape `(n,)`.
        reached: Which elements some household covers, shape `(elements,)`.
    """

    program: str
    elements: tuple[Element, ...]
    classes: NDArray[np.bool_]
    class_of: NDArray[np.intp]
    reached: NDArray[np.bool_]

    @classmethod
    def of(cls, program: str, *parts: tuple[Sequence[Element], NDArray[np.uint64]]) -> "Coverage":
        """Return the coverage of a program.

        Args:
            program: The program's name.
            parts: Elements, and which of them each household covers as bit sets, shape
                `(n, words)`, in order of the bits.
        """
        sets = np.concatenate([words for _, words in parts], axis=1)
        _, first, class_of = np.unique(as_keys(sets), return_index=True, return_inverse=True)
        classes = np.concatenate(
            [unpack(words[first], len(elements)) for elements, words in parts], axis=1
        )
        elements = tuple(element for elements, _ in parts for element in elements)
        return cls(
            program, elements, classes, class_of.reshape(-1), np.asarray(classes.any(axis=0))
        )

    def of_household(self, household: int) -> NDArray[np.bool_]:
        """Return which elements a household covers, shape `(elements,)`."""
        return np.asarray(self.classes[self.class_of[household]])

    def of_households(self, households: Sequence[int]) -> NDArray[np.bool_]:
        """Return which elements some households cover together, shape `(elements,)`."""
        return np.asarray(self.classes[self.class_of[list(households)]].any(axis=0))

    def named(self, which: NDArray[np.bool_]) -> list[Element]:
        """Return some of the elements."""
        return [self.elements[place] for place in np.flatnonzero(which)]


def element_coverage(
    elements: Mapping[str, Sequence[Element]], traces: Mapping[str, NDArray[np.uint64]]
) -> list[Coverage]:
    """Return coverage of lines and branches from traces as bit sets, in order of the programs.

    Args:
        elements: Lines and branches of each program's checker, in order of their bits.
        traces: Bit sets of those that each household runs, shape `(n, words)`.
    """
    return [
        Coverage.of(name, (elements_of_one, traces[name]))
        for name, elements_of_one in elements.items()
    ]


def line_coverage(coverage: Sequence[Coverage]) -> list[Coverage]:
    """Return coverage of the lines alone, which stand first."""
    of_lines = []
    for of_program in coverage:
        lines = of_program.elements[
            : sum(isinstance(element, int) for element in of_program.elements)
        ]
        classes, kind_of = np.unique(
            of_program.classes[:, : len(lines)], axis=0, return_inverse=True
        )
        class_of = kind_of.reshape(-1)[of_program.class_of]
        of_lines.append(
            Coverage(of_program.program, lines, classes, class_of, of_program.reached[: len(lines)])
        )
    return of_lines


def trace_coverage(coverage: Sequence[Coverage]) -> list[Coverage]:
    """Return coverage of unique traces: each class of equal elements is one element."""
    return [
        Coverage(
            of_program.program,
            tuple(range(len(of_program.classes))),
            np.eye(len(of_program.classes), dtype=np.bool_),
            of_program.class_of,
            np.ones(len(of_program.classes), np.bool_),
        )
        for of_program in coverage
    ]


def united(parts: Sequence[Sequence[Coverage]]) -> list[Coverage]:
    """Return the coverage of several tables of households, one after the other, as one."""
    if len(parts) == 1:
        return list(parts[0])
    whole = []
    for of_program in zip(*parts, strict=True):
        first = of_program[0]
        classes = np.concatenate([one.classes for one in of_program])
        packed = np.packbits(classes, axis=1)
        _, at, place = np.unique(as_keys(packed), return_index=True, return_inverse=True)
        starts = np.cumsum([0, *(len(one.classes) for one in of_program[:-1])])
        class_of = np.concatenate(
            [one.class_of + start for one, start in zip(of_program, starts, strict=True)]
        )
        reached = np.asarray(classes.any(axis=0))
        whole.append(
            Coverage(
                first.program, first.elements, classes[at], place.reshape(-1)[class_of], reached
            )
        )
    return whole


def uncovered(
    asked: Sequence[Coverage], chosen: Sequence[Coverage], programs: Sequence[Sequence[int]]
) -> dict[str, list[Element]]:
    """Return the elements that a selection misses, by program; empty when it is complete.

    Args:
        asked: What the pairs must cover: all that is reached there.
        chosen: What the chosen households cover.
        programs: The positions of the programs that each of them is asked about.
    """
    missed = {}
    for program, (of_program, covered) in enumerate(zip(asked, chosen, strict=True)):
        pairs = [home for home, some in enumerate(programs) if program in some]
        missing = of_program.reached & ~covered.of_households(pairs)
        if missing.any():
            missed[of_program.program] = of_program.named(missing)
    return missed


def programs_of(pairs: Sequence[Pair]) -> dict[int, list[int]]:
    """Return the programs of each household, by position, households ascending."""
    programs: dict[int, list[int]] = {}
    for household, program in sorted(pairs):
        programs.setdefault(household, []).append(program)
    return programs


def as_keys(rows: NDArray[Any]) -> NDArray[Any]:
    """Return each row as one value, so that equal rows are found by sorting, shape `(n,)`."""
    if rows.shape[1] == 1:
        # Numbers are sorted many times faster than bytes.
        return rows[:, 0]
    return np.ascontiguousarray(rows).view(f"V{rows.itemsize * rows.shape[1]}")[:, 0]


def unpack(words: NDArray[np.uint64], n_bits: int) -> NDArray[np.bool_]:
    """Return bit sets as truth values, shape `(n, n_bits)`; bit 0 is the lowest of word 0."""
    octets = np.ascontiguousarray(words, "<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=n_bits, bitorder="little").view(np.bool_)
