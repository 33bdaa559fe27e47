"""A function of the checker language as formulas: every path at once, loops written out.

The function is run once with a formula in place of every value. A mask (a flag formula) says for
which households a statement runs: conditions narrow it, `return` and `continue` end it, and a loop
is repeated for each of the six places a member may have.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Any

from benyfits_data.editions.thresholds import SizeTable, Thresholds
from benyfits_data.errors import ThresholdNotFoundError
from benyfits_data.household.constraints import Constraint
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.ir import FALSE, TRUE, IRBuilder, Node, Position
from benyfits_data.language.source import Element, Source


@dataclass(frozen=True)
class MemberArgument:
    """The member at a position of the household, or each member for itself."""

    position: Position


@dataclass(frozen=True)
class HouseholdArgument:
    """The household itself."""


@dataclass(frozen=True)
class Fault:
    """A way in which a function would fail.

    Attributes:
        mask: For which households.
        source: The function in which it fails.
        node: Its part that does.
        why: What is wrong with that.
    """

    mask: Node
    source: Source
    node: ast.expr
    why: str

    def __str__(self) -> str:
        return f"{self.source.path}:{self.node.lineno}: `{ast.unparse(self.node)}` {self.why}"


@dataclass(frozen=True)
class FunctionSummary:
    """A function as formulas.

    Attributes:
        value: What it returns: a flag or a number.
        elements: For each line of the body and each branch, which households run it.
        faults: The ways in which it would fail.
    """

    value: Node
    elements: Mapping[Element, Node]
    faults: tuple[Fault, ...]


NONE = "is None"
"""Why a fact that has no value is no number."""
Names = dict[str, Any]
# A table is written out, a node for each size: an amount of money in place of a size has millions.
_MOST_SIZES = 1000
_SUMS = {ast.Add: "plus", ast.Sub: "minus", ast.Mult: "times"}


@dataclass
class SymbolicExecutor:
    """Turns functions into formulas that share their parts.

    Attributes:
        builder: Makes the nodes.
        places: For how many members loops are written out.
    """

    builder: IRBuilder = field(default_factory=IRBuilder)
    places: int = LARGEST_HOUSEHOLD
    _called: dict[tuple[Any, ...], FunctionSummary] = field(default_factory=dict)

    def copy(self) -> "SymbolicExecutor":
        """Return one that knows the same nodes and functions and learns others by itself."""
        builder = IRBuilder(dict(self.builder._nodes))
        return SymbolicExecutor(builder, self.places, dict(self._called))

    def execute(self, source: Source, arguments: Sequence[Any]) -> FunctionSummary:
        """Return a function as formulas.

        Args:
            source: The function.
            arguments: What it is called with: `HouseholdArgument()`, a `MemberArgument`, a
                number's node, thresholds.

        Raises:
            LanguageError: The function leaves the checker language.
        """
        run = FunctionRun(self, source)
        names = dict(zip(source.parameters, arguments, strict=True))
        exits, alive, _ = run.block(source.statements, TRUE, names)
        if alive is not FALSE:
            raise source.refusal(source.statements[-1], "a path that ends without `return`")
        return FunctionSummary(
            value=exits.value,
            elements={
                element: self.builder.any_of(run.visits.get(element, ()))
                for element in source.elements
            },
            faults=tuple(run.faults),
        )

    def broken(self, constraint: Constraint) -> Node:
        """Return whether a household breaks a constraint, for itself or for any member."""
        source = Source.of(constraint.holds)
        builder = self.builder
        if not constraint.of_member:
            return builder.negate(self.execute(source, [HouseholdArgument()]).value)
        return builder.any_of(
            builder.both(
                builder.present(row),
                builder.negate(
                    self.execute(source, [HouseholdArgument(), MemberArgument(row)]).value
                ),
            )
            for row in range(self.places)
        )

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> FunctionSummary:
        """Return a measure or helper as formulas; equal calls are executed once."""
        key = (function, arguments)
        if key not in self._called:
            self._called[key] = self.execute(Source.of(function), arguments)
        return self._called[key]

    def measures(self) -> dict[Node, Callable[..., Any]]:
        """Return what each measure of the household, called so far, has become."""
        return {
            called.value: function
            for (function, arguments), called in self._called.items()
            if arguments == (HouseholdArgument(),)
        }


@lru_cache(maxsize=4)
def execute_checkers(
    checkers: tuple[tuple[Source, Thresholds], ...], places: int
) -> tuple[SymbolicExecutor, tuple[FunctionSummary, ...]]:
    """Return checkers as formulas that share their parts; kept for the next who asks."""
    executor = SymbolicExecutor(places=places)
    return executor, tuple(
        executor.execute(source, [HouseholdArgument(), thresholds])
        for source, thresholds in checkers
    )


def execute_constraints(
    constraints: tuple[Constraint, ...], places: int = LARGEST_HOUSEHOLD
) -> tuple[SymbolicExecutor, list[Node]]:
    """Return a new executor that has read constraints, and the formulas by which each holds.

    The constraints are executed once a process: all readers of checkers begin with them.
    """
    executor, held = _execute_constraints(constraints, places)
    return executor.copy(), held.copy()


@lru_cache(maxsize=8)
def _execute_constraints(
    constraints: tuple[Constraint, ...], places: int
) -> tuple[SymbolicExecutor, list[Node]]:
    executor = SymbolicExecutor(places=places)
    return executor, [
        executor.builder.negate(executor.broken(constraint)) for constraint in constraints
    ]


@dataclass(frozen=True)
class Exits:
    """How a statement ends other than in the next one, for households that reach it.

    Attributes:
        returned: Who returns.
        value: What is returned.
        left: Who of the others leaves the round of a loop.
        names: The names there.
    """

    returned: Node = FALSE
    value: Node = FALSE
    left: Node = FALSE
    names: Names = field(default_factory=dict)


@dataclass
class FunctionRun:
    """One run of a function, all paths at once.

    Attributes:
        executor: Runs what the function calls.
        source: The function.
        visits: For each line, when it ran.
        faults: The ways in which it would fail, so far.
    """

    executor: SymbolicExecutor
    source: Source
    visits: dict[Element, list[Node]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @property
    def builder(self) -> IRBuilder:
        """What makes nodes."""
        return self.executor.builder

    def block(
        self, statements: Sequence[ast.stmt], alive: Node, names: Names
    ) -> tuple[Exits, Node, Names]:
        """Run statements where `alive` holds; return how they end, where they do not, and names.

        How they end is told for households that reach them, so that a formula hangs on no fact
        that cannot change it: `if a: return True`, `return b` is `a or b`.
        """
        ends = list[Exits]()
        for statement in statements:
            if alive is FALSE:
                break
            self.visit(statement.lineno, alive)
            here = Exits()
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    names = {**names, name: self.evaluate(value, alive, names)}
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                    before = self.number(statement.target, alive, names)
                    added = self.number(value, alive, names)
                    names = {**names, name: self.builder.plus(before, added)}
                case ast.If():
                    here, names = self.branch(statement, alive, names)
                case ast.For(target=ast.Name(id=name), orelse=[]):
                    here, names = self.loop(statement, name, alive, names)
                case ast.Continue():
                    here = Exits(left=TRUE, names=names)
                case ast.Return(value=ast.expr() as value):
                    here = Exits(TRUE, self.result(value, alive, names))
                case _:
                    raise self.source.refusal(
                        statement, f"`{ast.unparse(statement).splitlines()[0]}`"
                    )
            alive = self.builder.both(alive, self.stays(here))
            ends.append(here)
        return self.one_of(ends), alive, names

    def result(self, node: ast.expr, alive: Node, names: Names) -> Node:
        """Return what a `return` returns."""
        value: Node = self.evaluate(node, alive, names)
        return value

    def visit(self, element: Element, mask: Node) -> None:
        """Note that a line or branch runs."""
        self.visits.setdefault(element, []).append(mask)

    def stays(self, exits: Exits) -> Node:
        """Return who goes on to the next statement."""
        return self.builder.negate(self.builder.either(exits.returned, exits.left))

    def one_of(self, ends: Sequence[Exits]) -> Exits:
        """Return how statements end, one after the other."""
        builder, later = self.builder, Exits()
        for first in reversed(ends):
            late = builder.both(builder.negate(first.left), later.returned)
            later = self.joined(
                first,
                later,
                (first.returned, first.left),
                builder.either(first.returned, late),
                builder.either(first.left, later.left),
            )
        return later

    def joined(
        self, one: Exits, other: Exits, when: tuple[Node, Node], returned: Node, left: Node
    ) -> Exits:
        """Return ends of which `one` counts `when` it holds: for `return`, and for `continue`."""
        if FALSE in (one.returned, other.returned):
            value = one.value if other.returned is FALSE else other.value
        else:
            value = self.builder.choose(when[0], one.value, other.value)
        if FALSE in (one.left, other.left):
            names = one.names if other.left is FALSE else other.names
        else:
            names = self.merge(when[1], one.names, other.names)
        return Exits(returned, value, left, names)

    def branch(self, statement: ast.If, alive: Node, names: Names) -> tuple[Exits, Names]:
        """Run both sides of an `if`."""
        builder = self.builder
        condition = self.condition(statement, alive, names)
        then_start = builder.both(alive, condition)
        else_start = builder.both(alive, builder.negate(condition))
        into, past = self.source.exits[statement.lineno]
        self.visit(into, then_start)
        self.visit(past, else_start)
        then, then_end, then_names = self.block(statement.body, then_start, names)
        other, else_end, else_names = self.block(statement.orelse, else_start, names)
        exits = self.joined(
            then,
            other,
            (condition, condition),
            builder.choose(condition, then.returned, other.returned),
            builder.choose(condition, then.left, other.left),
        )
        if then_end is FALSE:
            return exits, else_names
        if else_end is FALSE:
            return exits, then_names
        return exits, self.merge(condition, then_names, else_names)

    def condition(self, statement: ast.If, alive: Node, names: Names) -> Node:
        """Return how an `if` turns out."""
        return self.flag(statement.test, alive, names)

    def merge(self, condition: Node, then: Names, other: Names) -> Names:
        """Return the names known on both paths."""
        return {
            name: value
            if value is other[name]
            else self.builder.choose(condition, value, other[name])
            for name, value in then.items()
            if name in other
        }

    def loop(self, statement: ast.For, name: str, alive: Node, names: Names) -> tuple[Exits, Names]:
        """Run a loop, written out."""
        builder, ends = self.builder, list[Exits]()
        into, past = self.source.exits[statement.lineno]
        for present, value in self.iterations(statement.iter, alive, names):
            start = builder.both(alive, present)
            self.visit(into, start)
            round_, end, end_names = self.block(statement.body, start, {**names, name: value})
            if end is FALSE:
                end_names = round_.names
            elif round_.left is not FALSE:
                end_names = self.merge(round_.left, round_.names, end_names)
            here = Exits(builder.both(present, round_.returned), round_.value)
            alive = builder.both(alive, self.stays(here))
            ends.append(here)
            if end is not FALSE or round_.left is not FALSE:
                kept = {known: end_names[known] for known in names if known in end_names}
                names = self.merge(present, kept, names)
        self.visit(past, alive)
        return self.one_of(ends), names

    def iterations(self, over: ast.expr, alive: Node, names: Names) -> Iterator[tuple[Node, Any]]:
        """Yield, for each time a loop may run, whether it does, and what its variable is then."""
        if ast.unparse(over) != "household.members":
            raise self.source.refusal(over, f"a loop over `{ast.unparse(over)}`")
        for position in range(self.executor.places):
            yield self.builder.present(position), MemberArgument(position)

    def flag(self, node: ast.expr, alive: Node, names: Names) -> Node:
        """Return the truth value of an expression, as a node."""
        value = self.evaluate(node, alive, names)
        if not (isinstance(value, Node) and value.is_flag):
            raise self.source.refusal(node, f"`{ast.unparse(node)}` as a condition")
        return value

    def number(self, node: ast.expr, alive: Node, names: Names) -> Node:
        """Return a number that is not None; where it might be, a fault is noted."""
        value = self.evaluate(node, alive, names)
        if not isinstance(value, Node) or value.is_flag:
            raise self.source.refusal(node, f"`{ast.unparse(node)}` as a number")
        if value.feature is not None and value.feature.optional:
            self.fault(alive, self.builder.is_none(value), node, NONE)
        return value

    def fault(self, alive: Node, cause: Node, node: ast.expr, why: str) -> None:
        """Note that an expression fails where it is reached with a cause."""
        mask = self.builder.both(alive, cause)
        if mask is not FALSE and self.builder.negate(cause) not in self.builder.conjuncts(alive):
            self.faults.append(Fault(mask, self.source, node, why))

    def evaluate(self, node: ast.expr, alive: Node, names: Names) -> Any:
        """Return the value of an expression: a node, a person, the family, a table or text."""
        builder = self.builder
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return builder.constant(value)
            case ast.Constant(value=str() as value):
                return value
            case ast.Name(id=name):
                value = names[name] if name in names else self.source.resolve(name)
                return builder.constant(value) if isinstance(value, int | float) else value
            case ast.Attribute(value=owner, attr=attribute):
                return self.attribute(node, self.evaluate(owner, alive, names), attribute)
            case ast.Subscript(value=table, slice=size):
                rows = self.evaluate(table, alive, names)
                return self.row(node, rows, self.number(size, alive, names), alive)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return builder.negate(self.flag(operand, alive, names))
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self.compare(operator, left, right, alive, names)
            case ast.BoolOp(op=operator, values=parts):
                return self.join(isinstance(operator, ast.And), parts, alive, names)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _SUMS:
                calculate = getattr(builder, _SUMS[type(operator)])
                return calculate(self.number(left, alive, names), self.number(right, alive, names))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.call(name, arguments, alive, names)
        raise self.source.refusal(node, f"`{ast.unparse(node)}`")

    def join(self, is_and: bool, parts: Sequence[ast.expr], alive: Node, names: Names) -> Node:
        """Return whether all parts hold, or any; each is asked only where it still matters."""
        builder = self.builder
        joined = TRUE if is_and else FALSE
        for part in parts:
            flag = self.flag(part, alive, names)
            joined = builder.both(joined, flag) if is_and else builder.either(joined, flag)
            alive = builder.both(alive, flag if is_and else builder.negate(flag))
        return joined

    def attribute(self, node: ast.expr, owner: Any, name: str) -> Any:
        """Return a fact, the applicant, or a threshold."""
        if isinstance(owner, HouseholdArgument) and name == "applicant":
            return MemberArgument(0)
        if isinstance(owner, HouseholdArgument) and name in HOUSEHOLD_FEATURES:
            return self.builder.feature(name, None)
        if isinstance(owner, MemberArgument) and name in MEMBER_FEATURES:
            return self.builder.feature(name, owner.position)
        if isinstance(owner, HouseholdArgument | MemberArgument | Node | str):
            raise self.source.refusal(node, f"`{ast.unparse(node)}`")
        value = getattr(owner, name)
        if isinstance(value, int | float | date):
            return self.builder.constant(value)
        return value

    def row(self, node: ast.Subscript, table: object, size: Node, alive: Node) -> Node:
        """Return the amount of a table; sizes that it lacks are faults."""
        if not isinstance(table, SizeTable):
            raise self.source.refusal(node, f"an index into `{ast.unparse(node.value)}`")
        sizes = range(int(size.low), int(size.high) + 1)
        if len(sizes) > _MOST_SIZES:
            raise self.source.refusal(node, f"an index of {len(sizes):,} possible values")
        amounts: list[float] = []
        for number in sizes:
            try:
                amounts.append(table[number])
            except ThresholdNotFoundError as error:
                amounts.append(0)
                cause = self.builder.equal(size, self.builder.constant(number))
                self.fault(alive, cause, node, f"fails: {error}")
        return self.builder.row(tuple(amounts), size)

    def compare(
        self, operator: ast.cmpop, left: ast.expr, right: ast.expr, alive: Node, names: Names
    ) -> Node:
        """Return whether a comparison holds."""
        builder = self.builder
        if isinstance(right, ast.Constant) and right.value is None:
            none = builder.is_none(self.evaluate(left, alive, names))
            return none if isinstance(operator, ast.Is) else builder.negate(none)
        if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Tuple):
            same = builder.any_of(
                builder.equal(*self.coded(left, value, alive, names)) for value in right.elts
            )
            return same if isinstance(operator, ast.In) else builder.negate(same)
        if isinstance(operator, ast.Eq | ast.NotEq):
            same = builder.equal(*self.coded(left, right, alive, names))
            return same if isinstance(operator, ast.Eq) else builder.negate(same)
        if not isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            raise self.source.refusal(left, f"the comparison {type(operator).__name__}")
        first, second = self.number(left, alive, names), self.number(right, alive, names)
        if isinstance(operator, ast.Gt | ast.LtE):
            first, second = second, first
        less = builder.less(first, second)
        return less if isinstance(operator, ast.Lt | ast.Gt) else builder.negate(less)

    def coded(
        self, left: ast.expr, right: ast.expr, alive: Node, names: Names
    ) -> tuple[Node, Node]:
        """Return both sides of an equality; text is coded as the feature beside it says."""
        first, second = self.evaluate(left, alive, names), self.evaluate(right, alive, names)
        if isinstance(first, str):
            first, second = second, first
        if isinstance(second, str):
            feature = first.feature if isinstance(first, Node) else None
            if feature is None or second not in feature.choices:
                raise self.source.refusal(left, f"`{ast.unparse(left)}` compared with {second!r}")
            second = self.builder.constant(feature.encode(second))
        if not (
            isinstance(first, Node) and isinstance(second, Node) and first.is_flag == second.is_flag
        ):
            raise self.source.refusal(
                left, f"`{ast.unparse(left)}` compared with `{ast.unparse(right)}`"
            )
        return first, second

    def call(self, name: str, arguments: list[ast.expr], alive: Node, names: Names) -> Node:
        """Return what a measure or helper returns."""
        values = tuple(self.evaluate(argument, alive, names) for argument in arguments)
        called = self.executor.call(self.source.resolve(name), values)
        for fault in called.faults:
            if self.builder.negate(fault.mask) not in self.builder.conjuncts(alive):
                mask = self.builder.both(alive, fault.mask)
                self.faults.append(replace(fault, mask=mask))
        return called.value
