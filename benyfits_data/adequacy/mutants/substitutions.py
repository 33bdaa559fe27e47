"""Which feature, value or measure somebody might read for another."""

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
            return [it for part in parts for it in (part if isinstance(part, list) else [part])]
        if node in wrong:
            new = wrong[node]
            return [at(node, one) for one in new] if isinstance(new, list) else at(node, new)
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
    return _neighbors(name, [other for other, told in features.items() if _is_alike(feature, told)])


def _is_alike(one: Feature, other: Feature) -> bool:
    if (one.kind, one.optional, one.unit) != (other.kind, other.optional, other.unit):
        return False
    return one.kind != "flag" or one.topic == other.topic


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
