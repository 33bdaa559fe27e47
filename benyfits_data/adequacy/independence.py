"""Conditions that decide alone: the independence pairs of MC/DC, of whole checkers.

A checker decides by its `if` lines, each of which asks one condition. A condition decides alone for
a household if the checker would answer otherwise, or fail, were this condition to turn out the
other way for one member and all else to stay. Its independence pair is a household for which it
decides alone by holding, and one for which it does by failing: "masking" MC/DC (Chilenski, "An
Investigation of Three Forms of the Modified Condition Decision Coverage Criterion", 2001).
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, Program
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.decisions import HouseholdReader
from benyfits_data.language.ir import FALSE, TRUE, Node
from benyfits_data.language.numpy_backend.column_program import ColumnProgram, bit_sets, n_words
from benyfits_data.language.source import Deciding, Source
from benyfits_data.language.symbolic_execution import (
    FunctionRun,
    HouseholdArgument,
    MemberArgument,
    Names,
    SymbolicExecutor,
)


def conditions_of(program: Program) -> tuple[Deciding, ...]:
    """Return each condition of a checker twice: it holds, it fails; in order of the lines."""
    lines = Source.of(program.checker).decisions
    return tuple(Deciding(line, holds) for line in lines for holds in (True, False))


def deciding_alone(program: Program, household: Household) -> frozenset[Deciding]:
    """Return which conditions decide alone for a household, each tried by itself."""
    reader = HouseholdReader(household)
    alone = reader.alone(program, reader.run(program), or_fails=True)
    return frozenset(Deciding(decision.line, decision.holds) for decision in alone)


def deciding_formulas(program: Program, executor: SymbolicExecutor) -> dict[Deciding, Node]:
    """Return for which households each condition of a checker decides alone."""
    source, builder = Source.of(program.checker), executor.builder
    arguments = (HouseholdArgument(), program.thresholds)
    right = executor.execute(source, arguments)
    formulas = dict.fromkeys(conditions_of(program), FALSE)
    for line, in_loop in _conditions(source).items():
        for position in range(executor.places) if in_loop else (None,):
            run = _TurnedRun(executor, source, turned=(line, position))
            names = dict(zip(source.parameters, arguments, strict=True))
            value = run.block(source.statements, TRUE, names)[0].value
            other = builder.negate(builder.equal(right.value, value))
            noticed = builder.any_of([other, *(fault.mask for fault in run.faults)])
            for holds, asked in ((True, run.held), (False, run.failed)):
                mask = builder.both(asked, noticed)
                element = Deciding(line, holds)
                formulas[element] = builder.either(formulas[element], mask)
    return formulas


def _conditions(source: Source) -> dict[int, bool]:
    """Return for each line with a condition whether it stands in a loop."""
    loops = [node for node in ast.walk(source.node) if isinstance(node, ast.For)]
    inside = {node for loop in loops for node in ast.walk(loop)}
    return {
        node.lineno: node in inside for node in ast.walk(source.node) if isinstance(node, ast.If)
    }


@dataclass
class _TurnedRun(FunctionRun):
    """A run in which one condition turns out the other way.

    Attributes:
        turned: Its line, and the position of the member it is asked of; `None` outside loops.
        held: For whom it is asked and holds.
        failed: For whom it is asked and fails.
    """

    turned: tuple[int, int | None] = (0, None)
    held: Node = FALSE
    failed: Node = FALSE

    def condition(self, statement: ast.If, alive: Node, names: Names) -> Node:
        """Return a condition as a formula, turned to its opposite where it is the one asked about.

        There it also sets `held` and `failed`.
        """
        formula = super().condition(statement, alive, names)
        members = (
            argument.position for argument in names.values() if isinstance(argument, MemberArgument)
        )
        if self.turned != (statement.lineno, next(members, None)):
            return formula
        opposite = self.builder.negate(formula)
        self.held, self.failed = (
            self.builder.both(alive, outcome) for outcome in (formula, opposite)
        )
        return opposite


class IndependenceReader:
    """Tells which conditions decide alone, for tables of households; made once, used often.

    Args:
        edition: Whose checkers.
        programs: The programs to read; all unless given.

    Attributes:
        conditions: Each condition of a program twice, in order of the bits.
    """

    def __init__(self, edition: Edition, programs: Sequence[str] | None = None) -> None:
        names = list(edition.programs) if programs is None else programs
        self.conditions = {name: conditions_of(edition.program(name)) for name in names}
        self._programs = {}
        for name in names:
            formulas = deciding_formulas(edition.program(name), SymbolicExecutor())
            self._programs[name] = ColumnProgram(
                [[formulas[condition] for condition in self.conditions[name]]]
            )

    def read(self, households: Households) -> dict[str, NDArray[np.uint64]]:
        """Return which conditions decide alone for each household, by program.

        Returns:
            Bit sets, shape `(n, words)`: bit `i % 64` of word `i // 64` stands for
            `conditions[program][i]`.
        """
        return {name: self.read_program(name, households) for name in self._programs}

    def read_program(self, name: str, households: Households) -> NDArray[np.uint64]:
        """Return which conditions of a program decide alone for each household (see `read`)."""
        bits = np.empty((len(households), n_words(len(self.conditions[name]))), np.uint64)
        for _, rows, masks in self._programs[name].run(households):
            bits[rows] = bit_sets(masks, rows.stop - rows.start)
        return bits
