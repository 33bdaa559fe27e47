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
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.batch.bits import WORD, bit_sets, n_words, unpack
from benyfits_data.language.batch.plan import Chunk, Memory, Plan
from benyfits_data.language.formula import Node, walk
from benyfits_data.language.source import Source
from benyfits_data.language.unfolding import Family, Unfolded, Unfolder

CHUNK = 10_240
"""Households worked on at once: masks in use fit the cache, and 10,000 households one chunk."""


@dataclass(frozen=True)
class Batch:
    """Answers of programs for `n` households.

    Attributes:
        labels: Whether each household is eligible, by program, shape `(n,)`.
        traces: The lines that ran, by program, shape `(n, words)`: bit `i % 64` of word `i // 64`
            stands for `lines[program][i]`.
        lines: The lines of each checker's body.
    """

    labels: dict[str, NDArray[np.bool_]]
    traces: dict[str, NDArray[np.uint64]]
    lines: dict[str, tuple[int, ...]]

    def trace(self, program: str, position: int) -> frozenset[int]:
        """Return the lines of a program that one household runs."""
        words = self.traces[program][position]
        return frozenset(
            line
            for bit, line in enumerate(self.lines[program])
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
        chunk: Households worked on at once; bounds the memory besides the result.

    Raises:
        LanguageError: A checker leaves the checker language.
        CheckerFailedError: A checker would fail on one of the households.
    """
    names = list(edition.programs) if programs is None else list(programs)
    asked = tuple((name, edition.program(name)) for name in names)
    reader = _reader(
        tuple((name, program.checker, program.thresholds) for name, program in asked), chunk
    )
    return reader.read(households)


class ProgramReader:
    """Reads programs' answers for tables of households; made once, used often.

    Args:
        checkers: Source and thresholds of each program, by name.
        chunk: Households worked on at once.
        traced: Whether traces are wanted, or labels only.
    """

    def __init__(
        self,
        checkers: Mapping[str, tuple[Source, Thresholds]],
        chunk: int = CHUNK,
        *,
        traced: bool = True,
    ) -> None:
        unfolder = Unfolder()
        self._traced = traced
        self._out = Batch({}, {}, {})
        self._names = list(checkers)
        self._sources = [source for source, _ in checkers.values()]
        self._unfolded = [
            unfolder.unfold(source, [Family(), thresholds])
            for source, thresholds in checkers.values()
        ]
        goals = [self._goal(unfolded) for unfolded in self._unfolded]
        self._plan = Plan(goals, self._collect, Memory(chunk))

    def read(self, households: Households) -> Batch:
        """Return label and trace of every household in every program."""
        n = len(households)
        lines = {
            name: source.body_lines for name, source in zip(self._names, self._sources, strict=True)
        }
        self._out = Batch(
            labels={name: np.empty(n, np.bool_) for name in lines},
            traces={
                name: np.empty((n, n_words(len(body))), np.uint64)
                for name, body in lines.items()
                if self._traced
            },
            lines=lines,
        )
        self._plan.run(households)
        out, self._out = self._out, Batch({}, {}, {})
        return out

    def traffic(self) -> int:
        """Return how many bytes of columns are read and of results written for one household.

        Every column counts once: what no reader that visits memory could save.
        """
        goals = [node for unfolded in self._unfolded for node in self._goal(unfolded)]
        names = {node.fact[0] for node in walk(goals) if node.operation == "feature"}
        read = sum(
            FEATURES[name].dtype.itemsize
            * (LARGEST_HOUSEHOLD if FEATURES[name].level == "member" else 1)
            for name in names
        )
        sets = sum(n_words(len(source.body_lines)) for source in self._sources)
        return read + 1 + len(self._names) + (sets * WORD // 8 if self._traced else 0)

    def _goal(self, unfolded: Unfolded) -> list[Node]:
        lines = list(unfolded.lines.values()) if self._traced else []
        return [unfolded.value, *(fault.mask for fault in unfolded.faults), *lines]

    def _collect(self, position: int, values: list[Any], now: Chunk) -> None:
        unfolded = self._unfolded[position]
        name = self._names[position]
        first_line = 1 + len(unfolded.faults)
        for fault, mask in zip(unfolded.faults, values[1:first_line], strict=True):
            failing = np.flatnonzero(unpack(mask, now.n))
            if len(failing):
                at = now.start + int(failing[0])
                raise CheckerFailedError(
                    f"{name} would fail for household {at}: {fault.message}. "
                    "Test for None first, or add the missing row.",
                    program=name,
                    position=at,
                    household=now.table.household(at, constrained=False),
                )
        self._out.labels[name][now.start : now.stop] = unpack(values[0], now.n)
        if self._traced:
            bit_sets(values[first_line:], self._out.traces[name][now.start : now.stop])


@lru_cache(maxsize=16)
def _reader(asked: tuple[tuple[str, Any, Thresholds], ...], chunk: int) -> ProgramReader:
    return ProgramReader(
        {name: (Source.of(checker), thresholds) for name, checker, thresholds in asked}, chunk
    )
