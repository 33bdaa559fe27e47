"""Which households tell wrong checkers from the right one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, Program
from benyfits_data.household.columns import Households
from benyfits_data.language.batch.bits import bit_sets, n_words
from benyfits_data.language.batch.plan import Chunk, Memory, Plan
from benyfits_data.language.formula import Node
from benyfits_data.language.mutants.making import Mutant, make_mutants
from benyfits_data.language.source import Source
from benyfits_data.language.unfolding import Family, Unfolder

_CHUNK = 8192


@dataclass(frozen=True)
class Detections:
    """Which mutants each household detects.

    Attributes:
        mutants: The mutants of each program.
        bits: By program, shape `(n, words)`: bit `i % 64` of word `i // 64` says that the household
            is decided otherwise by `mutants[program][i]`, or makes it fail.
    """

    mutants: dict[str, list[Mutant]]
    bits: dict[str, NDArray[np.uint64]]

    def detected(self, program: str) -> NDArray[np.bool_]:
        """Return for each mutant of a program whether any of the households detects it."""
        mutants = self.mutants[program]
        words = np.bitwise_or.reduce(self.bits[program], axis=0)
        found = np.unpackbits(words.view(np.uint8), count=len(mutants), bitorder="little")
        return found.view(np.bool_)


def difference_of(mutant: Mutant, program: Program, unfolder: Unfolder) -> Node:
    """Return for which households a mutant decides otherwise than its program, or fails."""
    formulas = unfolder.formulas
    right = unfolder.unfold(Source.of(program.checker), [Family(), program.thresholds])
    wrong = unfolder.unfold(mutant.source, [Family(), mutant.thresholds])
    differs = formulas.negate(formulas.equal(right.value, wrong.value))
    return formulas.any_of([differs, *(fault.mask for fault in wrong.faults)])


def mutants_of(edition: Edition) -> dict[str, list[Mutant]]:
    """Return the mutants of all programs."""
    return {name: make_mutants(program) for name, program in edition.programs.items()}


def detect_mutants(
    edition: Edition, households: Households, mutants: Mapping[str, list[Mutant]]
) -> Detections:
    """Return which of some mutants each household detects."""
    return Detector(edition, mutants).detect(households)


class Detector:
    """Detects mutants in several tables of households: to read them in takes longest.

    Args:
        edition: Whose checkers.
        mutants: The mutants of each program.
    """

    def __init__(self, edition: Edition, mutants: Mapping[str, list[Mutant]]) -> None:
        self._mutants = dict(mutants)
        self._bits: dict[str, NDArray[np.uint64]] = {}
        self._plans = []
        memory = Memory(_CHUNK)
        for name, made in mutants.items():
            unfolder = Unfolder()
            program = edition.program(name)
            goal = [difference_of(mutant, program, unfolder) for mutant in made]
            if goal:
                self._plans.append(Plan([goal], self._collector(name), memory))

    def _collector(self, name: str) -> Callable[[int, list[Any], Chunk], None]:
        def collect(_: int, values: list[Any], now: Chunk) -> None:
            bit_sets(values, self._bits[name][now.start : now.stop])

        return collect

    def detect(self, households: Households) -> Detections:
        """Return which of the mutants each household detects."""
        n = len(households)
        self._bits = {
            name: np.zeros((n, n_words(len(made))), np.uint64)
            for name, made in self._mutants.items()
        }
        for plan in self._plans:
            plan.run(households)
        return Detections(self._mutants, self._bits)
