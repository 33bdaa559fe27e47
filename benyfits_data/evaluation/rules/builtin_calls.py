"""Functions and methods of Python that a program may call on what depends on the household."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from benyfits_data.evaluation.rules.containers import Containers
from benyfits_data.evaluation.rules.symbolic_values import (
    Builtin,
    Crash,
    Day,
    Dictionary,
    List,
    Person,
    Ratio,
    SomeText,
    SortedList,
    UnreadError,
    Whole,
    alternatives,
)
from benyfits_data.language.ir import TRUE, Node

MODULES: Mapping[str, tuple[str, ...]] = {
    "math": ("floor",),
    "datetime": ("date",),
    "functools": ("reduce",),
    "typing": (),
    "collections.abc": (),
    "__future__": (),
}
"""What a program may import, and what is read of it; of the last three nothing is asked."""
_EXTREME = """
def {name}(*values, key=None, default=NOTHING):
    over = values if len(values) > 1 else values[0]
    is_known = False
    for item in over:
        worth = item if key is None else key(item)
        if not is_known or worth {sign} least:
            best, least = item, worth
        is_known = True
    if is_known:
        return best
    if default is NOTHING:
        raise ValueError
    return default
"""
"""`min` or `max`, by the name and the sign that are put in."""
IN_PYTHON = """
def all(over):
    for item in over:
        if not item:
            return False
    return True

def any(over):
    for item in over:
        if item:
            return True
    return False

def next(over, default=NOTHING):
    for item in over:
        return item
    if default is NOTHING:
        raise StopIteration
    return default

def reduce(function, over, start):
    for item in over:
        start = function(start, item)
    return start

def sum(over, start=0):
    for item in over:
        start = start + item
    return start

bool = lambda value=False: not not value
dict = lambda pairs=(): {key: value for key, value in pairs}
filter = lambda function, over: [item for item in over if function(item)]
frozenset = set = lambda over=(): {item for item in over}
list = tuple = lambda over=(): [item for item in over]
map = lambda function, over: [function(item) for item in over]
"""
"""Functions that are read as if the program had written them."""
IN_PYTHON += _EXTREME.format(name="min", sign="<") + _EXTREME.format(name="max", sign=">")
BUILTINS = (
    *("date", "enumerate", "float", "floor", "int", "isinstance", "len", "range", "sorted"),
    *("all", "any", "bool", "dict", "filter", "frozenset", "list", "map", "max", "min", "next"),
    *("reduce", "set", "str", "sum", "tuple", "zip"),
)
"""Functions of Python that a program may name."""
LONGEST_RANGE = 10_000
_TEXT = ("lower", "upper", "strip", "title", "startswith", "endswith", "replace", "casefold")
_KINDS: Mapping[type, str] = {
    **{str: "str", Day: "str", List: "list", SortedList: "list", tuple: "tuple"},
    **{Dictionary: "dict", Whole: "dict", Person: "dict"},
    **{Node: "int", int: "int", Ratio: "float", float: "float"},
}


@cache
def parse_functions() -> ast.Module:
    """The functions in Python; a failure in them has the line of their call."""
    tree = ast.parse(IN_PYTHON)
    for node in ast.walk(tree):
        node.__dict__.pop("lineno", None)
    return tree


class BuiltinCalls(Containers):
    """Calls what Python brings; what can be said in Python stands in `IN_PYTHON`."""

    def brought(self, module: str, name: str) -> Any:
        """Return what a module brings; types stand in annotations, which nobody reads."""
        if name in MODULES[module]:
            return self.python.names[name]
        if MODULES[module]:
            raise UnreadError(f"`{module}.{name}`")
        return SomeText()

    def call_method(self, owner: Any, name: str, arguments: Sequence[Any]) -> Any:
        """Return what a method returns; lists and tables of the program may change."""
        match owner, name, arguments:
            case Builtin(name="date"), "fromisoformat", [value]:
                return self.lift(self._day_of, value)
            case ((Whole() | Person() | Dictionary()), "get", [key, *default]) if len(default) < 2:
                other = default[0] if default else None
                return self.lift(lambda name: self.entry(owner, name, other), key)
            case List(), ("append" | "add"), [value] if owner.is_set == (name == "add"):
                self.add_to(owner, self.alive, value)
            case List(is_set=False), "extend", [value]:
                for there, item in self.each(value):
                    self.add_to(owner, self.meet(self.alive, there), item)
            case Dictionary(), ("items" | "values" | "keys"), []:
                rows = owner.entries.items()
                shown = {
                    "items": lambda row: row,
                    "values": lambda row: row[1],
                    "keys": lambda row: row[0],
                }
                return List([(self.is_set(row[1]), shown[name](row)) for row in rows])
            case str(), _, _ if name in _TEXT and all(isinstance(a, str) for a in arguments):
                return getattr(owner, name)(*arguments)
            case _:
                raise UnreadError(f"`.{name}()` of this")
        return None

    def each(self, value: Any) -> Iterator[tuple[Node, Any]]:
        """Yield what a value holds, each under its flag; of a generator no more than is needed."""
        raise NotImplementedError

    def _day_of(self, value: Any) -> Day:
        day = self.read_day(value) if isinstance(value, str) else value
        if not isinstance(day, Day) or day.is_date:
            raise Crash
        return Day(day.node, is_date=True)

    def call_date(self, year: Any, month: Any, day: Any) -> Day:
        """Return what `date` makes of three numbers."""
        try:
            return Day(self.builder.constant(date(year, month, day)), is_date=True)
        except (TypeError, ValueError) as error:
            raise UnreadError("this date") from error

    def call_int(self, value: Any) -> Any:
        """Return what `int` makes of a number."""

        def rounded(part: Any) -> Any:
            if isinstance(part, str):
                raise UnreadError("a number written as text")
            number = self.ratio(part)
            if number.node.low < 0 and number.denominator != 1:
                # There `int` and `floor` differ.
                raise UnreadError("rounding what may be below zero")
            return self.floor(number)

        return self.lift(rounded, value)

    call_floor = call_int

    def call_float(self, value: Any) -> Any:
        """Return what `float` makes of a number."""

        def number(part: Any) -> Any:
            if not isinstance(part, bool | int | float | Node | Ratio):
                raise UnreadError("`float` of this")
            return float(part) if isinstance(part, int) else part

        return self.lift(number, value)

    def call_len(self, value: Any) -> Any:
        """Return what `len` makes of a list or table."""

        def length(part: Any) -> Any:
            return self.count(part.pairs if isinstance(part, SortedList) else self.items(part))

        return self.lift(length, value)

    def call_range(self, first: Any, end: Any = None, step: Any = 1) -> Any:
        """Return what `range` makes of numbers; the end may be a choice among sizes."""
        first, end = (0, first) if end is None else (first, end)
        ends = list(alternatives(end))
        if not all(type(part) is int for part in (first, step, *(part for _, part in ends))):
            raise UnreadError("a range that depends on the household")
        if len(ends) == 1:
            if len(whole := range(first, end, step)) > LONGEST_RANGE:
                raise UnreadError("a range of that length")
            return whole
        if step != 1:
            raise UnreadError("a range that depends on the household")
        largest = max(part for _, part in ends)
        any_of = self.builder.any_of
        return List(
            [
                (any_of(guard for guard, part in ends if at < part), at)
                for at in range(first, largest)
            ]
        )

    def call_isinstance(self, value: Any, kind: Any) -> Any:
        """Return whether a value has a type, or one of some."""
        kinds = {
            getattr(part, "name", "") for part in (kind if isinstance(kind, tuple) else [kind])
        }
        if "" in kinds:
            raise UnreadError("`isinstance` of this")

        def has_kind(part: Any) -> bool:
            if self.flag(part) is not None:
                return bool(kinds & {"bool", "int"})
            return _KINDS.get(type(part)) in kinds

        return self.lift(has_kind, value)

    def call_enumerate(self, over: Any, start: Any = 0) -> List:
        """Return what `enumerate` gives."""
        number, pairs = start, list[tuple[Node, Any]]()
        for there, part in self.each(over):
            pairs.append((there, (number, part)))
            number = self.merge(there, self.operate(ast.Add(), number, 1), number)
        return List(pairs)

    def call_zip(self, *lists: Any) -> List:
        """Return what `zip` gives of lists of known length."""
        held = [list(self.each(part)) for part in lists]
        if any(there is not TRUE for pairs in held for there, _ in pairs):
            raise UnreadError("`zip` of lists of open length")
        rows = zip(*held, strict=False)
        return List([(TRUE, tuple(part for _, part in row)) for row in rows])

    def call_sorted(self, over: Any, *, key: Any = None, reverse: Any = False) -> SortedList:
        """Return what `sorted` gives."""
        if not isinstance(reverse, bool):
            raise UnreadError("`sorted` in an order that depends on the household")
        return SortedList(list(self.each(over)), key, reverse)
