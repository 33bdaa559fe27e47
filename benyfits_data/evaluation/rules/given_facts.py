"""What a model's function is given: the facts of a household, typed, and how they are described.

A household is a dictionary of its facts; `members` holds a dictionary for each member, the
applicant first. Flags are truth values, numbers are numbers, choices are words, days are ISO text,
and what does not apply is `None`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from benyfits_data.household.columns import Households
from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.understanding.canonical import ask_plainly

MEMBERS = "members"
"""The key under which a household holds its members."""
Given = tuple[dict[str, Any], list[dict[str, Any]]]
"""A household for the sandbox: its facts that are no defaults, and those of each member."""


def give_facts(household: Household) -> dict[str, Any]:
    """Return a household as a model's function receives it."""
    facts = household.facts()
    given: dict[str, Any] = {name: facts[name] for name in HOUSEHOLD_FEATURES}
    given[MEMBERS] = [{name: member[name] for name in MEMBER_FEATURES} for member in facts[MEMBERS]]
    return given


def _defaults(features: Mapping[str, Feature]) -> dict[str, Any]:
    return {name: plain(feature.default) for name, feature in features.items()}


def plain(value: Any) -> Any:
    """Return a value as JSON holds it."""
    return value.isoformat() if hasattr(value, "isoformat") else value


DEFAULTS = (_defaults(HOUSEHOLD_FEATURES), _defaults(MEMBER_FEATURES))
"""The default facts of a household and of a member, for the sandbox."""


def pack(household: Household) -> Given:
    """Return a household for the sandbox."""
    facts = give_facts(household)
    members = facts.pop(MEMBERS)
    shared, member = DEFAULTS
    return _unlike(facts, shared), [_unlike(member_facts, member) for member_facts in members]


def _unlike(facts: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in facts.items()
        if value != defaults[name] or type(value) is not type(defaults[name])
    }


def pack_all(table: Households) -> list[Given]:
    """Return many households for the sandbox; members without names are numbered."""
    sizes = table.size.tolist()
    packed: list[Given] = []
    for column, size in enumerate(sizes):
        names = [f"Member {row + 1}" for row in range(size)]
        if table.names is not None:
            names = [str(name) for name in table.names[:size, column]]
        packed.append(({}, [{"name": name} for name in names]))
    for name, feature in HOUSEHOLD_FEATURES.items():
        column_of = table.shared[name]
        for place in np.flatnonzero(column_of != feature.encode(feature.default)):
            packed[place][0][name] = plain(feature.decode(column_of[place]))
    for name, feature in CODED_MEMBER_FEATURES.items():
        unlike = (table.member[name] != feature.encode(feature.default)) & table.present
        for row, place in zip(*(axis.tolist() for axis in np.nonzero(unlike)), strict=True):
            value = plain(feature.decode(table.member[name][row, place]))
            packed[place][1][row][name] = value
    return packed


def describe_facts(names: Iterable[str]) -> str:
    """Return the facts that a function may read, a line each, the household's first.

    Args:
        names: Facts of the household and of its members.
    """
    chosen = set(names)
    lines = ["Of the household:"]
    lines += [_describe(HOUSEHOLD_FEATURES[name]) for name in HOUSEHOLD_FEATURES if name in chosen]
    lines += [f'- hh["{MEMBERS}"]: list of its members, one to six, the applicant first']
    lines.append('Of each member m in hh["members"]:')
    lines += [_describe(MEMBER_FEATURES[name]) for name in MEMBER_FEATURES if name in chosen]
    return "\n".join(lines)


def readable_facts() -> Iterator[str]:
    """Yield the names of all facts that a function may read: all but free text."""
    return (name for name, feature in FEATURES.items() if feature.kind != "text")


def _describe(feature: Feature) -> str:
    kind = {
        "flag": "True or False",
        "number": "whole number",
        "decimal": "number",
        "date": "text such as '2024-01-31'",
        "choice": "one of " + ", ".join(repr(word) for word in feature.choices),
    }[feature.kind]
    unit = f" of {feature.unit}s" if feature.unit else ""
    missing = ", or None where that does not apply" if feature.optional else ""
    owner = "m" if feature.level == "member" else "hh"
    return f'- {owner}["{feature.name}"]: {kind}{unit}{missing}. {ask_plainly(feature.name)}'
