"""A function over a household, as a model writes it, turned into formulas.

The function is run once for all households: conditions narrow the households at hand, values
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
from benyfits_data.evaluation.rules.builtin_calls import BUILTINS, call_method
from benyfits_data.evaluation.rules.expression_reader import MODULES, Expressions, signature_of
from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Builtin,
    CallFrame,
    Closure,
    Items,
    Loop,
    Module,
    Reference,
    Whole,
    alternatives,
    describe_value,
)
from benyfits_data.language.ir import FALSE, TRUE, Node
from benyfits_data.language.symbolic_execution import SymbolicExecutor

MOST_ROUNDS = 50
"""Rounds of a `while` loop before it counts as one without bound: each takes some depth of ours."""
DEEPEST_CALL = 30
"""Functions that call one another before a call counts as a recursion without bound."""


@dataclass(frozen=True)
class FunctionFormula:
    """A program as formulas.

    Attributes:
        verdict: For which households it returns True.
        crash: For which households it fails, or returns no truth value.
        failures: The ways in which it does, each with the households.
    """

    verdict: Node
    crash: Node
    failures: tuple[tuple[Node, str], ...]


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
    names: dict[str, Any] = {
        name: Builtin(name)
        for name in BUILTINS
        if not any(name in brought for brought in MODULES.values())
    }
    frame = CallFrame(names)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise LanguageError("line 1: the program defines no function")
    try:
        reader.block(tree.body, TRUE, frame)
        value = reader.call_function(names[functions[-1].name], [Whole()], {}, TRUE)
    except NotImplementedError as error:
        raise reader.refuse(str(error)) from error
    builder = executor.builder
    verdict = FALSE
    for guard, part in alternatives(value):
        flag = reader.values.flag(part)
        if flag is None:
            reader.fail(guard, f"returns {describe_value(part)}, no truth value")
        else:
            verdict = builder.either(verdict, builder.both(guard, flag))
    crash = builder.any_of(guard for guard, _ in reader.failures)
    return FunctionFormula(verdict, crash, tuple(reader.failures))


class _Reader(Expressions):
    """Runs statements for all households at once."""

    _depth = 0

    def block(self, statements: Sequence[ast.stmt], alive: Node, frame: CallFrame) -> Node:
        """Run statements; return for which households the next one runs."""
        for statement in statements:
            if alive is FALSE:
                break
            self.step(statement)
            run = getattr(self, f"_run_{type(statement).__name__}", None)
            if run is None:
                raise self.refuse(f"`{type(statement).__name__.lower()}`")
            alive = run(statement, alive, frame)
        return alive

    def _run_Expr(self, node: ast.Expr, alive: Node, frame: CallFrame) -> Node:
        self.evaluate(node.value, alive, frame)
        return alive

    def _run_Pass(self, node: ast.Pass, alive: Node, frame: CallFrame) -> Node:
        return alive

    def _run_Import(self, node: ast.Import | ast.ImportFrom, alive: Node, frame: CallFrame) -> Node:
        source = node.module or "" if isinstance(node, ast.ImportFrom) else None
        for part in node.names:
            if (part.name if source is None else source) not in MODULES:
                raise self.refuse(f"`{ast.unparse(node)}`")
            brought = Module(part.name) if source is None else self.imported(source, part.name)
            name = ast.Name(part.asname or part.name, ast.Store())
            self.assign(name, brought, alive, frame)
        return alive

    _run_ImportFrom = _run_Import

    def _run_FunctionDef(self, node: ast.FunctionDef, alive: Node, frame: CallFrame) -> Node:
        if node.decorator_list:
            raise self.refuse("a decorator")
        self.assign(ast.Name(node.name, ast.Store()), Closure(node, frame), alive, frame)
        return alive

    def _run_Return(self, node: ast.Return, alive: Node, frame: CallFrame) -> Node:
        value = None if node.value is None else self.evaluate(node.value, alive, frame)
        frame.returns.append((alive, value))
        return FALSE

    def _run_Raise(self, node: ast.Raise, alive: Node, frame: CallFrame) -> Node:
        self.fail(alive, f"raises {ast.unparse(node.exc) if node.exc else 'an error'}")
        return FALSE

    def _run_Assign(self, node: ast.Assign, alive: Node, frame: CallFrame) -> Node:
        value = self.evaluate(node.value, alive, frame)
        for target in node.targets:
            self.assign(target, value, alive, frame)
        return alive

    def _run_AnnAssign(self, node: ast.AnnAssign, alive: Node, frame: CallFrame) -> Node:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, alive, frame), alive, frame)
        return alive

    def _run_AugAssign(self, node: ast.AugAssign, alive: Node, frame: CallFrame) -> Node:
        reading = ast.copy_location(ast.parse(ast.unparse(node.target), mode="eval").body, node)
        before = self.evaluate(reading, alive, frame)
        value = self.evaluate(node.value, alive, frame)
        if any(isinstance(part, Reference) for _, part in alternatives(before)):
            call_method(self, alive, before, "extend", [value], {})
            return alive
        self.assign(node.target, self.operate(node.op, before, value, alive), alive, frame)
        return alive

    def _run_If(self, node: ast.If, alive: Node, frame: CallFrame) -> Node:
        condition = self.truth(node.test, alive, frame)
        return self.branch(
            condition,
            alive,
            frame,
            lambda here: self.block(node.body, here, frame),
            lambda here: self.block(node.orelse, here, frame),
        )

    def branch(
        self,
        condition: Node,
        alive: Node,
        frame: CallFrame,
        then: Callable[[Node], Node],
        other: Callable[[Node], Node],
    ) -> Node:
        """Run one thing where a condition holds and another elsewhere, and join what they leave."""
        builder = self.builder
        one, two = builder.both(alive, condition), builder.both(alive, builder.negate(condition))
        if one is FALSE:
            return other(two)
        if two is FALSE:
            return then(one)
        names, heap = dict(frame.names), dict(self.heap)
        alive_one = then(one)
        names_one, heap_one = frame.names, self.heap
        frame.names, self.heap = names, {**heap_one, **heap}
        alive_two = other(two)
        if frame.loops or (alive_one is not FALSE and alive_two is not FALSE):
            for name in {*names_one, *frame.names}:
                left, right = names_one.get(name, MISSING), frame.names.get(name, MISSING)
                frame.names[name] = self.values.merge(one, left, right)
        elif alive_two is FALSE:
            frame.names = names_one
        for place, left in heap_one.items():
            right = self.heap[place]
            if left is not right:
                self.heap[place] = self._join_heap(one, left, right)
        return builder.either(alive_one, alive_two)

    def _join_heap(self, condition: Node, left: Any, right: Any) -> Any:
        if isinstance(left, dict) and isinstance(right, dict):
            merge = self.values.merge
            return {
                key: merge(condition, left.get(key, MISSING), right.get(key, MISSING))
                for key in {**left, **right}
            }
        if not isinstance(left, Items) or not isinstance(right, Items) or left.order != right.order:
            raise self.refuse("a name that is a list on one path only")
        alike = 0
        while alike < min(len(left.pairs), len(right.pairs)):
            if left.pairs[alike] != right.pairs[alike]:
                break
            alike += 1
        both, other = self.builder.both, self.builder.negate(condition)
        tail = [(both(condition, guard), value) for guard, value in left.pairs[alike:]]
        tail += [(both(other, guard), value) for guard, value in right.pairs[alike:]]
        pairs = (*left.pairs[:alike], *(pair for pair in tail if pair[0] is not FALSE))
        return Items(pairs, left.order)

    def _run_For(self, node: ast.For, alive: Node, frame: CallFrame) -> Node:
        over = self.evaluate(node.iter, alive, frame)
        broken = FALSE
        for there, value in self.all_items(over, alive).pairs:
            loop = Loop(broken)

            def body(here: Node, value: Any = value, loop: Loop = loop) -> Node:
                self.assign(node.target, value, here, frame)
                return self.builder.either(self.block(node.body, here, frame), loop.continued)

            frame.loops.append(loop)
            try:
                alive = self.branch(there, alive, frame, body, lambda here: here)
            finally:
                frame.loops.pop()
            broken = self.builder.either(broken, loop.broken)
        return self.builder.either(self.block(node.orelse, alive, frame), broken)

    def _run_Continue(self, node: ast.Continue, alive: Node, frame: CallFrame) -> Node:
        frame.loops[-1].continued = self.builder.either(frame.loops[-1].continued, alive)
        return FALSE

    def _run_Break(self, node: ast.Break, alive: Node, frame: CallFrame) -> Node:
        frame.loops[-1].broken = self.builder.either(frame.loops[-1].broken, alive)
        return FALSE

    def _run_While(self, node: ast.While, alive: Node, frame: CallFrame, rounds: int = 0) -> Node:
        """Run a loop as `if`s within one another, so that names are exact in each round."""
        if rounds == MOST_ROUNDS:
            raise self.refuse("a loop without bound", node)

        def body(here: Node) -> Node:
            loop = Loop()
            frame.loops.append(loop)
            try:
                end = self.builder.either(self.block(node.body, here, frame), loop.continued)
                going = end if end is FALSE else self._run_While(node, end, frame, rounds + 1)
            finally:
                frame.loops.pop()
            return self.builder.either(going, loop.broken)

        condition = self.truth(node.test, alive, frame)
        return self.branch(
            condition, alive, frame, body, lambda here: self.block(node.orelse, here, frame)
        )

    def _run_Match(self, node: ast.Match, alive: Node, frame: CallFrame) -> Node:
        """Run a `match` as `if`s on a name that no program can write."""
        subject = ast.Name(f"match {node.lineno}")
        value = self.evaluate(node.subject, alive, frame)
        self.assign(subject, value, alive, frame)
        rest: list[ast.stmt] = []
        for case in reversed(node.cases):
            tests = [self._test_of(case.pattern, subject, value), case.guard or ast.Constant(True)]
            branch = ast.If(ast.BoolOp(ast.And(), tests), case.body, rest)
            rest = [ast.copy_location(branch, case.pattern)]
        return self.block(rest, alive, frame)

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
        raise self.refuse(f"the pattern `{ast.unparse(pattern)}`")

    def call_function(
        self, function: Any, arguments: Sequence[Any], named: dict[str, Any], alive: Node
    ) -> Any:
        """Return what a function of the program returns."""
        if not isinstance(function, Closure):
            raise self.refuse("a call of what is no single function")
        if self._depth >= DEEPEST_CALL:
            raise self.refuse("a recursion without bound")
        try:
            bound = signature_of(function.node.args).bind(*arguments, **named)
        except TypeError as error:
            self.fail(alive, str(error))
            return MISSING
        bound.apply_defaults()
        taken = {
            name: self.evaluate(value, alive, function.frame)
            if isinstance(value, ast.expr)
            else value
            for name, value in bound.arguments.items()
        }
        frame = CallFrame(taken, function.frame)
        line, self._depth = self.line, self._depth + 1
        try:
            if isinstance(function.node, ast.Lambda):
                return self.evaluate(function.node.body, alive, frame)
            end = self.block(function.node.body, alive, frame)
        finally:
            self._depth -= 1
        self.line = line
        if end is not FALSE:
            frame.returns.append((end, None))
        return self.values.join(frame.returns) if frame.returns else MISSING
