"""A program as formulas, if it is written in the small part of Python that is read here.

Read are functions, `if`, `for`, `while` with an end, `return`, comprehensions, comparisons and
arithmetic on facts, and lists and tables with one name: whatever Python's meaning is certain of.
All else is refused before or where it is met, and the program is not proven. Nothing is executed.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules.program_values import (
    MOST_VALUES,
    OPAQUE,
    Cases,
    Guarded,
    Items,
    Opaque,
    Range,
    Values,
    is_whole,
)
from benyfits_data.language.ir import FALSE, TRUE, IRBuilder, Node
from benyfits_data.language.symbolic_execution import (
    HouseholdArgument,
    MemberArgument,
    SymbolicExecutor,
)

MOST_STEPS = 100_000
"""Statements and expressions that are looked at: 20 times what a long honest program takes."""
_MOST_CALLS = 30
_READ = (
    ast.Module, ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.For, ast.While,
    ast.Break, ast.Continue, ast.Return, ast.Pass, ast.FunctionDef, ast.arguments, ast.arg,
    ast.Assert, ast.Raise, ast.Import, ast.ImportFrom, ast.alias, ast.Lambda, ast.BoolOp,
    ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.keyword, ast.IfExp, ast.Constant, ast.Name,
    ast.Attribute, ast.Subscript, ast.Slice, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp,
    ast.GeneratorExp, ast.comprehension, ast.Starred, ast.JoinedStr, ast.FormattedValue,
    ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip
"""All that a program may be made of: no `class`, `try`, `match`, walrus, `global`, `yield`."""
_TYPE = (
    ast.Name, ast.Subscript, ast.Attribute, ast.Constant, ast.Tuple, ast.List, ast.BinOp,
    ast.BitOr, ast.expr_context,
)  # fmt: skip
"""What an annotation may be made of: Python evaluates it, and it changes nothing."""
_CONSUMERS = frozenset({"any", "all", "sum", "list", "tuple", "set", "min", "max", "len", "bool"})
_LAZY = frozenset({"map", "filter", "enumerate", "zip", "reversed", "range"})
_BUILTINS = _CONSUMERS | _LAZY | {"next", "int", "dict", "frozenset", "float", "str"}
_TYPES = frozenset({"int", "float", "str", "bool", "list", "tuple", "dict", "set"})
_TEXT = ("startswith", "endswith", "lower", "upper", "strip")
_COMPARISONS = {
    ast.Eq: ("equal", False, False), ast.NotEq: ("equal", False, True),
    ast.In: ("has", True, False), ast.NotIn: ("has", True, True),
    ast.Lt: ("less", False, False), ast.Gt: ("less", True, False),
    ast.GtE: ("less", False, True), ast.LtE: ("less", True, True),
}  # fmt: skip
"""What answers a comparison, whether its sides are turned round, and whether the answer is."""
_MODULES = ("typing", "__future__", "collections.abc")
Function = ast.FunctionDef | ast.Lambda
CHANGES = frozenset({"append"})
"""Methods that change a list, of those that are read."""
_INNER = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp)
_LOOKING = (
    ast.Compare, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Return, ast.Starred, ast.If, ast.For,
    ast.While, ast.comprehension, ast.AugAssign,
)  # fmt: skip
"""What may hold the name of a list that changes: no other name comes to stand for the list."""


@dataclass(frozen=True)
class FunctionFormula:
    """A program as formulas.

    Attributes:
        verdict: For which households it returns True.
        crash: For which households it fails, or returns no truth value.
    """

    verdict: Node
    crash: Node


def read_function(executor: SymbolicExecutor, source: str) -> FunctionFormula:
    """Return a program as formulas.

    Args:
        executor: Makes the nodes.
        source: Text of a module whose `check` takes a household and returns a truth value.

    Raises:
        LanguageError: It holds what is not read, or reading takes more than it may.
    """
    reader = _Reader(executor.builder, executor.places)
    try:
        return reader.program(ast.parse(source))
    except (LanguageError, SyntaxError, ValueError, RecursionError) as error:
        raise LanguageError(f"line {reader.line} is not read as a formula: {error}") from error


def parameters(function: Function) -> list[ast.arg]:
    """Return all parameters of a function."""
    given = function.args
    more = [argument for argument in (given.vararg, given.kwarg) if argument]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *more]


def bound(node: ast.AST) -> str:
    """Return the name that a node binds, or nothing."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
            return name
        case ast.alias():
            return node.asname or node.name
    return ""


@dataclass
class BoundNames:
    """The names of one function, or of the module.

    Attributes:
        node: The function or the module.
        consumers: Built-in functions that look at a list and do not keep it.
    """

    node: ast.AST
    consumers: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def _bindings(self) -> set[str]:
        names = set(map(bound, _own(self.node)))
        if isinstance(self.node, Function):
            names.update(argument.arg for argument in parameters(self.node))
        return names

    def binds(self, name: str) -> bool:
        """Return whether a name is the function's own."""
        return name in self._bindings

    def is_alone(self, name: str) -> bool:
        """Return whether a list or table has no other name: made here, and never handed on."""
        if not isinstance(self.node, Function):
            return False
        if any(argument.arg == name for node in ast.walk(self.node) if isinstance(node, Function)
               for argument in parameters(node)):  # fmt: skip
            return False
        return all(
            self._is_made(parent) if isinstance(use.ctx, ast.Store) else self._looks(parent)
            for use, parent in self._uses
            if use.id == name
        )

    @cached_property
    def _uses(self) -> list[tuple[ast.Name, ast.AST]]:
        """Each name below, and what it stands in."""
        pairs = [(child, parent) for parent in ast.walk(self.node)
                 for child in ast.iter_child_nodes(parent)]  # fmt: skip
        return [(child, parent) for child, parent in pairs if isinstance(child, ast.Name)]

    def _is_made(self, parent: ast.AST) -> bool:
        """Whether what binds a name makes a list or table that is new."""
        match parent:
            case ast.Assign(targets=[_], value=value) | ast.AnnAssign(value=value):
                return isinstance(value, _FRESH) or (
                    isinstance(value, ast.Call)
                    and isinstance(value.func, ast.Name)
                    and value.func.id in ("list", "dict", "set")
                )
            case ast.AugAssign():
                return True
        return False

    def _looks(self, parent: ast.AST) -> bool:
        """Whether a name stands where nothing keeps what it stands for."""
        match parent:
            case ast.Call(func=ast.Name(id=function)):
                return function in self.consumers
            case ast.Attribute(attr=attr):
                return attr in CHANGES or attr == "get"
        return isinstance(parent, _LOOKING)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands below a node, and nothing inside a function or comprehension."""
    body = [node.body] if isinstance(node, ast.Lambda) else getattr(node, "body", [])
    if isinstance(node, ast.Module | ast.FunctionDef | ast.Lambda):
        stack: list[ast.AST] = [*body]
    else:
        stack = [*ast.iter_child_nodes(node)]
    while stack:
        child = stack.pop()
        yield child
        if not isinstance(child, _INNER):
            stack += ast.iter_child_nodes(child)


@dataclass(eq=False)
class _Function:
    """A function of the program, and where its outer names are looked up."""

    node: ast.FunctionDef | ast.Lambda
    outer: "_Frame"
    defaults: Mapping[str, Any]


class _Exit(NamedTuple):
    """Where a path ends by `return`, `raise`, `break` or `continue`: the value, or the names."""

    mask: Node
    how: str
    kept: Any


@dataclass(eq=False)
class _Frame:
    """One call of a function, or the module.

    Attributes:
        binding: What its text settles about its names.
        outer: Where the function was defined.
        names: What its names stand for now.
        exits: The ways in which paths ended so far.
        loops: Of the loops around the present place, the names of what they go over.
        inner: The names of the comprehension that the reader is in.
        is_over: Whether the call has ended: what its names stood for then hangs on the path.
    """

    binding: BoundNames
    outer: "_Frame | None" = None
    names: dict[str, Any] = field(default_factory=dict)
    exits: list["_Exit"] = field(default_factory=list)
    loops: list[set[str]] = field(default_factory=list)
    inner: dict[str, Any] | None = None
    is_over: bool = False


class _Reader(Values):
    """Reads a program, all paths at once; `alive` says which households take the present one."""

    def __init__(self, builder: IRBuilder, places: int) -> None:
        super().__init__(builder, places)
        self.n_steps = self.n_calls = self.line = 0
        self._read_names = dict[ast.AST, BoundNames]()

    def program(self, tree: ast.Module) -> FunctionFormula:
        """Return what `check` returns."""
        self._look(tree)
        self.module = self.frame = _Frame(BoundNames(tree))
        for statement in tree.body:
            self.line = statement.lineno
            match statement:
                case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                    if ast.unparse(statement.test) != "__name__ == '__main__'" or statement.orelse:
                        raise self._refusal(statement)
                case ast.Import() | ast.ImportFrom():
                    self._import(statement)
                case ast.Assign() | ast.AnnAssign() | ast.FunctionDef() | ast.Expr() | ast.Pass():
                    self._statement(statement)
                case _:
                    raise self._refusal(statement)
        if any(crash is not FALSE for crash in self.crashes):
            raise LanguageError("the module may fail")
        check = self.module.names.get("check")
        if not isinstance(check, _Function):
            raise LanguageError("it defines no function `check`")
        answer = self._invoke(check, [HouseholdArgument()], {})
        verdict = FALSE
        for guard, case in answer.pairs if isinstance(answer, Cases) else [(TRUE, answer)]:
            if isinstance(case, Node) and case.is_flag:
                verdict = self.builder.either(verdict, self.builder.both(guard, case))
            else:
                self.crash(guard)
        return FunctionFormula(verdict, self.builder.any_of(self.crashes))

    def _look(self, tree: ast.Module) -> None:
        """Refuse what is never read, wherever it stands."""
        for node in ast.walk(tree):
            self.line = getattr(node, "lineno", self.line)
            annotations = [getattr(node, name, None) for name in ("annotation", "returns")]
            parts = [
                part for annotation in annotations if annotation for part in ast.walk(annotation)
            ]
            if not isinstance(node, _READ) or getattr(node, "decorator_list", None):
                raise self._refusal(node)
            if bound(node) in _BUILTINS or bound(node).startswith("__"):
                raise LanguageError(f"another meaning of `{bound(node)}`")
            if not all(isinstance(part, _TYPE) for part in parts):
                raise LanguageError("such an annotation")

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        if isinstance(statement, ast.Import) or statement.module not in _MODULES:
            raise self._refusal(statement)
        for alias in statement.names:
            self._assign(ast.Name(alias.asname or alias.name), OPAQUE)

    def _refusal(self, node: ast.AST) -> LanguageError:
        return LanguageError(f"`{ast.unparse(node).splitlines()[0][:60]}`")

    def _step(self) -> None:
        self.n_steps += 1
        if self.n_steps > MOST_STEPS:
            raise LanguageError("what takes so many steps")

    # Statements

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self.alive is FALSE:
                return
            self.line = statement.lineno
            self._step()
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=targets, value=value):
                assigned = self._evaluate(value)
                for target in targets:
                    self._assign(target, assigned)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                self._assign(target, self._evaluate(value))
            case ast.AugAssign(target=ast.Name(id=name), op=sign, value=value):
                self._add(statement, name, type(sign).__name__, self._evaluate(value))
            case ast.If():
                self._if(statement)
            case ast.For():
                self._for(statement)
            case ast.While():
                self._while(statement)
            case ast.Break() | ast.Continue():
                self._leave(type(statement).__name__, self.frame.names)
            case ast.Return(value=value):
                self._leave("Return", None if value is None else self._evaluate(value))
            case ast.Raise():
                self.crash()
                self._leave("Raise", None)
            case ast.Assert(test=test):
                self.crash(self.builder.negate(self.truth(self._evaluate(test))))
            case ast.FunctionDef():
                self._assign(ast.Name(statement.name), self._function(statement))
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr=attr),
                    args=[argument],
                    keywords=[],
                )
            ) if attr in CHANGES:
                more = Items(((TRUE, self._evaluate(argument)),))
                self._add(statement, name, "Add", more, ("list",))
            case _:
                raise self._refusal(statement)

    def _leave(self, how: str, kept: Any) -> None:
        self.frame.exits.append(_Exit(self.alive, how, kept))
        self.alive = FALSE

    def _after(self, before: Node, exits: Iterable[_Exit]) -> Node:
        """Who of those before is still there after some left, told without what all share."""
        for left in exits:
            rest = self.builder.negate(self._beside(before, left.mask))
            before = self.builder.both(before, rest)
        return before

    def _beside(self, context: Node, condition: Node) -> Node:
        """A condition without what a context says already."""
        known = set(self.builder.conjuncts(context))
        return self.all_of(part for part in self.builder.conjuncts(condition) if part not in known)

    def _add(
        self,
        statement: ast.stmt,
        name: str,
        sign: str,
        value: Any,
        kinds: tuple[str, ...] = ("list", "number"),
    ) -> None:
        """Bind a name to what it was and something more; a list must have no other name."""
        frame, before = self.frame, self._name(name)
        if not frame.binding.binds(name):
            raise self._refusal(statement)
        for _, case in before.pairs if isinstance(before, Cases) else [(TRUE, before)]:
            kind = case.kind if isinstance(case, Items) else "number"
            if kind not in kinds:
                raise self._refusal(statement)
            if kind != "number":
                self._own(statement, name)
        frame.names = {**frame.names, name: self._calculate(sign, before, value)}

    def _own(self, statement: ast.stmt, name: str) -> None:
        """Refuse a change of a list or table with another name, or that a loop goes over."""
        frame = self.frame
        if any(name in names for names in frame.loops) or not frame.binding.is_alone(name):
            raise self._refusal(statement)

    def _assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Subscript(value=ast.Name(id=name), slice=key):
                table = self._name(name)
                self._own(ast.Expr(target, lineno=target.lineno), name)
                if not isinstance(table, dict):
                    raise self._refusal(target)
                self._assign(ast.Name(name), {**table, self._key(key): value})
            case _:
                self.frame.names = {**self.frame.names, **self._bindings(target, value)}

    def _bindings(self, target: ast.expr, value: Any) -> dict[str, Any]:
        """What each name of a target stands for."""
        match target:
            case ast.Name(id=name):
                return {name: value}
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(value, Items):
                n, result = len(parts), dict[str, Any]()
                is_open = isinstance(parts[-1], ast.Starred)
                if not is_open and not (self.is_fixed(value) and len(value.items) == n):
                    raise self._refusal(target)
                for place, part in enumerate(parts):
                    if not isinstance(part, ast.Starred):
                        result |= self._bindings(part, self.item(value, place))
                    elif place == n - 1:
                        rest = Items(self.part(value, place, None).items)
                        result |= self._bindings(part.value, rest)
                    else:
                        raise self._refusal(target)
                return result
        raise self._refusal(target)

    def _if(self, statement: ast.If) -> None:
        frame, before, names, n = self.frame, self.alive, self.frame.names, len(self.frame.exits)
        condition, ends = self.truth(self._evaluate(statement.test)), []
        others = self.builder.negate(condition)
        for guard, body in ((condition, statement.body), (others, statement.orelse)):
            self.alive, frame.names = self.builder.both(before, guard), names
            self._block(body)
            ends.append((self.alive, frame.names))
        self.alive = self._after(before, frame.exits[n:])
        (then_end, then_names), (other_end, other_names) = ends
        if FALSE in (then_end, other_end):
            frame.names = other_names if then_end is FALSE else then_names
        else:
            frame.names = self._merged(condition, then_names, other_names)

    def _merged(
        self, condition: Node, then: Mapping[str, Any], other: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The names that are known on both of two paths."""
        return {
            name: value if value is other[name] else self.choose(condition, value, other[name])
            for name, value in then.items()
            if name in other
        }

    # Loops

    def _for(self, statement: ast.For) -> None:
        frame, before, n = self.frame, self.alive, len(self.frame.exits)
        items = self._items(statement.iter)
        names = {node.id for node in ast.walk(statement.iter) if isinstance(node, ast.Name)}
        frame.loops.append(names)
        for guard, value in items:
            outer, known = self.alive, frame.names
            start = self.builder.both(outer, guard)
            if start is FALSE:
                continue
            frame.names = {**known, **self._bindings(statement.target, value)}
            end = self._round(statement.body, outer, start)
            if guard is TRUE or end is None:
                frame.names = known if end is None else end
            else:
                frame.names = self._merged(guard, {k: end[k] for k in known if k in end}, known)
        self._end(statement, before, n)

    def _while(self, statement: ast.While) -> None:
        frame, before, n = self.frame, self.alive, len(self.frame.exits)
        frame.loops.append(set())
        ends = list[tuple[Node, dict[str, Any]]]()
        while self.alive is not FALSE:
            going = self.truth(self._evaluate(statement.test))
            ends.append((self.builder.both(self.alive, self.builder.negate(going)), frame.names))
            if len(ends) > MOST_VALUES:
                raise LanguageError("a loop of so many rounds")
            start = self.builder.both(self.alive, going)
            frame.names = self._round(statement.body, start, start) or frame.names
        for mask, names in ends:
            if mask is not FALSE:
                is_first = self.alive is FALSE
                frame.names = names if is_first else self._merged(mask, names, frame.names)
                self.alive = self.builder.either(self.alive, mask)
        self._end(statement, before, n)

    def _round(self, body: Sequence[ast.stmt], outer: Node, start: Node) -> dict[str, Any] | None:
        """Read a round of a loop; return the names at its end, if anybody comes there."""
        frame, at, self.alive = self.frame, len(self.frame.exits), start
        self._block(body)
        names = None if self.alive is FALSE else frame.names
        names = self._joined_by(self._taken("Continue", at), names, start)
        self.alive = self._after(outer, frame.exits[at:])
        return names

    def _end(self, statement: ast.For | ast.While, before: Node, n: int) -> None:
        """Go on after a loop: `else` for those who did not break off, then all."""
        frame = self.frame
        frame.loops.pop()
        breaks = self._taken("Break", n)
        self._block(statement.orelse)
        names = None if self.alive is FALSE else frame.names
        names = self._joined_by(breaks, names, before)
        self.alive = self._after(before, frame.exits[n:])
        frame.names = frame.names if names is None else names

    def _taken(self, how: str, at: int) -> list[_Exit]:
        """Take away the exits of a kind since some place: they lead no further than here."""
        exits = self.frame.exits
        taken = [left for left in exits[at:] if left.how == how]
        exits[at:] = [left for left in exits[at:] if left.how != how]
        return taken

    def _joined_by(
        self, exits: Iterable[_Exit], names: dict[str, Any] | None, context: Node
    ) -> dict[str, Any] | None:
        """The names where those come back who left a round or a loop."""
        for left in exits:
            mask = self._beside(context, left.mask)
            names = left.kept if names is None else self._merged(mask, left.kept, names)
        return names

    # Names and functions

    def _name(self, name: str) -> Any:
        """What a name stands for here, as Python looks it up."""
        frame: _Frame | None = self.frame
        if self.frame.inner is not None and name in self.frame.inner:
            return self.frame.inner[name]
        while frame is not None:
            if name in frame.names:
                if frame.is_over:
                    raise LanguageError(f"`{name}` of a function that has returned,")
                return frame.names[name]
            if frame.outer is not None and frame.binding.binds(name):
                raise LanguageError(f"`{name}`, which is not set on every path,")
            frame = frame.outer
        if name in _TYPES:
            return OPAQUE
        raise LanguageError(f"`{name}`")

    def _function(self, node: ast.FunctionDef | ast.Lambda) -> _Function:
        if self.frame.inner is not None:
            raise LanguageError("a function inside a comprehension")
        given = node.args
        last = [*given.posonlyargs, *given.args][::-1]
        pairs = [*zip(last, given.defaults[::-1], strict=False),
                 *zip(given.kwonlyargs, given.kw_defaults, strict=True)]  # fmt: skip
        defaults = {name.arg: self._evaluate(value) for name, value in pairs if value}
        return _Function(node, self.frame, defaults)

    def _invoke(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Return what a function returns, with its ways joined."""
        if not isinstance(function, _Function):
            raise LanguageError("a call of what is no function of the program")
        node = function.node
        binding = self._read_names.setdefault(node, BoundNames(node, _CONSUMERS))
        frame = _Frame(binding, function.outer, self._bound(function, arguments, named))
        outer, before, self.frame = self.frame, self.alive, frame
        self.n_calls += 1
        if self.n_calls > _MOST_CALLS:
            raise LanguageError("a function that calls itself so often")
        try:
            if isinstance(node, ast.Lambda):
                return self._evaluate(node.body)
            self._block(node.body)
            if self.alive is not FALSE:
                self._leave("Return", None)
            return self._returned(before)
        finally:
            self.frame, self.alive, frame.is_over = outer, before, True
            self.n_calls -= 1

    def _returned(self, context: Node) -> Any:
        """What a function returns to those who called it."""
        pairs = []
        for left in self.frame.exits:
            pairs.append((self._beside(context, left.mask), left.kept))
            context = self._after(context, [left])
        result = pairs[-1][1] if pairs else Cases(())
        for guard, value in reversed(pairs[:-1]):
            result = self.choose(guard, value, result)
        return result

    def _bound(
        self, function: _Function, arguments: Sequence[Any], named: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The arguments of a call by the names of the parameters."""
        given = function.node.args
        places = [argument.arg for argument in (*given.posonlyargs, *given.args)]
        keywords = {argument.arg for argument in (*given.args, *given.kwonlyargs)}
        names = {**function.defaults, **dict(zip(places, arguments, strict=False)), **named}
        rest = arguments[len(places) :]
        if given.vararg is not None:
            names[given.vararg.arg] = Items(tuple((TRUE, value) for value in rest), "tuple")
        elif rest:
            raise LanguageError("a call with too many arguments")
        is_twice = set(places[: len(arguments)]) & named.keys()
        wanted = {argument.arg for argument in parameters(function.node)}
        if given.kwarg or is_twice or not named.keys() <= keywords or names.keys() != wanted:
            raise LanguageError("a call with other arguments")
        return names

    # Expressions

    def _evaluate(self, node: ast.expr) -> Any:
        """Return what an expression stands for."""
        self._step()
        builder = self.builder
        match node:
            case ast.Constant(value=bool() | int() as number):
                return builder.constant(number)
            case ast.Constant(value=str() | float() | None as value):
                return value
            case ast.Name(id=name):
                return self._name(name)
            case ast.BoolOp(op=sign, values=parts):
                return self._joined(isinstance(sign, ast.And), parts)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return builder.negate(self.truth(self._evaluate(operand)))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._calculate("Sub", builder.constant(0), self._evaluate(operand))
            case ast.BinOp(left=left, op=sign, right=right):
                left_value, right_value = self._evaluate(left), self._evaluate(right)
                return self._calculate(type(sign).__name__, left_value, right_value)
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition = self.truth(self._evaluate(test))
                with self.under(condition):
                    then = self._evaluate(body)
                with self.under(builder.negate(condition)):
                    other = self._evaluate(orelse)
                return self.choose(condition, then, other)
            case ast.Slice(lower=lower, upper=upper, step=None):
                return slice(lower and self._key(lower), upper and self._key(upper))
            case ast.Subscript(value=value, slice=key):
                owner, index = self._evaluate(value), self._evaluate(key)
                return self.lift(lambda holder: self._subscript(holder, index), owner)
            case ast.List() | ast.Tuple() | ast.Set():
                kind = type(node).__name__.lower()
                return Items(tuple(self._displayed(node.elts)), kind)
            case ast.Dict(keys=keys, values=values) if None not in keys:
                pairs = zip(keys, values, strict=True)
                return {self._key(key): self._evaluate(value) for key, value in pairs if key}
            case ast.ListComp(elt=part, generators=generators):
                return Items(tuple(self._gone_through(part, generators)))
            case ast.Lambda():
                return self._function(node)
            case ast.JoinedStr(values=parts):
                return self._text(parts)
            case ast.Call():
                return self._call(node)
        raise self._refusal(node)

    def _calculate(self, sign: str, left_value: Any, right_value: Any) -> Any:
        return self.lift(
            lambda left, right: self.calculate(sign, left, right), left_value, right_value
        )

    def _key(self, node: ast.expr) -> Any:
        return self.constant(self._evaluate(node))

    def _joined(self, is_and: bool, parts: Sequence[ast.expr]) -> Any:
        """`and` or `or`: the first value that decides, else the last."""
        first, *others = parts
        value = self._evaluate(first)
        if not others:
            return value
        truth = self.truth(value)
        goes_on = truth if is_and else self.builder.negate(truth)
        with self.under(goes_on):
            rest = self._joined(is_and, others) if self.alive is not FALSE else value
        if isinstance(value, Node) and value.is_flag:
            value = self.builder.constant(not is_and)
        return self.choose(goes_on, rest, value)

    def _comparison(self, node: ast.Compare) -> Node:
        left, result = self._evaluate(node.left), TRUE
        for sign, part in zip(node.ops, node.comparators, strict=True):
            with self.under(result):
                right = self._evaluate(part)
                flag = self._compared(sign, left, right, part)
            result, left = self.builder.both(result, flag), right
        return result

    def _compared(self, sign: ast.cmpop, left: Any, right: Any, part: ast.expr) -> Node:
        if isinstance(sign, ast.Is | ast.IsNot):
            flag, is_negated = self._is(left, part), isinstance(sign, ast.IsNot)
        else:
            name, is_turned, is_negated = _COMPARISONS[type(sign)]
            first, second = (right, left) if is_turned else (left, right)
            flag = self.truth(self.lift(getattr(self, name), first, second))
        return self.builder.negate(flag) if is_negated else flag

    def _is(self, value: Any, part: ast.expr) -> Node:
        """Whether a value is None, True or False."""
        if not (isinstance(part, ast.Constant) and isinstance(part.value, bool | None)):
            raise self._refusal(part)
        constant = part.value
        result = FALSE
        for guard, case in value.pairs if isinstance(value, Cases) else [(TRUE, value)]:
            fits = FALSE
            if case is None:
                fits = self.builder.constant(constant is None)
            elif isinstance(case, Node) and case.is_flag and constant is not None:
                fits = case if constant else self.builder.negate(case)
            result = self.builder.either(result, self.builder.both(guard, fits))
        return result

    def _displayed(self, parts: Sequence[ast.expr]) -> Iterator[Guarded]:
        for part in parts:
            if isinstance(part, ast.Starred):
                yield from self._items(part.value)
            else:
                yield TRUE, self._evaluate(part)

    def _subscript(self, owner: Any, key: Any) -> Any:
        match owner:
            case Items(kind="list" | "tuple") if isinstance(key, slice):
                return self.part(owner, key.start or 0, key.stop)
            case Items(kind="list" | "tuple"):
                return self.cases([(at, self._indexed(owner, at, n))
                                   for at, n in self.constants(key)])  # fmt: skip
            case dict():
                return self.keyed(owner, key)
            case HouseholdArgument() | MemberArgument():
                return self._fact(owner, key)
            case Opaque():
                return owner
            case None:
                self.crash()
                return Cases(())
        raise LanguageError("an index into such a value")

    def _indexed(self, items: Items, guard: Node, place: Any) -> Any:
        if type(place) is not int:
            raise LanguageError("such an index")
        with self.under(guard):
            return self.item(items, place)

    def _fact(self, owner: Any, key: Any, *default: Any) -> Any:
        pairs = []
        for guard, name in self.constants(key):
            value = self.fact(owner, name)
            if value is NotImplemented:
                if not default:
                    self.crash(guard)
                    continue
                value = default[0]
            pairs.append((guard, value))
        return self.cases(pairs)

    def _text(self, parts: Sequence[ast.expr]) -> Any:
        plain = [part.value if isinstance(part, ast.FormattedValue) else part for part in parts]
        words = [self._evaluate(part) for part in plain]
        for part in parts:
            if isinstance(part, ast.FormattedValue) and (part.format_spec or part.conversion != -1):
                raise self._refusal(part)
        return "".join(words) if all(isinstance(word, str) for word in words) else OPAQUE

    # What is gone through

    @contextmanager
    def _within(self, guard: Node, names: dict[str, Any]) -> Iterator[None]:
        """Look at a part of a comprehension, with the names that it has."""
        frame, before = self.frame, self.frame.inner
        frame.inner = names
        try:
            with self.under(guard):
                yield
        finally:
            frame.inner = before

    def _gone_through(
        self,
        part: ast.expr,
        generators: Sequence[ast.comprehension],
        guard: Node = TRUE,
        names: dict[str, Any] | None = None,
    ) -> Iterator[Guarded]:
        """Yield what a comprehension makes, and where; each is made when it is asked for."""
        names = names or self.frame.inner or {}
        if not generators:
            with self._within(guard, names):
                value = self._evaluate(part)
            yield guard, value
            return
        first, *rest = generators
        with self._within(guard, names):
            items = self._items(first.iter)
        for at, value in items:
            here, inner = self.builder.both(guard, at), names
            with self._within(here, names):
                inner = {**names, **self._bindings(first.target, value)}
            for condition in first.ifs:
                with self._within(here, inner):
                    if self.alive is not FALSE:
                        fits = self.truth(self._evaluate(condition))
                        here = self.builder.both(here, fits)
            if self.builder.both(self.alive, here) is not FALSE:
                yield from self._gone_through(part, rest, here, inner)

    def _elements(self, node: ast.expr) -> Iterator[Guarded]:
        """Yield what a function such as `any` asks for, one after the other."""
        match node:
            case ast.GeneratorExp(elt=part, generators=generators):
                yield from self._gone_through(part, generators)
            case ast.Call(func=ast.Name(id="map" | "filter" as name), args=[given, over]):
                function = self._evaluate(given)
                for guard, value in self._items(over):
                    with self.under(guard):
                        result = self._applied(function, [value])
                    if name == "map":
                        yield guard, result
                    else:
                        yield self.builder.both(guard, self.truth(result)), value
            case _:
                yield from self._items(node)

    def _items(self, node: ast.expr) -> list[Guarded]:
        """What a loop goes through: for each item, where it is there."""
        match node:
            case ast.Call(func=ast.Name(id="zip"), args=parts, keywords=[]):
                columns = [self._items(part) for part in parts]
                if any(guard is not TRUE for column in columns for guard, _ in column):
                    raise LanguageError("`zip` of such lists")
                return [(TRUE, Items(row, "tuple")) for row in zip(*columns, strict=False)]
        return self._listed(self._evaluate(node))

    def _listed(self, value: Any) -> list[Guarded]:
        builder = self.builder
        match value:
            case Items(items, kind="list" | "tuple"):
                return [*items]
            case dict():
                return [(TRUE, self._constant(key)) for key in value]
            case Range(start, stop) if stop.high - start.low <= MOST_VALUES:
                numbers = map(builder.constant, range(int(start.low), int(stop.high)))
                inside = ((self.has(value, number), number) for number in numbers)
                return [(guard, number) for guard, number in inside if guard is not FALSE]
            case Cases(pairs):
                return [(builder.both(guard, at), item) for guard, case in pairs
                        for at, item in self._listed(case)]  # fmt: skip
        raise LanguageError("a loop over such a value")

    def _constant(self, value: Any) -> Any:
        """A key of a table as a value."""
        if isinstance(value, tuple):
            return Items(tuple((TRUE, self._constant(part)) for part in value), "tuple")
        is_number = isinstance(value, int)
        return self.builder.constant(value) if is_number else value

    def _table(self, pairs: Iterator[Guarded]) -> dict[Any, Any]:
        """A table of keys and values that all households have."""
        table = {}
        for guard, pair in pairs:
            if guard is not TRUE or not isinstance(pair, Items) or len(pair.items) != 2:
                raise LanguageError("such a table")
            table[self.constant(pair.items[0][1])] = pair.items[1][1]
        return table

    # Calls

    def _call(self, node: ast.Call) -> Any:
        named = {word.arg: word.value for word in node.keywords if word.arg}
        if len(named) < len(node.keywords):
            raise self._refusal(node)
        match node.func:
            case ast.Name(id=name) if name in _BUILTINS:
                return self._builtin(node, name, node.args, named)
            case ast.Attribute(value=owner, attr=attr) if not named:
                value = self._evaluate(owner)
                given = [self._evaluate(argument) for argument in node.args]
                return self.lift(lambda receiver: self._method(receiver, attr, given), value)
        function = self._evaluate(node.func)
        arguments = [value for guard, value in self._displayed(node.args) if guard is TRUE]
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._refusal(node)
        keywords = {name: self._evaluate(value) for name, value in named.items()}
        return self._applied(function, arguments, keywords)

    def _applied(
        self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any] | None = None
    ) -> Any:
        return self.lift(lambda callee: self._invoke(callee, arguments, named or {}), function)

    def _method(self, owner: Any, name: str, given: Sequence[Any]) -> Any:
        match owner, name, given:
            case HouseholdArgument() | MemberArgument(), "get", [key, *default]:
                return self._fact(owner, key, *(default or [None]))
            case dict(), "get", [key, *default]:
                return self.keyed(owner, key, *(default or [None]))
            case dict(), "values", []:
                return Items(tuple((TRUE, value) for value in owner.values()))
            case str(), _, _ if name in _TEXT and all(
                isinstance(argument, str) for argument in given
            ):
                return self._constant(getattr(owner, name)(*given))
        raise LanguageError(f"`.{name}` of such a value")

    def _builtin(
        self, node: ast.Call, name: str, given: Sequence[ast.expr], named: Mapping[str, ast.expr]
    ) -> Any:
        builder = self.builder
        if named and (name not in ("min", "max") or named.keys() != {"default"}):
            raise self._refusal(node)
        match name, given:
            case "any" | "all", [over]:
                return self._any(over, name == "any")
            case "sum", [over]:
                return self._sum(over)
            case "min" | "max", [over]:
                default = [self._evaluate(value) for value in named.values()]
                return self.extreme(self._elements(over), name == "min", *default)
            case "min" | "max", [_, *_] if not named:
                each = [(TRUE, self._evaluate(argument)) for argument in given]
                return self.extreme(each, name == "min")
            case "len", [argument]:
                return self.lift(self.length, self._evaluate(argument))
            case "bool", [argument]:
                return self.truth(self._evaluate(argument))
            case "frozenset", [ast.Set() as argument]:
                return self._evaluate(argument)
            case "list" | "tuple" | "set" | "frozenset", [] | [_]:
                items = tuple(self._elements(given[0])) if given else ()
                return Items(items, "set" if "set" in name else name)
            case "dict", [] | [_]:
                return self._table(self._elements(given[0])) if given else {}
            case "next", [ast.GeneratorExp() as over, *default]:
                return self.first(self._elements(over), *map(self._evaluate, default))
            case "range", [_] | [_, _]:
                bounds = [builder.constant(0), *map(self._evaluate, given)][-2:]
                if all(map(is_whole, bounds)):
                    return Range(*bounds)
        raise self._refusal(node)

    def _any(self, over: ast.expr, is_any: bool) -> Node:
        builder, outer, decided = self.builder, self.alive, FALSE
        for guard, value in self._elements(over):
            truth = self.truth(value)
            decides = builder.both(guard, truth if is_any else builder.negate(truth))
            decided = builder.either(decided, decides)
            self.alive = builder.both(outer, builder.negate(decided))
            if self.alive is FALSE:
                break
        self.alive = outer
        return decided if is_any else builder.negate(decided)

    def _sum(self, over: ast.expr) -> Any:
        total: Any = self.builder.constant(0)
        for guard, value in self._elements(over):
            with self.under(guard):
                more = self._calculate("Add", total, value)
            total = self.choose(guard, more, total)
        return total
