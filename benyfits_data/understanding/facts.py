"""What can be asked about: declared facts, and the measures and groups that people speak of."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
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
from benyfits_data.household.schema import Verb
from benyfits_data.profiles.verb_forms import phrase_of

Kind = Literal["flag", "number", "money", "choice", "date", "text"]
Value = Callable[[Household, Member], Any]


class UnknownFactError(EvaluationError):
    """The household model has no such fact; nobody can answer."""


@dataclass(frozen=True)
class FactType:
    """One thing that a question may be about.

    Attributes:
        name: A feature's name, or that of a measure or group.
        kind: What its values are.
        of_member: Whether every member has a value of their own.
        value: The value for a household and a member (the applicant, where it is the household's).
        unit: What a number counts, in the singular.
        period: The time an amount of money is for.
        parts: The facts that a group consists of: it is so where one of them is.
        verb: The verb of a flag's sentence.
        phrase: What follows the verb.
    """

    name: str
    kind: Kind
    of_member: bool
    value: Value = field(compare=False)
    unit: str | None = None
    period: Literal["", "year", "month"] = ""
    parts: tuple[str, ...] = ()
    verb: Verb = "is"
    phrase: str = ""


@cache
def fact_types() -> Mapping[str, FactType]:
    """Return all that can be asked about, by name."""
    declared = {name: _of_feature(name) for name in FEATURES}
    return declared | {fact.name: fact for fact in (*_MEASURES, *_flags(), *_groups())}


def is_any(fact: FactType, value: Any) -> bool:
    """Return whether there is any of a fact: a flag is so, an amount is not nothing."""
    if fact.kind in ("number", "money"):
        may_be_missing = fact.name in FEATURES and FEATURES[fact.name].optional
        return value is not None if may_be_missing else bool(value)
    return value is not None and value is not False and value != "none"


def related(name: str) -> set[str]:
    """Return a fact and those that speak of the same: an answer to one may tell another."""
    family = {name, *fact_types()[name].parts}
    family |= {fact.name for fact in fact_types().values() if name in fact.parts}
    for group in map(str.split, _RELATED):
        family |= set(group) if name in group else set()
    return family


def _of_feature(name: str) -> FactType:
    feature, is_member = FEATURES[name], name in MEMBER_FEATURES
    kind: Kind = "number" if feature.kind == "decimal" else feature.kind

    def value(household: Household, member: Member) -> Any:
        return getattr(member if is_member else household, name)

    return FactType(
        name,
        "money" if feature.unit == "dollar" else kind,
        is_member,
        value,
        feature.unit,
        "month" if name.startswith("monthly") else "year" if name.startswith("annual") else "",
        verb=feature.verb or "is",
        phrase=phrase_of(feature, affirmed=True),
    )


def _is_married(household: Household, member: Member) -> bool:
    if member.relation in ("self", "spouse"):
        return has_spouse(household)
    raise UnknownFactError(f"Whether a {member.relation} is married is not known.")


def _has_partner(household: Household, member: Member) -> bool:
    if member.relation == "self":
        return any(is_spouse_or_partner(other) for other in household.members)
    if is_spouse_or_partner(member):
        return True
    raise UnknownFactError(f"Whether a {member.relation} has a partner is not known.")


def _is_single_parent(household: Household, member: Member) -> bool:
    if member.relation != "self":
        raise UnknownFactError(f"Whether a {member.relation} is a single parent is not known.")
    return any(map(is_own_child, household.members)) and not _has_partner(household, member)


def _marital_status(household: Household, member: Member) -> str:
    if _is_married(household, member):
        return "married"
    has_partner = _has_partner(household, member)
    return "not married, with a domestic partner" if has_partner else "not married"


def _is_relative(household: Household, member: Member) -> bool:
    if member.relation == "self":
        raise UnknownFactError("The applicant has no relation to the applicant.")
    return member.relation not in ("friend", "domestic partner")


def _not_known(household: Household, member: Member) -> Any:
    raise UnknownFactError("The household model has no such fact.")


def _any_of(*names: str) -> Value:
    return lambda household, member: any(
        fact_types()[name].value(household, member) for name in names
    )


_HOUSING = {
    "in_shelter": ("DHS shelter", "HRA shelter"),
    "rent_regulated": (
        "rent stabilized apartment",
        "rent controlled apartment",
        "rent regulated hotel",
        "rent regulated single room occupancy (SRO)",
    ),
}
MEMBERS_KEY = "number_of_members"
"""The key of the number of members, which is no feature."""
NOT_KNOWN = "not_known"
"""What the household model has no fact for."""
_MEASURES = (
    FactType("income", "money", True, lambda h, m: income(m), "dollar", "year"),
    FactType(
        "household_income", "money", False, lambda h, m: household_income(h), "dollar", "year"
    ),
    FactType("household_size", "number", False, lambda h, m: household_size(h), "person"),
    FactType("marital_status", "text", True, _marital_status),
)
_FLAGS: Mapping[str, tuple[Verb, str, Value]] = {
    NOT_KNOWN: ("is", "not known", _not_known),
    "married": ("is", "married", _is_married),
    "single": ("is", "single", lambda h, m: not _has_partner(h, m)),
    "single_parent": ("is", "a single parent", _is_single_parent),
    "has_partner": ("does", "live{s} with a spouse or partner", _has_partner),
    "is_relative": ("is", "related to me", _is_relative),
    "insured": ("has", "health insurance", _any_of("health_insurance", "receives_medicaid")),
}
_MEMBER_FLAGS: Mapping[str, tuple[Verb, str, Callable[[Member], bool]]] = {
    "employed": ("does", "work{s} now", works),
    "full_time": ("does", "work{s} full time", lambda m: m.work_hours_per_week >= FULL_TIME_HOURS),
    "part_time": (
        "does",
        "work{s} part time",
        lambda m: 0 < m.work_hours_per_week < FULL_TIME_HOURS,
    ),
    "student": ("does", "attend{s} school or college", attends_school_or_college),
    "in_kindergarten": ("is", "in kindergarten", lambda m: m.current_grade == 0),
    "in_elementary_school": (
        "is",
        "in elementary school (kindergarten to grade 5)",
        lambda m: m.current_grade in range(6),
    ),
    "in_middle_school": (
        "is",
        "in middle school (grades 6 to 8)",
        lambda m: m.current_grade in range(6, 9),
    ),
    "in_high_school": (
        "is",
        "in high school (grades 9 to 12)",
        lambda m: m.current_grade in range(9, 13),
    ),
    "has_diploma": (
        "has",
        "a high school or equivalency diploma",
        lambda m: m.high_school_equivalent != "no diploma",
    ),
    "veteran": ("is", "a veteran", is_veteran),
    "pregnant": (
        "is",
        "pregnant",
        lambda m: m.weeks_pregnant is not None or m.months_pregnant is not None,
    ),
    "owns_home": ("is", "an owner of the home", lambda m: m.is_property_owner),
    "lawfully_present": (
        "is",
        "lawfully present in the United States",
        lambda m: m.citizenship != "unlawful_resident",
    ),
    "noncitizen": ("is", "a noncitizen", lambda m: m.citizenship != "citizen_or_national"),
}
_HOUSEHOLD_FLAGS: Mapping[str, tuple[Verb, str, Callable[[Household], bool]]] = {
    "lives_alone": ("does", "live{s} alone", lambda h: len(h.members) == 1),
    "pays_for_care": (
        "does",
        "pay{s} somebody for care",
        lambda h: any(member.has_paid_caregiver for member in h.members),
    ),
    "homeless": ("is", "homeless or in temporary housing", lives_in_temporary_housing),
    "in_shelter": (
        "does",
        "live{s} in a shelter",
        lambda h: h.housing_type in _HOUSING["in_shelter"],
    ),
    "rent_regulated": (
        "does",
        "live{s} in a rent regulated home",
        lambda h: h.housing_type in _HOUSING["rent_regulated"],
    ),
    "in_new_york_state": (
        "does",
        "live{s} in New York State",
        lambda h: h.place_of_residence != "New Jersey",
    ),
    "outside_the_city": (
        "does",
        "live{s} outside New York City",
        lambda h: h.place_of_residence != "New York City",
    ),
}
_GROUPS: Mapping[str, tuple[Verb, str, str]] = {
    "government_benefits": (
        "receives",
        "government benefits",
        "receives_snap receives_fpha receives_housing_assistance receives_cash_assistance "
        "receives_temporary_assistance receives_ssi receives_ssdi receives_va_disability "
        "receives_vpsb receives_medicaid",
    ),
    "disability_benefits": (
        "receives",
        "disability benefits",
        "receives_ssi receives_ssdi receives_va_disability",
    ),
    "social_security": ("receives", "SSI or SSDI", "receives_ssi receives_ssdi"),
    "veterans_benefits": ("receives", "veterans benefits", "receives_va_disability receives_vpsb"),
    "health_conditions": (
        "has",
        "a disability or health condition",
        "disabled chronic_health_condition developmental_condition emotional_behavioral_condition "
        "mental_health_condition mental_impairment hiv_aids heat_exacerbated_condition",
    ),
    "mental_conditions": (
        "has",
        "a mental, emotional, behavioral or developmental condition",
        "mental_health_condition emotional_behavioral_condition mental_impairment "
        "developmental_condition",
    ),
    "tax_number": ("has", "a tax identification number", "has_ssn has_itin has_atin"),
    "job_training": (
        "is",
        "in a training or equivalency program",
        "enrolled_in_educational_training enrolled_in_vocational_training enrolled_in_hse_program",
    ),
    "utility_emergency": (
        "has",
        "the power or heat off or about to be, or no fuel",
        "electricity_shut_off heat_shut_off out_of_fuel",
    ),
    "losing_home": (
        "is",
        "being evicted or at risk of homelessness",
        "at_risk_of_homelessness currently_being_evicted",
    ),
}


def _flags() -> Iterator[FactType]:
    """Yield what is so or not of a member, or of the household, by a measure."""
    for name, (verb, phrase, value) in _FLAGS.items():
        yield FactType(name, "flag", True, value, verb=verb, phrase=phrase)
    for name, (verb, phrase, is_so) in _MEMBER_FLAGS.items():
        yield FactType(name, "flag", True, partial(_of_one, is_so), verb=verb, phrase=phrase)
    for name, (verb, phrase, holds) in _HOUSEHOLD_FLAGS.items():
        yield FactType(name, "flag", False, partial(_of_all, holds), verb=verb, phrase=phrase)


def _of_one(is_so: Callable[[Member], bool], household: Household, member: Member) -> bool:
    return is_so(member)


def _of_all(holds: Callable[[Household], bool], household: Household, member: Member) -> bool:
    return holds(household)


def _groups() -> list[FactType]:
    """Return the groups of facts: what is so where one of its parts is."""
    groups = []
    for name, (verb, phrase, names) in _GROUPS.items():
        parts = tuple(names.split())
        of_member = any(part in MEMBER_FEATURES for part in parts)
        groups.append(
            FactType(
                name, "flag", of_member, _any_of(*parts), parts=parts, verb=verb, phrase=phrase
            )
        )
    return groups


_RELATED = (
    "income household_income annual_work_income annual_investment_income employed",
    "employed work_hours_per_week full_time part_time lost_job months_since_worked contractor",
    "student current_school_level current_grade school_type in_kindergarten in_elementary_school "
    "in_middle_school in_high_school",
    "insured health_insurance receives_medicaid eligible_for_medicaid",
    "veteran served_in_military conflict_veteran honorable_service",
    "pregnant weeks_pregnant months_pregnant",
    "homeless in_shelter housing_type rent_regulated tenure owns_home is_property_owner "
    "monthly_rent_spending",
    "place_of_residence in_new_york_state outside_the_city homeless in_shelter",
    "married single single_parent marital_status has_partner relation",
    "citizenship noncitizen lawfully_present",
    "relation is_relative",
    "has_diploma high_school_equivalent",
    "lives_alone household_size",
    "age age_months",
)
"""Facts that speak of the same."""
