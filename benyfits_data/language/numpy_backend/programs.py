"""Labels and traces of many households in many programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, Thresholds
from benyfits_data.errors import CheckerFailedError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.numpy_backend.column_program import (
    CHUNK,
    WORD,
    ColumnProgram,
    bit_sets,
    n_words,
)
from benyfits_data.language.source import Element, Source
from benyfits_data.language.symbolic_execution import Fault, execute_checkers


@dataclass(frozen=True)
class Batch:
    """Answers of programs for `n` households.

    Attributes:
        labels: Whether each household is eligible, by program, shape `(n,)`.
        traces: The lines and branches that ran, by program, shape `(n, words)`: bit `i % 64` of
            word `i // 64` stands for `elements[program][i]`.
        elements: The lines of each checker's body, then its branches.
    """

    labels: dict[str, NDArray[np.bool_]]
    traces: dict[str, NDArray[np.uint64]]
    elements: dict[str, tuple[Element, ...]]

    def trace(self, program: str, position: int) -> frozenset[Element]:
        """Return the lines and branches of a program that one household runs."""
        words = self.traces[program][position]
        return frozenset(
            element
            for bit, element in enumerate(self.elements[program])
            if int(words[bit // WORD]) >> (bit % WORD) & 1
        )


def label_and_trace(
    edition: Edition,
    households: Households,
    programs: Sequence[str] | None = None,
    chunk: int = CHUNK,
) -> Batch:
    """Return label and trace of every household in every program.

    Args:
        edition: Gives checkers and thresholds.
        households: Households that meet the constraints.
        programs: The programs to ask; all unless given.
        chunk: Households computed at once; bounds the memory besides the result.

    Raises:
        LanguageError: A checker leaves the checker language.
        CheckerFailedError: A checker would fail on one of the households.
    """
    names = list(edition.programs) if programs is None else list(programs)
    asked = [(name, edition.program(name)) for name in names]
    checkers = tuple((name, program.checker, program.thresholds) for name, program in asked)
    reader = _reader(checkers, households.places)
    return reader.read(households, chunk)


class ProgramReader:
    """Reads programs' answers for tables of households; made once, used often.

    Args:
        checkers: Source and thresholds of each program, by name.
        places: For how many members the tables have room.
    """

    def __init__(
        self,
        checkers: Mapping[str, tuple[Source, Thresholds]],
        places: int = LARGEST_HOUSEHOLD,
    ) -> None:
        _, found = execute_checkers(tuple(checkers.values()), places)
        summaries = dict(zip(checkers, found, strict=True))
        self._elements = {name: source.elements for name, (source, _) in checkers.items()}
        self._faults = {name: one.faults for name, one in summaries.items()}
        self._program = ColumnProgram(
            [
                [one.value, *(fault.mask for fault in one.faults), *one.elements.values()]
                for one in summaries.values()
            ]
        )

    def read(self, households: Households, chunk: int = CHUNK) -> Batch:
        """Return label and trace of every household in every program."""
        n = len(households)
        names = list(self._elements)
        labels = {name: np.empty(n, np.bool_) for name in names}
        traces = {
            name: np.empty((n, n_words(len(own))), np.uint64)
            for name, own in self._elements.items()
        }
        for group, rows, (label, *masks) in self._program.run(households, chunk):
            name = names[group]
            labels[name][rows] = label
            for fault in self._faults[name]:
                refuse_failures(name, fault, masks.pop(0), households, rows)
            traces[name][rows] = bit_sets(masks, rows.stop - rows.start)
        return Batch(labels, traces, dict(self._elements))


def refuse_failures(
    name: str, fault: Fault, mask: Any, households: Households, rows: slice
) -> None:
    """Refuse a checker that would fail on some of the households.

    Args:
        name: The program, for messages.
        fault: A way in which it would fail.
        mask: For which of the rows it would.
        households: All households.
        rows: The rows that the mask is about.

    Raises:
        CheckerFailedError: The mask holds somewhere.
    """
    if not np.any(mask):
        return
    at = rows.start + int(np.argmax(mask))
    raise CheckerFailedError(
        f"{name} would fail for household {at}: {fault.message}. "
        "Test for None first, or add the missing row.",
        program=name,
        position=at,
        household=households.household(at, constrained=False),
    )


@lru_cache(maxsize=16)
def _reader(asked: tuple[tuple[str, Any, Thresholds], ...], places: int) -> ProgramReader:
    return ProgramReader(
        {name: (Source.of(checker), thresholds) for name, checker, thresholds in asked}, places
    )
