"""What a checker asked of one household, and on which of it the answer hangs.

The checker is executed on formulas in which the household's facts are constants, so that every
condition is one too. Then conditions are opened: whichever way they turn out. The answer hangs on a
smallest set of conditions that have to stay as they are for the answer to be certain, whatever
becomes of all others: a sufficient reason (Shih, Choi and Darwiche, "A Symbolic Approach to
Explaining Bayesian Network Classifiers", IJCAI 2018). So every condition that decides alone is
among them.
"""

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benyfits_data.editions import Program
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.ir import TRUE, IRBuilder, Node, Position
from benyfits_data.language.source import Element, Source
from benyfits_data.language.sufficient import smallest_sufficient
from benyfits_data.language.symbolic_execution import (
    FunctionRun,
    HouseholdArgument,
    Names,
    SymbolicExecutor,
)

Place = tuple[int, int | None]
"""Where a condition is asked: its line, and the position of the member it is asked of."""


@dataclass(frozen=True)
class Decision:
    """One condition that was asked.

    Attributes:
        line: Line of the file.
        member: Position of the member it was asked of; `None` outside loops.
        test: The condition.
        left: The flag, or what stands left of the comparison.
        right: What stands right of the comparison; `None` for a flag.
        holds: Whether the whole condition, with its `not`, was true.
    """

    line: int
    member: int | None
    test: ast.expr
    left: Any
    right: Any
    holds: bool

    @property
    def place(self) -> Place:
        """Where it was asked."""
        return self.line, self.member

    @property
    def asks_local(self) -> bool:
        """Whether it asks a flag or number that the checker has set, not a fact."""
        test = self.test.left if isinstance(self.test, ast.Compare) else self.test
        test = test.operand if isinstance(test, ast.UnaryOp) else test
        return isinstance(test, ast.Name)


@dataclass(frozen=True)
class CheckerRun:
    """What a checker answers.

    Attributes:
        eligible: The answer; `None` where it depends on open conditions, or the checker fails.
        decisions: Every condition that was asked, in order.
        elements: The lines and branches that ran.
    """

    eligible: bool | None
    decisions: tuple[Decision, ...]
    elements: frozenset[Element]

    @property
    def lines(self) -> frozenset[int]:
        """The lines that ran."""
        return frozenset(element for element in self.elements if isinstance(element, int))


class HouseholdReader:
    """Runs checkers for one household, with conditions open or turned over.

    Args:
        household: Whom they are run for.
    """

    def __init__(self, household: Household) -> None:
        self._executor = SymbolicExecutor(_Facts(household=household), len(household.members))

    def run(
        self,
        program: Program,
        *,
        turned: Collection[Place] = (),
        fixed: Collection[Place] | None = None,
    ) -> CheckerRun:
        """Return what a program's checker answers.

        Args:
            program: The program.
            turned: Conditions that turn out the other way.
            fixed: Conditions that turn out as they do, while all others, asked or not, may turn
                out either way; all unless given.
        """
        source = Source.of(program.checker)
        run = _Run(self._executor, source, turned=turned, fixed=fixed)
        arguments = (HouseholdArgument(), program.thresholds)
        names = dict(zip(source.parameters, arguments, strict=True))
        verdict = run.block(source.statements, TRUE, names)[0].value
        fails = fixed is None and any(fault.mask is TRUE for fault in run.faults)
        is_known = verdict.operation == "constant" and not fails
        ran = {place for place, masks in run.visits.items() if any(mask is TRUE for mask in masks)}
        eligible = verdict is TRUE if is_known else None
        return CheckerRun(eligible, tuple(run.decisions), frozenset(ran))

    def alone(
        self, program: Program, answer: CheckerRun, *, or_fails: bool = False
    ) -> Iterator[Decision]:
        """Yield the conditions that decide alone: turned over, each changes the answer.

        Args:
            program: The program.
            answer: What its checker answers.
            or_fails: Whether conditions count, too, without which the checker would fail.
        """
        changed = {not answer.eligible} | ({None} if or_fails else set())
        for decision in answer.decisions:
            if self.run(program, turned={decision.place}).eligible in changed:
                yield decision

    def reason(self, program: Program, answer: CheckerRun) -> frozenset[Place]:
        """Return the conditions on which an answer hangs, all of which are needed.

        Args:
            program: The program.
            answer: What its checker answers.
        """

        def suffice(fixed: Sequence[Place]) -> bool:
            return self.run(program, fixed={*fixed}).eligible is not None

        places = dict.fromkeys(decision.place for decision in answer.decisions)
        return frozenset(smallest_sufficient(tuple(places), suffice))


@dataclass
class _Facts(IRBuilder):
    """Makes nodes in which each fact is the value that a household has."""

    household: Household = field(kw_only=True)

    def feature(self, name: str, position: Position | None) -> Node:
        """Return a fact as a constant; one that is no flag still knows its feature."""
        features = HOUSEHOLD_FEATURES if position is None else MEMBER_FEATURES
        owner = self.household if position is None else self.household.members[int(position)]
        code = features[name].encode(getattr(owner, name))
        if features[name].kind == "flag":
            return self.constant(bool(code))
        is_whole = features[name].kind != "decimal"
        return self._node("feature", (), (name, position), code, code, is_whole=is_whole)

    def present(self, position: Position) -> Node:
        """Return whether the household has a member at a position."""
        return self.constant(int(position) < len(self.household.members))

    def equal(self, left: Node, right: Node) -> Node:
        """Return whether two numbers or two flags are the same."""
        if not left.is_flag and left.low == left.high == right.low == right.high:
            return TRUE
        return super().equal(left, right)

    def open(self, place: Place) -> Node:
        """Return a flag of which nothing is known."""
        return self._node("open", (), place, 0, 1, is_flag=True)


@dataclass
class _Run(FunctionRun):
    """A run in which conditions may be open or turned over."""

    turned: Collection[Place] = ()
    fixed: Collection[Place] | None = None
    decisions: list[Decision] = field(default_factory=list)
    _member: int | None = None

    def iterations(self, over: ast.expr, alive: Node, names: Names) -> Iterator[tuple[Node, Any]]:
        """Yield each member, and note who is asked."""
        before = self._member
        for present, argument in super().iterations(over, alive, names):
            self._member = argument.position
            yield present, argument
        self._member = before

    def condition(self, statement: ast.If, alive: Node, names: Names) -> Node:
        """Return how a condition turns out, or is to turn out."""
        holds = super().condition(statement, alive, names)
        place = statement.lineno, self._member
        if self.fixed is not None:
            builder = self.builder
            assert isinstance(builder, _Facts)
            return holds if place in self.fixed else builder.open(place)
        left, right = self._sides(statement.test, alive, names)
        self.decisions.append(Decision(*place, statement.test, left, right, holds is TRUE))
        return self.builder.negate(holds) if place in self.turned else holds

    def _sides(self, test: ast.expr, alive: Node, names: Names) -> tuple[Any, Any]:
        """Return what was compared, as Python has it."""
        match test:
            case ast.Compare(left=left, comparators=[ast.Constant(value=None)]):
                return _value(self.evaluate(left, alive, names)), None
            case ast.Compare(left=left, comparators=[right]):
                left_value, right_value = (
                    self.evaluate(side, alive, names) for side in (left, right)
                )
                return _value(left_value, right_value), _value(right_value, left_value)
            case ast.UnaryOp(operand=flag) | flag:
                return _value(self.evaluate(flag, alive, names)), None


def _value(side: Any, beside: Any = None) -> Any:
    """Return one side of a comparison as Python has it; a day is told by what stands beside."""
    if not isinstance(side, Node):
        return side
    if side.is_flag:
        return side is TRUE
    feature, other = (
        operand.feature if isinstance(operand, Node) else None for operand in (side, beside)
    )
    if feature is not None:
        return feature.decode(side.low)
    return other.decode(side.low) if other is not None and other.kind == "date" else side.low
