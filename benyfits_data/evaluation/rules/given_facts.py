"""What a model's function is given: the facts of a household, typed, and how they are described.

A household is a dictionary of its facts; `members` holds a dictionary for each member, the
applicant first. Flags are truth values, numbers are numbers, choices are words, days are ISO text,
and what does not apply is `None`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benyfits_data.evaluation.codegen.checker_translation import Form, to_key_value
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.understanding.facts import MEMBERS_KEY

MEMBERS = "members"
"""The key under which a household holds its members."""


def give_facts(household: Household, form: Form = "typed") -> dict[Any, Any]:
    """Return a household as a model's function receives it.

    Args:
        household: The household.
        form: `typed`; or `keys`, as ProADA's programs read it: members by number.
    """
    facts = household.facts()
    if form == "keys":
        keyed: dict[Any, Any] = _keyed(facts) | {MEMBERS_KEY: len(facts[MEMBERS])}
        return keyed | dict(enumerate(map(_keyed, facts[MEMBERS])))
    given = {name: _plain(facts[name]) for name in HOUSEHOLD_FEATURES}
    given[MEMBERS] = [
        {name: _plain(member[name]) for name in MEMBER_FEATURES if name in member}
        for member in facts[MEMBERS]
    ]
    return given


def _keyed(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: to_key_value(FEATURES[name], value)
        for name, value in facts.items()
        if name in FEATURES
    }


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
    meaning = " ".join((feature.question or feature.sentence).split())
    meaning = meaning.replace("{subject}", "the member").split("{")[0].strip()
    return f'- {owner}["{feature.name}"]: {kind}{unit}{missing}. {meaning}'.rstrip(". ")


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
