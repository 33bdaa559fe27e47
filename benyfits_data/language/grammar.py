"""The subset of Python that checkers, measures and constraints are written in, and its linter."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from benyfits_data.errors import LanguageError
from benyfits_data.language.expressions import (
    WRONG,
    Dialect,
    Scope,
    Value,
    read_condition,
    read_expression,
)
from benyfits_data.language.findings import LintFinding
from benyfits_data.language.source import Source
from benyfits_data.language.symbolic_execution import (
    NONE,
    HouseholdArgument,
    MemberArgument,
    SymbolicExecutor,
)

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
_OWNERS: dict[str, Value] = {
    "household: Household": Value("household"),
    "member: Member": Value("member"),
}
_KEPT = {"flag", "number", "threshold"}
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


def check_checker(source: Source, thresholds: Any = None) -> list[LintFinding]:
    """Return what leaves the language in a checker's function and in the rest of its file.

    Args:
        source: The checker.
        thresholds: What it is called with; without, missing values are not looked for.
    """
    return sorted({*_check(source, "checker", thresholds), *_check_checker_module(source)})


def check_measure(source: Source) -> list[LintFinding]:
    """Return what leaves the language in a measure, or in a helper of constraints."""
    is_helper = source.function.__module__.startswith("benyfits_data.household.constraints")
    return _check(source, "constraint" if is_helper else "measure")


def check_constraint(source: Source) -> list[LintFinding]:
    """Return what leaves the language in a constraint."""
    return _check(source, "constraint")


def _check(source: Source, dialect: Dialect, thresholds: Any = None) -> list[LintFinding]:
    reader = _GrammarReader(source, dialect)
    reader.read()
    if not reader.problems and (thresholds is not None or dialect != "checker"):
        reader.execute(thresholds)
    return sorted(reader.problems)


@dataclass
class _GrammarReader:
    """Reads one function from top to bottom and collects problems.

    What is known where a statement stands is a scope; reading the statement returns the scope of
    the next one, and `None` where no path runs past it.
    """

    source: Source
    dialect: Dialect
    problems: set[LintFinding] = field(default_factory=set)

    def read(self) -> None:
        """Read the function."""
        function, statements = self.source.node, self.source.statements
        outside = inspect.unwrap(self.source.function).__globals__
        scope = Scope(self.dialect, outside, self.note, self._read_signature(function))
        if ast.get_docstring(function) is None:
            self.note(function, "a function without docstring", code="L04")
        if self._read_block(statements, scope) is not None:
            last = statements[-1] if statements else function
            self.note(last, "a path that ends without `return`", code="L05")

    def execute(self, thresholds: Any) -> None:
        """Note the facts that are used as numbers where they may be None."""
        # Of two members, each is tested for itself.
        executor = SymbolicExecutor(places=2)
        number = executor.builder.feature("annual_work_income", 1)
        known = {"household": HouseholdArgument(), "member": MemberArgument(1)}
        known |= {"thresholds": thresholds}
        arguments = [known.get(name, number) for name in self.source.parameters]
        try:
            faults = executor.execute(self.source, arguments).faults
        except LanguageError as error:
            self.problems.add(LintFinding.of(error, self.source.path, "L13"))
            return
        for fault in faults:
            if fault.source is self.source and fault.why == NONE:
                fact = ast.unparse(fault.node)
                instead = f"Test `if {fact} is None:` on a line before."
                self.note(fault.node, f"`{fact}` used as a number though it may be None", instead)

    def note(self, node: ast.AST, what: str, instead: str = "", code: str = "L13") -> None:
        """Keep a problem: what stands at a node, what to write instead, and the rule's code."""
        line = getattr(node, "lineno", self.source.node.lineno)
        self.problems.add(LintFinding(self.source.path, line, code, what, instead))

    def _read_signature(self, function: ast.FunctionDef) -> dict[str, Value]:
        """Return the parameters."""
        given, returns = ast.unparse(function.args), ast.unparse(function.returns or ast.Name(""))
        parameters = [ast.unparse(argument) for argument in function.args.args]
        known = _OWNERS
        if self.dialect == "measure":
            known = {f"{name}: int": Value("number") for name in self.source.parameters} | known
        if self.dialect == "checker":
            known = known | {"thresholds: Thresholds": WRONG}
            first = f"def {function.name}({given}) -> {returns}:"
            is_right = first == _SIGNATURES["checker"] and not function.decorator_list
        else:
            # Nothing but plain parameters is written by their names and annotations alone.
            is_right = bool(parameters) and given == ", ".join(parameters)
            is_right &= known.keys() >= {*parameters} and returns in ("int", "bool")
        if not is_right:
            says = f"the signature `def {function.name}({given}) -> {returns}`"
            self.note(function, says, f"Write {_SIGNATURES[self.dialect]}.", "L03")
        return {
            name: known[parameter]
            for name, parameter in zip(self.source.parameters, parameters, strict=True)
            if parameter in known
        }

    def _read_block(
        self, statements: list[ast.stmt] | tuple[ast.stmt, ...], scope: Scope
    ) -> Scope | None:
        after: Scope | None = scope
        for statement in statements:
            if after is None:
                self.note(statement, "a line no path reaches", code="L10")
                return None
            self._check_lines(statement)
            after = self._read_statement(statement, after)
        return after

    def _read_statement(self, statement: ast.stmt, scope: Scope) -> Scope | None:
        match statement:
            case ast.If():
                return self._read_if(statement, scope)
            case ast.For():
                self._read_loop(statement, scope)
            case ast.Assign(targets=[ast.Name() as target]):
                return self._assign(target, self._read_kept(statement.value, scope), scope)
            case ast.AugAssign(target=ast.Name() as target, op=ast.Add()):
                if target.id not in scope.names:
                    says = f"{target.id} += before {target.id} = "
                    self.note(statement, says, "Assign 0 first.", "L07")
                return self._assign(target, self._read_kept(statement.value, scope), scope)
            case ast.Assign() | ast.AugAssign():
                says = f"the assignment `{ast.unparse(statement)}`"
                self.note(statement, says, "Assign one local name with `=` or `+=`.", "L07")
            case ast.Continue():
                return None
            case ast.Return():
                self._read_return(statement, scope)
                return None
            case _:
                first = ast.unparse(statement).splitlines()[0]
                usual = (f"`{first}`", "docs/language.md lists forms.")
                self.note(statement, *_STATEMENTS.get(type(statement), usual), "L06")
        return scope

    def _read_if(self, statement: ast.If, scope: Scope) -> Scope | None:
        read_condition(statement.test, scope)
        if self.dialect == "checker" and not self.source.clauses(statement.lineno):
            says = f"the decision `{ast.unparse(statement.test)}` without clause"
            self.note(statement, says, code="L09")
        ends = (
            self._read_block(statement.body, scope),
            self._read_block(statement.orelse, scope),
        )
        then, other = (end or next(filter(None, ends), None) for end in ends)
        if then is None or other is None:
            return None
        names = {name: value for name, value in then.names.items() if name in other.names}
        return replace(then, names=names)

    def _read_loop(self, loop: ast.For, scope: Scope) -> None:
        target, over = ast.unparse(loop.target), ast.unparse(loop.iter)
        is_name = isinstance(loop.target, ast.Name)
        if over != "household.members" or not is_name or loop.orelse:
            instead = "Write `for member in household.members:`, without `else`."
            self.note(loop, f"the loop `for {target} in {over}`", instead, "L08")
            return
        if scope.is_in_loop:
            self.note(loop, "a loop inside a loop", "Count first, or write a measure.", "L08")
        if target in scope.names:
            self.note(loop, f"{target} as the loop name, which is taken", "Rename it.", "L08")
        names = {**scope.names, target: Value("member")}
        self._read_block(loop.body, replace(scope, names=names, is_in_loop=True))

    def _read_kept(self, node: ast.expr, scope: Scope) -> Value:
        """Return the value that a local keeps, or a measure returns."""
        value = read_expression(node, scope)
        if value.sort not in {*_KEPT, "wrong"} or value.may_be_none:
            instead = "Keep numbers and flags only, and none that may be None."
            self.note(node, f"`{ast.unparse(node)}` kept in a local", instead, "L07")
            return WRONG
        return Value(value.sort)

    def _assign(self, target: ast.Name, value: Value, scope: Scope) -> Scope:
        """Return the scope in which a local has a new value."""
        taken = scope.names.get(target.id, value)
        is_reserved = taken.sort in ("member", "household") or target.id in scope.outside
        if is_reserved or target.id == "thresholds":
            self.note(target, f"a new value for {target.id}", "Use another name.", "L07")
        elif {"flag"} < {taken.sort, value.sort} <= _KEPT:
            self.note(target, f"{target.id} as both flag and number", "Use two names.", "L07")
        else:
            return replace(scope, names={**scope.names, target.id: value})
        return scope

    def _read_return(self, statement: ast.Return, scope: Scope) -> None:
        value = statement.value
        if self.dialect == "checker":
            if not (isinstance(value, ast.Constant) and isinstance(value.value, bool)):
                instead = "A checker returns True or False on a line of its own, below an `if`."
                self.note(statement, f"`{ast.unparse(statement)}`", instead, "L11")
        elif value is None:
            self.note(statement, "`return` without value", "Return a number or a condition.", "L11")
        elif isinstance(value, ast.Compare | ast.BoolOp | ast.UnaryOp):
            read_condition(value, scope)
        else:
            self._read_kept(value, scope)

    def _check_lines(self, statement: ast.stmt) -> None:
        """Note a checker's statement that shares a line or spans several: traces are lines."""
        if self.dialect != "checker":
            return
        head: ast.stmt | ast.expr = statement
        if isinstance(statement, ast.If | ast.For):
            head = statement.test if isinstance(statement, ast.If) else statement.iter
            if statement.body[0].lineno == head.end_lineno:
                says = "a body on the line of its `if`"
                self.note(statement, says, "Start a new line.", "L12")
        if head.end_lineno != statement.lineno:
            instead = "Put part of it into a local on a line before, so that each fits one line."
            self.note(statement, "a statement over several lines", instead, "L12")


def _check_checker_module(source: Source) -> Iterator[LintFinding]:
    """Yield what a checker module holds besides docstring, imports and its one function."""
    module = ast.parse(source.text)
    body = module.body
    if ast.get_docstring(module) is None:
        says = "a file without docstring"
        yield LintFinding(source.path, 1, "L02", says, "Name the program in one line.")
    else:
        body = body[1:]
    for statement in body:
        match statement:
            case ast.FunctionDef(name="is_eligible"):
                continue
            case ast.ImportFrom(module=str(name), names=names) if name in _CHECKER_IMPORTS:
                allowed = _CHECKER_IMPORTS[name]
                imported = {alias.name for alias in names if alias.asname is None}
                if len(imported) == len(names) and (allowed is None or imported <= allowed):
                    continue
        says = f"`{ast.unparse(statement).splitlines()[0]}` beside is_eligible"
        instead = (
            "A checker imports Household and Thresholds from benyfits_data.checkers.types and "
            "measures from benyfits_data.household.measures, and nothing else."
        )
        yield LintFinding(source.path, statement.lineno, "L02", says, instead)
