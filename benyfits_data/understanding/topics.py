"""What can be asked about: every declared fact, and measures and groups that people have words for.

A topic is a value of each member or of the household. Phrases name it; `phrases.py` compiles them.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from benyfits_data.errors import EvaluationError
from benyfits_data.household.constraints.guards import is_veteran, works
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.measures import (
    attends_school_or_college,
    has_spouse,
    household_income,
    household_size,
    income,
    is_spouse_or_partner,
    lives_in_temporary_housing,
)
from benyfits_data.household.model import Household, Member

Kind = Literal["flag", "number", "money", "choice", "date", "text"]
Period = Literal["year", "month", ""]

FULL_TIME_HOURS = 35
"""The Bureau of Labor Statistics counts 35 hours a week or more as full time."""


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
        words: What the topic is called in an answer.
        parts: Topics that a group consists of.
    """

    name: str
    kind: Kind
    of_member: bool
    value: Callable[[Household, Member], Any] = field(compare=False)
    unit: str | None = None
    period: Period = ""
    is_past: bool = False
    words: str = ""
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meaning:
    """What a phrase stands for: a topic, one value of it, or the opposite of a flag."""

    topic: str
    value: str | None = None
    is_opposite: bool = False
    asks: Literal["any", "value", "is"] = "any"


GOVERNMENT_BENEFITS = (
    "receives_snap",
    "receives_fpha",
    "receives_housing_assistance",
    "receives_cash_assistance",
    "receives_temporary_assistance",
    "receives_ssi",
    "receives_ssdi",
    "receives_va_disability",
    "receives_vpsb",
    "receives_medicaid",
)
HEALTH_CONDITIONS = (
    "disabled",
    "chronic_health_condition",
    "developmental_condition",
    "emotional_behavioral_condition",
    "mental_health_condition",
    "mental_impairment",
    "hiv_aids",
    "heat_exacerbated_condition",
)


@cache
def topics() -> Mapping[str, Topic]:
    """Return all topics by name."""
    declared = {name: _of_feature(name) for name in FEATURES}
    return {**declared, **{topic.name: topic for topic in _COMPOSED}}


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

    is_past = feature.verb in ("has done", "was") or " ago" in feature.sentence or (
        feature.topic == "history" or name in _PAST
    )
    return Topic(name, kind, is_member, value, feature.unit, period, is_past)


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


def _marital_status(household: Household, member: Member) -> str:
    if _is_married(household, member):
        return "married"
    return "not married, with a domestic partner" if _lives_with_partner(household, member) else (
        "not married"
    )


def _any_of(*names: str) -> Callable[[Household, Member], bool]:
    def value(household: Household, member: Member) -> bool:
        return any(topics()[name].value(household, member) for name in names)

    return value


def _is_pregnant(household: Household, member: Member) -> bool:
    return member.weeks_pregnant is not None or member.months_pregnant is not None


def _not_known(household: Household, member: Member) -> Any:
    raise UnknownFactError("no such fact")


_COMPOSED = (
    Topic("not_known", "flag", True, _not_known, is_past=True),
    Topic("income", "money", True, lambda h, m: income(m), "dollar", "year", True),
    Topic("household_income", "money", False, lambda h, m: household_income(h), "dollar", "year", True),
    Topic("household_size", "number", False, lambda h, m: household_size(h), "person"),
    Topic("lives_alone", "flag", False, lambda h, m: len(h.members) == 1, words="live alone"),
    Topic("married", "flag", True, _is_married, words="married"),
    Topic("marital_status", "text", True, _marital_status),
    Topic("single", "flag", True, lambda h, m: not _lives_with_partner(h, m)),
    Topic("pays_for_care", "flag", False, lambda h, m: any(it.has_paid_caregiver for it in h.members)),
    Topic("has_partner", "flag", True, _lives_with_partner, words="living with a spouse or partner"),
    Topic("employed", "flag", True, lambda h, m: works(m), words="working"),
    Topic("student", "flag", True, lambda h, m: attends_school_or_college(m)),
    Topic(
        "in_school", "flag", True,
        lambda h, m: m.current_school_level in ("school", "pre-kindergarten"),
    ),
    Topic("veteran", "flag", True, lambda h, m: is_veteran(m), is_past=True),
    Topic("pregnant", "flag", True, _is_pregnant),
    Topic("homeless", "flag", False, lambda h, m: lives_in_temporary_housing(h)),
    Topic(
        "in_shelter", "flag", False, lambda h, m: h.housing_type in ("DHS shelter", "HRA shelter")
    ),
    Topic(
        "rent_regulated", "flag", False,
        lambda h, m: h.housing_type in ("rent stabilized apartment", "rent controlled apartment",
            "rent regulated hotel", "rent regulated single room occupancy (SRO)"),
    ),
    Topic("owns_home", "flag", True, lambda h, m: m.is_property_owner),
    Topic("noncitizen", "flag", True, lambda h, m: m.citizenship != "citizen_or_national"),
    Topic("has_diploma", "flag", True, lambda h, m: m.high_school_equivalent != "no diploma", is_past=True),
    Topic("insured", "flag", True, _any_of("health_insurance", "receives_medicaid")),
    Topic("full_time", "flag", True, lambda h, m: m.work_hours_per_week >= FULL_TIME_HOURS),
    Topic(
        "part_time", "flag", True, lambda h, m: 0 < m.work_hours_per_week < FULL_TIME_HOURS
    ),
    Topic(
        "government_benefits", "flag", True, _any_of(*GOVERNMENT_BENEFITS),
        parts=GOVERNMENT_BENEFITS,
    ),
    Topic(
        "disability_benefits", "flag", True,
        _any_of("receives_ssi", "receives_ssdi", "receives_va_disability"),
        parts=("receives_ssi", "receives_ssdi", "receives_va_disability"),
    ),
    Topic(
        "social_security", "flag", True, _any_of("receives_ssi", "receives_ssdi"),
        parts=("receives_ssi", "receives_ssdi"),
    ),
    Topic(
        "health_conditions", "flag", True, _any_of(*HEALTH_CONDITIONS), parts=HEALTH_CONDITIONS
    ),
)

COMPOSED_PHRASES: Mapping[str, tuple[str, ...]] = {
    "income": (
        "[total|annual|yearly|monthly|gross|personal|individual|own|overall|current] [annual|yearly|monthly|gross] income [from all sources] [before taxes]",
        "income level",
        "(sources|source) of income",
        "bring in",
        "bring home",
        "money coming in", "total income", "earn in total",
    ),
    "household_income": (
        "[total|annual|yearly|monthly|gross|combined|overall] [annual|yearly|monthly|gross] (household|family) [annual|yearly|monthly|gross|total] (income|earnings) [from all sources] [before taxes]",
        "[total|annual|yearly|monthly|gross|combined] [annual|yearly|monthly|gross] income (of|for|in) [your|the|whole|entire] (household|family) [from all sources] [before taxes]",
        "household (bring in|make|earn)",
        "family (bring in|make|earn)",
        "combined [annual|yearly|monthly] income",
        "household total income",
    ),
    "household_size": (
        "(household|family) size",
        "size of [your] (household|family)",
        "(big|large) [is] [your] (household|family)",
        "people [live] in [your] (household|family|home)",
    ),
    "lives_alone": ("live (alone|by yourself|on your own)", "live alone", "by yourself"),
    "married": ("married", "legally married", "marriage"),
    "marital_status": (
        "marital status", "single or married", "married or single",
        "(single|married) (married|single) or (divorced|separated|widowed)",
        "single married divorced or widowed", "married single or divorced",
        "married single divorced or widowed", "relationship status",
        "married or in [a] domestic partnership", "married or have [a] domestic partner",
    ),
    "has_partner": (
        "(live|living) with [a|your] (partner|spouse|significant other|spouse or partner|spouse or domestic partner)",
        "in [a] domestic partnership", "(partnered|relationship)",
    ),
    "employed": (
        "work", "employed", "job", "employment [status]", "(have|hold|holding) [a] [paid] job", "working now",
        "in [the] workforce", "gainfully employed", "paid work", "worker",
    ),
    "student": (
        "student", "(enrolled in|attend|go to|in) (school or college|college or school)",
        "school or college", "enrolled in any (school|educational institution)",
        "(enrolled in|attend|go to) school", "in school", "school", "schooling",
    ),
    "veteran": (
        "[us|military|war] veteran [of] [us] [military|armed forces]", "(serve|served|service) in [the] [us|united states] (military|armed forces|army|navy|marines|air force)",
        "military service", "[us] (military|armed forces)", "veteran status", "military background", "ex military",
    ),
    "pregnant": (
        "pregnant", "pregnancy", "expecting [a] (baby|child)", "expecting",
    ),
    "homeless": (
        "homeless", "homelessness", "experiencing homelessness", "homeless or in temporary housing",
        "unhoused", "without (stable|permanent) housing", "homeless or [live|living|staying] in [a] shelter",
    ),
    "in_shelter": (
        "[homeless] shelter", "(live|living|stay|staying) in [a] [homeless] shelter", "shelter system",
        "emergency shelter",
    ),
    "rent_regulated": (
        "rent regulated [apartment|unit|home|housing]", "rent regulation",
        "rent (stabilized or controlled|controlled or stabilized|stabilized or rent controlled|controlled or rent stabilized) [apartment|unit|housing]",
    ),
    "owns_home": (
        "own [your|the|this|a|that] (home|house|apartment|place|property|residence|co op|condo) [live in]", "home owner",
        "homeowner", "own [real] (property|estate)", "own where live",
    ),
    "noncitizen": ("noncitizen", "non citizen", "immigrant"),
    "has_diploma": (
        "high school (graduate|diploma or equivalent|diploma or ged|diploma or hse|degree or equivalent|education)",
        "(graduate|finish|complete) [from] high school", "diploma", "high school diploma or [its] equivalent",
        "high school or equivalency diploma", "graduated high school", "ged or high school diploma", "high school diploma or high school equivalency",
    ),
    "insured": (
        "health insurance [coverage|plan]", "medical (insurance|coverage)", "health (coverage|plan|care coverage)", "insured", "insurance",
        "health insurance [or] [including] medicaid", "any kind of health insurance", "covered by [any] health insurance",
    ),
    "full_time": ("[work|employed|job] full time [job]", "full time [work|job|employment]"),
    "part_time": ("[work|employed|job] part time [job]", "part time [work|job|employment]"),
    "government_benefits": (
        "(government|public) (benefits|assistance|benefit|aid|help|support) [programs|program]",
        "benefits", "benefit programs", "assistance programs", "(assistance|benefits) from [the] government",
        "government [assistance|benefit] programs", "benefits or assistance", "social services", "public benefits",
        "government benefits or assistance",
    ),
    "disability_benefits": ("disability benefits", "on disability", "disability (payments|income|checks)"),
    "single": ("single",),
    "pays_for_care": (
        "pay [for] [someone] [a] (caregiver|caretaker|nanny|babysitter|child care|childcare|daycare|day care|care)",
        "pay someone to (care|take care|look after) [for|of]", "(child care|childcare|daycare|day care) (costs|expenses|provider)",
    ),
    "social_security": ("ssi or ssdi", "ssdi or ssi", "social security [benefits|income|payments]"),
    "health_conditions": (
        "(health|medical) (conditions|problems|issues|condition)", "health (concern|concerns|challenges)",
        "disabilities or [chronic|serious] [health|medical] (conditions|illnesses)",
        "disability or [chronic|serious] [health|medical] (condition|illness)", "special needs",
    ),
}
NOT_KNOWN_PHRASES = (
    "have [a] legal guardian", "unemployment [insurance|benefits|compensation]", "(date of birth|birth date|birthday|born)", "child support", "alimony", "wic [benefits]",
    "divorced", "widowed", "widow", "widower", "blind", "deaf", "(visual|hearing|vision) impairment", "(phone|telephone|cell) number", "email [address]", "[street|mailing|home] address", "zip code", "(race|ethnicity|religion)",
    "workers compensation", "(student|car|credit card) (loan|loans|debt)", "debt", "medicare", "child health plus", "(criminal record|felony|convicted|conviction)", "(utility|utilities|electric|gas) (cost|costs|bills)",
    "heap", "(speak|primary|native) language", "disability claim", "(bank|savings) account number", "essential plan", "life insurance", "mortgage",
)
"""What people ask that the household model has no fact for: answered with "I don't know"."""
OPPOSITE_PHRASES: Mapping[str, tuple[str, ...]] = {
    "employed": ("unemployed", "out of work", "jobless", "without [a] job", "between jobs"),
    "lives_alone": ("live with (anyone|anybody|other people|others|someone) [else]", "(anyone|anybody) [else] live with you"),
    "insured": ("uninsured", "without [health] insurance", "lack [health] insurance"),
    "first_time_home_buyer": (
        "(owned|own) [a|any] home in [the] (last|past) (three|3) years",
    ),
    "has_diploma": ("drop out of [high] school", "without [a] [high school] diploma"),
    "receives_ssi": (),
}


def spoken_phrases() -> Mapping[str, Mapping[str, Any]]:
    """Return the phrases of the declared facts, as `household/features/synonyms.toml` has them.

    Raises:
        EvaluationError: The file names an unknown fact or value, or leaves a fact out.
    """
    path = files("benyfits_data.household.features") / "synonyms.toml"
    told: dict[str, dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))
    if wrong := sorted(set(told) ^ set(FEATURES)):
        raise EvaluationError(
            f"synonyms.toml and the declared facts differ in {', '.join(wrong)}. "
            "Give each fact one table with its phrases."
        )
    for name, table in told.items():
        unknown = set(table.get("values", {})) - set(FEATURES[name].choices)
        if unknown or set(table) - {"phrases", "opposite", "values"}:
            raise EvaluationError(
                f"synonyms.toml, {name}: {', '.join(sorted(unknown or set(table)))} is no value "
                "of this fact and no known key (phrases, opposite, values)."
            )
    return told


_RELATED = (
    {"income", "household_income", "annual_work_income", "annual_investment_income", "employed"},
    {"employed", "work_hours_per_week", "full_time", "part_time", "lost_job", "months_since_worked", "contractor"},
    {"student", "in_school", "current_school_level", "current_grade", "school_type"},
    {"insured", "health_insurance", "receives_medicaid", "eligible_for_medicaid"},
    {"veteran", "conflict_veteran", "honorable_service"},
    {"pregnant", "weeks_pregnant", "months_pregnant"},
    {"homeless", "in_shelter", "housing_type", "rent_regulated", "tenure", "owns_home", "is_property_owner", "monthly_rent_spending"},
    {"married", "marital_status", "has_partner", "relation"},
    {"citizenship", "noncitizen"},
    {"has_diploma", "high_school_equivalent"},
    {"lives_alone", "household_size"},
    {"age", "age_months"},
)


def related(name: str) -> set[str]:
    """Return a topic, its group or parts, and the topics that speak of the same."""
    family = {name, *(topics()[name].parts if name in topics() else ())}
    family |= {it.name for it in topics().values() if name in it.parts}
    for group in _RELATED:
        if name in group:
            family |= group
    return family
