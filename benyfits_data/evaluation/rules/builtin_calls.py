"""Functions and methods of Python that a program may call on what depends on the household.

Each takes the reader of `function_reader.py`, for which households it is called, and the values of
its arguments. Python's own signature rules hold: arguments that a function here does not take are
refused, and the program is run instead.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial, wraps
from typing import Any

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


def _of_values(work: Callable[..., Any]) -> Callable[..., Any]:
    """A function of values that are no choices, read for each choice among them."""

    @wraps(work)
    def read(reader: Any, alive: Node, *values: Any) -> Any:
        return reader.lift(partial(work, reader, alive), alive, *values)

    return read


def call_method(
    reader: Any,
    alive: Node,
    owner: Any,
    name: str,
    arguments: Sequence[Any],
    named: Mapping[str, Any],
) -> Any:
    """Return what a method returns; lists and tables of the program may change.

    Raises:
        LanguageError: The method cannot be read.
    """
    if named:
        raise reader.refuse(f"`.{name}()` with named arguments")
    if getattr(owner, "name", "") == "date" and name == "fromisoformat":
        return _day_of(reader, alive, *arguments)
    meet = reader.values.meet
    return reader.values.join(
        (guard, _method(reader, meet(alive, guard), part, name, arguments))
        for guard, part in alternatives(owner)
    )


def _method(reader: Any, here: Node, part: Any, name: str, arguments: Sequence[Any]) -> Any:
    whole = reader.seen(part)
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
        case str(), _, _ if name in _TEXT and all(
            isinstance(argument, str) for argument in arguments
        ):
            return getattr(whole, name)(*arguments)
    raise reader.refuse(f"`.{name}()` of this")


_TEXT = ("lower", "upper", "strip", "title", "startswith", "endswith", "replace", "casefold")


@_of_values
def _whole_number(reader: Any, alive: Node, value: Any) -> Any:
    """What `int` and `floor` make of a number; below zero they differ."""
    if isinstance(value, str):
        raise reader.refuse("a number written as text")
    values = reader.values
    number = values.ratio(value)
    if number.node.low < 0 and number.denominator != 1:
        raise reader.refuse("rounding what may be below zero")
    return values.floor(number)


@_of_values
def _float(reader: Any, alive: Node, value: Any) -> Any:
    if not isinstance(value, bool | int | float | Node | Ratio):
        raise reader.refuse("`float` of this")
    return float(value) if isinstance(value, int) else value


@_of_values
def _length(reader: Any, alive: Node, value: Any) -> Any:
    whole = reader.seen(value)
    # A list keeps its length when it is sorted.
    held = whole if isinstance(whole, Items) else reader.items(whole)
    return reader.count(held.pairs, alive)


def _range(reader: Any, alive: Node, *arguments: Any) -> Any:
    """A range; its end may be a choice among sizes."""
    if all(type(limit) is int for limit in arguments):
        return range(*arguments)
    first, end = (0, *arguments) if len(arguments) == 1 else arguments[:2]
    ends = list(alternatives(end))
    is_known = type(first) is int and all(type(part) is int for _, part in ends)
    if len(arguments) > 2 or not is_known:
        raise reader.refuse("a range that depends on the household")
    return Items(
        tuple(
            (reader.builder.any_of(guard for guard, part in ends if place < part), place)
            for place in range(first, max(part for _, part in ends))
        )
    )


@_of_values
def _is_instance(reader: Any, alive: Node, value: Any, kind: Any) -> Any:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    names = {getattr(part, "name", None) for part in kinds}
    if None in names:
        raise reader.refuse("`isinstance` of this")
    if reader.values.flag(value) is not None:
        return bool(names & {"bool", "int"})
    known: dict[type, str] = {str: "str", Items: "list", dict: "dict", Whole: "dict"}
    known |= {Person: "dict", Day: "str", Node: "int", int: "int", Ratio: "float", float: "float"}
    return known.get(type(reader.seen(value))) in names


@_of_values
def _enumerate(reader: Any, alive: Node, value: Any, start: Any = 0) -> Items:
    number, pairs = start, []
    for there, part in reader.each(value, alive):
        pairs.append((there, (number, part)))
        number = reader.values.merge(there, reader.operate(ast.Add(), number, 1, alive), number)
    return Items(tuple(pairs))


@_of_values
def _zip(reader: Any, alive: Node, *lists: Any) -> Items:
    held = [list(reader.each(part, alive)) for part in lists]
    if any(there is not TRUE for pairs in held for there, _ in pairs):
        raise reader.refuse("`zip` of lists of open length")
    return Items(tuple((TRUE, tuple(part for _, part in row)) for row in zip(*held, strict=False)))


def _sum(reader: Any, alive: Node, over: Any, start: Any = 0) -> Any:
    total = start
    for there, value in reader.each(over, alive):
        here = reader.values.meet(alive, there)
        if here is not FALSE:
            total = reader.values.merge(there, reader.operate(ast.Add(), total, value, here), total)
    return total


def _any_or_all(is_any: bool) -> Callable[..., Any]:
    def read(reader: Any, alive: Node, over: Any) -> Node:
        builder, ended = reader.builder, [FALSE]
        for there, value in reader.each(over, alive, lambda: ended[0]):
            flag = reader.truth_of(value, reader.values.meet(alive, there))
            hit = flag if is_any else builder.negate(flag)
            ended[0] = builder.either(ended[0], reader.values.meet(there, hit))
        verdict: Node = ended[0] if is_any else builder.negate(ended[0])
        return verdict

    return read


def _extreme(is_least: bool) -> Callable[..., Any]:
    def read(
        reader: Any, alive: Node, *values: Any, key: Any = None, default: Any = MISSING
    ) -> Any:
        if not values:
            raise reader.refuse("a call with these arguments")
        many = len(values) > 1
        pairs = [(TRUE, value) for value in values] if many else list(reader.each(values[0], alive))
        known = reader.builder.any_of(there for there, _ in pairs)
        inside = reader.builder.both(alive, known)
        if default is not MISSING and inside is FALSE:
            return default
        here = alive if default is MISSING else inside
        best = reader.lift(lambda: find_extreme(reader, here, pairs, key, is_least), here)
        return best if default is MISSING else reader.values.merge(known, best, default)

    return read


def find_extreme(
    reader: Any, alive: Node, pairs: Sequence[tuple[Node, Any]], key: Any, is_least: bool
) -> Any:
    """Return the least or greatest item by a key; a list that may be empty may fail."""
    builder = reader.builder
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


def _sorted(reader: Any, alive: Node, over: Any, *, key: Any = None, reverse: Any = False) -> Items:
    if not isinstance(reverse, bool):
        raise reader.refuse("`sorted` in an order that depends on the household")
    return Items(tuple(reader.each(over, alive)), "reversed" if reverse else "sorted", key)


def _next(reader: Any, alive: Node, over: Any, default: Any = MISSING) -> Any:
    if not isinstance(over, Generator):
        raise reader.refuse("`next` of what is no generator here")
    builder, pairs, taken = reader.builder, list[tuple[Node, Any]](), [FALSE]
    for there, value in reader.each(over, alive, lambda: taken[0]):
        pairs.append((builder.both(there, builder.negate(taken[0])), value))
        taken[0] = builder.either(taken[0], there)
    none = builder.negate(taken[0])
    if default is not MISSING:
        pairs.append((none, default))
    else:
        reader.fail(builder.both(alive, none), "`next` of nothing")
    return reader.values.join(pairs)


def _reduce(reader: Any, alive: Node, function: Any, over: Any, start: Any) -> Any:
    total = start
    for there, value in reader.each(over, alive):
        here = reader.values.meet(alive, there)
        after = reader.call(function, [total, value], {}, here)
        total = reader.values.merge(there, after, total)
    return total


@_of_values
def _day_of(reader: Any, alive: Node, value: Any) -> Day:
    day = reader.values.read_day(value) if isinstance(value, str) else value
    if not isinstance(day, Day) or day.is_date:
        raise Crash("a date of no text")
    return Day(day.node, is_date=True)


@_of_values
def _date(reader: Any, alive: Node, year: Any, month: Any, day: Any) -> Any:
    try:
        return Day(reader.builder.constant(date(year, month, day)), is_date=True)
    except (TypeError, ValueError) as error:
        raise reader.refuse("this date") from error


def _without_lines(text: str) -> ast.Lambda:
    """Return a function's text as a tree: what fails in it is told at the line of its call."""
    tree = ast.parse(text, mode="eval").body
    assert isinstance(tree, ast.Lambda)
    for node in ast.walk(tree):
        node.__dict__.pop("lineno", None)
    return tree


BUILTINS: Mapping[str, Any] = {
    "all": _any_or_all(False),
    "any": _any_or_all(True),
    "date": _date,
    "enumerate": _enumerate,
    "float": _float,
    "floor": _whole_number,
    "int": _whole_number,
    "isinstance": _is_instance,
    "len": _length,
    "max": _extreme(False),
    "min": _extreme(True),
    "next": _next,
    "range": _range,
    "reduce": _reduce,
    "sorted": _sorted,
    "sum": _sum,
    "zip": _zip,
} | {
    name: _without_lines(text)
    for name, text in {
        "bool": "lambda value=False: not not value",
        "dict": "lambda pairs=(): {key: value for key, value in pairs}",
        "filter": "lambda function, over: [item for item in over if function(item)]",
        "frozenset": "lambda over=(): {item for item in over}",
        "list": "lambda over=(): [item for item in over]",
        "map": "lambda function, over: [function(item) for item in over]",
        "set": "lambda over=(): {item for item in over}",
        "tuple": "lambda over=(): [item for item in over]",
    }.items()
}
"""Functions here, and those that are read as if the program had written them."""
