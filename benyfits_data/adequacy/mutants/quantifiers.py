"""Loops read wrongly: some member for every member, different members for one and the same."""

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

from benyfits_data.adequacy.mutants.substitutions import replaced

_EVERY = "every_member"
_SOME = "some_member"


def swapped_loops(function: ast.FunctionDef) -> Iterator[tuple[int, ast.FunctionDef]]:
    """Yield each loop changed so that all members must meet what one had to meet.

    A loop that returns for one member returns if all would; a flag that one member sets is set if
    all would set it.
    """
    for node in ast.walk(function):
        if not isinstance(node, ast.For):
            continue
        answers = {ast.unparse(inner) for inner in ast.walk(node) if isinstance(inner, ast.Return)}
        if len(answers) == 1:
            yield node.lineno, replaced(function, {node: _all_return(node)})
        for flag in dict.fromkeys(flag for inner in ast.walk(node) for flag, _ in _flag_set(inner)):
            yield node.lineno, replaced(function, {node: _all_set(flag, node)})


def members_apart(function: ast.FunctionDef) -> Iterator[tuple[int, str, ast.FunctionDef]]:
    """Yield each condition of one member changed so that any member of the household may meet it.

    Inside a loop all conditions are about one and the same member; here one of them holds if it
    does for some member, or for every member.
    """
    for loop in ast.walk(function):
        if not (isinstance(loop, ast.For) and isinstance(loop.target, ast.Name)):
            continue
        member = loop.target.id
        changing = {
            inner.id
            for inner in ast.walk(loop)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
        } - {member}
        for inside, inner in enumerate(ast.walk(loop)):
            if not isinstance(inner, ast.If):
                continue
            names = {name.id for name in ast.walk(inner.test) if isinstance(name, ast.Name)}
            if member not in names or names & changing:
                continue
            test = ast.unparse(inner.test)
            for is_some, words in ((True, "some"), (False, "every")):
                text = replaced(function, {loop: _apart(inside, is_some, copy.deepcopy(loop))})
                yield inner.lineno, f"{test} -> of {words} member", text


def _apart(inside: int, is_some: bool, loop: ast.For) -> list[ast.stmt]:
    inner: Any = list(ast.walk(loop))[inside]
    before = _hoisted(is_some, copy.deepcopy(inner.test), loop)
    inner.test = ast.Name(_SOME, ast.Load())
    return [*before, loop]


def _hoisted(is_some: bool, test: ast.expr, loop: ast.For) -> list[ast.stmt]:
    """Return statements that find out whether a test holds for some member, or for every one."""
    hit = test if is_some else ast.UnaryOp(ast.Not(), test)
    body: list[ast.stmt] = [ast.If(hit, [_assign(_SOME, is_some)], [])]
    return [_assign(_SOME, not is_some), _copied(loop, body)]


def _copied(loop: ast.For, body: list[ast.stmt]) -> ast.For:
    return ast.For(copy.deepcopy(loop.target), copy.deepcopy(loop.iter), body, [])


def _all_return(loop: ast.For) -> list[ast.stmt]:
    answer = next(inner for inner in ast.walk(loop) if isinstance(inner, ast.Return))
    missed = _assign(_EVERY, False)

    def swap(statement: ast.stmt) -> list[ast.stmt]:
        if isinstance(statement, ast.Return):
            return [ast.Continue()]
        if isinstance(statement, ast.Continue):
            return [copy.deepcopy(missed), statement]
        return [statement]

    body = [*_swapped(loop.body, swap), missed]
    all_did = ast.If(ast.Name(_EVERY, ast.Load()), [copy.deepcopy(answer)], [])
    return [_assign(_EVERY, True), _copied(loop, body), all_did]


def _all_set(flag: str, loop: ast.For) -> list[ast.stmt]:
    value = next(
        value for inner in ast.walk(loop) for name, value in _flag_set(inner) if name == flag
    )
    hit = f"{flag}_now"
    missed = ast.If(
        ast.UnaryOp(ast.Not(), ast.Name(hit, ast.Load())), [_assign(flag, not value)], []
    )

    def swap(statement: ast.stmt) -> list[ast.stmt]:
        for name, told in _flag_set(statement):
            if name == flag:
                return [_assign(hit, told == value)]
        if isinstance(statement, ast.Continue):
            return [copy.deepcopy(missed), statement]
        return [statement]

    body = [_assign(hit, False), *_swapped(loop.body, swap), missed]
    return [_assign(flag, value), _copied(loop, body)]


def _flag_set(node: ast.AST) -> list[tuple[str, bool]]:
    """Return the flag and the truth value that a statement gives it, if it does."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=bool() as value)):
            return [(name, value)]
    return []


def _swapped(statements: list[ast.stmt], swap: Callable[[Any], list[ast.stmt]]) -> list[ast.stmt]:
    """Return statements in which `swap` replaces each one that holds no others."""
    found: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.If):
            body = _swapped(statement.body, swap)
            found.append(ast.If(statement.test, body, _swapped(statement.orelse, swap)))
        else:
            found += swap(statement)
    return found


def _assign(name: str, value: bool) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value))
