"""What stands in a mutant in the place of something right: expressions, statements, loops."""

import ast
import copy
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from benyfits_data.household import measures
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.schema import Feature

Replacement = ast.expr | list[ast.stmt]


def replaced(function: ast.FunctionDef, wrong: Mapping[ast.AST, Replacement]) -> ast.FunctionDef:
    """Return a copy with an expression, or statements, in the place of some nodes.

    What is new stands at the line of what it replaces; all else is shared.
    """

    def copied(node: Any) -> Any:
        if isinstance(node, list):
            parts = [copied(item) for item in node]
            return [
                child for part in parts for child in (part if isinstance(part, list) else [part])
            ]
        if node in wrong:
            new = wrong[node]
            return (
                [at(node, replacement) for replacement in new]
                if isinstance(new, list)
                else at(node, new)
            )
        if not isinstance(node, ast.AST):
            return node
        made = copy.copy(node)
        for name, value in ast.iter_fields(node):
            setattr(made, name, copied(value))
        return made

    def at(node: Any, new: Any) -> Any:
        new = copy.copy(new)
        # A loop around which statements were put keeps its own lines.
        if not hasattr(new, "lineno"):
            ast.copy_location(new, node)
        return ast.fix_missing_locations(new)

    changed: ast.FunctionDef = copied(function)
    return changed


MEASURES: dict[str, Callable[..., Any]] = {
    name: function
    for name, function in vars(measures).items()
    if inspect.isfunction(function) and function.__module__ == measures.__name__
}
"""Every measure by name: a wrong checker may call one that the right one does not import."""

_WHOLE_HOUSEHOLD = {"income": "household_income"}


@cache
def confused_features(name: str) -> tuple[str, ...]:
    """Return the features of the same kind that stand next to a feature in its topic.

    Numbers are confused with numbers of the same unit only, in any topic. Choices are not
    confused: their values are.
    """
    feature = FEATURES.get(name)
    if feature is None or feature.kind in ("choice", "text"):
        return ()
    features = MEMBER_FEATURES if feature.level == "member" else HOUSEHOLD_FEATURES
    return _neighbors(
        name, [other for other, candidate in features.items() if _is_alike(feature, candidate)]
    )


def _is_alike(feature: Feature, other: Feature) -> bool:
    if (feature.kind, feature.optional, feature.unit) != (other.kind, other.optional, other.unit):
        return False
    return feature.kind != "flag" or feature.topic == other.topic


def confused_choice(name: str, value: str) -> str:
    """Return the value that is declared after a feature's value."""
    choices = list(FEATURES[name].choices)
    return choices[(choices.index(value) + 1) % len(choices)]


def confused_measure(
    name: str, arguments: Sequence[ast.expr]
) -> Iterator[tuple[Literal["household for member", "wrong feature"], ast.expr]]:
    """Yield calls of other measures with the same arguments, or of the household's in its place."""
    if name in _WHOLE_HOUSEHOLD:
        whole = ast.Name("household", ast.Load())
        yield (
            "household for member",
            ast.Call(ast.Name(_WHOLE_HOUSEHOLD[name], ast.Load()), [whole], []),
        )
    for other in _measures_like(name):
        yield "wrong feature", ast.Call(ast.Name(other, ast.Load()), list(arguments), [])


@cache
def _measures_like(name: str) -> tuple[str, ...]:
    alike = [other for other in MEASURES if _sort(other) == _sort(name)]
    return _neighbors(name, alike) if name in alike else ()


def _sort(name: str) -> tuple[Any, ...]:
    signature = inspect.signature(MEASURES[name])
    return (tuple(signature.parameters), signature.return_annotation, _is_in_dollars(name))


def _is_in_dollars(name: str) -> bool:
    """Whether a measure is an amount of money: nobody takes one for a number of people."""
    return any(word in name.split("_") for word in ("income", "pay", "yearly"))


def _neighbors(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names before and after a name, the last being followed by the first."""
    position = names.index(name)
    around = (names[(position + 1) % len(names)], names[position - 1])
    return tuple(dict.fromkeys(other for other in around if other != name))


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
        for name, truth in _flag_set(statement):
            if name == flag:
                return [_assign(hit, truth == value)]
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
    swapped: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.If):
            body = _swapped(statement.body, swap)
            swapped.append(ast.If(statement.test, body, _swapped(statement.orelse, swap)))
        else:
            swapped += swap(statement)
    return swapped


def _assign(name: str, value: bool) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value))
