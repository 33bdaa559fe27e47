"""A checker run step by step: which line asked what of whom, with the values on both sides.

The reference for labels and traces is coverage.py (`coverage_tracer.py`). Here the statements are
walked one by one, because a line tracer sees lines and no values.
"""

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any

from benyfits_data.household.model import Household
from benyfits_data.language.source import Source

Checker = Callable[[Household, Any], bool]


@dataclass(frozen=True)
class Decision:
    """One condition that was asked.

    Attributes:
        line: Line of the file.
        member: Position of the member it was asked of; `None` outside loops.
        left: The flag, or what stands left of the comparison.
        right: What stands right of the comparison; `None` for a flag.
        holds: Whether the whole condition, with its `not`, was true.
    """

    line: int
    member: int | None
    left: Any
    right: Any
    holds: bool


@dataclass(frozen=True)
class StepAssignment:
    """One assignment to a local name.

    Attributes:
        line: Line of the file.
        member: Position of the member it was made for; `None` outside loops.
        value: What the name holds from then on.
        n_decisions: How many conditions had been asked before.
    """

    line: int
    member: int | None
    value: Any
    n_decisions: int


@dataclass
class CheckerRun:
    """One run of a checker.

    Attributes:
        eligible: Its answer.
        decisions: Every condition in the order of asking.
        assignments: Every assignment in its order.
        lines: The lines that ran, loop lines and `else` branches included.
        returned_at: The line that returned.
    """

    eligible: bool = False
    decisions: list[Decision] = field(default_factory=list)
    assignments: list[StepAssignment] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    returned_at: int = 0


def run_steps(
    checker: Checker,
    household: Household,
    thresholds: Any,
    turned: tuple[int, int | None] | None = None,
) -> CheckerRun:
    """Return one run of a checker, condition by condition.

    Args:
        checker: The checker.
        household: Whom it is run for.
        thresholds: Its amounts.
        turned: Line and member of a condition whose outcome counts as the opposite.
    """
    source = Source.of(checker)
    names = dict(zip(source.parameters, (household, thresholds), strict=True))
    walk = _Walk(inspect.unwrap(source.function).__globals__, names, household, turned)
    walk.block(source.statements)
    return walk.run


@dataclass
class _Walk:
    space: dict[str, Any]
    names: dict[str, Any]
    household: Household
    turned: tuple[int, int | None] | None
    member: int | None = None
    run: CheckerRun = field(default_factory=CheckerRun)

    def block(self, statements: Sequence[ast.stmt]) -> type[ast.stmt] | None:
        """Run statements; return what ended them early: `ast.Continue` or `ast.Return`."""
        for statement in statements:
            self.run.lines.add(statement.lineno)
            ended: type[ast.stmt] | None = None
            match statement:
                case ast.If():
                    taken = statement.body if self.decide(statement) else statement.orelse
                    ended = self.block(taken)
                case ast.For(target=ast.Name(id=name)):
                    for position, member in enumerate(self.household.members):
                        self.member, self.names[name] = position, member
                        ended = self.block(statement.body)
                        if ended is ast.Return:
                            return ended
                    self.member = ended = None
                case ast.Return(value=ast.expr() as value):
                    self.run.eligible, self.run.returned_at = self.value(value), statement.lineno
                    ended = ast.Return
                case ast.Continue():
                    ended = ast.Continue
                case _:
                    exec(_code(statement), self.space, self.names)
                    self.note_assignment(statement)
            if ended:
                return ended
        return None

    def decide(self, statement: ast.If) -> bool:
        """Keep a condition with both its sides; return how it turns out, or is made to turn out."""
        test = statement.test
        if isinstance(test, ast.Compare):
            left, right = self.value(test.left), self.value(test.comparators[0])
        else:
            left = self.value(test.operand if isinstance(test, ast.UnaryOp) else test)
            right = None
        holds = bool(self.value(test))
        self.run.decisions.append(Decision(statement.lineno, self.member, left, right, holds))
        return holds is not ((statement.lineno, self.member) == self.turned)

    def note_assignment(self, statement: ast.stmt) -> None:
        """Keep the value that an assignment gave a local name."""
        if isinstance(statement, ast.Assign | ast.AugAssign):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            value, asked = self.names[ast.unparse(target)], len(self.run.decisions)
            self.run.assignments.append(StepAssignment(statement.lineno, self.member, value, asked))

    def value(self, node: ast.expr) -> Any:
        """Return the value of an expression at this step."""
        return eval(_code(node), self.space, self.names)


@lru_cache(maxsize=10_000)
def _code(node: ast.expr | ast.stmt) -> CodeType:
    if isinstance(node, ast.expr):
        return compile(ast.Expression(node), "<step>", "eval")
    return compile(ast.Module([node], []), "<step>", "exec")
