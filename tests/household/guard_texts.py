"""A second reading of the guards of declarations, without any code of the first.

A guard is split at its words and each comparison asked of the facts, where `derived` rewrites its
syntax tree into a function that NumPy and CPython read.
"""

import ast
import inspect
import operator
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from benyfits_data.household import constants, measures
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS, guards
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.household.schema import Feature
from benyfits_data.language.numpy_backend import violators
from tests.language.draws import draw_households

BATCH = 500
_SIGNS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "==": ("is", operator.eq),
    "!=": ("is_not", operator.ne),
    ">=": ("at_least", operator.ge),
    "<=": ("up_to", operator.le),
    ">": ("over", operator.gt),
    "<": ("under", operator.lt),
}


class Guard(NamedTuple):
    """One condition of a declaration: the fact needs it, or follows from it."""

    feature: Feature
    link: str
    condition: str

    @property
    def constraint(self) -> str:
        """The name of the constraint it stands for."""
        words = []
        for word in self.condition.split():
            sign = _SIGNS[word][0] if word in _SIGNS else word
            words.append(str(getattr(constants, sign, sign)))
        slug = re.sub(r"\W+", "_", " ".join(words)).strip("_").lower()
        return f"{self.feature.name}_{self.link}_{slug}"

    def is_broken(self, household: Household, member: Member | None) -> bool:
        """Return whether a household, or one of its members, contradicts it."""
        told = _is_on(self.feature, member or household)
        met = any(
            all(_holds(term, household, member) for term in either.split(" and "))
            for either in self.condition.split(" or ")
        )
        return told and not met if self.link == "only_if" else met and not told


def declared_guards() -> Iterator[Guard]:
    """Yield the guards of all declarations."""
    for feature in FEATURES.values():
        for condition in (*feature.when, *feature.needs):
            yield Guard(feature, "only_if", condition)
        for condition in feature.implied_by:
            yield Guard(feature, "whenever", condition)
        if feature.always:
            yield Guard(feature, "whenever", " and ".join((*feature.when, *feature.needs)))


def _is_on(feature: Feature, owner: Any) -> bool:
    value = getattr(owner, feature.name)
    return bool(value) if feature.kind == "flag" else value != feature.off


def _holds(term: str, household: Household, member: Member | None) -> bool:
    words = term.split(" ", 2)
    if words[0] == "not":
        return not _holds(term.removeprefix("not "), household, member)
    if len(words) == 1:
        if term in FEATURES:
            return _is_on(FEATURES[term], _owner(term, household, member))
        return bool(_value(term, household, member))
    name, sign, other = words
    against = getattr(constants, other) if other.isupper() else ast.literal_eval(other)
    return _SIGNS[sign][1](_value(name, household, member), against)


def _owner(name: str, household: Household, member: Member | None) -> Any:
    return household if FEATURES[name].level == "household" else member


def _value(name: str, household: Household, member: Member | None) -> Any:
    if name.startswith("applicant."):
        return getattr(household.members[0], name.removeprefix("applicant."))
    if name in FEATURES:
        return getattr(_owner(name, household, member), name)
    function = getattr(guards, name, None) or getattr(measures, name)
    given = {"household": household, "member": member}
    return function(*(given[each] for each in inspect.signature(function).parameters))


Place = tuple[str, int, int | None]
"""A constraint, a household and a member's position: one violation."""


def violations_by_text(table: Households) -> set[Place]:
    """Return the violations of guards by the second reading."""
    found: set[Place] = set()
    for row in range(len(table)):
        household = table.household(row, constrained=False)
        for guard in declared_guards():
            of_member = guard.feature.level == "member"
            for place, member in enumerate(household.members if of_member else (None,)):
                if guard.is_broken(household, member):
                    found.add((guard.constraint, row, place if of_member else None))
    return found


def violations_by_columns(table: Households) -> set[Place]:
    """Return the violations of the constraints that guards stand for, by the NumPy reader."""
    found: set[Place] = set()
    for name in sorted({guard.constraint for guard in declared_guards()}):
        rows, columns = violators(CONSTRAINTS[name], table)
        places = [None] * len(columns) if rows is None else rows.tolist()
        found |= {(name, row, place) for row, place in zip(columns.tolist(), places, strict=True)}
    return found


def compare(n: int) -> tuple[int, int, int, set[Place]]:
    """Return evaluations, guards violated, violations, and those that only one reading sees."""
    n_guards, seen, n_violations = len(list(declared_guards())), set(), 0
    different: set[Place] = set()
    for start in range(0, n, BATCH):
        table = draw_households(min(BATCH, n - start), np.random.default_rng(start))
        by_text = violations_by_text(table)
        different |= {
            (name, start + row, place)
            for name, row, place in by_text ^ violations_by_columns(table)
        }
        seen |= {name for name, *_ in by_text}
        n_violations += len(by_text)
    return n * n_guards, len(seen), n_violations, different
