"""A model's program as formulas: for which households it returns True, and for which it fails.

The program is run once for all households: conditions narrow the households at hand, values
become choices, and lists hold items that are there for some households only. What Python would
refuse (a missing key, `None < 3`) is noted as a failure of the program for these households. What
cannot be read so is a `LanguageError` with its line; the program is then run, not proven.
"""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.codegen.checker_translation import Form
from benyfits_data.evaluation.rules.builtin_calls import BUILTINS, MODULES, parse_functions
from benyfits_data.evaluation.rules.expression_reader import Expressions
from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Builtin,
    CallFrame,
    Closure,
    List,
    Loop,
    UnreadError,
    Whole,
    alternatives,
)
from benyfits_data.language.ir import FALSE, TRUE, Node
from benyfits_data.language.symbolic_execution import SymbolicExecutor

MOST_ROUNDS = 50
"""Rounds of a `while` loop before it counts as one without bound: each takes some depth of ours."""


@dataclass(frozen=True)
class FunctionFormula:
    """A program as formulas.

    Attributes:
        verdict: For which households it returns True.
        crash: For which households it fails, or returns no truth value.
    """

    verdict: Node
    crash: Node


def read_function(executor: SymbolicExecutor, source: str, form: Form = "typed") -> FunctionFormula:
    """Return a program as formulas.

    Args:
        executor: Makes the nodes.
        source: Text of a module whose last function takes a household and returns a truth value.
        form: What it is given.

    Raises:
        LanguageError: It holds what cannot be read; the message names the line.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise LanguageError(f"line {getattr(error, 'lineno', 0)}: {error}") from error
    reader = _Reader(executor, form)
    try:
        return reader.read(tree)
    except (UnreadError, RecursionError) as error:
        raise LanguageError(f"line {reader.line}: {error} cannot be read as a formula") from error


class _Reader(Expressions):
    """Runs statements for all households at once."""

    def read(self, tree: ast.Module) -> FunctionFormula:
        """Return a program as formulas."""
        self.python = CallFrame({name: Builtin(name) for name in (*BUILTINS, "NOTHING")})
        self.block(parse_functions().body, self.python)
        brought = {name for names in MODULES.values() for name in names}
        hidden = {**dict.fromkeys(brought, MISSING), "NOTHING": MISSING}
        frame = CallFrame(hidden, self.python)
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        if not functions:
            raise UnreadError("a program without a function")
        self.block(tree.body, frame)
        value = self.call(frame.names[functions[-1].name], [Whole()], {})
        verdict = FALSE
        for guard, part in alternatives(value):
            flag = self.flag(part)
            if flag is None:
                self.fail(guard)
            else:
                verdict = self.builder.either(verdict, self.builder.both(guard, flag))
        return FunctionFormula(verdict, self.crash)

    # Statements: each returns which of the households that reach it go on to the next one, and
    # nothing where all do.

    def block(self, statements: Sequence[ast.stmt], frame: CallFrame) -> Node:
        """Run statements; return which of the households that reach them go on behind them."""
        before, stay = (self.alive, self.reached), TRUE
        for statement in statements:
            if self.alive is FALSE:
                break
            self.step(statement)
            run = getattr(self, f"_run_{type(statement).__name__}", None)
            if run is None:
                raise UnreadError(f"`{type(statement).__name__.lower()}`")
            here = self.alive, self.reached
            goes_on = run(statement, frame)
            self.alive, self.reached = here
            if goes_on is not None:
                self.alive = self.meet(self.alive, goes_on)
                self.reached = self.builder.both(self.reached, goes_on)
                stay = self.builder.both(stay, goes_on)
        self.alive, self.reached = before
        return stay

    def _run_Expr(self, node: ast.Expr, frame: CallFrame) -> None:
        self.evaluate(node.value, frame)

    def _run_Pass(self, node: ast.Pass, frame: CallFrame) -> None:
        """Do nothing."""

    def _run_Import(self, node: ast.Import | ast.ImportFrom, frame: CallFrame) -> None:
        source = node.module or "" if isinstance(node, ast.ImportFrom) else None
        for part in node.names:
            if (part.name if source is None else source) not in MODULES:
                raise UnreadError(f"`{ast.unparse(node)}`")
            brought = Builtin(part.name) if source is None else self.brought(source, part.name)
            self.assign(ast.Name(part.asname or part.name, ast.Store()), brought, frame)

    _run_ImportFrom = _run_Import

    def _run_FunctionDef(self, node: ast.FunctionDef, frame: CallFrame) -> None:
        if node.decorator_list:
            raise UnreadError("a decorator")
        self.assign(ast.Name(node.name, ast.Store()), Closure(node, frame), frame)

    def _run_Return(self, node: ast.Return, frame: CallFrame) -> Node:
        value = None if node.value is None else self.evaluate(node.value, frame)
        frame.returns.append((self.reached, value))
        return self._end(frame)

    def _run_Raise(self, node: ast.Raise, frame: CallFrame) -> Node:
        self.fail(TRUE)
        return self._end(frame)

    def _run_Continue(self, node: ast.Continue, frame: CallFrame) -> Node:
        frame.loops[-1].continued = self.builder.either(frame.loops[-1].continued, self.reached)
        return FALSE

    def _run_Break(self, node: ast.Break, frame: CallFrame) -> Node:
        frame.loops[-1].broken = self.builder.either(frame.loops[-1].broken, self.reached)
        return self._end(frame)

    def _end(self, frame: CallFrame) -> Node:
        frame.n_ends += 1
        return FALSE

    def _run_Assign(self, node: ast.Assign, frame: CallFrame) -> None:
        value = self.evaluate(node.value, frame)
        for target in node.targets:
            self.assign(target, value, frame)

    def _run_AnnAssign(self, node: ast.AnnAssign, frame: CallFrame) -> None:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, frame), frame)

    def _run_AugAssign(self, node: ast.AugAssign, frame: CallFrame) -> None:
        reading = ast.copy_location(ast.parse(ast.unparse(node.target), mode="eval").body, node)
        before = self.evaluate(reading, frame)
        value = self.evaluate(node.value, frame)
        is_sum = isinstance(node.op, ast.Add)
        if is_sum and any(isinstance(part, List) for _, part in alternatives(before)):
            self.lift(lambda whole: self.call_method(whole, "extend", [value]), before)
        else:
            self.assign(node.target, self.operate(node.op, before, value), frame)

    def _run_If(self, node: ast.If, frame: CallFrame) -> Node:
        return self.branch(
            self.truth_at(node.test, frame),
            frame,
            lambda: self.block(node.body, frame),
            lambda: self.block(node.orelse, frame),
        )

    def branch(
        self,
        condition: Node,
        frame: CallFrame,
        then: Callable[[], Node],
        other: Callable[[], Node] = lambda: TRUE,
    ) -> Node:
        """Run one thing where a condition holds and another elsewhere, and join their names."""
        opposite = self.builder.negate(condition)
        if not self.reaches(condition):
            return other()
        if not self.reaches(opposite):
            return then()
        before = frame.names
        frame.names = dict(before)
        one, names_one = self.under(condition, then), frame.names
        frame.names = dict(before)
        two, names_two = self.under(opposite, other), frame.names
        if frame.loops or FALSE not in (one, two):
            frame.names = {
                name: self.merge(
                    condition, names_one.get(name, MISSING), names_two.get(name, MISSING)
                )
                for name in {**names_one, **names_two}
            }
        elif two is FALSE:
            frame.names = names_one
        goes_on: Node = self.builder.choose(condition, one, two)
        return goes_on

    def _run_For(self, node: ast.For, frame: CallFrame) -> Node:
        over, stay = self.evaluate(node.iter, frame), TRUE
        frame.loops.append(Loop())
        for there, value in self.each(over):

            def work(value: Any = value) -> Node:
                self.assign(node.target, value, frame)
                return self._round(node.body, frame)

            goes_on = self.branch(there, frame, work)
            self.alive = self.meet(self.alive, goes_on)
            self.reached = self.builder.both(self.reached, goes_on)
            stay = self.builder.both(stay, goes_on)
        stay = self.builder.both(stay, self._else_of(node, frame))
        return self.builder.either(stay, frame.loops.pop().broken)

    def _else_of(self, node: ast.For | ast.While, frame: CallFrame) -> Node:
        """Run the `else` of a loop, while who left it is still known."""
        if any(
            isinstance(part, ast.Break | ast.Continue)
            for statement in node.orelse
            for part in ast.walk(statement)
        ):
            raise UnreadError("an `else` of a loop that leaves another loop")
        return self.block(node.orelse, frame)

    def _round(self, statements: Sequence[ast.stmt], frame: CallFrame) -> Node:
        """Run a loop's statements once; return who goes on to the next round."""
        loop, n_ends = frame.loops[-1], frame.n_ends
        goes_on = self.builder.either(self.block(statements, frame), loop.continued)
        loop.continued = FALSE
        return TRUE if frame.n_ends == n_ends else goes_on

    def _run_While(self, node: ast.While, frame: CallFrame, rounds: int = 0) -> Node:
        """Run a loop as `if`s within one another, so that names are exact in each round."""
        if rounds == MOST_ROUNDS:
            self.line = node.lineno
            raise UnreadError("a loop without bound")

        def work() -> Node:
            frame.loops.append(Loop())
            goes_on = self._round(node.body, frame)
            if self.reaches(goes_on):
                more = self.under(goes_on, self._run_While, node, frame, rounds + 1)
                goes_on = self.builder.both(goes_on, more)
            return self.builder.either(goes_on, frame.loops.pop().broken)

        condition = self.truth_at(node.test, frame)
        return self.branch(condition, frame, work, lambda: self._else_of(node, frame))

    def _run_Match(self, node: ast.Match, frame: CallFrame) -> Node:
        """Run a `match` as `if`s on a name that no program can write."""
        subject = ast.Name(f"match {node.lineno}")
        value = self.evaluate(node.subject, frame)
        self.assign(subject, value, frame)
        rest: list[ast.stmt] = []
        for case in reversed(node.cases):
            tests = [self._test_of(case.pattern, subject, value), case.guard or ast.Constant(True)]
            branch = ast.If(ast.BoolOp(ast.And(), tests), case.body, rest)
            rest = [ast.copy_location(branch, case.pattern)]
        return self.block(rest, frame)

    def _test_of(self, pattern: ast.pattern, subject: ast.expr, value: Any) -> ast.expr:
        """Return the condition under which a pattern fits a subject, whose value is known."""
        match pattern:
            case ast.MatchValue(value=wanted):
                return ast.Compare(subject, [ast.Eq()], [wanted])
            case ast.MatchSingleton(value=wanted):
                return ast.Compare(subject, [ast.Is()], [ast.Constant(wanted)])
            case ast.MatchOr(patterns=parts):
                tests = [self._test_of(part, subject, value) for part in parts]
                return ast.BoolOp(ast.Or(), tests)
            case ast.MatchSequence(patterns=parts) if isinstance(value, tuple) and len(
                value
            ) == len(parts):
                items = [ast.Subscript(subject, ast.Constant(place)) for place in range(len(parts))]
                tests = list(map(self._test_of, parts, items, value))
                return ast.BoolOp(ast.And(), [*tests, ast.Constant(True)])
            case ast.MatchAs(pattern=None, name=None):
                return ast.Constant(True)
            case ast.MatchAs(pattern=None, name=str(name)):
                return ast.List([ast.NamedExpr(ast.Name(name), subject)])  # always true
        raise UnreadError(f"the pattern `{ast.unparse(pattern)}`")
