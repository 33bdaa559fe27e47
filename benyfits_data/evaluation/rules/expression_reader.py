"""Expressions of a program that runs for all households at once."""

import ast
import builtins
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter, Signature, signature
from typing import Any

from benyfits_data.evaluation.rules.builtin_calls import MODULES, BuiltinCalls
from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Builtin,
    CallFrame,
    Choice,
    Closure,
    Crash,
    Dictionary,
    Generator,
    List,
    Pairs,
    SomeText,
    UnreadError,
    alternatives,
    is_constant,
    is_key,
)
from benyfits_data.language.ir import TRUE, Node

MOST_STEPS = 500_000
"""Statements and expressions run in all, so that nested loops end: the longest program here takes
some 40,000."""
DEEPEST_CALL = 30
"""Functions that call one another before a call counts as a recursion without bound."""


class Expressions(BuiltinCalls):
    """Evaluates expressions, calls functions, and gives names their values.

    Attributes:
        line: Where the program is.
        reached: For which households of those that called the function at hand it came here.
    """

    line = 1
    reached = TRUE
    _depth = _steps = 0

    def step(self, node: ast.AST) -> None:
        """Note where the program is, and that it went on."""
        self._steps += 1
        self.line = getattr(node, "lineno", self.line)
        if self._steps > MOST_STEPS:
            raise UnreadError("a program of that many steps")

    def under(self, flag: Node, work: Callable[..., Any], *arguments: Any) -> Any:
        """Return what some work gives that is done where a flag holds."""
        before = self.alive, self.reached
        self.alive = self.meet(self.alive, flag)
        self.reached = self.builder.both(self.reached, flag)
        try:
            return work(*arguments)
        finally:
            self.alive, self.reached = before

    def truth_at(self, node: ast.expr, frame: CallFrame) -> Node:
        """Return for which households an expression is true."""
        return self.truth_of(self.evaluate(node, frame))

    def block(self, statements: Sequence[ast.stmt], frame: CallFrame) -> Node:
        """Run statements; return which of the households that reach them go on behind them."""
        raise NotImplementedError

    # Assignments

    def assign(self, target: ast.expr, value: Any, frame: CallFrame) -> None:
        """Give a name, several names or an entry a value."""
        if isinstance(target, ast.Name):
            if any(loop.is_left for loop in frame.loops):
                # Some households have left the round or the loop, and keep what they had.
                value = self.merge(self.reached, value, frame.names.get(target.id, MISSING))
            frame.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for place, part in enumerate(target.elts):
                taken = self.lift(lambda whole, at=place: self._part(whole, at, target.elts), value)
                self.assign(part.value if isinstance(part, ast.Starred) else part, taken, frame)
        elif isinstance(target, ast.Subscript):
            owner, key = self.evaluate(target.value, frame), self.evaluate(target.slice, frame)
            self.lift(lambda table, name: self._set_entry(table, name, value), owner, key)
        else:
            raise UnreadError(f"an assignment to `{ast.unparse(target)}`")

    def _part(self, whole: Any, place: int, targets: Sequence[ast.expr]) -> Any:
        """What the target at a place takes of a list; only the last may take the rest."""
        pairs, last = self.items(whole), targets[-1]
        if any(isinstance(target, ast.Starred) for target in targets[:-1]):
            raise UnreadError("a starred name before others")
        if isinstance(last, ast.Starred):
            is_rest = place == len(targets) - 1
            return self.part(whole, [place, None, None]) if is_rest else self.nth(pairs, place)
        if any(guard is not TRUE for guard, _ in pairs) or len(pairs) != len(targets):
            raise UnreadError("unpacking a list of open length")
        return pairs[place][1]

    def _set_entry(self, table: Any, name: Any, value: Any) -> None:
        """Set an entry of a dictionary that the program made."""
        if not isinstance(table, Dictionary) or not is_key(name):
            raise UnreadError("an assignment to an entry of this")
        before = table.entries.get(name, MISSING)
        table.entries[name] = self.merge(self.alive, value, before)

    # Expressions

    def evaluate(self, node: ast.expr, frame: CallFrame) -> Any:
        """Return the value of an expression."""
        self.step(node)
        run = getattr(self, f"_value_{type(node).__name__}", None)
        if run is None:
            raise UnreadError(f"`{ast.unparse(node)}`")
        return run(node, frame)

    def _value_Constant(self, node: ast.Constant, frame: CallFrame) -> Any:
        value = node.value
        if not is_constant(value) or (isinstance(value, float) and not math.isfinite(value)):
            raise UnreadError(f"`{ast.unparse(node)}`")
        return value

    def _value_Name(self, node: ast.Name, frame: CallFrame) -> Any:
        value = frame.find(node.id)
        if value is MISSING and hasattr(builtins, node.id):
            raise UnreadError(f"`{node.id}`")
        for guard, part in alternatives(value):
            if part is MISSING:
                self.fail(guard)
        return value

    def _spread(self, elements: Sequence[ast.expr], frame: CallFrame) -> Pairs:
        """The values of expressions in a row, of starred ones what they hold."""
        pairs: Pairs = []
        for part in elements:
            if isinstance(part, ast.Starred):
                pairs += self.each(self.evaluate(part.value, frame))
            else:
                pairs.append((TRUE, self.evaluate(part, frame)))
        return pairs

    def _value_Tuple(self, node: ast.Tuple | ast.Call, frame: CallFrame) -> tuple[Any, ...]:
        pairs = self._spread(node.elts if isinstance(node, ast.Tuple) else node.args, frame)
        if any(there is not TRUE for there, _ in pairs):
            raise UnreadError("a starred list of open length")
        return tuple(value for _, value in pairs)

    def _value_List(self, node: ast.List, frame: CallFrame) -> List:
        return List(self._spread(node.elts, frame))

    def _value_Set(self, node: ast.Set, frame: CallFrame) -> List:
        return self.make_set(self._spread(node.elts, frame))

    def _value_Dict(self, node: ast.Dict, frame: CallFrame) -> Dictionary:
        table: dict[Any, Any] = {}
        for key, part in zip(node.keys, node.values, strict=True):
            name = MISSING if key is None else self.evaluate(key, frame)
            if not is_key(name):
                raise UnreadError("a table by what depends on the household")
            table[name] = self.evaluate(part, frame)
        return Dictionary(table)

    def _value_JoinedStr(self, node: ast.JoinedStr, frame: CallFrame) -> SomeText:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.evaluate(part.value, frame)
        return SomeText()

    def _value_NamedExpr(self, node: ast.NamedExpr, frame: CallFrame) -> Any:
        value = self.evaluate(node.value, frame)
        self.assign(node.target, value, frame)
        return value

    def _value_Lambda(self, node: ast.Lambda, frame: CallFrame) -> Closure:
        return Closure(node, frame)

    def _value_IfExp(self, node: ast.IfExp, frame: CallFrame) -> Any:
        condition = self.truth_at(node.test, frame)
        pairs = [
            (guard, self.under(guard, self.evaluate, part, frame))
            for guard, part in (
                (condition, node.body),
                (self.builder.negate(condition), node.orelse),
            )
            if self.reaches(guard)
        ]
        return self.join(pairs) if len(pairs) > 1 else pairs[0][1]

    def _value_BoolOp(self, node: ast.BoolOp, frame: CallFrame) -> Any:
        first, *rest = node.values
        value = self.evaluate(first, frame)
        if not rest:
            return value
        holds = self.truth_of(value)
        goes_on = holds if isinstance(node.op, ast.And) else self.builder.negate(holds)
        if not self.reaches(goes_on):
            return value
        following = ast.copy_location(ast.BoolOp(node.op, rest), node)
        return self.merge(goes_on, self.under(goes_on, self.evaluate, following, frame), value)

    def _value_UnaryOp(self, node: ast.UnaryOp, frame: CallFrame) -> Any:
        value = self.evaluate(node.operand, frame)
        if isinstance(node.op, ast.Not):
            return self.builder.negate(self.truth_of(value))
        if isinstance(node.op, ast.USub):
            return self.operate(ast.Sub(), 0, value)
        raise UnreadError(f"`{ast.unparse(node)}`")

    def _value_BinOp(self, node: ast.BinOp, frame: CallFrame) -> Any:
        left = self.evaluate(node.left, frame)
        return self.operate(node.op, left, self.evaluate(node.right, frame))

    def _value_Compare(self, node: ast.Compare, frame: CallFrame) -> Node:
        holds, left = TRUE, self.evaluate(node.left, frame)
        for op, side in zip(node.ops, node.comparators, strict=True):
            right = self.under(holds, self.evaluate, side, frame)
            holds = self.meet(holds, self.under(holds, self.compare, op, left, right))
            left = right
        return holds

    def _value_Subscript(self, node: ast.Subscript, frame: CallFrame) -> Any:
        owner = self.evaluate(node.value, frame)
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            limits = [None if part is None else self.evaluate(part, frame) for part in parts]
            return self.lift(lambda whole: self.part(whole, limits), owner)
        key = self.evaluate(node.slice, frame)
        is_written = isinstance(node.slice, ast.Constant)
        if self.form == "keys" and isinstance(key, str) and not is_written:
            raise UnreadError("a key that is not written out")
        return self.lift(self.entry, owner, key)

    # Comprehensions and calls

    def _value_ListComp(self, node: ast.ListComp, frame: CallFrame) -> List:
        return List(list(self.rounds(node, frame)))

    def _value_SetComp(self, node: ast.SetComp, frame: CallFrame) -> List:
        return self.make_set(self.rounds(node, frame))

    def _value_GeneratorExp(self, node: ast.GeneratorExp, frame: CallFrame) -> Generator:
        return Generator(node, frame)

    def _value_DictComp(self, node: ast.DictComp, frame: CallFrame) -> Dictionary:
        element = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        table: dict[Any, Any] = {}
        for there, (key, value) in self.rounds(ast.ListComp(element, node.generators), frame):
            if not is_key(key):
                raise UnreadError("a table by what depends on the household")
            table[key] = self.merge(there, value, table.get(key, MISSING))
        return Dictionary(table)

    def rounds(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: CallFrame
    ) -> Iterator[tuple[Node, Any]]:
        """Yield a comprehension's values, each under its flag, as they are needed."""
        inner = CallFrame({}, frame)

        def generate(
            generators: Sequence[ast.comprehension], there: Node
        ) -> Iterator[tuple[Node, Any]]:
            if not self.reaches(there):
                return
            if not generators:
                yield there, self.under(there, self.evaluate, node.elt, inner)
                return
            first, *rest = generators
            over = self.under(there, self.evaluate, first.iter, inner)
            for inside, value in self.each(over):
                held = self.builder.both(there, inside)
                if not self.reaches(held):
                    continue
                self.under(held, self.assign, first.target, value, inner)
                for condition in first.ifs:
                    flag = self.under(held, self.truth_at, condition, inner)
                    held = self.builder.both(held, flag)
                yield from generate(rest, held)

        return generate(node.generators, TRUE)

    def each(self, value: Any) -> Iterator[tuple[Node, Any]]:
        """Yield what a value holds, each under its flag; of a generator no more than is needed."""
        if isinstance(value, Generator):
            if value.is_used:
                raise UnreadError("a generator that is gone through twice")
            value.is_used = True
            yield from self.rounds(value.node, value.frame)
        elif isinstance(value, Choice):
            for guard, part in alternatives(value):
                if self.reaches(guard):
                    pairs = self.under(guard, list, self.each(part))
                    yield from ((self.meet(guard, there), item) for there, item in pairs)
        elif value is MISSING:
            self.fail(TRUE)
        else:
            try:
                yield from self.items(value)
            except Crash:
                self.fail(TRUE)

    def _value_Call(self, node: ast.Call, frame: CallFrame) -> Any:
        if not all(keyword.arg for keyword in node.keywords):
            raise UnreadError("a call with starred arguments")
        arguments = self._value_Tuple(node, frame)
        named = {str(part.arg): self.evaluate(part.value, frame) for part in node.keywords}
        if not isinstance(node.func, ast.Attribute):
            return self.call(self.evaluate(node.func, frame), arguments, named)
        owner, name = self.evaluate(node.func.value, frame), node.func.attr
        if isinstance(owner, Builtin) and owner.name in MODULES:
            return self.call(self.brought(owner.name, name), arguments, named)
        if named:
            raise UnreadError(f"`.{name}()` with named arguments")
        return self.lift(lambda part: self.call_method(part, name, arguments), owner)

    def call(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Return what a function returns."""
        if isinstance(function, Builtin):
            work = getattr(self, f"call_{function.name}", None)
            if work is None:
                raise UnreadError(f"`{function.name}()`")
            try:
                bound = signature(work).bind(*arguments, **named)
            except TypeError as error:
                raise UnreadError(f"`{function.name}` with these arguments") from error
            return work(*bound.args, **bound.kwargs)
        if not isinstance(function, Closure):
            raise UnreadError("a call of what is no single function")
        if self._depth >= DEEPEST_CALL:
            raise UnreadError("a recursion without bound")
        try:
            bound = _signature_of(function.node.args).bind(*arguments, **named)
        except TypeError as error:
            if function.frame is self.python:
                raise UnreadError("a function of Python with these arguments") from error
            self.fail(TRUE)
            return MISSING
        bound.apply_defaults()
        taken = {
            name: self.evaluate(value, function.frame) if isinstance(value, ast.expr) else value
            for name, value in bound.arguments.items()
        }
        inner = CallFrame(taken, function.frame)
        line, reached = self.line, self.reached
        self.reached, self._depth = TRUE, self._depth + 1
        try:
            if isinstance(function.node, ast.Lambda):
                return self.evaluate(function.node.body, inner)
            end = self.block(function.node.body, inner)
        finally:
            self._depth -= 1
            self.reached = reached
        self.line = line
        if self.reaches(end):
            inner.returns.append((end, None))
        return self.join(inner.returns) if inner.returns else MISSING


def _signature_of(arguments: ast.arguments) -> Signature:
    """Return what a function takes; its defaults are expressions."""
    defaults = [*arguments.defaults, *arguments.kw_defaults]
    is_shared = any(isinstance(part, ast.List | ast.Dict | ast.Set) for part in defaults)
    if arguments.kwarg or arguments.posonlyargs or is_shared:
        raise UnreadError("a function with such parameters")
    places = [Parameter.empty] * (len(arguments.args) - len(arguments.defaults))
    parts = [
        Parameter(part.arg, Parameter.POSITIONAL_OR_KEYWORD, default=default)
        for part, default in zip(arguments.args, [*places, *arguments.defaults], strict=True)
    ]
    if arguments.vararg:
        parts.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    parts += [
        Parameter(part.arg, Parameter.KEYWORD_ONLY, default=default or Parameter.empty)
        for part, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return Signature(parts)
