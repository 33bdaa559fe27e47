"""The constraints that declarations stand for: "FEATURE only if ...", "FEATURE whenever ...".

A guard is a condition in the checker language, as a declaration writes it: facts and predicates
stand by their bare names (`age >= ADULT_AGE`, `not has_ssn`, `works`). Each becomes a function of
the language with a text of its own, so that every reader understands it.
"""

import ast
import re
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from benyfits_data.errors import LanguageError
from benyfits_data.household import constants, measures
from benyfits_data.household.constraints import guards
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import CONSTRAINTS, Constraint
from benyfits_data.household.schema import Feature

_PREDICATES: dict[str, Any] = {
    name: function
    for module in (measures, guards)
    for name, function in vars(module).items()
    if isinstance(function, FunctionType)
}
_NUMBERS = {name: number for name, number in vars(constants).items() if name.isupper()}
_NAMES = {**_NUMBERS, **_PREDICATES, "Household": Household, "Member": Member}
_SLUGS = {"==": "is", "!=": "is_not", ">=": "at_least", "<=": "up_to", ">": "over", "<": "under"}


def add_guards() -> None:
    """Enter the constraints that the guards of all features stand for."""
    for feature in FEATURES.values():
        needed = feature.when + feature.needs
        for condition in needed:
            _add(feature, "only if", condition)
        for condition in feature.implied_by + feature.always * (" and ".join(needed),):
            _add(feature, "whenever", condition)


def applies(feature: Feature, household: Household, member: Member | None = None) -> bool:
    """Return whether a feature's `when` holds: whether a profile tells the fact."""
    owners = (household,) if feature.level == "household" else (household, member)
    return all(guard_of(feature.name, condition)(*owners) for condition in feature.when)


@cache
def guard_of(name: str, condition: str) -> Callable[..., bool]:
    """Return a condition of a feature's guards as a function of what owns the feature.

    Raises:
        LanguageError: A name is no fact that the feature's owner has, predicate or constant.
    """
    feature = FEATURES[name]
    return _function(feature, f"{name}_asks", [f"return {_filled(feature, condition)}"], "")


def _add(feature: Feature, link: str, condition: str) -> None:
    """Enter one derived constraint."""
    words = " ".join(_SLUGS.get(word, word) for word in _with_numbers(condition).split())
    slug = re.sub(r"\W+", "_", words).strip("_").lower()
    name = f"{feature.name}_{link.replace(' ', '_')}_{slug}"
    says = f"{feature.name} {link} {' and '.join(map(_in_words, condition.split(' and ')))}."
    first, then = _is_on(feature), _filled(feature, condition)
    if link == "whenever":
        first, then = then, first
    holds = _function(feature, name, [f"if {first}:", f"    return {then}", "return True"], says)
    guarded = feature.name if link == "only if" else None
    CONSTRAINTS[name] = Constraint(name, says, (feature.name,), holds, guarded)


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
    """Return a condition with facts and predicates written in full."""

    class Names(ast.NodeTransformer):
        compared = False

        def visit_Compare(self, node: ast.Compare) -> ast.AST:
            self.compared = True
            self.generic_visit(node)
            self.compared = False
            return node

        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            return ast.parse(f"household.{ast.unparse(node)}", mode="eval").body

        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.parse(_full(feature, node.id, self.compared), mode="eval").body

    return ast.unparse(Names().visit(ast.parse(condition, mode="eval").body))


def _full(feature: Feature, name: str, is_compared: bool) -> str:
    if name in FEATURES and feature.level in (FEATURES[name].level, "member"):
        needed = FEATURES[name]
        return f"{needed.level}.{name}" if is_compared else _is_on(needed)
    if name in _PREDICATES:
        code = _PREDICATES[name].__code__
        return f"{name}({', '.join(code.co_varnames[: code.co_argcount])})"
    if name in _NUMBERS:
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


def _with_numbers(condition: str) -> str:
    return re.sub(r"\w+", lambda word: str(_NUMBERS.get(word[0], word[0])), condition)
