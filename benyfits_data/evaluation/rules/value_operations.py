"""Arithmetic, comparison and choice of values that depend on the household."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Choice,
    Crash,
    Day,
    Dictionary,
    List,
    Ratio,
    RoundedDown,
    SomeText,
    SortedList,
    UnreadError,
    alternatives,
    is_constant,
)
from benyfits_data.language.ir import FALSE, TRUE, IRBuilder, Node

MOST_NUMBERS = 24
"""Different constants that a choice keeps apart; beyond them it is one number. Sizes have six."""


class Values:
    """Operations on values.

    Args:
        builder: Makes the nodes.
        day_type: How a day is given: as ISO text, or as a number such as 20260131.

    Attributes:
        alive: For which households the program runs on: they reached the place at hand.
        crash: For which households it fails.
    """

    def __init__(self, builder: IRBuilder, day_type: type[str] | type[int] = str) -> None:
        self.builder = builder
        self.day_type = day_type
        self.alive, self.crash = TRUE, FALSE
        self._conjuncts: dict[Node, frozenset[Node]] = {}

    def fail(self, flag: Node) -> None:
        """Note that the program fails where a flag holds."""
        self.crash = self.builder.either(self.crash, self.meet(self.alive, flag))

    def meet(self, left: Node, right: Node) -> Node:
        """Return whether two flags hold, where one may repeat or rule out a part of the other."""
        if TRUE in (left, right) or FALSE in (left, right):
            return self.builder.both(left, right)
        one, two = self._parts(left), self._parts(right)
        if self.builder.negate(left) in two or self.builder.negate(right) in one:
            return FALSE
        small, large = (one, two) if len(one) < len(two) else (two, one)
        if any(self.builder.negate(part) in large for part in small):
            return FALSE
        if two <= one:
            return left
        return right if one <= two else self.builder.both(left, right)

    def _parts(self, flag: Node) -> frozenset[Node]:
        if flag not in self._conjuncts:
            self._conjuncts[flag] = frozenset(self.builder.conjuncts(flag))
        return self._conjuncts[flag]

    def reaches(self, flag: Node) -> bool:
        """Return whether some households that run on may have a flag."""
        return self.meet(self.alive, flag) is not FALSE

    def join(self, pairs: Iterable[tuple[Node, Any]]) -> Any:
        """Return one value for several under their flags; equal ones become one."""
        builder = self.builder
        kept: dict[Any, tuple[Node, Any]] = {}

        def keep(kind: Any, guard: Node, value: Any, choose: Callable[..., Any]) -> None:
            if kind in kept:
                before, held = kept[kind]
                guard, value = builder.either(before, guard), choose(guard, value, held)
            kept[kind] = guard, value

        for guard, part in self._flat(pairs):
            value = builder.constant(part) if isinstance(part, bool) else part
            if isinstance(value, Node) and value.is_flag:
                keep("flag", guard, value, builder.choose)
            elif isinstance(value, Node | Ratio):
                keep("number", guard, value, self.choose)
            else:
                keep((type(value), value), guard, value, lambda guard, value, held: value)
        constants = [kind for kind, (_, value) in kept.items() if isinstance(value, int | float)]
        if "number" in kept or len(constants) > MOST_NUMBERS:
            # Beside a number that depends on the household, constants need not be kept apart.
            for kind in constants:
                keep("number", *kept.pop(kind), self.choose)
        possible = [pair for pair in kept.values() if pair[0] is not FALSE]
        return possible[0][1] if len(possible) == 1 else Choice(tuple(possible))

    def _flat(self, pairs: Iterable[tuple[Node, Any]]) -> Iterator[tuple[Node, Any]]:
        for guard, value in pairs:
            for inner, part in alternatives(value):
                both = self.meet(guard, inner)
                if both is not FALSE:
                    yield both, part

    def merge(self, condition: Node, then: Any, other: Any) -> Any:
        """Return one value where a condition holds and another where it does not."""
        if then is other or condition is TRUE:
            return then
        if condition is FALSE:
            return other
        return self.join([(condition, then), (self.builder.negate(condition), other)])

    def lift(self, work: Callable[..., Any], *values: Any) -> Any:
        """Return what some work makes of values, for all choices among them.

        Args:
            work: Takes values that are no choices; a `Crash` is a failure of the program.
            values: The values.
        """
        results, reached = [], self.alive
        for guard, parts in self._products(values):
            self.alive = self.meet(reached, guard)
            try:
                if any(part is MISSING for part in parts):
                    raise Crash
                if self.alive is not FALSE:
                    results.append((guard, work(*parts)))
            except Crash:
                self.fail(TRUE)
            finally:
                self.alive = reached
        return self.join(results) if results else MISSING

    def _products(self, values: Sequence[Any]) -> Iterator[tuple[Node, tuple[Any, ...]]]:
        if not values:
            yield TRUE, ()
            return
        for guard, first in alternatives(values[0]):
            for rest_guard, rest in self._products(values[1:]):
                both = self.meet(guard, rest_guard)
                if both is not FALSE:
                    yield both, (first, *rest)

    def ratio(self, value: Any) -> Ratio:
        """Return a number as a fraction; a decimal constant stands for what is printed."""
        builder = self.builder
        if isinstance(value, Ratio):
            return value
        if isinstance(value, Node):
            one, none = builder.constant(1), builder.constant(0)
            return Ratio(builder.choose(value, one, none) if value.is_flag else value, 1)
        if isinstance(value, bool | int):
            return Ratio(builder.constant(int(value)), 1)
        if isinstance(value, float) and math.isfinite(value):
            exact = Fraction(repr(value))
            return Ratio(builder.constant(exact.numerator), exact.denominator)
        if value is None or isinstance(value, str | tuple | List | SortedList | Dictionary):
            raise Crash
        raise UnreadError("this as a number")

    def choose(self, condition: Node, then: Any, other: Any) -> Any:
        """Return one number where a condition holds and another where it does not."""
        one, two = self._common(self.ratio(then), self.ratio(other))
        return _reduced(Ratio(self.builder.choose(condition, one.node, two.node), one.denominator))

    def add(self, left: Any, right: Any, sign: int = 1) -> Any:
        """Return a sum, or with sign -1 a difference."""
        one, two = self._common(self.ratio(left), self.ratio(right))
        work = self.builder.plus if sign > 0 else self.builder.minus
        return _reduced(Ratio(work(one.node, two.node), one.denominator))

    def multiply(self, left: Any, right: Any) -> Any:
        """Return a product."""
        one, two = self.ratio(left), self.ratio(right)
        node = self.builder.times(one.node, two.node)
        return _reduced(Ratio(node, one.denominator * two.denominator))

    def divide(self, left: Any, right: Any) -> Any:
        """Return a quotient by a constant."""
        divisor = self.ratio(right)
        if divisor.node.operation != "constant":
            raise UnreadError("a division by what depends on the household")
        if divisor.node.fact == 0:
            raise Crash
        sign = 1 if divisor.node.fact > 0 else -1
        one = self.ratio(left)
        node = self.builder.times(one.node, self.builder.constant(sign * divisor.denominator))
        return _reduced(Ratio(node, one.denominator * abs(divisor.node.fact)))

    def floor(self, value: Any) -> Any:
        """Return a number rounded down."""
        number = self.ratio(value)
        if not number.node.is_whole:
            raise UnreadError("a decimal number rounded")
        return number.node if number.denominator == 1 else RoundedDown(number)

    def less(self, left: Any, right: Any) -> Node:
        """Return whether a value is below another."""
        if isinstance(left, Day) or isinstance(right, Day):
            return self.builder.less(self.day(left, right), self.day(right, left))
        if isinstance(left, RoundedDown):
            # Whole numbers: n // d < k just where n < k * d, and k < n // d where k + 1 <= n / d.
            return self.less(left.whole, self.whole(right))
        if isinstance(right, RoundedDown):
            above = self.less(right.whole, self.add(self.whole(left), 1))
            return self.builder.negate(above)
        if is_constant(left) and is_constant(right):
            try:
                return self.builder.constant(bool(left < right))
            except TypeError as error:
                raise Crash from error
        one, two = self._common(self.ratio(left), self.ratio(right))
        return self.builder.less(one.node, two.node)

    def same(self, left: Any, right: Any) -> Node:
        """Return whether two values are equal, as `==` has it."""
        if isinstance(left, Day) or isinstance(right, Day):
            try:
                return self.builder.equal(self.day(left, right), self.day(right, left))
            except Crash:
                return FALSE
        if any(
            isinstance(part, SomeText | RoundedDown | List | SortedList | Dictionary)
            for part in (left, right)
        ):
            raise UnreadError("a comparison of lists, of rounded numbers or of texts made")
        flags = self.flag(left), self.flag(right)
        if flags[0] is not None and flags[1] is not None:
            return self.builder.equal(flags[0], flags[1])
        numbers = (Node, Ratio, int, float)
        is_open = isinstance(left, Node | Ratio) or isinstance(right, Node | Ratio)
        if is_open and isinstance(left, numbers) and isinstance(right, numbers):
            one, two = self._common(self.ratio(left), self.ratio(right))
            return self.builder.equal(one.node, two.node)
        # Python takes 1, 1.0 and True for one another, and values of other types never.
        is_alike = type(left) is type(right) or (
            isinstance(left, int | float) and isinstance(right, int | float)
        )
        return self.builder.constant(is_alike and bool(left == right))

    def flag(self, value: Any) -> Node | None:
        """Return a truth value as a node; `None` for other values."""
        if isinstance(value, bool):
            return self.builder.constant(value)
        return value if isinstance(value, Node) and value.is_flag else None

    def truth(self, value: Any) -> Node:
        """Return whether `if` takes a value that is no choice for true."""
        flag = self.flag(value)
        if flag is not None:
            return flag
        if isinstance(value, Node | Ratio):
            node = value.node if isinstance(value, Ratio) else value
            return self.builder.negate(self.builder.equal(node, self.builder.constant(0)))
        if isinstance(value, List | SortedList):
            return self.builder.any_of(guard for guard, _ in value.pairs)
        if isinstance(value, SomeText | RoundedDown):
            raise UnreadError("a rounded number or a text made, as a condition,")
        is_plain = is_constant(value) or isinstance(value, tuple)
        return self.builder.constant(bool(value) if is_plain else True)

    def day(self, value: Any, other: Any) -> Node:
        """Return a day's ordinal, beside another of the same kind."""
        is_date = next(part.is_date for part in (other, value) if isinstance(part, Day))
        if isinstance(value, Day) and value.is_date is is_date:
            return value.node
        if is_date or type(value) is not self.day_type:
            raise Crash
        return self.read_day(value).node

    def read_day(self, value: Any) -> Day:
        """Return the day that a program writes as days are given."""
        try:
            if len(str(value)) != (10 if self.day_type is str else 8):
                raise ValueError("no day")
            return Day(self.builder.constant(date.fromisoformat(str(value))))
        except ValueError as error:
            raise UnreadError(f"{value!r} as a day") from error

    def whole(self, value: Any) -> Any:
        """Return a whole number to compare a rounded one with."""
        number = self.ratio(value)
        if number.denominator != 1 or not number.node.is_whole:
            raise UnreadError("a rounded number beside one that may be no whole number")
        return number.node

    def _common(self, one: Ratio, two: Ratio) -> tuple[Ratio, Ratio]:
        """Two fractions with the same denominator."""
        whole = math.lcm(one.denominator, two.denominator)
        parts = []
        for part in (one, two):
            factor = self.builder.constant(whole // part.denominator)
            parts.append(Ratio(self.builder.times(part.node, factor), whole))
        return parts[0], parts[1]


def _reduced(value: Ratio) -> Any:
    return value.node if value.denominator == 1 else value
