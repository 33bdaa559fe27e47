"""The subset of Python that checkers, measures and constraints are written in, and its linter."""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benyfits_data.language.expressions import (
    WRONG,
    Dialect,
    Scope,
    Value,
    read_condition,
    read_expression,
    told_by,
)
from benyfits_data.language.source import Source

_CHECKER_IMPORTS = {
    "benyfits_data.checkers.types": {"Household", "Member", "Thresholds"},
    "benyfits_data.household.measures": None,
}
_SIGNATURES = {
    "checker": "def is_eligible(household: Household, thresholds: Thresholds) -> bool:",
    "measure": "def NAME(household: Household, member: Member, amount: int) -> int or bool, "
    "with one or more of these parameters",
    "constraint": "def NAME(household: Household, member: Member) -> bool, or without the member",
}
_KEPT = ("flag", "number", "threshold")
_STATEMENTS = {
    ast.While: ("a while loop", "Write `for member in household.members:`."),
    ast.Break: ("break", "Return, or set a flag and `continue`."),
    ast.Try: ("try", "Test for None with `is None` instead."),
    ast.With: ("with", "Checkers open nothing."),
    ast.Pass: ("pass", "Turn the condition round so that its body does something."),
    ast.FunctionDef: ("a function inside the function", "Write a measure."),
    ast.AnnAssign: ("an annotated assignment", "Write `name = EXPRESSION`."),
    ast.Raise: ("raise", "Return False; impossible households never arrive here."),
    ast.Assert: ("assert", "Constraints say what is possible; drop the line."),
    ast.Match: ("match", "Write `if` and `elif` lines."),
    ast.Expr: ("an expression on a line of its own", "Drop the line, or return it."),
}


@dataclass(frozen=True, order=True)
class LintFinding:
    """One place that leaves a rule.

    Attributes:
        path: The file.
        line: Its line, from 1; 0 when the whole file is meant.
        code: The rule, one of `lint.rules.RULES`.
        what: What stands there.
        write_instead: What to do about it.
    """

    path: Path
    line: int
    code: str
    what: str
    write_instead: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {self.code} {self.what}. {self.write_instead}".rstrip()


def check_checker(source: Source) -> list[LintFinding]:
    """Return what leaves the language in a checker's function and in the rest of its file."""
    return sorted({*_check(source, "checker"), *_check_checker_module(source)})


def check_measure(source: Source) -> list[LintFinding]:
    """Return what leaves the language in a measure, or in a helper of constraints."""
    is_helper = source.function.__module__.startswith("benyfits_data.household.constraints")
    return _check(source, "constraint" if is_helper else "measure")


def check_constraint(source: Source) -> list[LintFinding]:
    """Return what leaves the language in a constraint."""
    return _check(source, "constraint")


def _check(source: Source, dialect: Dialect) -> list[LintFinding]:
    return _GrammarReader(source, dialect).read()


@dataclass
class _Flow:
    """What is known where a line stands: in a loop or not, names, paths that are not `None`."""

    names: dict[str, Value]
    not_none: frozenset[str] = frozenset()
    is_in_loop: bool = False


@dataclass
class _GrammarReader:
    """Reads one function from top to bottom and collects problems."""

    source: Source
    dialect: Dialect
    problems: set[LintFinding] = field(default_factory=set)

    @property
    def outside(self) -> Mapping[str, Any]:
        """The names of the function's module."""
        names: Mapping[str, Any] = inspect.unwrap(self.source.function).__globals__
        return names

    def read(self) -> list[LintFinding]:
        """Return everything in the function that leaves the checker language, sorted by line."""
        function = self.source.node
        names = self._read_signature(function)
        body = function.body
        if ast.get_docstring(function) is None:
            self.note(
                function, "a function without docstring", "Say in one line what it returns.", "L04"
            )
        else:
            body = body[1:]
        if not self._read_block(body, _Flow(names)):
            self.note(
                body[-1] if body else function,
                "a path that ends without `return`",
                "End the function with a `return` line.",
                "L05",
            )
        return sorted(self.problems)

    def note(self, node: ast.AST, what: str, instead: str, code: str = "L13") -> None:
        """Keep a problem: what stands at a node, what to write instead, and the rule's code."""
        line = getattr(node, "lineno", self.source.node.lineno)
        self.problems.add(LintFinding(self.source.path, line, code, what, instead))

    def _read_signature(self, function: ast.FunctionDef) -> dict[str, Value]:
        arguments = function.args
        names: dict[str, Value] = {}
        parameters = [(a.arg, ast.unparse(a.annotation or ast.Name("?"))) for a in arguments.args]
        for name, annotation in parameters:
            match name, annotation:
                case "household", "Household":
                    names[name] = Value("household")
                case "member", "Member" if self.dialect != "checker":
                    names[name] = Value("member")
                case "thresholds", "Thresholds" if self.dialect == "checker":
                    names[name] = WRONG
                case _, "int" if self.dialect == "measure":
                    names[name] = Value("number")
        returns = ast.unparse(function.returns) if function.returns else ""
        is_plain = not (
            arguments.posonlyargs
            or arguments.kwonlyargs
            or arguments.vararg
            or arguments.kwarg
            or arguments.defaults
        )
        is_right = is_plain and bool(parameters) and len(names) == len(parameters)
        if self.dialect == "checker":
            is_right &= [name for name, _ in parameters] == ["household", "thresholds"]
            is_right &= function.name == "is_eligible" and not function.decorator_list
        is_right &= returns in (("int", "bool") if self.dialect != "checker" else ("bool",))
        if not is_right:
            first = f"def {function.name}({ast.unparse(arguments)}) -> {returns}"
            self.note(
                function, f"the signature `{first}`", f"Write {_SIGNATURES[self.dialect]}.", "L03"
            )
        return names

    def _scope(self, flow: _Flow) -> Scope:
        return Scope(self.dialect, flow.names, self.outside, self.note, flow.not_none)

    def _read_block(self, statements: list[ast.stmt], flow: _Flow) -> bool:
        """Return whether no path runs past the block's end; `flow` is brought up to its end."""
        for position, statement in enumerate(statements):
            self._check_lines(statement)
            if self._read_statement(statement, flow):
                if position + 1 < len(statements):
                    self.note(statements[position + 1], "a line no path reaches", "Drop it.", "L10")
                return True
        return False

    def _read_statement(self, statement: ast.stmt, flow: _Flow) -> bool:
        match statement:
            case ast.If():
                return self._read_if(statement, flow)
            case ast.For():
                self._read_loop(statement, flow)
            case ast.Assign(targets=[ast.Name() as target]):
                self._assign(target, self._read_assigned(statement.value, flow), flow)
            case ast.AugAssign(target=ast.Name() as target, op=ast.Add()):
                if target.id not in flow.names:
                    self.note(
                        statement, f"{target.id} += before {target.id} = ", "Assign 0 first.", "L07"
                    )
                self._assign(target, self._read_assigned(statement.value, flow), flow)
            case ast.Assign() | ast.AugAssign():
                self.note(
                    statement,
                    f"the assignment `{ast.unparse(statement)}`",
                    "Assign one local name with `=` or `+=`.",
                    "L07",
                )
            case ast.Continue():
                return True
            case ast.Return():
                self._read_return(statement, flow)
                return True
            case _:
                what, instead = _STATEMENTS.get(
                    type(statement),
                    (
                        f"`{ast.unparse(statement).splitlines()[0]}`",
                        "docs/language.md lists forms.",
                    ),
                )
                self.note(statement, what, instead, "L06")
        return False

    def _read_if(self, statement: ast.If, flow: _Flow) -> bool:
        read_condition(statement.test, self._scope(flow))
        if self.dialect == "checker" and not self.source.clauses(statement.lineno):
            self.note(
                statement,
                f"the decision `{ast.unparse(statement.test)}` without clause",
                "End the line with `# clause N` (or `# clauses Na, Nb`; `# reading ID` where only "
                "another option of that reading asks it).",
                "L09",
            )
        yes, no = told_by(statement.test)
        branches = []
        for body, settled in ((statement.body, yes), (statement.orelse, no)):
            branch = _Flow(dict(flow.names), flow.not_none | settled, flow.is_in_loop)
            if not self._read_block(body, branch):
                branches.append(branch)
        if not branches:
            return True
        flow.not_none = frozenset.intersection(*(branch.not_none for branch in branches))
        flow.names = {
            name: value
            for name, value in branches[0].names.items()
            if all(name in branch.names for branch in branches)
        }
        return False

    def _read_loop(self, loop: ast.For, flow: _Flow) -> None:
        is_over_members = ast.unparse(loop.iter) == "household.members"
        if not (is_over_members and isinstance(loop.target, ast.Name)) or loop.orelse:
            self.note(
                loop,
                f"the loop `for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}`",
                "Write `for member in household.members:`, without `else`.",
                "L08",
            )
            return
        if flow.is_in_loop:
            self.note(loop, "a loop inside a loop", "Count first, or write a measure.", "L08")
        if loop.target.id in flow.names:
            self.note(
                loop, f"{loop.target.id} as the loop name, which is taken", "Rename it.", "L08"
            )
        body = _Flow(
            {**flow.names, loop.target.id: Value("member")}, flow.not_none, is_in_loop=True
        )
        self._read_block(loop.body, body)

    def _read_assigned(self, node: ast.expr, flow: _Flow) -> Value:
        value = read_expression(node, self._scope(flow))
        if value.sort not in (*_KEPT, "wrong") or (
            value.may_be_none and value.path not in flow.not_none
        ):
            self.note(
                node,
                f"`{ast.unparse(node)}` kept in a local",
                "Keep numbers and flags only, those that may be None after a test.",
                "L07",
            )
            return WRONG
        return Value(value.sort)

    def _assign(self, target: ast.Name, value: Value, flow: _Flow) -> None:
        taken = flow.names.get(target.id)
        is_reserved = taken is not None and taken.sort in ("member", "household")
        if is_reserved or target.id in self.outside or target.id == "thresholds":
            self.note(target, f"a new value for {target.id}", "Use another name.", "L07")
        elif taken is not None and {"flag"} < {taken.sort, value.sort} <= {*_KEPT}:
            self.note(target, f"{target.id} as both flag and number", "Use two names.", "L07")
        else:
            flow.names[target.id] = value

    def _read_return(self, statement: ast.Return, flow: _Flow) -> None:
        value = statement.value
        if self.dialect == "checker":
            if not (isinstance(value, ast.Constant) and isinstance(value.value, bool)):
                self.note(
                    statement,
                    f"`{ast.unparse(statement)}`",
                    "A checker returns True or False on a line of its own, below an `if`.",
                    "L11",
                )
        elif value is None:
            self.note(statement, "`return` without value", "Return a number or a condition.", "L11")
        elif isinstance(value, ast.Compare | ast.BoolOp | ast.UnaryOp):
            read_condition(value, self._scope(flow))
        else:
            self._read_assigned(value, flow)

    def _check_lines(self, statement: ast.stmt) -> None:
        """Note a checker's statement that shares a line or spans several: traces are lines."""
        if self.dialect != "checker":
            return
        head_end: int | None
        if isinstance(statement, ast.If | ast.For):
            head = statement.test if isinstance(statement, ast.If) else statement.iter
            head_end = head.end_lineno
            is_shared = statement.body[0].lineno == head_end
        else:
            head_end, is_shared = statement.end_lineno, False
        if head_end != statement.lineno:
            self.note(
                statement,
                "a statement over several lines",
                "Put part of it into a local on a line before, so that each fits one line.",
                "L12",
            )
        if is_shared:
            self.note(statement, "a body on the line of its `if`", "Start a new line.", "L12")


def _check_checker_module(source: Source) -> list[LintFinding]:
    """Return what a checker module holds besides docstring, imports and its one function."""
    module = ast.parse(source.path.read_text(encoding="utf-8"))
    problems = []
    if ast.get_docstring(module) is None:
        problems.append(
            LintFinding(
                source.path, 1, "L02", "a file without docstring", "Name the program in one line."
            )
        )
    for position, statement in enumerate(module.body):
        match statement:
            case ast.Expr(value=ast.Constant()) if position == 0:
                continue
            case ast.FunctionDef(name="is_eligible"):
                continue
            case ast.ImportFrom(module=str(name)) if name in _CHECKER_IMPORTS:
                allowed = _CHECKER_IMPORTS[name]
                imported = {alias.name for alias in statement.names if alias.asname is None}
                if len(imported) == len(statement.names) and (
                    allowed is None or imported <= allowed
                ):
                    continue
        problems.append(
            LintFinding(
                source.path,
                statement.lineno,
                "L02",
                f"`{ast.unparse(statement).splitlines()[0]}` beside is_eligible",
                "A checker imports Household and Thresholds from benyfits_data.checkers.types and "
                "measures from benyfits_data.household.measures, and nothing else.",
            )
        )
    return problems
