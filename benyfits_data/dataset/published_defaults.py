"""What the published layout does not tell, and what is assumed in its place.

Every feature whose `published` name is `None` appears here, or takes its declared default. The
assumptions follow what the published fact nearest in meaning says: a household that was labelled
by that fact there is judged by it here.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from benyfits_data.household.constants import (
    ADULT_AGE,
    AGE_COUNTED_IN_YEARS,
    DAYS_PER_WEEK,
    FOSTER_CARE_AGE,
    MONTHS_PER_YEAR,
)
from benyfits_data.household.features import HOUSEHOLD_FEATURES

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
