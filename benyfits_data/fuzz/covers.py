"""What each household of a pool covers in each program: the input of every selection.

A program's elements are what its chosen pairs must cover together: its lines, its unique traces, or
mutants of its checker. Households that cover the same elements of a program form one class.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.language.batch.bits import WORD

Objective = Literal["lines", "traces", "mutants"]
OBJECTIVES: tuple[Objective, ...] = ("lines", "traces", "mutants")

MOST_PROGRAMS = 10
"""Programs that one household of the Diverse set is interested in, at most."""

Pair = tuple[int, int]
"""Position of a household in the pool, position of a program among the covers."""


@dataclass(frozen=True)
class Cover:
    """What the households of a pool cover in one program.

    Attributes:
        program: The program's name.
        elements: What is to be covered, such as line numbers; only what the pool covers.
        classes: Which elements each class covers, shape `(classes, elements)`.
        class_of: The class of each household, shape `(n,)`.
    """

    program: str
    elements: tuple[int, ...]
    classes: NDArray[np.bool_]
    class_of: NDArray[np.intp]

    @classmethod
    def of(cls, program: str, elements: Sequence[int], sets: NDArray[np.uint64]) -> "Cover":
        """Return the cover of a program from what each household covers.

        Args:
            program: The program's name.
            elements: What each bit stands for.
            sets: The elements each household covers as bit sets, shape `(n, words)`.
        """
        # Numbers are sorted many times faster than bytes, and small ones without comparing.
        n_bits = len(elements)
        if sets.shape[1] == 1:
            keys: NDArray[Any] = sets[:, 0].astype(np.min_scalar_type((1 << n_bits) - 1))
        else:
            keys = as_keys(sets)
        _, first, class_of = np.unique(keys, return_index=True, return_inverse=True)
        classes = unpack(sets[first], n_bits)
        reached = np.flatnonzero(classes.any(axis=0)).tolist()
        return cls(
            program,
            tuple(elements[position] for position in reached),
            classes[:, reached],
            class_of.reshape(-1),
        )


def line_covers(
    lines: Mapping[str, Sequence[int]], traces: Mapping[str, NDArray[np.uint64]]
) -> list[Cover]:
    """Return covers by line from traces as bit sets, in order of the programs.

    Args:
        lines: The lines of each program's checker, in order of their bits.
        traces: Bit sets of the lines each household runs, shape `(n, words)`.
    """
    return [Cover.of(name, lines[name], traces[name]) for name in lines]


def trace_covers(covers: Sequence[Cover]) -> list[Cover]:
    """Return covers by unique trace: each class of equal lines is one element."""
    return [
        Cover(
            cover.program,
            tuple(range(len(cover.classes))),
            np.eye(len(cover.classes), dtype=np.bool_),
            cover.class_of,
        )
        for cover in covers
    ]


def mutant_covers(
    lines: Mapping[str, Sequence[int]],
    traces: Mapping[str, NDArray[np.uint64]],
    bits: Mapping[str, NDArray[np.uint64]],
    mutants: Mapping[str, Sequence[object]],
) -> list[Cover]:
    """Return covers by lines and mutants: every line is run and every mutant is told apart.

    Mutants follow the lines among the elements as -1, -2, ...; those no household tells apart,
    equivalent ones among them, are left out.

    Args:
        lines: The lines of each program's checker, in order of their bits.
        traces: Bit sets of the lines each household runs, shape `(n, words)`.
        bits: Bit sets of the mutants each household tells apart, by program.
        mutants: The mutants of each program, in order of their bits.
    """
    found = []
    for name, own in lines.items():
        spare = WORD * traces[name].shape[1] - len(own)
        elements = [*own, *[0] * spare, *(-1 - place for place in range(len(mutants[name])))]
        sets = np.concatenate([traces[name], bits[name]], axis=1)
        found.append(Cover.of(name, elements, sets))
    return found


def as_keys(rows: NDArray[Any]) -> NDArray[np.void]:
    """Return each row as one value, so that equal rows are found by sorting, shape `(n,)`."""
    return np.ascontiguousarray(rows).view(f"V{rows.itemsize * rows.shape[1]}")[:, 0]


def unpack(words: NDArray[np.uint64], n_bits: int) -> NDArray[np.bool_]:
    """Return bit sets as truth values, shape `(n, n_bits)`; bit 0 is the lowest of word 0."""
    octets = np.ascontiguousarray(words, "<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=n_bits, bitorder="little").view(np.bool_)


def covered(cover: Cover, households: Sequence[int] | NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which elements some households cover together, shape `(elements,)`."""
    classes = np.unique(cover.class_of[np.asarray(households, np.intp)])
    return np.asarray(cover.classes[classes].any(axis=0))
