"""Values of a program that runs for all households at once.

A value is what Python would have (a number, a word, nothing, a function), a node (a number or flag
that depends on the household), a fraction of a node, a person, a list whose items are there for
some households only, or a choice among such values, each under the flag that it is the one.
"""

import ast
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Literal

from benyfits_data.language.ir import FALSE, TRUE, IRBuilder, Node

MOST_NUMBERS = 24
"""Different constants that a choice keeps apart; beyond them it is one number. Sizes have six."""


@dataclass(frozen=True)
class Ratio:
    """A number that is a node divided by a whole number above 0."""

    node: Node
    denominator: int


@dataclass(frozen=True)
class Person:
    """The member at a position."""

    position: int


@dataclass(frozen=True)
class Whole:
    """The household itself."""


@dataclass(frozen=True)
class Day:
    """A day, its ordinal: given as text or as a number, or made a date by the program."""

    node: Node
    is_date: bool = False


@dataclass(frozen=True)
class RoundedDown:
    """A fraction rounded down; it can be compared, and no more."""

    whole: Ratio


@dataclass(frozen=True, eq=False)
class SomeText:
    """Text made of values that depend on the household; nothing may hang on what it says."""


@dataclass(frozen=True)
class Reference:
    """A list, set or dictionary that the program made: its place among those it made."""

    place: int


@dataclass(frozen=True)
class Items:
    """Values in order, each there under a flag.

    Attributes:
        pairs: The flags and values.
        order: `sorted` and `reversed` lists are known by their ends only; a `set` holds no value
            twice.
        key: What they are sorted by.
    """

    pairs: tuple[tuple[Node, Any], ...]
    order: Literal["given", "sorted", "reversed", "set"] = "given"
    key: Any = None


@dataclass(frozen=True, eq=False)
class Generator:
    """A generator expression, and the call whose names it sees: nothing of it has run."""

    node: ast.GeneratorExp
    frame: Any


@dataclass(frozen=True)
class Choice:
    """One of several values, each under a flag; exactly one flag holds where the value is used."""

    pairs: tuple[tuple[Node, Any], ...]


class Unset:
    """What a name or an entry holds that was never set; using it is an error of the program."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Unset()


class Crash(Exception):
    """The program fails in Python for the households at hand."""


def alternatives(value: Any) -> Iterator[tuple[Node, Any]]:
    """Yield the values that a value may be, each under its flag."""
    if isinstance(value, Choice):
        yield from value.pairs
    else:
        yield TRUE, value


class Values:
    """Operations on values.

    Args:
        builder: Makes the nodes.
        day_type: How a day is given: as ISO text, or as a number such as 20260131.
    """

    def __init__(self, builder: IRBuilder, day_type: type[str] | type[int] = str) -> None:
        self.builder = builder
        self.day_type = day_type
        self._conjuncts: dict[Node, frozenset[Node]] = {}

    def meet(self, left: Node, right: Node) -> Node:
        """Return whether two flags hold, where one may repeat or rule out a part of the other."""
        if TRUE in (left, right) or FALSE in (left, right):
            return self.builder.both(left, right)
        one, two = self._parts(left), self._parts(right)
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

    def join(self, pairs: Iterable[tuple[Node, Any]]) -> Any:
        """Return one value for several under their flags; equal ones become one."""
        builder = self.builder
        kept: dict[Any, tuple[Node, Any]] = {}
        flag: Node | None = None
        number: tuple[Node, Any] | None = None
        for guard, part in self._flat(pairs):
            value = builder.constant(part) if isinstance(part, bool) else part
            if isinstance(value, Node) and value.is_flag:
                flag = value if flag is None else builder.choose(guard, value, flag)
                number_guard = kept.pop("flag", (FALSE, None))[0]
                kept["flag"] = builder.either(number_guard, guard), flag
            elif isinstance(value, Node | Ratio):
                number = (
                    (guard, value)
                    if number is None
                    else (builder.either(number[0], guard), self.choose(guard, value, number[1]))
                )
            else:
                key = (type(value).__name__, value) if _is_hashable(value) else id(value)
                before = kept[key][0] if key in kept else FALSE
                kept[key] = builder.either(before, guard), value
        found = list(kept.values())
        constants = [pair for pair in found if _is_number(pair[1])]
        if number is not None or len(constants) > MOST_NUMBERS:
            # Beside a number that depends on the household, constants need not be kept apart.
            for guard, value in constants:
                if isinstance(value, float) and not math.isfinite(value):
                    continue
                found.remove((guard, value))
                number = (
                    (guard, self.ratio(value))
                    if number is None
                    else (builder.either(number[0], guard), self.choose(guard, value, number[1]))
                )
        if number is not None:
            found.append(number)
        found = [pair for pair in found if pair[0] is not FALSE]
        return found[0][1] if len(found) == 1 else Choice(tuple(found))

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

    def lift(
        self, work: Callable[..., Any], alive: Node, fail: Callable[[Node, str], None], *values: Any
    ) -> Any:
        """Return what some work makes of values, for every choice among them.

        Args:
            work: Takes values that are no choices; a `Crash` is a failure of the program.
            alive: For which households it is done.
            fail: Notes for which households the program fails, and why.
            values: The values.
        """
        found = []
        for guard, parts in self._products(values):
            here = self.meet(alive, guard)
            if here is FALSE:
                continue
            try:
                if any(isinstance(part, Unset) for part in parts):
                    raise Crash("a name or key without a value")
                found.append((guard, work(*parts)))
            except Crash as crash:
                fail(here, str(crash))
        return self.join(found) if found else MISSING

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
        if isinstance(value, RoundedDown):
            raise NotImplementedError("a rounded number that depends on the household")
        raise Crash(f"{_name(value)} is no number")

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
            raise NotImplementedError("a division by what depends on the household")
        if divisor.node.fact == 0:
            raise Crash("division by zero")
        sign = 1 if divisor.node.fact > 0 else -1
        one = self.ratio(left)
        node = self.builder.times(one.node, self.builder.constant(sign * divisor.denominator))
        return _reduced(Ratio(node, one.denominator * abs(divisor.node.fact)))

    def floor(self, value: Any) -> Any:
        """Return a number rounded down."""
        number = self.ratio(value)
        if not number.node.is_whole:
            raise NotImplementedError("a decimal number rounded")
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
        if _is_plain(left) and _is_plain(right):
            try:
                return self.builder.constant(bool(left < right))
            except TypeError as error:
                raise Crash(str(error)) from error
        for one, other, answer in ((left, right, False), (right, left, True)):
            if isinstance(one, float) and math.isinf(one):
                self.ratio(other)
                return self.builder.constant(answer if one > 0 else not answer)
        one, two = self._common(self.ratio(left), self.ratio(right))
        return self.builder.less(one.node, two.node)

    def same(self, left: Any, right: Any) -> Node:
        """Return whether two values are equal, as `==` has it."""
        if isinstance(left, Day) or isinstance(right, Day):
            try:
                return self.builder.equal(self.day(left, right), self.day(right, left))
            except Crash:
                return FALSE
        if isinstance(left, SomeText) or isinstance(right, SomeText):
            raise NotImplementedError("text made of values")
        if isinstance(left, RoundedDown) or isinstance(right, RoundedDown):
            apart = self.builder.either(self.less(left, right), self.less(right, left))
            return self.builder.negate(apart)
        flags = self.flag(left), self.flag(right)
        if flags[0] is not None and flags[1] is not None:
            return self.builder.equal(flags[0], flags[1])
        numbers = (Node, Ratio, bool, int, float)
        is_open = isinstance(left, Node | Ratio) or isinstance(right, Node | Ratio)
        if is_open and isinstance(left, numbers) and isinstance(right, numbers):
            if any(isinstance(part, float) and not math.isfinite(part) for part in (left, right)):
                return FALSE
            one, two = self._common(self.ratio(left), self.ratio(right))
            return self.builder.equal(one.node, two.node)
        if isinstance(left, Items) or isinstance(right, Items):
            raise NotImplementedError("a comparison of lists")
        is_alike = type(left) is type(right) or (_is_number(left) and _is_number(right))
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
        if isinstance(value, Items):
            return self.builder.any_of(guard for guard, _ in value.pairs)
        if isinstance(value, Unset):
            raise Crash("a name without a value")
        if isinstance(value, SomeText):
            raise NotImplementedError("text made of values")
        if isinstance(value, RoundedDown):
            return self.builder.negate(self.same(value, 0))
        return self.builder.constant(bool(value) if _is_plain(value) else True)

    def day(self, value: Any, other: Any) -> Node:
        """Return a day's ordinal, beside another of the same kind."""
        is_date = next(part.is_date for part in (other, value) if isinstance(part, Day))
        if isinstance(value, Day) and value.is_date is is_date:
            return value.node
        if is_date or type(value) is not self.day_type:
            raise Crash(f"a day beside {_name(value)}")
        return self.read_day(value).node

    def read_day(self, value: Any) -> Day:
        """Return the day that a program writes as days are given."""
        try:
            if len(str(value)) != (10 if self.day_type is str else 8):
                raise ValueError("no day")
            return Day(self.builder.constant(date.fromisoformat(str(value))))
        except ValueError as error:
            raise NotImplementedError(f"{value!r} as a day") from error

    def whole(self, value: Any) -> Any:
        """Return a whole number to compare a rounded one with."""
        number = self.ratio(value)
        if number.denominator != 1 or not number.node.is_whole:
            raise NotImplementedError("a rounded number beside one that may be no whole number")
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


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str | tuple)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _name(value: Any) -> str:
    names = {"NoneType": "None", "Items": "a list", "Person": "a member", "str": "text"}
    return names.get(type(value).__name__, type(value).__name__)
