"""What names of a program stand for besides values, and the calls in which they do."""

import ast
from dataclasses import dataclass, field
from typing import Any

from benyfits_data.evaluation.rules.symbolic_values import MISSING
from benyfits_data.language.ir import FALSE, Node


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
