"""A function over a household, as a model writes it, turned into formulas.

The function is run once for all households: conditions narrow the households at hand, values
become choices, and lists hold items that are there for some households only. What Python would
refuse (a missing key, `None < 3`) is noted as a failure of the program for these households. What
cannot be read so is a `LanguageError` with its line; the program is then run, not proven.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, Signature, signature
from typing import Any

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.codegen.checker_translation import Form
from benyfits_data.evaluation.rules.builtin_calls import (
    BUILTINS,
    Call,
    call_method,
    find_extreme,
)
from benyfits_data.evaluation.rules.given_facts import MEMBERS
from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Choice,
    Crash,
    Day,
    Generator,
    Items,
    Person,
    Reference,
    SomeText,
    Values,
    Whole,
    alternatives,
)
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.language.ir import FALSE, TRUE, Node
from benyfits_data.language.symbolic_execution import SymbolicExecutor
from benyfits_data.understanding.facts import MEMBERS_KEY

MOST_ROUNDS = 50
"""Rounds of a `while` loop before it counts as one without bound: each takes some depth of ours."""
DEEPEST_CALL = 30
"""Functions that call one another before a call counts as a recursion without bound."""
MOST_STEPS = 200_000
"""Statements and expressions run in all, so that nested loops end: the longest program here takes
some 20,000."""
MODULES: Mapping[str, tuple[str, ...]] = {
    "math": ("ceil", "floor"),
    "datetime": ("date",),
    "functools": ("reduce",),
    "typing": (),
    "collections.abc": (),
    "__future__": (),
}
"""What a program may import, and what is read of it."""

_HERE = ast.Pass()
"""Stands for the place of what no expression of the program says."""

Failure = tuple[Node, str]


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
    failures: tuple[Failure, ...]


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
        name: Builtin(name) for name in BUILTINS if not any(name in it for it in MODULES.values())
    }
    reader.globals = names
    frame = CallFrame(names)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise LanguageError("line 1: the program defines no function")
    try:
        reader.block(tree.body, TRUE, frame)
        value = reader.call_function(names[functions[-1].name], [Whole()], {}, TRUE, tree)
    except NotImplementedError as error:
        raise reader.refuse(None, str(error)) from error
    builder = executor.builder
    verdict = FALSE
    for guard, part in alternatives(value):
        flag = reader.values.flag(part)
        if flag is None:
            reader.fail(guard, f"returns {_show(part)}, no truth value")
        else:
            verdict = builder.either(verdict, builder.both(guard, flag))
    crash = builder.any_of(guard for guard, _ in reader.failures)
    return FunctionFormula(verdict, crash, tuple(reader.failures))


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


class _Reader:
    """Runs statements and evaluates expressions for all households at once."""

    def __init__(self, executor: SymbolicExecutor, form: Form) -> None:
        self.executor = executor
        self.form = form
        self.builder = executor.builder
        self.values = Values(executor.builder, int if form == "keys" else str)
        self.failures: list[Failure] = []
        self.heap: dict[int, Any] = {}
        self.globals: dict[str, Any] = {}
        self._depth = 0
        self._steps = 0
        self._line = 1

    def refuse(self, node: ast.AST | None, what: str) -> LanguageError:
        """Return the error for something that cannot be read."""
        line = getattr(node, "lineno", self._line)
        return LanguageError(f"line {line}: {what} cannot be read as a formula", line=line)

    def lift(self, work: Callable[..., Any], alive: Node, *values: Any) -> Any:
        """Return what some work makes of values, for every choice among them."""
        return self.values.lift(work, alive, self.fail, *values)

    def fail(self, guard: Node, why: str) -> None:
        """Note that the program fails for some households."""
        if guard is not FALSE:
            self.failures.append((guard, f"line {self._line}: {why}"))

    # Lists and dictionaries

    def make(self, value: Any) -> Reference:
        """Return a new list, set or dictionary of the program."""
        place = len(self.heap)
        self.heap[place] = value
        return Reference(place)

    def make_set(self, pairs: Iterable[tuple[Node, Any]], alive: Node, node: ast.AST) -> Reference:
        """Return a new set: a value is there unless an equal one is there before it."""
        kept = Items((), "set")
        for there, value in pairs:
            new = self.builder.negate(self._contains(value, kept, alive, node))
            guard = self.values.meet(there, new)
            if guard is not FALSE:
                kept = Items((*kept.pairs, (guard, value)), "set")
        return self.make(kept)

    def seen(self, value: Any) -> Any:
        """Return what a reference stands for; other values as they are."""
        return self.heap[value.place] if isinstance(value, Reference) else value

    def is_set(self, value: Any) -> Node:
        """Return for which households an entry was set."""
        parts = alternatives(value)
        return self.builder.any_of(guard for guard, part in parts if part is not MISSING)

    def items(self, value: Any, node: ast.AST | None = None) -> Items:
        """Return what iterating over a value that is no choice gives.

        Raises:
            Crash: Python cannot iterate over it.
        """
        value = self.seen(value)
        if isinstance(value, Items):
            if value.order in ("sorted", "reversed"):
                raise self.refuse(node, f"going through a {value.order} list")
            return value
        if isinstance(value, dict):
            return Items(tuple((self.is_set(part), key) for key, part in value.items()))
        if isinstance(value, Generator):
            raise self.refuse(node, "a generator here")
        if isinstance(value, tuple | str | range):
            return Items(tuple((TRUE, part) for part in value))
        raise Crash(f"{_show(value)} cannot be gone through")

    def all_items(self, value: Any, alive: Node, node: ast.AST | None = None) -> Items:
        """Return what iterating over any value gives, of a choice everything under its flag."""
        pairs: list[tuple[Node, Any]] = []
        for guard, part in alternatives(value):
            try:
                if isinstance(part, Generator):
                    here = self.values.meet(alive, guard)
                    found = Items(tuple(self.rounds(part.node, here, part.frame)))
                else:
                    found = self.items(part, node)
            except Crash as crash:
                self.fail(self.values.meet(alive, guard), str(crash))
                continue
            pairs += [(self.values.meet(guard, there), item) for there, item in found.pairs]
        return Items(tuple(pair for pair in pairs if pair[0] is not FALSE))

    def members(self) -> Items:
        """Return the members of the household."""
        places = range(self.executor.places)
        return Items(tuple((self.builder.present(place), Person(place)) for place in places))

    # Statements

    def block(self, statements: Sequence[ast.stmt], alive: Node, frame: CallFrame) -> Node:
        """Run statements; return for which households the next one runs."""
        for statement in statements:
            if alive is FALSE:
                break
            self._step(statement)
            run = getattr(self, f"_run_{type(statement).__name__}", None)
            if run is None:
                raise self.refuse(statement, f"`{type(statement).__name__.lower()}`")
            alive = run(statement, alive, frame)
        return alive

    def _step(self, node: ast.AST) -> None:
        self._steps += 1
        self._line = getattr(node, "lineno", self._line)
        if self._steps > MOST_STEPS:
            raise self.refuse(node, "a program of that many steps")

    def _run_Expr(self, node: ast.Expr, alive: Node, frame: CallFrame) -> Node:
        self.evaluate(node.value, alive, frame)
        return alive

    def _run_Pass(self, node: ast.Pass, alive: Node, frame: CallFrame) -> Node:
        return alive

    def _run_Import(self, node: ast.Import, alive: Node, frame: CallFrame) -> Node:
        for part in node.names:
            if part.name not in MODULES:
                raise self.refuse(node, f"`import {part.name}`")
            name = ast.Name(part.asname or part.name, ast.Store())
            self.assign(name, Module(part.name), alive, frame)
        return alive

    def _run_ImportFrom(self, node: ast.ImportFrom, alive: Node, frame: CallFrame) -> Node:
        if node.module is None or node.module not in MODULES:
            raise self.refuse(node, f"`from {node.module} import`")
        for part in node.names:
            name = ast.Name(part.asname or part.name, ast.Store())
            self.assign(name, self._imported(Module(node.module), part.name, node), alive, frame)
        return alive

    def _imported(self, module: Module, name: str, node: ast.AST) -> Any:
        """What a module brings under a name; types stand in annotations, which nobody reads."""
        if (module.name, name) == ("math", "inf"):
            return float("inf")
        if name in MODULES[module.name]:
            return Builtin(name)
        if module.name in ("math", "datetime", "functools"):
            raise self.refuse(node, f"`{module.name}.{name}`")
        return SomeText()

    def _run_FunctionDef(self, node: ast.FunctionDef, alive: Node, frame: CallFrame) -> Node:
        if node.decorator_list:
            raise self.refuse(node, "a decorator")
        self.assign(ast.Name(node.name, ast.Store()), Closure(node, frame), alive, frame)
        return alive

    def _run_Return(self, node: ast.Return, alive: Node, frame: CallFrame) -> Node:
        value = None if node.value is None else self.evaluate(node.value, alive, frame)
        frame.returns.append((alive, value))
        return FALSE

    def _run_Raise(self, node: ast.Raise, alive: Node, frame: CallFrame) -> Node:
        self.fail(alive, f"raises {ast.unparse(node.exc) if node.exc else 'an error'}")
        return FALSE

    def _run_Assert(self, node: ast.Assert, alive: Node, frame: CallFrame) -> Node:
        holds = self.truth(node.test, alive, frame)
        self.fail(self.values.meet(alive, self.builder.negate(holds)), "an assertion fails")
        return self.values.meet(alive, holds)

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
            call_method(Call(self, alive, node), before, "extend", [value], {})
            return alive
        self.assign(node.target, self.operate(node.op, before, value, alive, node), alive, frame)
        return alive

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
                part = part.value if isinstance(part, ast.Starred) else part
                self.assign(part, taken, alive, frame)
        elif isinstance(target, ast.Subscript):
            owner = self.evaluate(target.value, alive, frame)
            key = self.evaluate(target.slice, alive, frame)
            self.set_entry(target, owner, key, value, alive)
        else:
            raise self.refuse(target, f"an assignment to `{ast.unparse(target)}`")

    def _part(self, whole: Any, place: int, targets: Sequence[ast.expr], alive: Node) -> Any:
        """What the target at a place takes of a list; only the last may take the rest."""
        pairs, last = self.items(whole).pairs, targets[-1]
        if isinstance(last, ast.Starred) and place < len(targets) - 1:
            return self._nth(pairs, place, alive)
        if isinstance(last, ast.Starred):
            return self._slice(whole, [place, None, None], last)
        if any(guard is not TRUE for guard, _ in pairs):
            raise self.refuse(None, "unpacking a list of open length")
        if len(pairs) != len(targets):
            raise Crash(f"{len(pairs)} values for {len(targets)} names")
        return pairs[place][1]

    def set_entry(self, node: ast.AST, owner: Any, key: Any, value: Any, alive: Node) -> None:
        """Set an entry of a dictionary that the program made."""
        for guard, part in alternatives(owner):
            table = self.seen(part)
            if not isinstance(part, Reference) or not isinstance(table, dict):
                raise self.refuse(node, "an assignment to an entry of this")
            for inner, name in alternatives(key):
                if not _is_key(name):
                    raise self.refuse(node, "an entry that depends on the household")
                here = self.values.meet(alive, self.values.meet(guard, inner))
                before = table.get(name, MISSING)
                table = {**table, name: self.values.merge(here, value, before)}
            self.heap[part.place] = table

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
            raise self.refuse(None, "a name that is a list on one path only")
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
        for there, value in self.all_items(over, alive, node).pairs:
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
            raise self.refuse(node, "a loop without bound")

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
        subject = self.evaluate(node.subject, alive, frame)

        def cases(rest: Sequence[ast.match_case], here: Node) -> Node:
            if not rest:
                return here
            case = rest[0]
            holds = self._matches(case.pattern, subject, here, frame)
            if case.guard is not None:
                inside = self.values.meet(here, holds)
                holds = self.values.meet(holds, self.truth(case.guard, inside, frame))
            return self.branch(
                holds,
                here,
                frame,
                lambda inner: self.block(case.body, inner, frame),
                lambda inner: cases(rest[1:], inner),
            )

        return cases(node.cases, alive)

    def _matches(self, pattern: ast.pattern, subject: Any, alive: Node, frame: CallFrame) -> Node:
        match pattern:
            case ast.MatchValue(value=value):
                return self.compare(
                    ast.Eq(), subject, self.evaluate(value, alive, frame), alive, pattern
                )
            case ast.MatchSingleton(value=value):
                return self.compare(ast.Is(), subject, value, alive, pattern)
            case ast.MatchOr(patterns=parts):
                return self.builder.any_of(
                    self._matches(part, subject, alive, frame) for part in parts
                )
            case ast.MatchSequence(patterns=parts) if isinstance(subject, tuple):
                if len(parts) != len(subject) or any(isinstance(p, ast.MatchStar) for p in parts):
                    raise self.refuse(pattern, f"the pattern `{ast.unparse(pattern)}`")
                holds = TRUE
                for part, value in zip(parts, subject, strict=True):
                    here = self.values.meet(alive, holds)
                    alike = self._matches(part, value, here, frame)
                    holds = self.values.meet(holds, alike)
                return holds
            case ast.MatchAs(pattern=None, name=name):
                if name is not None:
                    self.assign(ast.Name(name, ast.Store()), subject, alive, frame)
                return TRUE
        raise self.refuse(pattern, f"the pattern `{ast.unparse(pattern)}`")

    # Expressions

    def truth(self, node: ast.expr, alive: Node, frame: CallFrame) -> Node:
        """Return for which households an expression is true."""
        return self.truth_of(self.evaluate(node, alive, frame), alive)

    def truth_of(self, value: Any, alive: Node) -> Node:
        """Return for which households a value is true."""

        def one(part: Any) -> Node:
            whole = self.seen(part)
            if isinstance(whole, dict):
                return self.builder.any_of(self.is_set(entry) for entry in whole.values())
            return self.values.truth(whole)

        found = self.lift(one, alive, value)
        return found if isinstance(found, Node) else FALSE

    def evaluate(self, node: ast.expr, alive: Node, frame: CallFrame) -> Any:
        """Return the value of an expression."""
        self._step(node)
        run = getattr(self, f"_value_{type(node).__name__}", None)
        if run is None:
            raise self.refuse(node, f"`{ast.unparse(node)}`")
        return run(node, alive, frame)

    def _value_Constant(self, node: ast.Constant, alive: Node, frame: CallFrame) -> Any:
        if node.value is None or isinstance(node.value, bool | int | float | str):
            return node.value
        raise self.refuse(node, f"`{ast.unparse(node)}`")

    def _value_Name(self, node: ast.Name, alive: Node, frame: CallFrame) -> Any:
        value = frame.find(node.id)
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
                pairs += self.all_items(held, alive, part).pairs
            else:
                pairs.append((TRUE, self.evaluate(part, alive, frame)))
        return pairs

    def _in_place(
        self, elements: Sequence[ast.expr], alive: Node, frame: CallFrame
    ) -> tuple[Any, ...]:
        pairs = self._spread(elements, alive, frame)
        if any(there is not TRUE for there, _ in pairs):
            raise self.refuse(elements[0], "a starred list of open length")
        return tuple(value for _, value in pairs)

    def _value_Tuple(self, node: ast.Tuple, alive: Node, frame: CallFrame) -> Any:
        return self._in_place(node.elts, alive, frame)

    def _value_List(self, node: ast.List, alive: Node, frame: CallFrame) -> Any:
        return self.make(Items(tuple(self._spread(node.elts, alive, frame))))

    def _value_Set(self, node: ast.Set, alive: Node, frame: CallFrame) -> Any:
        return self.make_set(self._spread(node.elts, alive, frame), alive, node)

    def _value_Dict(self, node: ast.Dict, alive: Node, frame: CallFrame) -> Any:
        table = {}
        for key, part in zip(node.keys, node.values, strict=True):
            name = MISSING if key is None else self.evaluate(key, alive, frame)
            if not _is_key(name):
                raise self.refuse(node, "a table by what depends on the household")
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
        builder = self.builder
        one, two = builder.both(alive, condition), builder.both(alive, builder.negate(condition))
        if two is FALSE:
            return self.evaluate(node.body, one, frame)
        if one is FALSE:
            return self.evaluate(node.orelse, two, frame)
        then = self.evaluate(node.body, one, frame)
        return self.values.merge(condition, then, self.evaluate(node.orelse, two, frame))

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
            return self.operate(ast.Sub(), 0, value, alive, node)
        raise self.refuse(node, f"`{ast.unparse(node)}`")

    def _value_BinOp(self, node: ast.BinOp, alive: Node, frame: CallFrame) -> Any:
        left = self.evaluate(node.left, alive, frame)
        return self.operate(node.op, left, self.evaluate(node.right, alive, frame), alive, node)

    def operate(self, op: ast.operator, left: Any, right: Any, alive: Node, node: ast.AST) -> Any:
        """Return what an operator makes of two values."""
        values = self.values

        def work(one: Any, two: Any) -> Any:
            one, two = self.seen(one), self.seen(two)
            if isinstance(one, Items | tuple) and isinstance(two, Items | tuple):
                if not isinstance(op, ast.Add):
                    raise self.refuse(node, "this of lists")
                return self.make(Items((*self.items(one).pairs, *self.items(two).pairs)))
            if _is_constant(one) and _is_constant(two):
                return _calculate(op, one, two)
            flags = values.flag(one), values.flag(two)
            match op:
                case ast.Add():
                    return values.add(one, two)
                case ast.Sub():
                    return values.add(one, two, -1)
                case ast.Mult():
                    return values.multiply(one, two)
                case ast.Div():
                    return values.divide(one, two)
                case ast.FloorDiv():
                    return values.floor(values.divide(one, two))
                case ast.BitAnd() if flags[0] is not None and flags[1] is not None:
                    return self.builder.both(flags[0], flags[1])
                case ast.BitOr() if flags[0] is not None and flags[1] is not None:
                    return self.builder.either(flags[0], flags[1])
            raise self.refuse(node, f"`{type(op).__name__}` of what depends on the household")

        return self.lift(work, alive, left, right)

    def _value_Compare(self, node: ast.Compare, alive: Node, frame: CallFrame) -> Any:
        found = TRUE
        left = self.evaluate(node.left, alive, frame)
        for op, side in zip(node.ops, node.comparators, strict=True):
            here = self.values.meet(alive, found)
            right = self.evaluate(side, here, frame)
            found = self.values.meet(found, self.compare(op, left, right, here, node))
            left = right
        return found

    def compare(self, op: ast.cmpop, left: Any, right: Any, alive: Node, node: ast.AST) -> Node:
        """Return for which households a comparison holds."""
        builder, values = self.builder, self.values

        def work(one: Any, two: Any) -> Any:
            if isinstance(op, ast.In | ast.NotIn):
                flag = self._contains(one, two, alive, node)
            elif isinstance(op, ast.Is | ast.IsNot):
                if not (two is None or isinstance(two, bool | Person | Reference)):
                    raise self.refuse(node, "`is` beside this")
                is_flag = values.flag(one) is not None or not isinstance(two, bool)
                flag = values.same(one, two) if is_flag else FALSE
            elif isinstance(one, tuple) and isinstance(two, tuple):
                if not isinstance(op, ast.Eq | ast.NotEq):
                    raise self.refuse(node, "which of two tuples comes first")
                flag = builder.constant(len(one) == len(two))
                for left_part, right_part in zip(one, two, strict=False):
                    alike = self.compare(ast.Eq(), left_part, right_part, alive, node)
                    flag = builder.both(flag, alike)
            elif isinstance(op, ast.Eq | ast.NotEq):
                flag = values.same(self.seen(one), self.seen(two))
            elif isinstance(op, ast.Lt | ast.GtE):
                flag = values.less(one, two)
            else:
                flag = values.less(two, one)
            opposite = isinstance(op, ast.NotIn | ast.IsNot | ast.NotEq | ast.GtE | ast.LtE)
            return builder.negate(flag) if opposite else flag

        found = self.lift(work, alive, left, right)
        return found if isinstance(found, Node) else FALSE

    def _contains(self, item: Any, whole: Any, alive: Node, node: ast.AST) -> Node:
        whole = self.seen(whole)
        if isinstance(whole, str):
            if not isinstance(item, str):
                raise Crash("text holds text only")
            return self.builder.constant(item in whole)
        if isinstance(whole, Whole | Person):
            facts = MEMBER_FEATURES if isinstance(whole, Person) else HOUSEHOLD_FEATURES
            is_members = isinstance(whole, Whole) and item == MEMBERS
            return self.builder.constant(item in facts or is_members)
        if isinstance(whole, Items):
            whole = Items(whole.pairs)
        both = self.builder.both
        return self.builder.any_of(
            both(there, self.compare(ast.Eq(), item, part, both(alive, there), node))
            for there, part in self.all_items(whole, alive, node).pairs
        )

    def _value_Attribute(self, node: ast.Attribute, alive: Node, frame: CallFrame) -> Any:
        owner = self.evaluate(node.value, alive, frame)
        if isinstance(owner, Module):
            return self._imported(owner, node.attr, node)
        raise self.refuse(node, f"`{ast.unparse(node)}`")

    def _value_Subscript(self, node: ast.Subscript, alive: Node, frame: CallFrame) -> Any:
        owner = self.evaluate(node.value, alive, frame)
        if isinstance(node.slice, ast.Slice):
            limits = [
                None if part is None else self.evaluate(part, alive, frame)
                for part in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return self.lift(lambda whole: self._slice(whole, limits, node), alive, owner)
        key = self.evaluate(node.slice, alive, frame)
        if (
            self.form == "keys"
            and isinstance(key, str)
            and not isinstance(node.slice, ast.Constant)
        ):
            raise self.refuse(node, "a key that is not written out")
        return self.lift(
            lambda whole, part: self.entry(whole, part, alive, node), alive, owner, key
        )

    def _slice(self, whole: Any, limits: Sequence[Any], node: ast.AST) -> Any:
        if not all(limit is None or type(limit) is int for limit in limits):
            raise self.refuse(node, "a part of a list that depends on the household")
        whole = self.seen(whole)
        if isinstance(whole, str | tuple):
            return whole[slice(*limits)]
        pairs = self.items(whole, node).pairs
        # Only at the front are places the same for all households: members follow one another.
        first, last, step = limits
        is_front = (first or 0) >= 0 and (last is None or last >= 0) and step in (None, 1)
        if not is_front or not self._is_dense(pairs):
            raise self.refuse(node, "this part of a list of open length")
        return self.make(Items(pairs[slice(first, last)]))

    def _is_dense(self, pairs: Sequence[tuple[Node, Any]]) -> bool:
        """Whether each item is there only if all before it are, so that places are known."""
        known = {self.builder.present(place): place for place in range(self.executor.places)}
        places = [known.get(guard, -1) for guard, _ in pairs]
        return all(guard is TRUE for guard, _ in pairs) or (
            places == sorted(places) and -1 not in places and places == list(range(len(places)))
        )

    def entry(
        self, whole: Any, key: Any, alive: Node, node: ast.AST, default: Any = MISSING
    ) -> Any:
        """Return an item of a list, an entry of a table, or a fact.

        Raises:
            Crash: There is none.
        """
        whole = self.seen(whole)
        if isinstance(whole, Whole | Person):
            return self.fact(whole, key, default)
        if isinstance(whole, dict):
            if isinstance(key, Node) or (isinstance(key, tuple) and not _is_key(key)):
                return self._row(whole, key, alive, node, default)
            found = whole.get(key, MISSING) if _is_key(key) else MISSING
            if default is not MISSING and isinstance(found, Choice):
                return self.values.join(
                    (guard, default if part is MISSING else part) for guard, part in found.pairs
                )
            if found is MISSING and default is MISSING:
                raise Crash(f"no entry {key!r}")
            return default if found is MISSING else found
        if isinstance(whole, str):
            raise self.refuse(node, "a letter of a text")
        if isinstance(whole, Items) and whole.order == "set":
            raise Crash("a set has no places")
        if isinstance(whole, Items) and whole.order != "given":
            return self._extreme(whole, key, node, alive)
        pairs = self.items(whole, node).pairs
        if isinstance(key, Node) and not key.is_flag:
            raise self.refuse(node, "a place that depends on the household")
        if not isinstance(key, int):
            raise Crash(f"a list has no place {_show(key)}")
        return self._nth(pairs, key, alive)

    def _nth(self, pairs: Sequence[tuple[Node, Any]], place: int, alive: Node) -> Any:
        """The item at a place of a list whose items are there for some households only."""
        builder = self.builder
        if place < 0:
            pairs, place = pairs[::-1], -place - 1
        counts = [TRUE] + [FALSE] * place
        found = []
        for there, value in pairs:
            found.append((builder.both(there, counts[-1]), value))
            counts = [
                builder.either(
                    builder.both(count, builder.negate(there)),
                    builder.both(counts[number - 1], there) if number else FALSE,
                )
                for number, count in enumerate(counts)
            ]
        any_found = builder.any_of(guard for guard, _ in found)
        lacking = builder.both(alive, builder.negate(any_found))
        if any_found is FALSE:
            raise Crash("a list is too short")
        self.fail(lacking, "a list is too short")
        return self.values.join(found)

    def _row(self, table: dict[Any, Any], key: Any, alive: Node, node: ast.AST, other: Any) -> Any:
        """The entry of a table for a key that depends on the household."""
        found, known = [], FALSE
        for name, part in table.items():
            guard = self.compare(ast.Eq(), key, name, alive, node)
            found.append((guard, part))
            known = self.builder.either(known, guard)
        rest = self.builder.negate(known)
        if other is MISSING:
            self.fail(self.values.meet(alive, rest), "a table has no such entry")
        else:
            found.append((rest, other))
        if not found:
            raise Crash("a table has no such entry")
        return self.values.join(found)

    def _extreme(self, whole: Items, key: Any, node: ast.AST, alive: Node) -> Any:
        if key not in (0, -1) or isinstance(key, bool):
            raise self.refuse(node, "a place within a sorted list")
        is_least = (key == 0) == (whole.order == "sorted")
        if key == -1:
            # Equal ones keep their order: the last of a list is the last of those equal.
            whole = Items(whole.pairs[::-1], whole.order, whole.key)
        return find_extreme(Call(self, alive, node), whole.pairs, whole.key, alive, is_least)

    def fact(self, owner: Whole | Person, key: Any, default: Any = MISSING) -> Any:
        """Return a fact as the program sees it.

        Raises:
            Crash: There is no such fact.
        """
        if isinstance(owner, Whole) and self.form == "keys":
            if key == MEMBERS_KEY:
                return self._size()
            if type(key) is int and key < self.executor.places:
                # A key of somebody who is not there has no answer: a crash.
                there = self.builder.present(key)
                return self.values.merge(there, Person(key), MISSING)
        elif isinstance(owner, Whole) and key == MEMBERS:
            return self.members()
        features = HOUSEHOLD_FEATURES if isinstance(owner, Whole) else MEMBER_FEATURES
        if isinstance(owner, Whole) and isinstance(key, int):
            raise Crash(f"the household has no key {key!r}")
        if not isinstance(key, str) or key not in features:
            if default is not MISSING:
                return default
            raise Crash(f"no fact {key!r}")
        if features[key].kind == "text":
            raise self.refuse(None, f"the fact {key!r}, which is free text,")
        position = owner.position if isinstance(owner, Person) else None
        return self._typed(features[key], self.builder.feature(key, position))

    def _size(self) -> Any:
        total: Any = 0
        for there, _ in self.members().pairs:
            total = self.values.merge(there, self.operate(ast.Add(), total, 1, TRUE, _HERE), total)
        return total

    def _typed(self, feature: Feature, node: Node) -> Any:
        builder = self.builder
        if feature.kind == "flag" and self.form == "keys":
            return Choice(((node, "yes"), (builder.negate(node), "no")))
        if feature.kind == "choice":
            words = [(self._code(feature, node, word), word) for word in feature.choices]
            nothing = [(builder.is_none(node), None)] if feature.optional else []
            return self.values.join([*words, *nothing])
        value: Any = Day(node) if feature.kind == "date" else node
        if not feature.optional:
            return value
        none = builder.is_none(node)
        return Choice(((none, None), (builder.negate(none), value)))

    def _code(self, feature: Feature, node: Node, word: str) -> Node:
        return self.builder.equal(node, self.builder.constant(feature.encode(word)))

    # Comprehensions and calls

    def _value_ListComp(self, node: ast.ListComp, alive: Node, frame: CallFrame) -> Any:
        return self.make(Items(tuple(self.rounds(node, alive, frame))))

    def _value_SetComp(self, node: ast.SetComp, alive: Node, frame: CallFrame) -> Any:
        return self.make_set(self.rounds(node, alive, frame), alive, node)

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
            for inside, value in self.all_items(over, here, first.iter).pairs:
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
            if not _is_key(key):
                raise self.refuse(node, "a table by what depends on the household")
            table[key] = self.values.merge(there, value, table.get(key, MISSING))
        return self.make(table)

    def _value_Call(self, node: ast.Call, alive: Node, frame: CallFrame) -> Any:
        if not all(keyword.arg for keyword in node.keywords):
            raise self.refuse(node, "a call with starred arguments")
        arguments = self._in_place(node.args, alive, frame)
        named = {
            str(keyword.arg): self.evaluate(keyword.value, alive, frame)
            for keyword in node.keywords
        }
        if isinstance(node.func, ast.Attribute):
            owner = self.evaluate(node.func.value, alive, frame)
            if isinstance(owner, Module):
                function = self._imported(owner, node.func.attr, node)
                return self.call(function, arguments, named, alive, node)
            return call_method(Call(self, alive, node), owner, node.func.attr, arguments, named)
        function = self.evaluate(node.func, alive, frame)
        return self.call(function, arguments, named, alive, node)

    def call(
        self,
        function: Any,
        arguments: Sequence[Any],
        named: dict[str, Any],
        alive: Node,
        node: ast.AST,
    ) -> Any:
        """Return what a function returns."""
        if not isinstance(function, Builtin):
            return self.call_function(function, arguments, named, alive, node)
        work, call = BUILTINS[function.name], Call(self, alive, node)
        try:
            bound = signature(work).bind(call, *arguments, **named)
        except TypeError as error:
            raise self.refuse(node, f"`{function.name}` with these arguments") from error
        return work(*bound.args, **bound.kwargs)

    def call_function(
        self,
        function: Any,
        arguments: Sequence[Any],
        named: dict[str, Any],
        alive: Node,
        node: ast.AST | None,
    ) -> Any:
        """Return what a function of the program returns."""
        if not isinstance(function, Closure):
            raise self.refuse(node, "a call of what is no single function")
        if self._depth >= DEEPEST_CALL:
            raise self.refuse(node, "a recursion without bound")
        try:
            bound = _signature(function.node.args).bind(*arguments, **named)
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
        line, self._depth = self._line, self._depth + 1
        try:
            if isinstance(function.node, ast.Lambda):
                return self.evaluate(function.node.body, alive, frame)
            end = self.block(function.node.body, alive, frame)
        finally:
            self._depth -= 1
        self._line = line
        if end is not FALSE:
            frame.returns.append((end, None))
        return self.values.join(frame.returns) if frame.returns else MISSING


def _signature(arguments: ast.arguments) -> Signature:
    """What a function takes; its defaults are expressions."""
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


def _is_key(value: Any) -> bool:
    return (
        value is None
        or isinstance(value, bool | int | float | str)
        or (isinstance(value, tuple) and all(map(_is_key, value)))
    )


def _is_constant(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _calculate(op: ast.operator, one: Any, two: Any) -> Any:
    work: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
        ast.Add: lambda a, b: a + b,
        ast.Sub: lambda a, b: a - b,
        ast.Mult: lambda a, b: a * b,
        ast.Div: lambda a, b: a / b,
        ast.FloorDiv: lambda a, b: a // b,
        ast.Mod: lambda a, b: a % b,
        ast.BitAnd: lambda a, b: a & b,
        ast.BitOr: lambda a, b: a | b,
    }
    if type(op) not in work:
        raise Crash(f"an operator {type(op).__name__}")
    try:
        return work[type(op)](one, two)
    except (TypeError, ZeroDivisionError, OverflowError) as error:
        raise Crash(str(error)) from error


def _show(value: Any) -> str:
    if _is_constant(value):
        return repr(value)
    return {"Items": "a list", "Reference": "a list", "Node": "a number", "Ratio": "a number"}.get(
        type(value).__name__, "no value" if value is MISSING else type(value).__name__.lower()
    )
