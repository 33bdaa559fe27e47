"""The constraints that guards of declarations stand for: "FEATURE only if ...".

A guard is one condition in the checker language, as a declaration writes it: facts and predicates
stand by their bare names (`age >= ADULT_AGE`, `not has_ssn`, `works`). Each becomes a function of
the language with a text of its own, so that every reader understands it.
"""

import ast
import re
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import Any, Literal

from benyfits_data.errors import LanguageError
from benyfits_data.household import constants, measures
from benyfits_data.household.constraints import guards
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import Constraint, add
from benyfits_data.household.schema import Feature

_PREDICATES: dict[str, Any] = {
    name: function
    for module in (measures, guards)
    for name, function in vars(module).items()
    if isinstance(function, FunctionType)
}
_NAMES = {**vars(constants), **_PREDICATES, "Household": Household, "Member": Member}
_SLUGS = {"==": "is", "!=": "is_not", ">=": "at_least", "<=": "up_to", ">": "over", "<": "under"}


def add_guards(topic: str) -> None:
    """Enter the constraints that the guards of a topic's features stand for."""
    for feature in FEATURES.values():
        if feature.topic != topic:
            continue
        conditions = feature.when + feature.needs
        texts = [_filled(feature, condition) for condition in conditions]
        is_on = _is_on(feature)
        for condition, text in zip(conditions, texts, strict=True):
            lines = [f"if {is_on}:", f"    return {text}", "return True"]
            _add(feature, "only if", [condition], lines)
        if feature.always:
            nested = [f"{'    ' * depth}if {text}:" for depth, text in enumerate(texts)]
            lines = [*nested, f"{'    ' * len(texts)}return {is_on}", "return True"]
            _add(feature, "whenever", conditions, lines)


def applies(feature: Feature, household: Household, member: Member | None = None) -> bool:
    """Return whether a feature's `when` holds: whether a profile tells the fact."""
    owners = (household,) if feature.level == "household" else (household, member)
    return all(guard_of(feature.name, condition)(*owners) for condition in feature.when)


@cache
def guard_of(name: str, condition: str) -> Callable[..., bool]:
    """Return a condition of a feature's guards as a function of what owns the feature."""
    feature = FEATURES[name]
    return _function(feature, f"{name}_asks", [f"return {_filled(feature, condition)}"], "")


def _add(
    feature: Feature,
    link: Literal["only if", "whenever"],
    conditions: Sequence[str],
    lines: list[str],
) -> None:
    """Enter one derived constraint."""
    name = f"{feature.name}_{link.replace(' ', '_')}_{_slug(conditions)}"
    says = f"{feature.name} {link} {' and '.join(_in_words(each) for each in conditions)}."
    holds = _function(feature, name, lines, says)
    guards_feature = feature.name if link == "only if" else None
    add(Constraint(name, says, (feature.name,), holds, guards_feature))


def _function(feature: Feature, name: str, lines: list[str], says: str) -> Callable[..., bool]:
    """Return a function of the checker language made of some lines; its text is an attribute."""
    owners = "household: Household" + (", member: Member" if feature.level == "member" else "")
    body = "\n".join(f"    {line}" for line in [f'"""{says}"""', *lines])
    text = f"def {name}({owners}) -> bool:\n{body}\n"
    space = {**_NAMES, "__name__": guards.__name__}
    exec(compile(text, f"<guard of {feature.name}>", "exec"), space)
    space[name].text = text
    made: Callable[..., bool] = space[name]
    return made


def _is_on(feature: Feature) -> str:
    """Return the condition that a fact is not off."""
    path = f"{feature.level}.{feature.name}"
    if feature.kind == "flag":
        return path
    return f"{path} is not None" if feature.off is None else f"{path} != {feature.off!r}"


def _filled(feature: Feature, condition: str) -> str:
    """Return a condition with facts and predicates written in full.

    Raises:
        LanguageError: A name is no fact that the feature's owner has, predicate or constant.
    """

    class Names(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return ast.parse(_full(feature, node.id, node is alone), mode="eval").body

    tree = ast.parse(condition, mode="eval").body
    alone = tree.operand if isinstance(tree, ast.UnaryOp) else tree
    return ast.unparse(Names().visit(tree))


def _full(feature: Feature, name: str, is_alone: bool) -> str:
    if name in FEATURES and feature.level in (FEATURES[name].level, "member"):
        needed = FEATURES[name]
        return _is_on(needed) if is_alone else f"{needed.level}.{name}"
    if name == "applicant":
        return "household.applicant"
    if name in _PREDICATES:
        code = _PREDICATES[name].__code__
        return f"{name}({', '.join(code.co_varnames[: code.co_argcount])})"
    if name in vars(constants):
        return name
    raise LanguageError(
        f"The guard of {feature.name} names {name!r}, which is no fact of its {feature.level}, "
        "predicate or constant. Declare it, or write a predicate in constraints/guards.py.",
        feature=feature.name,
        name=name,
    )


def _in_words(condition: str) -> str:
    """Return a condition as people read it: a predicate's docstring, or facts and numbers."""
    bare = condition.removeprefix("not ")
    if bare not in _PREDICATES:
        return _with_numbers(condition)
    words = " ".join(_PREDICATES[bare].__doc__.split()).partition(".")[0]
    words = words.removeprefix("Whether ")
    return "not: " * (bare != condition) + words[0].lower() + words[1:]


def _slug(conditions: Sequence[str]) -> str:
    """Return conditions as a part of a name, such as `age_at_least_18`."""
    words = " and ".join(_with_numbers(condition) for condition in conditions).split()
    return (
        re.sub(r"\W+", "_", " ".join(_SLUGS.get(word, word) for word in words)).strip("_").lower()
    )


def _with_numbers(condition: str) -> str:
    return re.sub(r"\b[A-Z][A-Z_\d]+\b", lambda limit: str(vars(constants)[limit[0]]), condition)
