"""A checker run step by step: which line asked what of whom, with the values on both sides.

The reference for labels and traces is coverage.py (`coverage_tracer.py`). Here the same text is
compiled with a call around every condition, because a line tracer sees lines and no values.
"""

import ast
import copy
import inspect
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from benyfits_data.household.model import Household, Member
from benyfits_data.language.source import Source

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
}


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


@dataclass
class CheckerRun:
    """One run of a checker.

    Attributes:
        eligible: Its answer.
        decisions: Every condition in the order of asking.
        lines: The lines that ran, loop lines and `else` branches included.
        returned_at: The line that returned.
    """

    eligible: bool = False
    decisions: list[Decision] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    returned_at: int = 0


Checker = Callable[[Household, Any], bool]


def run_steps(checker: Checker, household: Household, thresholds: Any) -> CheckerRun:
    """Return one run of a checker, condition by condition."""
    run = CheckerRun()
    _compiled(checker)(household, thresholds, _Recorder(run, household.members))
    return run


@dataclass
class _Recorder:
    """What the compiled checker calls while it runs."""

    run: CheckerRun
    members: tuple[Member, ...]
    member: int | None = None

    def line(self, line: int) -> None:
        self.run.lines.add(line)

    def visit(self, member: Member) -> None:
        self.member = next(i for i, one in enumerate(self.members) if one is member)

    def leave(self) -> None:
        self.member = None

    def flag(self, line: int, value: bool, wanted: bool) -> bool:
        holds = bool(value) is wanted
        self.run.decisions.append(Decision(line, self.member, value, None, holds))
        return holds

    def compare(self, line: int, name: str, left: Any, right: Any) -> bool:
        holds = bool(_OPERATORS[name](left, right))
        self.run.decisions.append(Decision(line, self.member, left, right, holds))
        return holds

    def answer(self, line: int, value: bool) -> bool:
        self.run.eligible, self.run.returned_at = value, line
        return value


@cache
def _compiled(checker: Checker) -> Callable[..., bool]:
    source = Source.of(checker)
    function = copy.deepcopy(source.node)
    function.args.args.append(ast.arg("_recorder"))
    function.decorator_list = []
    function.body = _recorded_block(list(source.statements))
    for argument in function.args.args:
        argument.annotation = None
    function.returns = None
    module = ast.fix_missing_locations(ast.Module([function], []))
    names = dict(inspect.unwrap(source.function).__globals__)
    exec(compile(module, f"<recorded {source.path}>", "exec"), names)
    compiled: Callable[..., bool] = names[function.name]
    return compiled


def _recorded_block(statements: list[ast.stmt]) -> list[ast.stmt]:
    block: list[ast.stmt] = []
    for original in statements:
        statement = copy.deepcopy(original)
        block.append(_as_statement(_call("line", ast.Constant(original.lineno))))
        block.append(statement)
        match statement:
            case ast.If():
                statement.test = _recorded_test(statement.test, original.lineno)
                statement.body = _recorded_block(statement.body)
                statement.orelse = _recorded_block(statement.orelse)
            case ast.For(target=ast.Name(id=name)):
                visit = _as_statement(_call("visit", ast.Name(name, ast.Load())))
                statement.body = [visit, *_recorded_block(statement.body)]
                block.append(_as_statement(_call("leave")))
            case ast.Return(value=ast.expr() as value):
                statement.value = _call("answer", ast.Constant(original.lineno), value)
    return block


def _recorded_test(test: ast.expr, line: int) -> ast.expr:
    where = ast.Constant(line)
    if isinstance(test, ast.Compare):
        name = ast.Constant(type(test.ops[0]).__name__)
        return _call("compare", where, name, test.left, test.comparators[0])
    if isinstance(test, ast.UnaryOp):
        return _call("flag", where, test.operand, ast.Constant(False))
    return _call("flag", where, test, ast.Constant(True))


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    method = ast.Attribute(ast.Name("_recorder", ast.Load()), name, ast.Load())
    return ast.Call(method, list(arguments), [])


def _as_statement(call: ast.expr) -> ast.stmt:
    return ast.Expr(call)
