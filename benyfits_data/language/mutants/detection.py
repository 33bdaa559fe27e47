"""Which households tell wrong checkers from the right one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, Program
from benyfits_data.household.columns import Households
from benyfits_data.language.batch.bits import bit_sets, n_words
from benyfits_data.language.batch.plan import Chunk, Plan
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


def detect(
    edition: Edition, households: Households, programs: Sequence[str] | None = None
) -> Detections:
    """Return which mutants of which programs each household detects.

    Args:
        edition: Whose checkers.
        households: Whom the checkers decide.
        programs: The programs; all unless given.
    """
    names = list(edition.programs) if programs is None else list(programs)
    mutants = {name: make_mutants(edition.program(name)) for name in names}
    return detect_mutants(edition, households, mutants)


def detect_mutants(
    edition: Edition, households: Households, mutants: Mapping[str, list[Mutant]]
) -> Detections:
    """Return which of some mutants each household detects."""
    n = len(households)
    bits = {name: np.zeros((n, n_words(len(made))), np.uint64) for name, made in mutants.items()}
    for name, made in mutants.items():
        unfolder = Unfolder()
        program = edition.program(name)
        goal = [difference_of(mutant, program, unfolder) for mutant in made]

        def collect(
            _: int, values: list[Any], now: Chunk, out: NDArray[np.uint64] = bits[name]
        ) -> None:
            bit_sets(values, out[now.start : now.stop])

        if goal:
            Plan([goal], collect, _CHUNK).run(households)
    return Detections(dict(mutants), bits)
