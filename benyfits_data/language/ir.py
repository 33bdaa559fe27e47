"""Formulas over one household's facts: what the NumPy and Z3 readers translate.

A formula is a graph of nodes. Equal nodes are one node, so whatever two programs share (a
comparison, a measure) stands in the graph once. Numbers know an interval that holds them: columns
get the smallest type that fits, and comparisons that can turn out one way only vanish.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from benyfits_data.errors import LanguageError
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.schema import NONE_CODE, Feature

EACH: Literal["each"] = "each"
"""In the place of a position: of all six members, one a row."""
Position = int | Literal["each"]

Operation = Literal[
    "constant", "feature", "present", "not", "and", "or", "less", "equal", "plus", "minus", "times",
    "choose", "row", "open",
]  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One flag or number computed from a household's facts.

    Attributes:
        operation: `constant`; `feature` (of the household or of one member); `present` (whether
            there is a member at a position); `not`, `and`, `or`, `less`, `equal` (flags); `plus`,
            `minus`, `times`, `choose` (condition, then, else), `row` of a table (numbers); `open`
            (a flag of which nothing is known).
        operands: What it is computed from.
        fact: The constant; the feature's name and the member's position (`None` for the
            household, `EACH` for a row of each); the position; or the table, from the operand's
            smallest value on.
        low: Smallest possible value; 0 for flags.
        high: Largest possible value; 1 for flags.
        is_flag: Whether it is a truth value.
        is_whole: Whether it is a whole number.
    """

    operation: Operation
    operands: tuple["Node", ...]
    fact: Any
    low: float
    high: float
    is_flag: bool
    is_whole: bool = True

    @property
    def feature(self) -> Feature | None:
        """The declaration of the feature that the node reads or chooses among, if any."""
        if self.operation == "choose":
            return self.operands[1].feature
        if self.operation != "feature":
            return None
        name, position = self.fact
        return (HOUSEHOLD_FEATURES if position is None else MEMBER_FEATURES)[name]


TRUE = Node("constant", (), True, 1, 1, True)
FALSE = Node("constant", (), False, 0, 0, True)


def walk(roots: Iterable[Node], seen: set[Node] | None = None) -> Iterator[Node]:
    """Yield every node the roots are computed from, operands first, each once.

    Args:
        roots: Where to start.
        seen: Nodes to leave out; those that are yielded join them.
    """
    seen = set() if seen is None else seen
    for root in roots:
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, is_open = stack.pop()
            if is_open:
                yield node
            elif node not in seen:
                seen.add(node)
                if not node.operands:
                    yield node
                    continue
                stack.append((node, True))
                stack.extend([(operand, False) for operand in reversed(node.operands)])


@dataclass
class IRBuilder:
    """Makes nodes, each distinct one once, simplified where that is obvious."""

    _nodes: dict[tuple[Any, ...], Node] = field(default_factory=dict)

    def constant(self, value: bool | int | float | date) -> Node:
        """Return a truth value or number; a day is its ordinal."""
        if isinstance(value, bool):
            return TRUE if value else FALSE
        number = value.toordinal() if isinstance(value, date) else value
        if number == int(number):
            number = int(number)
        return self._node("constant", (), number, number, number, is_whole=isinstance(number, int))

    def feature(self, name: str, position: Position | None) -> Node:
        """Return a fact of the member at a position, of each, or of the household (`None`)."""
        features = HOUSEHOLD_FEATURES if position is None else MEMBER_FEATURES
        feature = features[name]
        low, high = bounds(feature)
        return self._node(
            "feature",
            (),
            (name, position),
            low,
            high,
            is_flag=feature.kind == "flag",
            is_whole=feature.kind != "decimal",
        )

    def present(self, position: Position) -> Node:
        """Return whether the household has a member at a position; there is always a first."""
        return TRUE if position == 0 else self._node("present", (), position, 0, 1, is_flag=True)

    def negate(self, flag: Node) -> Node:
        """Return the opposite of a flag."""
        if flag.operation == "constant":
            return FALSE if flag is TRUE else TRUE
        if flag.operation == "not":
            return flag.operands[0]
        return self._node("not", (flag,), None, 0, 1, is_flag=True)

    def conjuncts(self, node: Node) -> list[Node]:
        """Return the conditions whose conjunction a node is, each once."""
        conditions: dict[Node, None] = {}
        stack = [node]
        while stack:
            part = stack.pop()
            if part.operation == "and":
                stack.extend(reversed(part.operands))
            elif part.operation == "not" and part.operands[0].operation == "or":
                stack.extend(
                    self.negate(operand) for operand in reversed(part.operands[0].operands)
                )
            else:
                conditions[part] = None
        return list(conditions)

    def both(self, left: Node, right: Node) -> Node:
        """Return whether two flags hold."""
        if left is FALSE or right is FALSE or left is self.negate(right):
            return FALSE
        if left is TRUE or left is right:
            return right
        if right is TRUE:
            return left
        return self._node("and", (left, right), None, 0, 1, is_flag=True)

    def either(self, left: Node, right: Node) -> Node:
        """Return whether one of two flags holds."""
        if left is TRUE or right is TRUE or left is self.negate(right):
            return TRUE
        if left is FALSE or left is right:
            return right
        if right is FALSE:
            return left
        return self._node("or", (left, right), None, 0, 1, is_flag=True)

    def any_of(self, flags: Iterable[Node]) -> Node:
        """Return whether at least one flag holds."""
        result = FALSE
        for flag in flags:
            result = self.either(result, flag)
        return result

    def less(self, left: Node, right: Node) -> Node:
        """Return whether a number is less than another."""
        if left.high < right.low:
            return TRUE
        if left.low >= right.high:
            return FALSE
        return self._node("less", (left, right), None, 0, 1, is_flag=True)

    def equal(self, left: Node, right: Node) -> Node:
        """Return whether two numbers or two flags are the same."""
        if left is right:
            return TRUE
        if left.is_flag:
            if left.operation == "constant":
                left, right = right, left
            if right.operation == "constant":
                return left if right is TRUE else self.negate(left)
        elif left.high < right.low or right.high < left.low:
            return FALSE
        elif left.operation == right.operation == "constant":
            return TRUE if left.fact == right.fact else FALSE
        elif left.operation == "constant":
            left, right = right, left
        return self._node("equal", (left, right), None, 0, 1, is_flag=True)

    def is_none(self, number: Node) -> Node:
        """Return whether a feature has no value."""
        return self.equal(number, self.constant(NONE_CODE))

    def plus(self, left: Node, right: Node) -> Node:
        """Return the sum of two numbers."""
        if left.operation == right.operation == "constant":
            return self.constant(left.fact + right.fact)
        for zero, other in ((left, right), (right, left)):
            if zero.operation == "constant" and zero.fact == 0:
                return other
        return self._node("plus", (left, right), None, left.low + right.low, left.high + right.high)

    def minus(self, left: Node, right: Node) -> Node:
        """Return the difference of two numbers."""
        if left.operation == right.operation == "constant":
            return self.constant(left.fact - right.fact)
        if right.operation == "constant" and right.fact == 0:
            return left
        low, high = left.low - right.high, left.high - right.low
        return self._node("minus", (left, right), None, low, high)

    def times(self, left: Node, right: Node) -> Node:
        """Return the product of two numbers."""
        if left.operation == right.operation == "constant":
            return self.constant(left.fact * right.fact)
        for factor, other in ((left, right), (right, left)):
            if factor.operation == "constant" and factor.fact == 1:
                return other
        corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        return self._node("times", (left, right), None, min(corners), max(corners))

    def choose(self, condition: Node, then: Node, other: Node) -> Node:
        """Return one value where a condition holds and another where it does not."""
        if condition is TRUE or then is other:
            return then
        if condition is FALSE:
            return other
        if then.is_flag != other.is_flag:
            raise LanguageError(
                "A name stands for a number on one path and for a flag on another. Use two names.",
            )
        if then.is_flag:
            return self._choose_flag(condition, then, other)
        # What is added under a condition is a sum of conditional amounts.
        if then.operation == "plus" and then.operands[0] is other:
            return self.plus(other, self.choose(condition, then.operands[1], self.constant(0)))
        if other.operation == "plus" and other.operands[0] is then:
            return self.choose(self.negate(condition), other, then)
        if then.operation == "choose" and then.operands[2] is other:
            return self.choose(self.both(condition, then.operands[0]), then.operands[1], other)
        return self._node(
            "choose",
            (condition, then, other),
            None,
            min(then.low, other.low),
            max(then.high, other.high),
        )

    def _choose_flag(self, condition: Node, then: Node, other: Node) -> Node:
        if then is TRUE:
            return self.either(condition, other)
        if then is FALSE:
            return self.both(self.negate(condition), other)
        if other is FALSE:
            return self.both(condition, then)
        if other is TRUE:
            return self.either(self.negate(condition), then)
        return self.either(self.both(condition, then), self.both(self.negate(condition), other))

    def row(self, amounts: tuple[float, ...], size: Node) -> Node:
        """Return the amount of a table for a size; the first amount is that of `size.low`."""
        if size.operation == "constant":
            return self.constant(amounts[0])
        return self._node(
            "row",
            (size,),
            amounts,
            min(amounts),
            max(amounts),
            is_whole=all(amount == int(amount) for amount in amounts),
        )

    def _node(
        self,
        operation: Operation,
        operands: tuple[Node, ...],
        fact: Any,
        low: float,
        high: float,
        *,
        is_flag: bool = False,
        is_whole: bool | None = None,
    ) -> Node:
        key = (operation, operands, fact)
        if key not in self._nodes:
            if is_whole is None:
                is_whole = all(operand.is_whole for operand in operands)
            self._nodes[key] = Node(operation, operands, fact, low, high, is_flag, is_whole)
        return self._nodes[key]


def bounds(feature: Feature) -> tuple[float, float]:
    """Return the smallest and largest code that a column of a feature may hold."""
    if feature.kind == "flag":
        return 0, 1
    if feature.kind == "choice":
        low, high = 0.0, len(feature.choices) - 1.0
    elif feature.minimum is None or feature.maximum is None:
        raise LanguageError(
            f"{feature.name} is {feature.kind}, which no condition can read. Use another feature.",
            feature=feature.name,
        )
    else:
        low, high = feature.minimum, feature.maximum
    return (min(low, NONE_CODE) if feature.optional else low), high
