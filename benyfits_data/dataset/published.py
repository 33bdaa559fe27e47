"""The layout of the published BeNYfits files, read.

There every fact belongs to a member, households' facts are repeated, some values have other names,
and 0 or -1 stand for never. What that layout cannot tell is assumed (`implied_facts`) or
filled in (`Household.fill_in`).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from benyfits_data.errors import FeatureValueError
from benyfits_data.household.constants import (
    ADULT_AGE,
    AGE_COUNTED_IN_YEARS,
    DAYS_PER_WEEK,
    FOSTER_CARE_AGE,
    MONTHS_PER_YEAR,
)
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES

Facts = Mapping[str, Any]

TEMPORARY_HOUSING = {"homeless", "DHS shelter", "HRA shelter", "temporary housing"}
_SHELTERS = {"DHS shelter", "HRA shelter"}
_WARDS = {"grandchild", "sibling", "niece or nephew", "foster child"}
_OWN_CHILDREN = {"child", "adopted child"}
_SUPERVISED = {
    "Mitchell-Lama development",
    "limited dividend development",
    "redevelopment company development",
}
_AVERAGE_MONTH_DAYS = 30.5
_LONGEST_PREGNANCY = 42
_HALF_A_YEAR = 6
_FUNERAL_DAY = date(2020, 4, 15)

ANY_MEMBER = (
    "receives_snap",
    "receives_fpha",
    "struggles_to_relate",
    "acs",
    "heating_electrical_bill_in_name",
)
"""Household facts that hold here when any member has them there; others are the applicant's."""


def _works(member: Facts) -> bool:
    return bool(member.get("work_hours_per_week", 0))


def _age_in_months(member: Facts) -> int | None:
    age = member.get("age")
    if not isinstance(age, int) or age >= AGE_COUNTED_IN_YEARS:
        return None
    return age * MONTHS_PER_YEAR + _HALF_A_YEAR


def _weeks(member: Facts) -> int | None:
    months = member.get("months_pregnant")
    if not isinstance(months, int):
        return None
    return min(_LONGEST_PREGNANCY, -(-int(months * _AVERAGE_MONTH_DAYS) // DAYS_PER_WEEK))


OF_MEMBER: dict[str, Callable[[Facts], Any]] = {
    # A year is told as whole; a baby counts as half a year old.
    "age_months": _age_in_months,
    "weeks_pregnant": _weeks,
    "school_type": lambda member: (
        "public" if member.get("current_school_level") == "school" else None
    ),
    # There one fact stands for admission and for the accepted offer.
    "accepted_cuny_offer": lambda member: bool(member.get("accepted_to_cuny")),
    # There nobody is asked how the admitted will study.
    "will_study_full_time_for_associate_degree": lambda member: bool(
        member.get("accepted_to_cuny")
    ),
    # There every veteran is one of a conflict or with an honorable discharge.
    "served_in_military": lambda member: bool(
        member.get("conflict_veteran") or member.get("honorable_service")
    ),
    # A lost job was one in the state.
    "last_worked_in_nys": lambda member: bool(member.get("lost_job")),
    # The published payment includes day and death certificate.
    "covid_funeral_expense_date": lambda member: (
        _FUNERAL_DAY if member.get("covid_funeral_expenses") else None
    ),
    "covid_death_on_certificate": lambda member: bool(member.get("covid_funeral_expenses")),
    # There needing care and needing such homes are read off being unable to care for oneself.
    "needs_extra_health_care": lambda member: member.get("can_care_for_self") is False,
    "needs_semi_protective_care": lambda member: (
        member.get("age", 0) >= ADULT_AGE
        and member.get("can_care_for_self") is False
        and member.get("can_manage_self") is False
    ),
    "disability_prevents_some_transit_trips": lambda member: (
        bool(member.get("disabled")) and member.get("can_access_subway_or_bus") is False
    ),
    "temporarily_unable_to_use_transit": lambda member: (
        member.get("can_access_subway_or_bus") is False
        and bool(member.get("recovering_from_surgery") or member.get("chronic_health_condition"))
    ),
    # Who works is paid by the law,
    "earns_minimum_wage": _works,
    # does so in the city, for a private employer unless it says otherwise.
    "works_in_nyc": _works,
    "private_employer_in_nys": lambda member: (
        _works(member) and not member.get("government_job") and not member.get("contractor")
    ),
    "therapist_meets_pay_threshold": lambda member: (
        bool(member.get("is_therapist")) and _works(member)
    ),
}
"""Facts of a member by what else is told of that member."""


def implied_facts(
    members: Sequence[Facts], shared: Facts
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the assumed facts of each member and of the household.

    Args:
        members: The facts of each member as far as the published layout tells them.
        shared: The household's facts, likewise.
    """
    implied = [{name: assume(member) for name, assume in OF_MEMBER.items()} for member in members]
    if implied:
        implied[0]["legal_guardian"] = any(
            member.get("relation") in _WARDS and member.get("age", 0) < FOSTER_CARE_AGE
            for member in members[1:]
        )
    has_child = any(member.get("relation") in _OWN_CHILDREN for member in members)
    for member, assumed in zip(members, implied, strict=True):
        is_mother = has_child and member.get("relation") == "self"
        assumed["expecting_first_baby"] = (
            assumed["weeks_pregnant"] is not None and not member.get("is_parent") and not is_mother
        )
    return implied, _of_household(members, shared)


def _of_household(members: Sequence[Facts], shared: Facts) -> dict[str, Any]:
    housing = shared.get("housing_type")
    evicted = shared.get("evicted_months_ago")
    return {
        "tenure": _tenure(members, housing),
        # There a missing air conditioner may also be one that is too old: both count alike.
        "ac_age_years": HOUSEHOLD_FEATURES["ac_age_years"].default if shared.get("ac") else None,
        "evicted_in_year_before_shelter": housing in _SHELTERS
        and evicted is not None
        and evicted <= MONTHS_PER_YEAR,
        "in_excluded_housing_development": housing in _SUPERVISED,
    }


def _tenure(members: Sequence[Facts], housing: str | None) -> str:
    """Return who pays for the home; rent does not decide, renters there often pay 0."""
    if housing in TEMPORARY_HOUSING:
        return "no home"
    if any(member.get("is_property_owner") for member in members):
        return "owner"
    return "renter"


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
DUPLICATES = {"work_authorization"}
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
    of_members: list[dict[str, Any]] = []
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
        of_members.append(facts)
    implied, implied_shared = implied_facts(
        [_possible(facts) for facts in of_members], _possible(shared)
    )
    of_members = [{**assumed, **facts} for assumed, facts in zip(implied, of_members, strict=True)]
    return of_members, {**implied_shared, **shared}, unknown


def _possible(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that their features can hold; nothing follows from others."""
    parsed = {}
    for name, value in facts.items():
        with suppress(FeatureValueError):
            parsed[name] = FEATURES[name].parse(value)
    return parsed


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
