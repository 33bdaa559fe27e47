"""Functions and methods of Python that a program may call on what depends on the household.

Each takes the `Call` at hand and the values of its arguments. Python's own signature rules hold:
arguments that a function here does not take are refused, and the program is run instead.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial, wraps
from typing import Any

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Crash,
    Day,
    Generator,
    Items,
    Person,
    Ratio,
    Reference,
    Whole,
    alternatives,
)
from benyfits_data.language.ir import FALSE, TRUE, Node

Pairs = Sequence[tuple[Node, Any]]


@dataclass(frozen=True)
class Call:
    """A call as it is read.

    Attributes:
        reader: The reader of `function_reader.py`, which imports this module.
        alive: For which households it is made.
    """

    reader: Any
    alive: Node

    def refuse(self, what: str) -> LanguageError:
        """Return the error for a call that cannot be read."""
        error: LanguageError = self.reader.refuse(what)
        return error

    def items(self, value: Any, ended: Callable[[], Node] = lambda: FALSE) -> Any:
        """Yield what a value holds, asked no further than needed; each value under its flag."""
        if isinstance(value, Generator):
            return self.reader.rounds(value.node, self.alive, value.frame, ended)
        return iter(self.reader.all_items(value, self.alive).pairs)

    def add(self, left: Any, right: Any, here: Node) -> Any:
        """Return a sum for some of the households."""
        return self.reader.operate(ast.Add(), left, right, here)


def _of_values(work: Callable[..., Any]) -> Callable[..., Any]:
    """A function of values that are no choices, read for each choice among them."""

    @wraps(work)
    def read(call: Call, *values: Any) -> Any:
        return call.reader.lift(partial(work, call), call.alive, *values)

    return read


def call_method(
    call: Call, owner: Any, name: str, arguments: Sequence[Any], named: Mapping[str, Any]
) -> Any:
    """Return what a method returns; lists and tables of the program may change.

    Raises:
        LanguageError: The method cannot be read.
    """
    if named:
        raise call.refuse(f"`.{name}()` with named arguments")
    if getattr(owner, "name", "") == "date" and name == "fromisoformat":
        return _day_of(call, *arguments)
    meet = call.reader.values.meet
    return call.reader.values.join(
        (guard, _method(call, meet(call.alive, guard), part, name, arguments))
        for guard, part in alternatives(owner)
    )


def _method(call: Call, here: Node, part: Any, name: str, arguments: Sequence[Any]) -> Any:
    reader, whole = call.reader, call.reader.seen(part)
    match whole, name, arguments:
        case ((Whole() | Person() | dict()), "get", [key, *default]) if len(default) < 2:
            other = default[0] if default else None
            return reader.lift(lambda name: reader.entry(whole, name, here, other), here, key)
        case Items(order=("given" | "set") as order), ("append" | "add"), [value] if isinstance(
            part, Reference
        ) and (order == "set") == (name == "add"):
            if order == "set":
                held = reader.compare(ast.In(), value, part, here)
                here = reader.values.meet(here, reader.builder.negate(held))
            reader.heap[part.place] = Items((*whole.pairs, (here, value)), order)
            return None
        case Items(order="given"), "extend", [value] if isinstance(part, Reference):
            more = reader.all_items(value, here).pairs
            guarded = ((reader.builder.both(here, there), item) for there, item in more)
            reader.heap[part.place] = Items((*whole.pairs, *guarded))
            return None
        case dict(), ("items" | "values" | "keys"), []:
            return Items(
                tuple(
                    (
                        reader.is_set(value),
                        {"items": (key, value), "values": value, "keys": key}[name],
                    )
                    for key, value in whole.items()
                )
            )
        case str(), _, _ if name in _TEXT and all(isinstance(it, str) for it in arguments):
            return getattr(whole, name)(*arguments)
    raise call.refuse(f"`.{name}()` of this")


_TEXT = ("lower", "upper", "strip", "title", "startswith", "endswith", "replace", "casefold")


@_of_values
def _whole_number(call: Call, value: Any) -> Any:
    """What `int` and `floor` make of a number; below zero they differ."""
    if isinstance(value, str):
        raise call.refuse("a number written as text")
    values = call.reader.values
    number = values.ratio(value)
    if number.node.low < 0 and number.denominator != 1:
        raise call.refuse("rounding what may be below zero")
    return values.floor(number)


@_of_values
def _float(call: Call, value: Any) -> Any:
    if not isinstance(value, bool | int | float | Node | Ratio):
        raise call.refuse("`float` of this")
    return float(value) if isinstance(value, int) else value


@_of_values
def _truth(call: Call, value: Any = False) -> Any:
    return call.reader.truth_of(value, call.alive)


@_of_values
def _length(call: Call, value: Any) -> Any:
    whole = call.reader.seen(value)
    # A list keeps its length when it is sorted.
    held = whole if isinstance(whole, Items) else call.reader.items(whole)
    return call.reader.count(held.pairs, call.alive)


def _range(call: Call, *arguments: Any) -> Any:
    """A range; its end may be a choice among sizes."""
    if all(type(limit) is int for limit in arguments):
        return range(*arguments)
    first, end = (0, *arguments) if len(arguments) == 1 else arguments[:2]
    ends = list(alternatives(end))
    is_known = type(first) is int and all(type(part) is int for _, part in ends)
    if len(arguments) > 2 or not is_known:
        raise call.refuse("a range that depends on the household")
    return Items(
        tuple(
            (call.reader.builder.any_of(guard for guard, part in ends if place < part), place)
            for place in range(first, max(part for _, part in ends))
        )
    )


@_of_values
def _is_instance(call: Call, value: Any, kind: Any) -> Any:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    names = {getattr(part, "name", None) for part in kinds}
    if None in names:
        raise call.refuse("`isinstance` of this")
    if call.reader.values.flag(value) is not None:
        return bool(names & {"bool", "int"})
    known: dict[type, str] = {str: "str", Items: "list", dict: "dict", Whole: "dict"}
    known |= {Person: "dict", Day: "str", Node: "int", int: "int", Ratio: "float", float: "float"}
    return known.get(type(call.reader.seen(value))) in names


@_of_values
def _list(call: Call, value: Any = ()) -> Any:
    return call.reader.make(Items(tuple(call.items(value))))


@_of_values
def _set(call: Call, value: Any = ()) -> Any:
    return call.reader.make_set(call.items(value), call.alive)


@_of_values
def _enumerate(call: Call, value: Any, start: Any = 0) -> Items:
    number, found = start, []
    for there, part in call.items(value):
        found.append((there, (number, part)))
        number = call.reader.values.merge(there, call.add(number, 1, call.alive), number)
    return Items(tuple(found))


@_of_values
def _zip(call: Call, *lists: Any) -> Items:
    found = [list(call.items(part)) for part in lists]
    if any(there is not TRUE for pairs in found for there, _ in pairs):
        raise call.refuse("`zip` of lists of open length")
    return Items(tuple((TRUE, tuple(part for _, part in row)) for row in zip(*found, strict=False)))


def _sum(call: Call, over: Any, start: Any = 0) -> Any:
    total = start
    for there, value in call.items(over):
        here = call.reader.values.meet(call.alive, there)
        if here is not FALSE:
            total = call.reader.values.merge(there, call.add(total, value, here), total)
    return total


def _any_or_all(is_any: bool) -> Callable[..., Any]:
    def read(call: Call, over: Any) -> Node:
        builder, ended = call.reader.builder, [FALSE]
        for there, value in call.items(over, lambda: ended[0]):
            flag = call.reader.truth_of(value, call.reader.values.meet(call.alive, there))
            hit = flag if is_any else builder.negate(flag)
            ended[0] = builder.either(ended[0], call.reader.values.meet(there, hit))
        found: Node = ended[0] if is_any else builder.negate(ended[0])
        return found

    return read


def _extreme(is_least: bool) -> Callable[..., Any]:
    def read(call: Call, *values: Any, key: Any = None, default: Any = MISSING) -> Any:
        if not values:
            raise call.refuse("a call with these arguments")
        many = len(values) > 1
        pairs = [(TRUE, it) for it in values] if many else list(call.items(values[0]))
        known = call.reader.builder.any_of(there for there, _ in pairs)
        inside = call.reader.builder.both(call.alive, known)
        if default is not MISSING and inside is FALSE:
            return default
        here = call.alive if default is MISSING else inside
        best = call.reader.lift(lambda: find_extreme(call, pairs, key, here, is_least), here)
        return best if default is MISSING else call.reader.values.merge(known, best, default)

    return read


def find_extreme(call: Call, pairs: Pairs, key: Any, alive: Node, is_least: bool) -> Any:
    """Return the least or greatest item by a key; a list that may be empty may fail."""
    reader, builder = call.reader, call.reader.builder
    op = ast.Lt() if is_least else ast.Gt()
    best: Any = MISSING
    best_key: Any = MISSING
    known = FALSE
    for there, value in pairs:
        here = builder.both(alive, there)
        if here is FALSE:
            continue
        worth = value if key is None else reader.call(key, [value], {}, here)
        better = TRUE
        if known is not FALSE:
            beats = reader.compare(op, worth, best_key, builder.both(here, known))
            better = builder.either(builder.negate(known), beats)
        take = builder.both(there, better)
        best = reader.values.merge(take, value, best)
        best_key = reader.values.merge(take, worth, best_key)
        known = builder.either(known, there)
    if known is FALSE:
        raise Crash("the least or greatest of nothing")
    reader.fail(builder.both(alive, builder.negate(known)), "the least or greatest of nothing")
    return best


def _sorted(call: Call, over: Any, *, key: Any = None, reverse: Any = False) -> Items:
    if not isinstance(reverse, bool):
        raise call.refuse("`sorted` in an order that depends on the household")
    return Items(tuple(call.items(over)), "reversed" if reverse else "sorted", key)


def _next(call: Call, over: Any, default: Any = MISSING) -> Any:
    if not isinstance(over, Generator):
        raise call.refuse("`next` of what is no generator here")
    builder, found, taken = call.reader.builder, list[tuple[Node, Any]](), [FALSE]
    for there, value in call.items(over, lambda: taken[0]):
        found.append((builder.both(there, builder.negate(taken[0])), value))
        taken[0] = builder.either(taken[0], there)
    none = builder.negate(taken[0])
    if default is not MISSING:
        found.append((none, default))
    else:
        call.reader.fail(builder.both(call.alive, none), "`next` of nothing")
    return call.reader.values.join(found)


def _dict(call: Call, pairs: Any = (), **named: Any) -> Any:
    table: dict[Any, Any] = {}
    for there, pair in call.items(pairs):
        if there is not TRUE or not isinstance(pair, tuple) or not isinstance(pair[0], int | str):
            raise call.refuse("a table of this")
        table[pair[0]] = pair[1]
    return call.reader.make({**table, **named})


def _map(call: Call, function: Any, over: Any) -> Items:
    meet = call.reader.values.meet
    return Items(
        tuple(
            (there, call.reader.call(function, [value], {}, meet(call.alive, there)))
            for there, value in call.items(over)
        )
    )


def _filter(call: Call, function: Any, over: Any) -> Items:
    pairs = list(call.items(over))
    kept = [value for _, value in _map(call, function, Items(tuple(pairs))).pairs]
    meet, truth_of = call.reader.values.meet, call.reader.truth_of
    return Items(
        tuple(
            (meet(there, truth_of(flag, meet(call.alive, there))), value)
            for (there, value), flag in zip(pairs, kept, strict=True)
        )
    )


def _reduce(call: Call, function: Any, over: Any, start: Any) -> Any:
    total = start
    for there, value in call.items(over):
        here = call.reader.values.meet(call.alive, there)
        after = call.reader.call(function, [total, value], {}, here)
        total = call.reader.values.merge(there, after, total)
    return total


@_of_values
def _day_of(call: Call, value: Any) -> Day:
    day = call.reader.values.read_day(value) if isinstance(value, str) else value
    if not isinstance(day, Day) or day.is_date:
        raise Crash("a date of no text")
    return Day(day.node, is_date=True)


@_of_values
def _date(call: Call, year: Any, month: Any, day: Any) -> Any:
    try:
        return Day(call.reader.builder.constant(date(year, month, day)), is_date=True)
    except (TypeError, ValueError) as error:
        raise call.refuse("this date") from error


BUILTINS: Mapping[str, Callable[..., Any]] = {
    "all": _any_or_all(False),
    "any": _any_or_all(True),
    "bool": _truth,
    "date": _date,
    "dict": _dict,
    "enumerate": _enumerate,
    "filter": _filter,
    "float": _float,
    "floor": _whole_number,
    "frozenset": _set,
    "int": _whole_number,
    "isinstance": _is_instance,
    "len": _length,
    "list": _list,
    "map": _map,
    "max": _extreme(False),
    "min": _extreme(True),
    "next": _next,
    "range": _range,
    "reduce": _reduce,
    "set": _set,
    "sorted": _sorted,
    "sum": _sum,
    "tuple": _list,
    "zip": _zip,
}
