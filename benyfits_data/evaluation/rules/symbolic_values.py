"""Values of a program that runs for all households at once, and the calls that hold them.

A value is what Python would have (a number, a word, nothing, a function), a node (a number or flag
that depends on the household), a fraction of a node, a person, a list whose items are there for
some households only, or a choice among such values, each under the flag that it is the one.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from benyfits_data.language.ir import FALSE, TRUE, Node


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
    frame: "CallFrame"


@dataclass(frozen=True)
class Choice:
    """One of several values, each under a flag; exactly one flag holds where the value is used."""

    pairs: tuple[tuple[Node, Any], ...]


class Unset:
    """What a name or an entry holds that was never set; using it is an error of the program."""


MISSING = Unset()


class Crash(Exception):
    """The program fails in Python for the households at hand."""


def alternatives(value: Any) -> Iterator[tuple[Node, Any]]:
    """Yield the values that a value may be, each under its flag."""
    if isinstance(value, Choice):
        yield from value.pairs
    else:
        yield TRUE, value


def is_constant(value: Any) -> bool:
    """Return whether a value is a plain one of Python, the same for all households."""
    return value is None or isinstance(value, bool | int | float | str)


def is_key(value: Any) -> bool:
    """Return whether a value can be a key of a table."""
    return is_constant(value) or (isinstance(value, tuple) and all(map(is_key, value)))


def describe_value(value: Any) -> str:
    """Return what a value is, in a word or two."""
    if is_constant(value):
        return repr(value)
    names = {"Items": "a list", "Reference": "a list or table", "Whole": "the household"}
    names |= {"Node": "a number", "Ratio": "a number", "Unset": "no value", "Person": "a member"}
    return names.get(type(value).__name__, type(value).__name__.lower())


@dataclass(frozen=True)
class Module:
    """A module that the program imported."""

    name: str


@dataclass(frozen=True)
class Builtin:
    """A function that Python brings."""

    name: str


@dataclass(frozen=True, eq=False)
class Closure:
    """A function of the program, and the names it sees."""

    node: ast.FunctionDef | ast.Lambda
    frame: "CallFrame"


@dataclass
class CallFrame:
    """One call of a function.

    Attributes:
        names: Its names.
        outer: The call that encloses its definition.
        returns: What it returned so far, and for which households.
        loops: What loops around the statement at hand left behind.
    """

    names: dict[str, Any]
    outer: "CallFrame | None" = None
    returns: list[tuple[Node, Any]] = field(default_factory=list)
    loops: list["Loop"] = field(default_factory=list)

    def find(self, name: str) -> Any:
        """Return what a name holds, or `MISSING`."""
        frame: CallFrame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            frame = frame.outer
        return MISSING


@dataclass
class Loop:
    """One round of a loop: for which households it was cut short, or the loop before it."""

    earlier: Node = FALSE
    continued: Node = FALSE
    broken: Node = FALSE

    @property
    def is_left(self) -> bool:
        """Whether some households have left the round or the loop."""
        return any(part is not FALSE for part in (self.earlier, self.continued, self.broken))
