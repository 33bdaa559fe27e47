"""Which households tell wrong checkers from the right one, and which mutants none can tell."""

import ast
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.adequacy.mutants.operators import Mutant, make_mutants
from benyfits_data.editions import Edition, Program
from benyfits_data.errors import ProofError, ThresholdNotFoundError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.ir import Node
from benyfits_data.language.numpy_backend.column_program import ColumnProgram, bit_sets, n_words
from benyfits_data.language.symbolic_execution import HouseholdArgument, SymbolicExecutor
from benyfits_data.language.z3_backend import Answer, World


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
        flags = np.unpackbits(words.view(np.uint8), count=len(mutants), bitorder="little")
        return flags.view(np.bool_)


def difference_of(mutant: Mutant, program: Program, executor: SymbolicExecutor) -> Node:
    """Return for which households a mutant decides otherwise than its program, or fails."""
    builder = executor.builder
    right = executor.call(program.checker, (HouseholdArgument(), program.thresholds))
    wrong = executor.execute(mutant.source, [HouseholdArgument(), mutant.thresholds])
    differs = builder.negate(builder.equal(right.value, wrong.value))
    return builder.any_of([differs, *(fault.mask for fault in wrong.faults)])


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
        self._programs = {}
        for name, made in mutants.items():
            executor = SymbolicExecutor()
            program = edition.program(name)
            goal = [difference_of(mutant, program, executor) for mutant in made]
            self._programs[name] = ColumnProgram([goal])

    def detect(self, households: Households) -> Detections:
        """Return which of the mutants each household detects."""
        bits = {name: self.bits(name, households) for name in self._programs}
        return Detections(self._mutants, bits)

    def bits(self, name: str, households: Households) -> NDArray[np.uint64]:
        """Return which mutants of a program each household detects, as `Detections` has them."""
        sets = np.empty((len(households), n_words(len(self._mutants[name]))), np.uint64)
        for _, rows, masks in self._programs[name].run(households):
            sets[rows] = bit_sets(masks, rows.stop - rows.start)
        return sets


def answers(mutant: Mutant, households: Sequence[Household]) -> list[bool | None]:
    """Return what a mutant answers for each household, `None` where it fails."""
    source = mutant.source
    space = {**inspect.unwrap(source.function).__globals__, **source.names}
    module = ast.Module([source.node], [])
    exec(compile(ast.fix_missing_locations(module), str(source.path), "exec"), space)
    function = space[source.name]
    answers_of_households: list[bool | None] = []
    for household in households:
        try:
            answers_of_households.append(bool(function(household, mutant.thresholds)))
        except (TypeError, ThresholdNotFoundError):
            answers_of_households.append(None)
    return answers_of_households


def is_told_apart(mutant: Mutant, program: Program, households: Sequence[Household]) -> bool:
    """Return whether CPython answers otherwise for one of the households, or fails."""
    right = [bool(program.checker(household, program.thresholds)) for household in households]
    return answers(mutant, households) != right


@dataclass(frozen=True)
class MutantVerdict:
    """What is known about one mutant.

    Attributes:
        mutant: The wrong checker.
        status: `wrong`: some possible household is decided otherwise; `equivalent`: none is, so
            that it is no mistake; `unknown`: the solver gave up.
        household: One that is decided otherwise, where the mutant is wrong.
    """

    mutant: Mutant
    status: Literal["wrong", "equivalent", "unknown"]
    household: Household | None


def judge(
    edition: Edition, name: str, mutants: Sequence[Mutant], world: World
) -> list[MutantVerdict]:
    """Return what the solver finds of some mutants of a program, in order.

    Raises:
        ProofError: A household found by the solver is not decided otherwise: readers disagree.
    """
    program = edition.program(name)
    return [
        _judged(edition, mutant, world.find(difference_of(mutant, program, world.executor)))
        for mutant in mutants
    ]


def _judged(edition: Edition, mutant: Mutant, answer: Answer) -> MutantVerdict:
    if answer.status == "unknown":
        return MutantVerdict(mutant, "unknown", None)
    if answer.household is None:
        return MutantVerdict(mutant, "equivalent", None)
    alone = Households.from_households([answer.household])
    if not detect_mutants(edition, alone, {mutant.program: [mutant]}).detected(mutant.program)[0]:
        raise ProofError(
            f"{mutant.program}, {mutant.kind} at line {mutant.line} ({mutant.change}): the "
            "solver's household is decided as before. The Z3 and NumPy readers disagree: "
            "report it.",
            mutant=mutant,
            household=answer.household,
        )
    return MutantVerdict(mutant, "wrong", answer.household)
