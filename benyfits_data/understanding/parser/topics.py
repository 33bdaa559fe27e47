"""What can be asked about: every declared fact, and measures and groups that people have words for.

A topic is a value of each member or of the household. Phrases name it; `phrases.py` compiles them.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from benyfits_data.errors import EvaluationError
from benyfits_data.household.constants import FULL_TIME_HOURS
from benyfits_data.household.constraints.guards import is_veteran, works
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.measures import (
    attends_school_or_college,
    has_spouse,
    household_income,
    household_size,
    income,
    is_own_child,
    is_spouse_or_partner,
    lives_in_temporary_housing,
)
from benyfits_data.household.model import Household, Member

Kind = Literal["flag", "number", "money", "choice", "date", "text"]
Period = Literal["year", "month", ""]


class UnknownFactError(EvaluationError):
    """The household model has no such fact; nobody can answer."""


@dataclass(frozen=True)
class Topic:
    """One thing that a question may be about.

    Attributes:
        name: A feature's name, or that of a measure or group.
        kind: What its values are.
        of_member: Whether every member has a value of their own.
        value: The value for a household and a member (the applicant, where it is the household's).
        unit: What a number counts, in the singular.
        period: The time an amount of money is for.
        is_past: Whether it speaks of what was, so that "ever" and "did" change nothing.
        is_future: Whether it speaks of what will be, so that "will" changes nothing.
        parts: Topics that a group consists of.
    """

    name: str
    kind: Kind
    of_member: bool
    value: Callable[[Household, Member], Any] = field(compare=False)
    unit: str | None = None
    period: Period = ""
    is_past: bool = False
    is_future: bool = False
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meaning:
    """What a phrase stands for: a topic, one value of it, or the opposite of a flag."""

    topic: str
    value: str | None = None
    is_opposite: bool = False


@cache
def topics() -> Mapping[str, Topic]:
    """Return all topics by name."""
    declared = {name: _of_feature(name) for name in FEATURES}
    return {**declared, **{topic.name: topic for topic in (*_COMPOSED, *_groups())}}


def _groups() -> Iterator[Topic]:
    """Yield the groups of facts that `phrases.toml` names: it is so where one of them is so."""
    for name, table in _told_phrases().items():
        if names := table.get("parts"):
            of_member = any(it not in FEATURES or it in MEMBER_FEATURES for it in names)
            yield Topic(name, "flag", of_member, _any_of(*names), parts=tuple(names))


def _of_feature(name: str) -> Topic:
    feature = FEATURES[name]
    is_member = name in MEMBER_FEATURES
    kind: Kind = (
        "money"
        if feature.unit == "dollar"
        else "number"
        if feature.kind in ("number", "decimal")
        else feature.kind  # type: ignore[assignment]
    )
    period: Period = (
        "month" if name.startswith("monthly") else "year" if name.startswith("annual") else ""
    )

    def value(household: Household, member: Member) -> Any:
        return getattr(member if is_member else household, name)

    is_past = (
        feature.verb in ("has done", "was")
        or " ago" in feature.sentence
        or (feature.topic == "history" or name in _PAST)
    )
    return Topic(name, kind, is_member, value, feature.unit, period, is_past, name in _FUTURE)


_FUTURE = frozenset(
    {
        "cash_assistance_on_leaving_shelter",
        "filing_jointly",
        "will_study_full_time_for_associate_degree",
    }
)
_PAST = frozenset(
    {
        "annual_work_income",
        "annual_investment_income",
        "covid_funeral_expense_date",
        "college_credits",
        "high_school_equivalent",
        "conflict_veteran",
        "honorable_service",
        "imprisonment",
        "arson",
        "verbal_abuse",
        "medication_treatment_non_compliance",
        "work_experience",
        "work_or_volunteer_experience",
        "consecutive_work_weeks",
        "nonconsecutive_work_days",
        "months_owned_property",
        "evicted_months_ago",
        "got_heap_ac",
        "electricity_shut_off",
        "heat_shut_off",
        "years_sober",
    }
)


def _is_married(household: Household, member: Member) -> bool:
    if member.relation in ("self", "spouse"):
        return has_spouse(household)
    raise UnknownFactError("marital status")


def _lives_with_partner(household: Household, member: Member) -> bool:
    if member.relation == "self":
        return any(is_spouse_or_partner(other) for other in household.members)
    if is_spouse_or_partner(member):
        return True
    raise UnknownFactError("partner")


def _is_single_parent(household: Household, member: Member) -> bool:
    """Return whether the applicant has a child here and no partner; of others it is not known."""
    if member.relation != "self":
        raise UnknownFactError("single parent")
    has_child = any(is_own_child(other) for other in household.members)
    return has_child and not _lives_with_partner(household, member)


def _marital_status(household: Household, member: Member) -> str:
    if _is_married(household, member):
        return "married"
    return (
        "not married, with a domestic partner"
        if _lives_with_partner(household, member)
        else ("not married")
    )


def _is_relative(household: Household, member: Member) -> bool:
    if member.relation == "self":
        raise UnknownFactError("relation to oneself")
    return member.relation not in ("friend", "domestic partner")


def _any_of(*names: str) -> Callable[[Household, Member], bool]:
    def value(household: Household, member: Member) -> bool:
        return any(topics()[name].value(household, member) for name in names)

    return value


def without_parts(group: Topic, left_out: Sequence[str]) -> Topic:
    """Return a group of facts without some of them."""
    parts = tuple(name for name in group.parts if name not in left_out)
    return replace(group, parts=parts, value=_any_of(*parts))


def _is_pregnant(household: Household, member: Member) -> bool:
    return member.weeks_pregnant is not None or member.months_pregnant is not None


def _not_known(household: Household, member: Member) -> Any:
    raise UnknownFactError("no such fact")


_COMPOSED = (
    Topic("not_known", "flag", True, _not_known, is_past=True),
    Topic("income", "money", True, lambda h, m: income(m), "dollar", "year", True),
    Topic(
        "household_income", "money", False, lambda h, m: household_income(h), "dollar", "year", True
    ),
    Topic("household_size", "number", False, lambda h, m: household_size(h), "person"),
    Topic("lives_alone", "flag", False, lambda h, m: len(h.members) == 1),
    Topic("married", "flag", True, _is_married),
    Topic("marital_status", "text", True, _marital_status),
    Topic("single", "flag", True, lambda h, m: not _lives_with_partner(h, m)),
    Topic("single_parent", "flag", True, _is_single_parent),
    Topic(
        "pays_for_care", "flag", False, lambda h, m: any(it.has_paid_caregiver for it in h.members)
    ),
    Topic("has_partner", "flag", True, _lives_with_partner),
    Topic("employed", "flag", True, lambda h, m: works(m)),
    Topic("student", "flag", True, lambda h, m: attends_school_or_college(m)),
    Topic("in_kindergarten", "flag", True, lambda h, m: m.current_grade == 0),
    Topic("in_elementary_school", "flag", True, lambda h, m: m.current_grade in range(6)),
    Topic("in_middle_school", "flag", True, lambda h, m: m.current_grade in range(6, 9)),
    Topic("in_high_school", "flag", True, lambda h, m: m.current_grade in range(9, 13)),
    Topic("veteran", "flag", True, lambda h, m: is_veteran(m), is_past=True),
    Topic("pregnant", "flag", True, _is_pregnant),
    Topic("homeless", "flag", False, lambda h, m: lives_in_temporary_housing(h)),
    Topic(
        "in_shelter", "flag", False, lambda h, m: h.housing_type in ("DHS shelter", "HRA shelter")
    ),
    Topic(
        "rent_regulated",
        "flag",
        False,
        lambda h, m: (
            h.housing_type
            in (
                "rent stabilized apartment",
                "rent controlled apartment",
                "rent regulated hotel",
                "rent regulated single room occupancy (SRO)",
            )
        ),
    ),
    Topic("in_new_york_state", "flag", False, lambda h, m: h.place_of_residence != "New Jersey"),
    Topic("outside_the_city", "flag", False, lambda h, m: h.place_of_residence != "New York City"),
    Topic("owns_home", "flag", True, lambda h, m: m.is_property_owner),
    Topic("is_relative", "flag", True, _is_relative),
    Topic("lawfully_present", "flag", True, lambda h, m: m.citizenship != "unlawful_resident"),
    Topic("noncitizen", "flag", True, lambda h, m: m.citizenship != "citizen_or_national"),
    Topic(
        "has_diploma",
        "flag",
        True,
        lambda h, m: m.high_school_equivalent != "no diploma",
        is_past=True,
    ),
    Topic("insured", "flag", True, _any_of("health_insurance", "receives_medicaid")),
    Topic("full_time", "flag", True, lambda h, m: m.work_hours_per_week >= FULL_TIME_HOURS),
    Topic("part_time", "flag", True, lambda h, m: 0 < m.work_hours_per_week < FULL_TIME_HOURS),
)


@cache
def spoken_phrases() -> Mapping[str, Mapping[str, Any]]:
    """Return the phrases of all topics by name: `phrases`, `opposite`, `values` of choices.

    Raises:
        EvaluationError: A file names an unknown topic, key or value.
    """
    declared = _phrase_file("benyfits_data.household.features", "synonyms.toml", FEATURES)
    composed = _phrase_file("benyfits_data.understanding.parser", "phrases.toml", _composed_names())
    return {name: {"phrases": []} for name in FEATURES} | declared | composed


@cache
def not_known_phrases() -> tuple[str, ...]:
    """Return what people ask that the household model has no fact for."""
    return tuple(_told_phrases()["not_known"]["phrases"])


@cache
def _told_phrases() -> dict[str, Any]:
    text = (files("benyfits_data.understanding.parser") / "phrases.toml").read_text(
        encoding="utf-8"
    )
    return tomllib.loads(text)


@cache
def said_of_groups() -> Mapping[str, tuple[str, str]]:
    """Return verb and phrase by which an answer speaks of each composed flag."""
    told = _told_phrases().items()
    return {name: tuple(it["says"]) for name, it in told if "says" in it}


def _composed_names() -> list[str]:
    return [name for name in topics() if name not in FEATURES and name != "not_known"]


def _phrase_file(package: str, name: str, wanted: Iterable[str]) -> dict[str, dict[str, Any]]:
    text = (files(package) / name).read_text(encoding="utf-8")
    told: dict[str, dict[str, Any]] = tomllib.loads(text)
    told.pop("not_known", None)
    if wrong := sorted(set(told) - set(wanted)):
        raise EvaluationError(f"{name}: {', '.join(wrong)} is no topic. Correct or remove it.")
    for topic, table in told.items():
        choices = FEATURES[topic].choices if topic in FEATURES else {}
        wrong = sorted(set(table.get("values", {})) - set(choices))
        wrong += sorted(set(table) - {"phrases", "opposite", "values", "parts", "says"})
        if wrong:
            raise EvaluationError(
                f"{name}, {topic}: {', '.join(wrong)} is no value of this fact and no known key "
                "(phrases, opposite, values, parts, says). Correct it."
            )
    return told


_RELATED = (
    {"income", "household_income", "annual_work_income", "annual_investment_income", "employed"},
    {
        "employed",
        "work_hours_per_week",
        "full_time",
        "part_time",
        "lost_job",
        "months_since_worked",
        "contractor",
    },
    {
        "student",
        "current_school_level",
        "current_grade",
        "school_type",
        "in_kindergarten",
        "in_elementary_school",
        "in_middle_school",
        "in_high_school",
    },
    {"insured", "health_insurance", "receives_medicaid", "eligible_for_medicaid"},
    {"veteran", "served_in_military", "conflict_veteran", "honorable_service"},
    {"pregnant", "weeks_pregnant", "months_pregnant"},
    {
        "homeless",
        "in_shelter",
        "housing_type",
        "rent_regulated",
        "tenure",
        "owns_home",
        "is_property_owner",
        "monthly_rent_spending",
    },
    {"place_of_residence", "in_new_york_state", "outside_the_city"},
    {"married", "single", "single_parent", "marital_status", "has_partner", "relation"},
    {"citizenship", "noncitizen", "lawfully_present"},
    {"relation", "is_relative"},
    {"has_diploma", "high_school_equivalent"},
    {"lives_alone", "household_size"},
    {"age", "age_months"},
)


def numbers_near(name: str) -> set[str]:
    """Return the facts that are told by a number and declared in the section of a topic.

    A number that is said beside an answer is one of these: "I own it. 32 years now."
    """
    sections = {FEATURES[it].topic for it in related(name) if it in FEATURES}
    if "property" in sections:
        sections.add("home")
    near = {it for it in FEATURES if FEATURES[it].topic in sections} | related(name)
    return {it for it in near if topics()[it].kind in ("number", "money")}


def related(name: str) -> set[str]:
    """Return a topic, its group or parts, and the topics that speak of the same."""
    family = {name, *(topics()[name].parts if name in topics() else ())}
    family |= {it.name for it in topics().values() if name in it.parts}
    for group in _RELATED:
        if name in group:
            family |= group
    return family
