"""Expressions of a program that runs for all households at once."""

import ast
import builtins
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from inspect import Parameter, Signature, signature
from typing import Any

from benyfits_data.evaluation.rules.builtin_calls import BUILTINS, call_method
from benyfits_data.evaluation.rules.containers import Containers
from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Builtin,
    CallFrame,
    Closure,
    Crash,
    Generator,
    Items,
    Module,
    Reference,
    SomeText,
    alternatives,
    is_constant,
    is_key,
)
from benyfits_data.language.ir import FALSE, TRUE, Node

MOST_STEPS = 200_000
"""Statements and expressions run in all, so that nested loops end: the longest program here takes
some 20,000."""
MODULES: Mapping[str, tuple[str, ...]] = {
    "math": ("floor",),
    "datetime": ("date",),
    "functools": ("reduce",),
    "typing": (),
    "collections.abc": (),
    "__future__": (),
}
"""What a program may import, and what is read of it."""


class Expressions(Containers):
    """Evaluates expressions, and gives names their values."""

    globals: dict[str, Any]
    _steps = 0

    def step(self, node: ast.AST) -> None:
        """Note where the program is, and that it went on."""
        self._steps += 1
        self.line = getattr(node, "lineno", self.line)
        if self._steps > MOST_STEPS:
            raise self.refuse("a program of that many steps")

    def truth(self, node: ast.expr, alive: Node, frame: CallFrame) -> Node:
        """Return for which households an expression is true."""
        return self.truth_of(self.evaluate(node, alive, frame), alive)

    def evaluate(self, node: ast.expr, alive: Node, frame: CallFrame) -> Any:
        """Return the value of an expression."""
        self.step(node)
        run = getattr(self, f"_value_{type(node).__name__}", None)
        if run is None:
            raise self.refuse(f"`{ast.unparse(node)}`")
        return run(node, alive, frame)

    def all_items(self, value: Any, alive: Node) -> Items:
        """Return what iterating over any value gives, of a choice everything under its flag."""
        pairs: list[tuple[Node, Any]] = []
        for guard, part in alternatives(value):
            here = self.values.meet(alive, guard)
            try:
                is_lazy = isinstance(part, Generator)
                inside = tuple(self.rounds(part.node, here, part.frame)) if is_lazy else ()
                known = Items(inside) if is_lazy else self.items(part)
            except Crash as crash:
                self.fail(here, str(crash))
                continue
            pairs += [(self.values.meet(guard, there), item) for there, item in known.pairs]
        return Items(tuple(pair for pair in pairs if pair[0] is not FALSE))

    def each(
        self, value: Any, alive: Node, ended: Callable[[], Node] = lambda: FALSE
    ) -> Iterator[tuple[Node, Any]]:
        """Yield what a value holds, each under its flag; of a generator no more than is needed."""
        if isinstance(value, Generator):
            return self.rounds(value.node, alive, value.frame, ended)
        return iter(self.all_items(value, alive).pairs)

    # Assignments

    def assign(self, target: ast.expr, value: Any, alive: Node, frame: CallFrame) -> None:
        """Give a name, several names or an entry a value."""
        if isinstance(target, ast.Name):
            if any(loop.is_left for loop in frame.loops):
                # Some households have left the round or the loop, and keep what they had.
                value = self.values.merge(alive, value, frame.names.get(target.id, MISSING))
            frame.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for place, part in enumerate(target.elts):
                taken = self.lift(
                    lambda whole, place=place: self._part(whole, place, target.elts, alive),
                    alive,
                    value,
                )
                name = part.value if isinstance(part, ast.Starred) else part
                self.assign(name, taken, alive, frame)
        elif isinstance(target, ast.Subscript):
            owner = self.evaluate(target.value, alive, frame)
            key = self.evaluate(target.slice, alive, frame)
            self._set_entry(owner, key, value, alive)
        else:
            raise self.refuse(f"an assignment to `{ast.unparse(target)}`")

    def _part(self, whole: Any, place: int, targets: Sequence[ast.expr], alive: Node) -> Any:
        """What the target at a place takes of a list; only the last may take the rest."""
        pairs, last = self.items(whole).pairs, targets[-1]
        if any(isinstance(target, ast.Starred) for target in targets[:-1]):
            raise self.refuse("a starred name before others")
        if isinstance(last, ast.Starred):
            is_rest = place == len(targets) - 1
            return (
                self.part(whole, [place, None, None]) if is_rest else self.nth(pairs, place, alive)
            )
        if any(guard is not TRUE for guard, _ in pairs) or len(pairs) != len(targets):
            raise self.refuse("unpacking a list of open length")
        return pairs[place][1]

    def _set_entry(self, owner: Any, key: Any, value: Any, alive: Node) -> None:
        """Set an entry of a dictionary that the program made."""
        for guard, part in alternatives(owner):
            table = self.seen(part)
            if not isinstance(part, Reference) or not isinstance(table, dict):
                raise self.refuse("an assignment to an entry of this")
            for inner, name in alternatives(key):
                if not is_key(name):
                    raise self.refuse("an entry that depends on the household")
                here = self.values.meet(alive, self.values.meet(guard, inner))
                before = table.get(name, MISSING)
                table = {**table, name: self.values.merge(here, value, before)}
            self.heap[part.place] = table

    # Names, literals and operators

    def _value_Constant(self, node: ast.Constant, alive: Node, frame: CallFrame) -> Any:
        value = node.value
        if not is_constant(value) or (isinstance(value, float) and not math.isfinite(value)):
            raise self.refuse(f"`{ast.unparse(node)}`")
        return value

    def _value_Name(self, node: ast.Name, alive: Node, frame: CallFrame) -> Any:
        value = frame.find(node.id)
        if value is MISSING and hasattr(builtins, node.id):
            raise self.refuse(f"`{node.id}`")
        for guard, part in alternatives(value):
            if part is MISSING:
                self.fail(self.values.meet(alive, guard), f"`{node.id}` has no value")
        return value

    def _spread(
        self, elements: Sequence[ast.expr], alive: Node, frame: CallFrame
    ) -> list[tuple[Node, Any]]:
        """The values of expressions in a row, of starred ones what they hold."""
        pairs: list[tuple[Node, Any]] = []
        for part in elements:
            if isinstance(part, ast.Starred):
                held = self.evaluate(part.value, alive, frame)
                pairs += self.all_items(held, alive).pairs
            else:
                pairs.append((TRUE, self.evaluate(part, alive, frame)))
        return pairs

    def _in_place(
        self, elements: Sequence[ast.expr], alive: Node, frame: CallFrame
    ) -> tuple[Any, ...]:
        pairs = self._spread(elements, alive, frame)
        if any(there is not TRUE for there, _ in pairs):
            raise self.refuse("a starred list of open length")
        return tuple(value for _, value in pairs)

    def _value_Tuple(self, node: ast.Tuple, alive: Node, frame: CallFrame) -> Any:
        return self._in_place(node.elts, alive, frame)

    def _value_List(self, node: ast.List, alive: Node, frame: CallFrame) -> Any:
        return self.make(Items(tuple(self._spread(node.elts, alive, frame))))

    def _value_Set(self, node: ast.Set, alive: Node, frame: CallFrame) -> Any:
        return self.make_set(self._spread(node.elts, alive, frame), alive)

    def _value_Dict(self, node: ast.Dict, alive: Node, frame: CallFrame) -> Any:
        table = {}
        for key, part in zip(node.keys, node.values, strict=True):
            name = MISSING if key is None else self.evaluate(key, alive, frame)
            if not is_key(name):
                raise self.refuse("a table by what depends on the household")
            table[name] = self.evaluate(part, alive, frame)
        return self.make(table)

    def _value_JoinedStr(self, node: ast.JoinedStr, alive: Node, frame: CallFrame) -> Any:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.evaluate(part.value, alive, frame)
        return SomeText()

    def _value_NamedExpr(self, node: ast.NamedExpr, alive: Node, frame: CallFrame) -> Any:
        value = self.evaluate(node.value, alive, frame)
        self.assign(node.target, value, alive, frame)
        return value

    def _value_Lambda(self, node: ast.Lambda, alive: Node, frame: CallFrame) -> Any:
        return Closure(node, frame)

    def _value_IfExp(self, node: ast.IfExp, alive: Node, frame: CallFrame) -> Any:
        condition = self.truth(node.test, alive, frame)
        both, other = self.builder.both, self.builder.negate(condition)
        pairs = []
        for guard, part in ((condition, node.body), (other, node.orelse)):
            if both(alive, guard) is not FALSE:
                pairs.append((guard, self.evaluate(part, both(alive, guard), frame)))
        return self.values.join(pairs) if len(pairs) > 1 else pairs[0][1]

    def _value_BoolOp(self, node: ast.BoolOp, alive: Node, frame: CallFrame) -> Any:
        first, *rest = node.values
        value = self.evaluate(first, alive, frame)
        if not rest:
            return value
        holds = self.truth_of(value, alive)
        goes_on = holds if isinstance(node.op, ast.And) else self.builder.negate(holds)
        inside = self.values.meet(alive, goes_on)
        if inside is FALSE:
            return value
        following = ast.copy_location(ast.BoolOp(node.op, rest), node)
        return self.values.merge(goes_on, self.evaluate(following, inside, frame), value)

    def _value_UnaryOp(self, node: ast.UnaryOp, alive: Node, frame: CallFrame) -> Any:
        value = self.evaluate(node.operand, alive, frame)
        if isinstance(node.op, ast.Not):
            return self.builder.negate(self.truth_of(value, alive))
        if isinstance(node.op, ast.USub):
            return self.operate(ast.Sub(), 0, value, alive)
        raise self.refuse(f"`{ast.unparse(node)}`")

    def _value_BinOp(self, node: ast.BinOp, alive: Node, frame: CallFrame) -> Any:
        left = self.evaluate(node.left, alive, frame)
        return self.operate(node.op, left, self.evaluate(node.right, alive, frame), alive)

    def _value_Compare(self, node: ast.Compare, alive: Node, frame: CallFrame) -> Any:
        holds = TRUE
        left = self.evaluate(node.left, alive, frame)
        for op, side in zip(node.ops, node.comparators, strict=True):
            here = self.values.meet(alive, holds)
            right = self.evaluate(side, here, frame)
            holds = self.values.meet(holds, self.compare(op, left, right, here))
            left = right
        return holds

    def _value_Subscript(self, node: ast.Subscript, alive: Node, frame: CallFrame) -> Any:
        owner = self.evaluate(node.value, alive, frame)
        if isinstance(node.slice, ast.Slice):
            limits = [
                None if part is None else self.evaluate(part, alive, frame)
                for part in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return self.lift(lambda whole: self.part(whole, limits), alive, owner)
        key = self.evaluate(node.slice, alive, frame)
        is_written = isinstance(node.slice, ast.Constant)
        if self.form == "keys" and isinstance(key, str) and not is_written:
            raise self.refuse("a key that is not written out")
        return self.lift(lambda whole, part: self.entry(whole, part, alive), alive, owner, key)

    # Comprehensions and calls

    def _value_ListComp(self, node: ast.ListComp, alive: Node, frame: CallFrame) -> Any:
        return self.make(Items(tuple(self.rounds(node, alive, frame))))

    def _value_SetComp(self, node: ast.SetComp, alive: Node, frame: CallFrame) -> Any:
        return self.make_set(self.rounds(node, alive, frame), alive)

    def _value_GeneratorExp(self, node: ast.GeneratorExp, alive: Node, frame: CallFrame) -> Any:
        return Generator(node, frame)

    def rounds(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp,
        alive: Node,
        frame: CallFrame,
        ended: Callable[[], Node] = lambda: FALSE,
    ) -> Iterator[tuple[Node, Any]]:
        """Yield a comprehension's values, each under its flag, as they are needed.

        Args:
            node: The comprehension.
            alive: For which households.
            frame: The call it stands in.
            ended: For which households nobody asks for more.
        """
        inner, builder = CallFrame({}, frame), self.builder

        def generate(
            generators: Sequence[ast.comprehension], there: Node
        ) -> Iterator[tuple[Node, Any]]:
            here = builder.both(builder.both(alive, there), builder.negate(ended()))
            if not generators:
                if here is not FALSE:
                    yield there, self.evaluate(node.elt, here, inner)
                return
            first, *rest = generators
            over = self.evaluate(first.iter, here, inner)
            for inside, value in self.all_items(over, here).pairs:
                held = builder.both(there, inside)
                self.assign(first.target, value, builder.both(alive, held), inner)
                for condition in first.ifs:
                    here = builder.both(builder.both(alive, held), builder.negate(ended()))
                    held = builder.both(held, self.truth(condition, here, inner))
                if held is not FALSE:
                    yield from generate(rest, held)

        yield from generate(node.generators, TRUE)

    def _value_DictComp(self, node: ast.DictComp, alive: Node, frame: CallFrame) -> Any:
        element = ast.Tuple([node.key, node.value], ast.Load())
        ast.copy_location(element, node)
        shape = ast.copy_location(ast.GeneratorExp(element, node.generators), node)
        table: dict[Any, Any] = {}
        for there, pair in self.rounds(shape, alive, frame):
            key, value = pair
            if not is_key(key):
                raise self.refuse("a table by what depends on the household")
            table[key] = self.values.merge(there, value, table.get(key, MISSING))
        return self.make(table)

    def _value_Call(self, node: ast.Call, alive: Node, frame: CallFrame) -> Any:
        if not all(keyword.arg for keyword in node.keywords):
            raise self.refuse("a call with starred arguments")
        arguments = self._in_place(node.args, alive, frame)
        named = {
            str(keyword.arg): self.evaluate(keyword.value, alive, frame)
            for keyword in node.keywords
        }
        if not isinstance(node.func, ast.Attribute):
            function = self.evaluate(node.func, alive, frame)
            return self.call(function, arguments, named, alive)
        owner = self.evaluate(node.func.value, alive, frame)
        if isinstance(owner, Module):
            return self.call(self.imported(owner.name, node.func.attr), arguments, named, alive)
        return call_method(self, alive, owner, node.func.attr, arguments, named)

    def imported(self, module: str, name: str) -> Any:
        """Return what a module brings; types stand in annotations, which nobody reads."""
        if name in MODULES[module]:
            return Builtin(name)
        if MODULES[module]:
            raise self.refuse(f"`{module}.{name}`")
        return SomeText()

    def call(
        self, function: Any, arguments: Sequence[Any], named: dict[str, Any], alive: Node
    ) -> Any:
        """Return what a function returns."""
        if not isinstance(function, Builtin):
            return self.call_function(function, arguments, named, alive)
        work = BUILTINS[function.name]
        is_written = isinstance(work, ast.Lambda)
        takes = signature_of(work.args) if is_written else signature(partial(work, self, alive))
        try:
            bound = takes.bind(*arguments, **named)
        except TypeError as error:
            raise self.refuse(f"`{function.name}` with these arguments") from error
        if is_written:
            return self.call_function(Closure(work, CallFrame({})), arguments, named, alive)
        return work(self, alive, *bound.args, **bound.kwargs)

    def call_function(
        self, function: Any, arguments: Sequence[Any], named: dict[str, Any], alive: Node
    ) -> Any:
        """Return what a function of the program returns: its statements are run."""
        raise NotImplementedError("a call")


def signature_of(arguments: ast.arguments) -> Signature:
    """Return what a function takes; its defaults are expressions."""
    if arguments.kwarg or arguments.posonlyargs:
        raise NotImplementedError("a function with such parameters")
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
