"""The layout of the published BeNYfits files, read and written.

There every fact belongs to a member, households' facts are repeated, some values have other names,
and 0 or -1 stand for never. What that layout cannot tell is assumed (`published_defaults.py`) or
filled in (`Household.fill_in`).
"""

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from benyfits_data.dataset.published_defaults import ANY_MEMBER, implied_facts
from benyfits_data.dataset.rows import Row
from benyfits_data.errors import FeatureValueError
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES

VALUES = {
    "place_of_residence": {"Jersey": "New Jersey"},
    "housing_type": {
        "2 bedroom, 1 family house": "one-family house",
        "4 bedroom, 1 family house": "one-family house",
        "Housing Development Fund Corporation (HDFC) development": "HDFC development",
        "mitchell-lama development": "Mitchell-Lama development",
    },
    "high_school_equivalent": {"no high school diploma equivalent": "no diploma"},
}
"""Published values that have other names here."""

NEVER = {
    "months_pregnant": 0,
    "months_owned_property": 0,
    "got_heap_ac": 0,
    "evicted_months_ago": 0,
    "years_sober": -1,
    "months_since_worked": -1,
    "gpa": 0.0,
}
"""Published numbers that stand for never or not applicable."""

SCHOOL = {"pk": ("pre-kindergarten", None), "k": ("school", 0)}
DUPLICATES = {"work_authorization": "authorized_to_work_in_us"}
"""Published names of facts that have another published name too."""

PUBLISHED_EDITION = 2024
"""The year of the rules behind the published files, whose layout names none."""

_NAMES = {feature.published: name for name, feature in FEATURES.items() if feature.published}


def facts_from_published(
    members: Sequence[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], dict[str, Any], list[str]]:
    """Return members' facts, the household's facts, and names that are no published feature.

    Args:
        members: The features of each member as published; the first is the applicant, whose values
            are taken for facts of the household, but for those that any member may have.
    """
    unknown: list[str] = []
    told: list[dict[str, Any]] = []
    shared: dict[str, Any] = {}
    for position, features in enumerate(members):
        facts: dict[str, Any] = {}
        for published, value in features.items():
            name = _NAMES.get(published)
            if name is None:
                if published not in DUPLICATES and published not in unknown:
                    unknown.append(published)
            elif name == "current_school_level":
                facts.update(_school(value))
            elif name in HOUSEHOLD_FEATURES:
                if position == 0 or (name in ANY_MEMBER and value is True):
                    shared[name] = _value(name, value, features)
            else:
                facts[name] = _value(name, value, features)
        told.append(facts)
    implied, implied_shared = implied_facts([_possible(facts) for facts in told], _possible(shared))
    told = [{**assumed, **facts} for assumed, facts in zip(implied, told, strict=True)]
    return told, {**implied_shared, **shared}, unknown


def _possible(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that their features can hold; nothing follows from others."""
    found = {}
    for name, value in facts.items():
        with suppress(FeatureValueError):
            found[name] = FEATURES[name].parse(value)
    return found


def _value(name: str, value: Any, features: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return VALUES.get(name, {}).get(value, value)
    if name in NEVER and value == NEVER[name] and not isinstance(value, bool):
        # An owner of less than a month has owned for 0 months.
        is_owner = name == "months_owned_property" and features.get("is_property_owner")
        return value if is_owner else None
    if isinstance(value, float) and FEATURES[name].kind == "number" and math.isfinite(value):
        return round(value)
    return value


def _school(value: Any) -> dict[str, Any]:
    level, grade = SCHOOL.get(value, (value, None)) if isinstance(value, str) else (value, None)
    if isinstance(value, int) and not isinstance(value, bool):
        level, grade = "school", value
    elif isinstance(value, str) and value.isdecimal() and len(value) <= 2:
        level, grade = "school", int(value)
    return {"current_school_level": level, "current_grade": grade}


def to_published(row: Row) -> dict[str, Any]:
    """Return a row in the published layout."""
    household = row.household
    members = []
    for member in household.members:
        features: dict[str, Any] = {}
        for name, feature in FEATURES.items():
            if feature.published:
                owner = member if name in MEMBER_FEATURES else household
                features[feature.published] = _published_value(name, getattr(owner, name))
        if member.current_grade is not None:
            features["current_school_level"] = member.current_grade or "k"
        elif member.current_school_level == "pre-kindergarten":
            features["current_school_level"] = "pk"
        for duplicate, published in DUPLICATES.items():
            features[duplicate] = features[published]
        members.append({"features": features})
    return {
        "id": row.id,
        "hh": {"features": {"members": members}},
        "edge_case_programs": list(row.programs),
        **row.labels,
        "hh_nl_desc": row.profile,
    }


def _published_value(name: str, value: Any) -> Any:
    if value is None:
        return NEVER[name]
    for published, ours in VALUES.get(name, {}).items():
        if value == ours:
            return published
    return value


def as_published_line(row: Row) -> str:
    """Return a row in the published layout as one line of JSON."""
    return json.dumps(to_published(row), ensure_ascii=False)
