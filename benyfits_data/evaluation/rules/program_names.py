"""What a program's names are bound to, as far as its text settles that."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

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
