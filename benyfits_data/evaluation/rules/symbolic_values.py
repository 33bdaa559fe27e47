"""Values of a program that runs for all households at once.

A value is what Python would have (a number, a word, nothing, a tuple), a node (a number or flag
that depends on the household), a fraction of a node, a person, a list whose items are there for
some households only, or a choice among such values, each under the flag that it is the one.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benyfits_data.language.ir import FALSE, TRUE, Node

Pairs = list[tuple[Node, Any]]
"""Values, each with the flag under which it is there."""


class Crash(Exception):
    """The program fails in Python for the households at hand."""


class UnreadError(Exception):
    """The program holds what cannot be read; the message says what, without a line."""


@dataclass(frozen=True)
class Ratio:
    """A number that is a node divided by a whole number above 0."""

    node: Node
    denominator: int


@dataclass(frozen=True)
class RoundedDown:
    """A fraction rounded down; it can be compared, and no more."""

    whole: Ratio


@dataclass(frozen=True)
class Day:
    """A day, its ordinal: given as text or as a number, or made a date by the program."""

    node: Node
    is_date: bool = False


@dataclass(frozen=True)
class Whole:
    """The household itself."""


@dataclass(frozen=True)
class Person:
    """The member at a position."""

    position: int


@dataclass(frozen=True, eq=False)
class SomeText:
    """Text made of values that depend on the household; nothing may hang on what it says."""


@dataclass(eq=False)
class List:
    """A list, or a set, which holds no value twice; the program may add to either."""

    pairs: Pairs
    is_set: bool = False


@dataclass(frozen=True, eq=False)
class SortedList:
    """A sorted list: its ends and its length are known, and no more."""

    pairs: Pairs
    key: Any
    is_reversed: bool


@dataclass(eq=False)
class Dictionary:
    """A dictionary; an entry that only some households have is `MISSING` for the others."""

    entries: dict[Any, Any]


@dataclass(eq=False)
class Generator:
    """A generator expression, and the call whose names it sees: nothing of it has run."""

    node: ast.GeneratorExp
    frame: "CallFrame"
    is_used: bool = False


@dataclass(frozen=True)
class Builtin:
    """A function or module that Python brings."""

    name: str


@dataclass(frozen=True, eq=False)
class Closure:
    """A function of the program, and the names it sees."""

    node: ast.FunctionDef | ast.Lambda
    frame: "CallFrame"


@dataclass(frozen=True)
class Choice:
    """One of several values, each under a flag; exactly one flag holds where the value is used."""

    pairs: tuple[tuple[Node, Any], ...]


class Unset:
    """What a name or an entry holds that was never set; using it is an error of the program."""


MISSING = Unset()


@dataclass
class Loop:
    """A loop that runs: who left this round of it, and who left the loop."""

    continued: Node = FALSE
    broken: Node = FALSE

    @property
    def is_left(self) -> bool:
        """Whether some households left the round or the loop."""
        return self.continued is not FALSE or self.broken is not FALSE


@dataclass
class CallFrame:
    """One call of a function.

    Attributes:
        names: Its names.
        outer: The call that encloses its definition.
        returns: What it returned so far, and for which households.
        loops: The loops around the statement at hand.
        n_ends: Statements run so far that end a call or a loop.
    """

    names: dict[str, Any]
    outer: "CallFrame | None" = None
    returns: Pairs = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    n_ends: int = 0

    def find(self, name: str) -> Any:
        """Return what a name holds, or `MISSING`."""
        frame: CallFrame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            frame = frame.outer
        return MISSING


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
