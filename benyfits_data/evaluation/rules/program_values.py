"""What a judged program computes with, as formulas: facts, numbers, words, lists, tables.

A value that hangs on the household is a formula, or `Cases`: a value for each of some conditions
that exclude each other. What Python would do with a value and is not defined here is refused.
"""

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from itertools import product
from typing import Any

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules.program_runs import MEMBERS
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.language.ir import FALSE, TRUE, IRBuilder, Node
from benyfits_data.language.symbolic_execution import HouseholdArgument, MemberArgument

TENTHS = 10
"""Decimal facts have one decimal."""
MOST_CASES = 512
MOST_VALUES = 64
"""Values of a number that is used as a key or an index, and rounds of a `while` loop."""
_EXACT, _MOST_PARTS = 2**40, 1000
"""Below, two different quotients of whole numbers are different floats, in the same order."""
_FLOATS = {"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv}
Guarded = tuple[Node, Any]
"""A condition, and what a value is, or what stands in a list, where it holds."""


@dataclass(frozen=True)
class Cases:
    """A value for each of some conditions."""

    pairs: tuple[Guarded, ...]


@dataclass(frozen=True)
class Items:
    """A `list`, `tuple` or `set`; each item is there where its condition holds."""

    items: tuple[Guarded, ...]
    kind: str = "list"


@dataclass(frozen=True)
class Day:
    """A day, which a program knows as ISO text; the number is its ordinal."""

    number: Node


@dataclass(frozen=True)
class Quotient:
    """A whole number divided by a constant."""

    top: Node
    bottom: int


@dataclass(frozen=True)
class Range:
    """The whole numbers from `start` to before `stop`."""

    start: Node
    stop: Node


class Opaque:
    """A type, or a text that nobody looks at: it may be kept, and nothing else."""


OPAQUE = Opaque()


def is_whole(value: Any) -> bool:
    """Return whether a value is a formula for a whole number."""
    return isinstance(value, Node) and not value.is_flag and value.is_whole


@dataclass
class Values:
    """What Python's operators do to values, for the households that run a place of a program.

    Attributes:
        builder: Makes the formulas.
        places: The most members of a household.
        alive: Which households run here.
        crashes: Conditions under which the program fails.
    """

    builder: IRBuilder
    places: int
    alive: Node = TRUE
    crashes: list[Node] = field(default_factory=list)

    @contextmanager
    def under(self, condition: Node) -> Iterator[None]:
        """Look at what a part does where a condition holds."""
        before, self.alive = self.alive, self.builder.both(self.alive, condition)
        try:
            yield
        finally:
            self.alive = before

    def crash(self, condition: Node = TRUE) -> None:
        """Note that the program fails here where a condition holds."""
        self.crashes.append(self.builder.both(self.alive, condition))

    # Values that hang on conditions

    def choose(self, condition: Node, then: Any, other: Any) -> Any:
        """Return one value where a condition holds and another where it does not."""
        return self.cases([(condition, then), (self.builder.negate(condition), other)])

    def cases(self, pairs: Iterable[Guarded]) -> Any:
        """Return the value that is each of some where its condition holds, as one if possible."""
        merged: list[Guarded] = []
        flat = [*self._flat(pairs)]
        if len(flat) > 2 and all(isinstance(value, Node) and value.is_flag for _, value in flat):
            return self._flag(flat)
        for guard, value in flat:
            for place, (before, other) in enumerate(merged):
                joined = self._one(guard, value, other)
                if joined is not NotImplemented:
                    merged[place] = self.builder.either(before, guard), joined
                    break
            else:
                merged.append((guard, value))
        if len(merged) > MOST_CASES:
            raise LanguageError(f"a value of {len(merged)} cases")
        return merged[0][1] if len(merged) == 1 else Cases(tuple(merged))

    def _flag(self, pairs: list[Guarded]) -> Node:
        """A truth value of many cases, told by those that are fewer."""
        builder = self.builder
        if 2 * sum(value is TRUE for _, value in pairs) <= len(pairs):
            return builder.any_of(builder.both(guard, value) for guard, value in pairs)
        others = (builder.both(guard, builder.negate(value)) for guard, value in pairs)
        return builder.negate(builder.any_of(others))

    def _flat(self, pairs: Iterable[Guarded]) -> Iterator[Guarded]:
        for guard, value in pairs:
            if guard is FALSE:
                continue
            if isinstance(value, Cases):
                for inner, case in value.pairs:
                    yield self.builder.both(guard, inner), case
            else:
                yield guard, value

    def _one(self, guard: Node, value: Any, other: Any) -> Any:
        """The value that is the first under a condition and else the other, if that is one."""
        both, builder = self.builder.both, self.builder
        if value is other:
            return value
        if type(value) is not type(other):
            return NotImplemented
        if isinstance(value, Node):
            is_alike = value.is_flag == other.is_flag and value.is_whole and other.is_whole
            return builder.choose(guard, value, other) if is_alike else NotImplemented
        if isinstance(value, Items) and value.kind == other.kind:
            n = 0
            for mine, theirs in zip(value.items, other.items, strict=False):
                if mine != theirs:
                    break
                n += 1
            rest = [(both(builder.negate(guard), at), item) for at, item in other.items[n:]]
            more = [(both(guard, at), item) for at, item in value.items[n:]]
            return Items((*value.items[:n], *rest, *more), value.kind)
        if isinstance(value, dict) and [*value] == [*other]:
            return {key: self.choose(guard, value[key], other[key]) for key in value}
        if isinstance(value, str | float | type(None) | MemberArgument) and value == other:
            return value
        return NotImplemented

    def lift(self, function: Callable[..., Any], *values: Any) -> Any:
        """Return what a function makes of values, case by case."""
        if not any(isinstance(value, Cases) for value in values):
            return function(*values)
        result = []
        cases = [value.pairs if isinstance(value, Cases) else [(TRUE, value)] for value in values]
        if math.prod(map(len, cases)) > MOST_CASES:
            raise LanguageError("what has so many cases")
        for row in product(*cases):
            guard = self.all_of(guard for guard, _ in row)
            if self.builder.both(self.alive, guard) is not FALSE:
                with self.under(guard):
                    result.append((guard, function(*(value for _, value in row))))
        return self.cases(result)

    def all_of(self, flags: Iterable[Node]) -> Node:
        """Return whether all of some conditions hold."""
        result = TRUE
        for flag in flags:
            result = self.builder.both(result, flag)
        return result

    def constants(self, value: Any) -> list[Guarded]:
        """Return each constant that a value may be, and where: for keys and indices."""
        builder = self.builder
        if isinstance(value, Cases):
            return [
                (builder.both(guard, at), constant)
                for guard, case in value.pairs
                for at, constant in self.constants(case)
            ]
        if isinstance(value, Items) and value.kind == "tuple" and self.is_fixed(value):
            rows = product(*(self.constants(item) for _, item in value.items))
            return [(self.all_of(at for at, _ in row), tuple(v for _, v in row)) for row in rows]
        if isinstance(value, Node) and value.is_flag:
            both = [(value, True), (builder.negate(value), False)]
            return [(guard, flag) for guard, flag in both if guard is not FALSE]
        if is_whole(value) and value.high - value.low < MOST_VALUES:
            numbers = range(int(value.low), int(value.high) + 1)
            each = [(builder.equal(value, builder.constant(number)), number) for number in numbers]
            return [(guard, number) for guard, number in each if guard is not FALSE]
        if isinstance(value, str | float | type(None)):
            return [(TRUE, value)]
        raise LanguageError("such a key")

    def constant(self, value: Any) -> Any:
        """Return a value that is a constant as Python has it."""
        each = self.constants(value)
        if len(each) != 1:
            raise LanguageError("what hangs on the household, where a constant is due,")
        return each[0][1]

    def is_fixed(self, items: Items) -> bool:
        """Return whether all households have the same items."""
        return all(guard is TRUE for guard, _ in items.items)

    # Facts

    def fact(self, owner: HouseholdArgument | MemberArgument, name: Any) -> Any:
        """Return a fact of the household or of a member; `NotImplemented` if it has none such."""
        builder = self.builder
        position = owner.position if isinstance(owner, MemberArgument) else None
        if position is None and name == MEMBERS:
            rows = range(self.places)
            return Items(tuple((builder.present(row), MemberArgument(row)) for row in rows))
        feature = (HOUSEHOLD_FEATURES if position is None else MEMBER_FEATURES).get(name)
        if feature is None:
            return NotImplemented
        if feature.kind == "text":
            raise LanguageError("free text")
        node = builder.feature(name, position)
        if feature.kind == "choice":
            pairs: list[Guarded] = [
                (builder.equal(node, builder.constant(feature.encode(word))), word)
                for word in feature.choices
            ]
        else:
            value = Day(node) if feature.kind == "date" else node
            pairs = [(builder.negate(builder.is_none(node)) if feature.optional else TRUE, value)]
        if feature.optional:
            pairs.append((builder.is_none(node), None))
        return self.cases(pairs)

    # Truth, comparisons, arithmetic

    def truth(self, value: Any) -> Node:
        """Return whether Python takes a value for true."""
        builder = self.builder
        match value:
            case Cases(pairs):
                return builder.any_of(builder.both(at, self.truth(case)) for at, case in pairs)
            case Node(is_flag=True):
                return value
            case Node():
                return builder.negate(self.equal(value, builder.constant(0)))
            case Items(items):
                return builder.any_of(guard for guard, _ in items)
            case str() | float() | dict() | None:
                return builder.constant(bool(value))
            case MemberArgument() | HouseholdArgument() | Day():
                return TRUE
        raise LanguageError("the truth of such a value")

    def number(self, value: Any) -> Any:
        """Return a truth value as a number, and other values as they are."""
        if isinstance(value, Node) and value.is_flag:
            return self.builder.choose(value, self.builder.constant(1), self.builder.constant(0))
        return value

    def equal(self, one: Any, other: Any) -> Node:
        """Return whether `==` holds, of values without cases."""
        builder = self.builder
        if isinstance(one, Node) and isinstance(other, Node) and one.is_flag and other.is_flag:
            return builder.equal(one, other)
        one, other = self.number(one), self.number(other)
        if isinstance(one, str | None) and isinstance(other, str | None):
            return builder.constant(one == other)
        if is_whole(one) and is_whole(other):
            return builder.equal(one, other)
        for day, text in ((one, other), (other, one)):
            if isinstance(day, Day):
                number = self._day(text)
                return FALSE if number is None else builder.equal(day.number, number)
        if self._is_number(one) and self._is_number(other):
            return builder.negate(builder.either(self.less(one, other), self.less(other, one)))
        if all(self._is_number(value) or isinstance(value, str | None) for value in (one, other)):
            return FALSE
        raise LanguageError("whether such values are alike")

    def less(self, one: Any, other: Any) -> Node:
        """Return whether `one < other` holds, of values without cases."""
        builder = self.builder
        one, other = self.number(one), self.number(other)
        if self._is_number(one) and self._is_number(other):
            return self._less(one, other)
        if isinstance(one, str) and isinstance(other, str):
            return builder.constant(one < other)
        if isinstance(one, Day) or isinstance(other, Day):
            first, second = self._day(one), self._day(other)
            if first is not None and second is not None:
                return builder.less(first, second)
        if one is None or other is None:
            self.crash()
            return FALSE
        raise LanguageError("the order of such values")

    def _is_number(self, value: Any) -> bool:
        return isinstance(value, float | Quotient | Node)

    def _less(self, left: Any, right: Any) -> Node:
        builder, low, high = self.builder, self._limit(left), self._limit(right)
        if is_whole(left) and is_whole(right):
            return builder.less(left, right)
        if low is not None and high is not None:
            return builder.constant(low < high)
        if high is not None:
            return self._below(left, high)
        if low is not None:
            # Not at most the limit: not below the next number above it.
            return builder.negate(self._below(right, math.nextafter(low, math.inf)))
        if (
            isinstance(left, Quotient)
            and isinstance(right, Quotient)
            and left.bottom == right.bottom
        ):
            return builder.less(self._top(left), self._top(right))
        if isinstance(left, Quotient) and is_whole(right):
            return builder.less(self._top(left), self._top(self.scaled(right, left.bottom)))
        if isinstance(right, Quotient) and is_whole(left):
            return builder.less(self._top(self.scaled(left, right.bottom)), self._top(right))
        raise LanguageError("two such numbers side by side")

    def _limit(self, value: Any) -> Any:
        """A number that is the same for all households."""
        if isinstance(value, Node):
            return value.fact if value.operation == "constant" else None
        if isinstance(value, float):
            if not math.isfinite(value):
                raise LanguageError("a number without end")
            return value
        return None

    def _below(self, number: Any, limit: float) -> Node:
        """Whether a number that hangs on the household is below a constant, as Python rounds."""
        builder = self.builder
        if is_whole(number):
            return builder.less(number, builder.constant(limit))
        if isinstance(number, Quotient):
            return builder.less(self._top(number), builder.constant(_steps(limit, number.bottom)))
        # A decimal fact: between two tenths, so that it does not hang on how they are rounded.
        return builder.less(number, builder.constant((_steps(limit, TENTHS) - 0.5) / TENTHS))

    def _top(self, value: Any) -> Node:
        top: Node = value.top if isinstance(value, Quotient) else value
        if max(abs(top.low), abs(top.high)) >= _EXACT:
            raise LanguageError("a quotient of such large numbers")
        return top

    def _day(self, value: Any) -> Node | None:
        """A day, or text that names one, as a number; `None` where it is neither."""
        if isinstance(value, Day):
            return value.number
        if not isinstance(value, str):
            return None
        try:
            day = date.fromisoformat(value)
        except ValueError:
            day = None
        if day is None or day.isoformat() != value:
            raise LanguageError("a day beside other text")
        return self.builder.constant(day)

    def scaled(self, number: Node, factor: int) -> Node:
        """Return a number times a constant."""
        return self.builder.times(number, self.builder.constant(factor))

    def calculate(self, sign: str, one: Any, other: Any) -> Any:
        """Return what an operator makes of two values without cases."""
        builder = self.builder
        are_flags = all(isinstance(value, Node) and value.is_flag for value in (one, other))
        if are_flags and sign in ("BitOr", "BitAnd"):
            return builder.either(one, other) if sign == "BitOr" else builder.both(one, other)
        one, other = self.number(one), self.number(other)
        if is_whole(one) and is_whole(other):
            match sign:
                case "Add":
                    return builder.plus(one, other)
                case "Sub":
                    return builder.minus(one, other)
                case "Mult" if "constant" in (one.operation, other.operation):
                    return builder.times(one, other)
                case "Div" if other.operation == "constant":
                    return self._quotient(one, other.fact)
        limits = self._limit(one), self._limit(other)
        if None not in limits and sign in _FLOATS:
            return _FLOATS[sign](*limits)
        if sign == "Add" and isinstance(one, str) and isinstance(other, str):
            return one + other
        are_items = isinstance(one, Items) and isinstance(other, Items) and one.kind == other.kind
        if sign == "Add" and are_items:
            return Items(one.items + other.items, one.kind)
        if one is None or other is None:
            self.crash()
            return builder.constant(0)
        raise LanguageError("such a calculation")

    def _quotient(self, top: Node, bottom: int) -> Any:
        if not 0 < bottom <= _MOST_PARTS:
            raise LanguageError(f"a division by {bottom}")
        return top.fact / bottom if top.operation == "constant" else Quotient(top, bottom)

    # Lists

    def length(self, value: Any) -> Node:
        """Return how many items a household has, of a value without cases."""
        builder, count = self.builder, self.builder.constant(0)
        if isinstance(value, dict | str):
            return builder.constant(len(value))
        if not isinstance(value, Items) or value.kind == "set":
            raise LanguageError("the length of such a value")
        for guard, _ in value.items:
            count = builder.plus(count, self.number(guard))
        return count

    def first(self, pairs: Iterable[Guarded], *default: Any) -> Any:
        """Return the first item that is there, or the default; without one it fails."""
        builder, outer, taken, result = self.builder, self.alive, FALSE, list[Guarded]()
        for guard, value in pairs:
            result.append((builder.both(guard, builder.negate(taken)), value))
            taken = builder.either(taken, guard)
            self.alive = builder.both(outer, builder.negate(taken))
        self.alive = outer
        missing = builder.negate(taken)
        if not default:
            self.crash(missing)
        return self.cases([*result, *((missing, value) for value in default)])

    def item(self, items: Items, place: int) -> Any:
        """Return the item at a place, from the end if it is below 0."""
        ordered = items.items if place >= 0 else items.items[::-1]
        n = place if place >= 0 else -place - 1
        return self.first(self._between(ordered, n, n + 1))

    def part(self, items: Items, start: int, stop: int | None) -> Items:
        """Return the items from one place to another."""
        if {type(start), type(stop)} - {int, type(None)}:
            raise LanguageError("such a part")
        most = len(items.items) if stop is None else stop
        return Items(tuple(self._between(items.items, start, most)), items.kind)

    def _between(self, items: Iterable[Guarded], start: int, stop: int) -> Iterator[Guarded]:
        """Yield the items with at least `start` and fewer than `stop` others before them."""
        builder = self.builder
        if start < 0 or stop < 0:
            raise LanguageError("a part counted from the end")
        before = [TRUE] + [FALSE] * stop  # Where so many came before.
        for guard, value in items:
            if stop:
                yield builder.both(guard, builder.any_of(before[start:stop])), value
            for n in range(stop, 0, -1):
                before[n] = builder.choose(guard, before[n - 1], before[n])
            before[0] = builder.both(before[0], builder.negate(guard))

    def has(self, container: Any, value: Any) -> Node:
        """Return whether `value in container` holds, of values without cases."""
        builder = self.builder
        match container:
            case Items(items):
                each = (builder.both(at, self.alike(item, value)) for at, item in items)
                return builder.any_of(each)
            case Range(start, stop) if is_whole(value):
                return builder.both(
                    builder.negate(builder.less(value, start)), builder.less(value, stop)
                )
            case dict():
                return builder.any_of(at for at, key in self.constants(value) if key in container)
            case str() if isinstance(value, str):
                return builder.constant(value in container)
        raise LanguageError("`in` of such a value")

    def alike(self, one: Any, other: Any) -> Node:
        """Return whether `==` holds."""
        return self.truth(self.lift(self.equal, one, other))

    def extreme(self, pairs: Iterable[Guarded], is_least: bool, *default: Any) -> Any:
        """Return the least or greatest of numbers, or of truth values; without any it fails."""
        builder, seen, best = self.builder, FALSE, None
        for guard, value in pairs:
            if not (isinstance(value, Node) and value.is_whole):
                raise LanguageError("the least or greatest of such values")
            if best is None:
                best, seen = value, guard
                continue
            if value.is_flag != best.is_flag:
                raise LanguageError("truth values beside numbers")
            number, best_number = self.number(value), self.number(best)
            better = self.less(number, best_number) if is_least else self.less(best_number, number)
            taken = builder.both(guard, builder.either(builder.negate(seen), better))
            best, seen = builder.choose(taken, value, best), builder.either(seen, guard)
        if not default:
            self.crash(builder.negate(seen))
            default = (best,)
        return self.choose(seen, best, default[0])

    def keyed(self, table: Mapping[Any, Any], key: Any, *default: Any) -> Any:
        """Return what a table holds for a key, or the default; without one it fails."""
        pairs = []
        for guard, constant in self.constants(key):
            if constant in table:
                pairs.append((guard, table[constant]))
            elif default:
                pairs.append((guard, default[0]))
            else:
                self.crash(guard)
        return self.cases(self._rowed(pairs, key))

    def _rowed(self, pairs: list[Guarded], key: Any) -> list[Guarded]:
        """Numbers by a number, as the checkers' own tables are: so both sides share formulas."""
        if not is_whole(key) or key.operation == "constant":
            return pairs
        amounts = {at: value.fact for at, value in pairs
                   if is_whole(value) and value.operation == "constant"}  # fmt: skip
        if len(amounts) < len(pairs) or not pairs:
            return pairs
        numbers = range(int(key.low), int(key.high) + 1)
        equal = (self.builder.equal(key, self.builder.constant(number)) for number in numbers)
        return [(TRUE, self.builder.row(tuple(amounts.get(at, 0) for at in equal), key))]


def _steps(limit: float, parts: int) -> int:
    """Return the least whole number that, divided by `parts`, Python takes for no less."""
    number = math.ceil(limit * parts)
    while (number - 1) / parts >= limit:
        number -= 1
    while number / parts < limit:
        number += 1
    return number
