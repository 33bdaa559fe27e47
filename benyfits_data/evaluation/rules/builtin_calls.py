"""Functions and methods of Python that a program may call on what depends on the household."""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Crash,
    Day,
    Items,
    Person,
    Ratio,
    Reference,
    Whole,
    alternatives,
)
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.language.ir import FALSE, TRUE, Node

Reader = Any
"""The reader of `function_reader.py`, which imports this module."""
CallFrame = Any

Eager = Callable[[Reader, Sequence[Any], dict[str, Any], Node, ast.AST | None], Any]
Lazy = Callable[[Reader, ast.GeneratorExp, Sequence[Any], Node, CallFrame], Any]


@dataclass(frozen=True)
class BuiltinCall:
    """How a built-in function is read.

    Attributes:
        eagerly: From the values of its arguments.
        lazily: From a generator, which is asked no further than needed.
    """

    eagerly: Eager
    lazily: Lazy | None = None


def call_method(
    reader: Reader,
    owner: Any,
    name: str,
    arguments: Sequence[Any],
    named: Mapping[str, Any],
    alive: Node,
    node: ast.AST,
) -> Any:
    """Return what a method returns; lists and tables of the program may change.

    Raises:
        LanguageError: The method cannot be read.
    """

    def one(guard: Node, part: Any) -> Any:
        here = reader.values.meet(alive, guard)
        whole = reader.seen(part)
        if name == "get" and isinstance(whole, Whole | Person | dict) and 1 <= len(arguments) <= 2:
            default = arguments[1] if len(arguments) == 2 else None
            return reader.values.lift(
                lambda key: reader.entry(whole, key, here, node, default),
                here,
                reader.fail,
                arguments[0],
            )
        if name in ("append", "add") and isinstance(part, Reference) and isinstance(whole, Items):
            if name == "add" or len(arguments) != 1 or whole.order != "given":
                raise reader.refuse(node, f"`.{name}()` of a set")
            reader.heap[part.place] = Items((*whole.pairs, (here, arguments[0])))
            return None
        if name == "extend" and isinstance(part, Reference) and isinstance(whole, Items):
            more = reader.all_items(arguments[0], here, node).pairs
            both = reader.builder.both
            more = tuple((both(here, there), value) for there, value in more)
            reader.heap[part.place] = Items((*whole.pairs, *more))
            return None
        if isinstance(whole, dict) and name in ("items", "values", "keys") and not arguments:
            found = []
            for key, value in whole.items():
                there = reader.builder.any_of(
                    inner for inner, entry in alternatives(value) if entry is not MISSING
                )
                shown = {"items": (key, value), "values": value, "keys": key}[name]
                found.append((there, shown))
            return Items(tuple(found))
        is_text = isinstance(whole, str) and all(isinstance(part, str) for part in arguments)
        if is_text and name in _TEXT:
            return getattr(whole, name)(*arguments)
        raise reader.refuse(node, f"`.{name}()` of this")

    if named:
        raise reader.refuse(node, f"`.{name}()` with named arguments")
    return reader.values.join((guard, one(guard, part)) for guard, part in alternatives(owner))


_TEXT = ("lower", "upper", "strip", "title", "startswith", "endswith", "replace", "casefold")


def _of_values(work: Callable[..., Any], least: int = 1, most: int = 1) -> BuiltinCall:
    """A function of values that are no choices: `work(reader, alive, node, *values)`."""

    def eagerly(
        reader: Reader,
        arguments: Sequence[Any],
        named: dict[str, Any],
        alive: Node,
        node: ast.AST | None,
    ) -> Any:
        if set(named) <= {"start"}:
            arguments, named = (*arguments, *named.values()), {}
        if named or not least <= len(arguments) <= most:
            raise reader.refuse(node, "a call with these arguments")
        return reader.values.lift(
            lambda *parts: work(reader, alive, node, *parts), alive, reader.fail, *arguments
        )

    return BuiltinCall(eagerly)


def _number(reader: Reader, alive: Node, node: Any, value: Any = 0) -> Any:
    if isinstance(value, bool | int | float | str):
        try:
            return int(value)
        except (ValueError, OverflowError) as error:
            raise Crash(str(error)) from error
    if isinstance(value, Node):
        return reader.values.ratio(value).node
    if isinstance(value, Ratio):
        raise reader.refuse(node, "rounding of what depends on the household")
    raise Crash("int() of no number")


def _decimal(reader: Reader, alive: Node, node: Any, value: Any = 0.0) -> Any:
    if isinstance(value, bool | int | float | str):
        try:
            return float(value)
        except ValueError as error:
            raise Crash(str(error)) from error
    if isinstance(value, Node | Ratio):
        return value
    raise Crash("float() of no number")


def _rounded(work: Callable[..., Any]) -> Callable[..., Any]:
    def read(reader: Reader, alive: Node, node: Any, value: Any, digits: Any = None) -> Any:
        if isinstance(value, bool | int | float) and (digits is None or isinstance(digits, int)):
            return work(value) if digits is None else work(value, digits)
        if isinstance(value, Node) and value.is_whole and not value.is_flag:
            return value
        if isinstance(value, Node | Ratio):
            raise reader.refuse(node, "rounding of what depends on the household")
        raise Crash("a number rounded that is none")

    return read


def _absolute(reader: Reader, alive: Node, node: Any, value: Any) -> Any:
    if isinstance(value, bool | int | float):
        return abs(value)
    negative = reader.values.less(value, 0)
    guard = reader.builder.constant(negative) if isinstance(negative, bool) else negative
    return reader.values.choose(guard, reader.values.add(0, value, -1), value)


def _truth(reader: Reader, alive: Node, node: Any, value: Any = False) -> Any:
    return reader.truth_of(value, alive)


def _text(reader: Reader, alive: Node, node: Any, value: Any) -> str:
    if isinstance(value, Node | Ratio | Items | Reference | Person | Whole):
        raise reader.refuse(node, "text of what depends on the household")
    return str(value)


def _length(reader: Reader, alive: Node, node: Any, value: Any) -> Any:
    whole = reader.seen(value)
    if isinstance(whole, str | tuple | range):
        return len(whole)
    if isinstance(whole, Whole | Person):
        features = HOUSEHOLD_FEATURES if isinstance(whole, Whole) else MEMBER_FEATURES
        return len(features) + isinstance(whole, Whole)
    pairs = whole.pairs if isinstance(whole, Items) else reader.items(whole, node).pairs
    total: Any = 0
    for there, _ in pairs:
        total = reader.values.merge(there, reader.operate(ast.Add(), total, 1, alive, node), total)
    return total


def _range(
    reader: Reader,
    arguments: Sequence[Any],
    named: dict[str, Any],
    alive: Node,
    node: ast.AST | None,
) -> Any:
    """A range; its end may be a choice among sizes."""
    *front, end = arguments if len(arguments) < 3 else (*arguments[:2], 0)
    if len(arguments) == 3 or named or not all(type(limit) is int for limit in front):
        if all(type(limit) is int for limit in arguments) and not named:
            return range(*arguments)
        raise reader.refuse(node, "a range that depends on the household")
    ends = list(alternatives(end))
    if not all(type(part) is int for _, part in ends):
        raise reader.refuse(node, "a range that depends on the household")
    first = front[0] if front else 0
    any_of = reader.builder.any_of
    last = max(part for _, part in ends)
    return Items(
        tuple(
            (any_of(guard for guard, part in ends if place < part), place)
            for place in range(first, last)
        )
    )


def _is_instance(reader: Reader, alive: Node, node: Any, value: Any, kind: Any) -> Any:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    names = {getattr(part, "name", None) for part in kinds}
    if None in names:
        raise reader.refuse(node, "`isinstance` of this")
    if reader.values.flag(value) is not None:
        return bool(names & {"bool", "int"})
    if isinstance(value, Node | int):
        return "int" in names
    if isinstance(value, Ratio | float):
        return "float" in names
    whole = reader.seen(value)
    found = {
        str: "str",
        Items: "list",
        dict: "dict",
        Whole: "dict",
        Person: "dict",
        Day: "str",
    }
    return found.get(type(whole)) in names


def _list(reader: Reader, alive: Node, node: Any, value: Any = ()) -> Any:
    return reader.make(Items(reader.items(value, node).pairs))


def _tuple(reader: Reader, alive: Node, node: Any, value: Any = ()) -> Any:
    return reader.items(value, node)


def _enumerate(reader: Reader, alive: Node, node: Any, value: Any, start: Any = 0) -> Items:
    number: Any = start
    found = []
    for there, part in reader.items(value, node).pairs:
        found.append((there, (number, part)))
        following = reader.operate(ast.Add(), number, 1, alive, node)
        number = reader.values.merge(there, following, number)
    return Items(tuple(found))


def _zip(reader: Reader, alive: Node, node: Any, *lists: Any) -> Items:
    found = [reader.items(part, node).pairs for part in lists]
    if any(there is not TRUE for pairs in found for there, _ in pairs):
        raise reader.refuse(node, "`zip` of lists of open length")
    return Items(tuple((TRUE, tuple(part for _, part in row)) for row in zip(*found, strict=False)))


def _reversed(reader: Reader, alive: Node, node: Any, value: Any) -> Items:
    return Items(reader.items(value, node).pairs[::-1])


def _sum(
    reader: Reader,
    arguments: Sequence[Any],
    named: dict[str, Any],
    alive: Node,
    node: ast.AST | None,
) -> Any:
    total = named.pop("start", arguments[1] if len(arguments) > 1 else 0)
    if named or not arguments:
        raise reader.refuse(node, "a call with these arguments")
    for there, value in reader.all_items(arguments[0], alive, node).pairs:
        here = reader.values.meet(alive, there)
        if here is not FALSE:
            more = reader.operate(ast.Add(), total, value, here, node or ast.Pass())
            total = reader.values.merge(there, more, total)
    return total


def _sum_lazily(
    reader: Reader, over: ast.GeneratorExp, rest: Sequence[Any], alive: Node, frame: CallFrame
) -> Any:
    pairs = tuple(reader.rounds(over, over.elt, alive, frame))
    return _sum(reader, [Items(pairs), *rest], {}, alive, over)


def _any_or_all(is_any: bool) -> BuiltinCall:
    def join(reader: Reader, pairs: Any, alive: Node, ended: list[Node]) -> Node:
        for there, value in pairs:
            flag = reader.truth_of(value, reader.values.meet(alive, there))
            hit = flag if is_any else reader.builder.negate(flag)
            ended[0] = reader.builder.either(ended[0], reader.values.meet(there, hit))
        return ended[0] if is_any else reader.builder.negate(ended[0])

    def eagerly(
        reader: Reader,
        arguments: Sequence[Any],
        named: dict[str, Any],
        alive: Node,
        node: ast.AST | None,
    ) -> Node:
        if named or len(arguments) != 1:
            raise reader.refuse(node, "a call with these arguments")
        return join(reader, reader.all_items(arguments[0], alive, node).pairs, alive, [FALSE])

    def lazily(
        reader: Reader,
        over: ast.GeneratorExp,
        rest: Sequence[Any],
        alive: Node,
        frame: CallFrame,
    ) -> Node:
        ended = [FALSE]
        pairs = reader.rounds(over, over.elt, alive, frame, lambda: ended[0])
        return join(reader, pairs, alive, ended)

    return BuiltinCall(eagerly, lazily)


def _extreme(is_least: bool) -> Eager:
    def eagerly(
        reader: Reader,
        arguments: Sequence[Any],
        named: dict[str, Any],
        alive: Node,
        node: ast.AST | None,
    ) -> Any:
        key, default = named.pop("key", None), named.pop("default", MISSING)
        if named or not arguments:
            raise reader.refuse(node, "a call with these arguments")
        if len(arguments) > 1:
            pairs: tuple[tuple[Node, Any], ...] = tuple((TRUE, part) for part in arguments)
        else:
            pairs = reader.all_items(arguments[0], alive, node).pairs
        builder = reader.builder
        known = builder.any_of(there for there, _ in pairs)
        if default is MISSING:
            return reader.values.lift(
                lambda: reader.extreme(pairs, key, alive, is_least=is_least), alive, reader.fail
            )
        if builder.both(alive, known) is FALSE:
            return default
        inside = builder.both(alive, known)
        return reader.values.merge(
            known, reader.extreme(pairs, key, inside, is_least=is_least), default
        )

    return eagerly


def _sorted(
    reader: Reader,
    arguments: Sequence[Any],
    named: dict[str, Any],
    alive: Node,
    node: ast.AST | None,
) -> Any:
    key, is_reversed = named.pop("key", None), named.pop("reverse", False)
    if named or len(arguments) != 1 or not isinstance(is_reversed, bool):
        raise reader.refuse(node, "a call with these arguments")
    pairs = reader.all_items(arguments[0], alive, node).pairs
    return Items(pairs, "reversed" if is_reversed else "sorted", key)


def _next_lazily(
    reader: Reader, over: ast.GeneratorExp, rest: Sequence[Any], alive: Node, frame: CallFrame
) -> Any:
    builder, found, taken = reader.builder, list[tuple[Node, Any]](), [FALSE]
    for there, value in reader.rounds(over, over.elt, alive, frame, lambda: taken[0]):
        found.append((builder.both(there, builder.negate(taken[0])), value))
        taken[0] = builder.either(taken[0], there)
    none = builder.negate(taken[0])
    if rest:
        found.append((none, rest[0]))
    else:
        reader.fail(builder.both(alive, none), "`next` of nothing")
    return reader.values.join(found)


def _refused(
    reader: Reader,
    arguments: Sequence[Any],
    named: dict[str, Any],
    alive: Node,
    node: ast.AST | None,
) -> Any:
    raise reader.refuse(node, "this call")


BUILTINS: Mapping[str, BuiltinCall] = {
    "abs": _of_values(_absolute),
    "all": _any_or_all(False),
    "any": _any_or_all(True),
    "bool": _of_values(_truth, 0),
    "dict": BuiltinCall(_refused),
    "enumerate": _of_values(_enumerate, 1, 2),
    "float": _of_values(_decimal, 0),
    "frozenset": _of_values(_list, 0),
    "int": _of_values(_number, 0),
    "isinstance": _of_values(_is_instance, 2, 2),
    "len": _of_values(_length),
    "list": _of_values(_list, 0),
    "max": BuiltinCall(_extreme(False)),
    "min": BuiltinCall(_extreme(True)),
    "next": BuiltinCall(_refused, _next_lazily),
    "range": BuiltinCall(_range),
    "reversed": _of_values(_reversed),
    "round": _of_values(_rounded(round), 1, 2),
    "set": _of_values(_list, 0),
    "sorted": BuiltinCall(_sorted),
    "str": _of_values(_text),
    "sum": BuiltinCall(_sum, _sum_lazily),
    "tuple": _of_values(_tuple, 0),
    "zip": _of_values(_zip, 1, 4),
    "ceil": _of_values(_rounded(math.ceil)),
    "floor": _of_values(_rounded(math.floor)),
}
