"""What can be asked about: declared facts, and derived ones with the facts that each needs.

A question is facts x members. It holds no operators: "how many children have you?" needs the
relation and age of everyone, and whoever knows these can say it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from benyfits_data.household.constants import ADULT_AGE, FULL_TIME_HOURS
from benyfits_data.household.constraints.guards import is_in_shelter, is_veteran, works
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.measures import (
    attends_school_or_college,
    has_spouse,
    has_spouse_or_partner,
    household_income,
    income,
    is_own_child,
    lives_in_temporary_housing,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.household.schema import Level
from benyfits_data.profiles.verb_forms import YOU, phrase_of

MEMBERS_KEY = "number_of_members"
"""The key of the number of members, which is no feature."""
EVERYONE: Literal["everyone"] = "everyone"
THE_HOUSEHOLD: Literal["household"] = "household"
Who = Sequence[int] | Literal["everyone", "household"]
"""Of whom: members by number, from 0, who is the applicant; all of them; or the household."""
BaseFact = tuple[str, int | None]
"""A declared fact, or `MEMBERS_KEY`, of a member by number; `None` for the household."""
Json = dict[str, Any]
Question = Sequence[Json]
"""What one question asks, as `items_schema` has it: each a `fact`, declared or derived, and `who`.

It is empty where the question is not about facts."""


@dataclass(frozen=True)
class DerivedFact:
    """What people ask for and say, and declared facts tell.

    Attributes:
        level: Whose fact it is. One of the household needs the facts of everyone, one of a member
            those of this member.
        needs: The declared facts that it follows from.
        value: Its value for a household and a member; any member where it is the household's.
        meaning: What it means, for readers.
        unit: What a number counts; empty where it is so or not.
    """

    level: Level
    needs: tuple[str, ...]
    value: Callable[[Household, Member], Any]
    meaning: str
    unit: Literal["", "dollar", "person"] = ""


def _of_member(
    needs: str, value: Callable[[Member], Any], meaning: str, unit: Literal["", "dollar"] = ""
) -> DerivedFact:
    return DerivedFact("member", tuple(needs.split()), lambda h, m: value(m), meaning, unit)


def _of_household(
    needs: str,
    value: Callable[[Household], Any],
    meaning: str,
    unit: Literal["", "dollar", "person"] = "",
) -> DerivedFact:
    return DerivedFact("household", tuple(needs.split()), lambda h, m: value(h), meaning, unit)


def _any_of(level: Level, needs: str, meaning: str) -> DerivedFact:
    """Return what is so where one of some flags is: of a member, or of anybody and the home."""
    names = needs.split()

    def value(household: Household, member: Member) -> bool:
        members = (member,) if level == "member" else household.members
        return any(
            getattr(owner, name)
            for name in names
            for owner in (members if name in MEMBER_FEATURES else (household,))
        )

    return DerivedFact(level, tuple(names), value, f"{meaning} (any of {', '.join(names)})")


def _count(is_meant: Callable[[Member], bool]) -> Callable[[Household], int]:
    return lambda household: sum(map(is_meant, household.members))


def _is_single_parent(household: Household) -> bool:
    return any(map(is_own_child, household.members)) and not has_spouse_or_partner(household)


_PAY = "annual_work_income annual_investment_income"
_HOURS, _VETERAN = "work_hours_per_week", "conflict_veteran honorable_service"
DERIVED: Mapping[str, DerivedFact] = {
    "income": _of_member(_PAY, income, "from all sources", "dollar"),
    "household_income": _of_household(_PAY, household_income, "of all members", "dollar"),
    "own_children": _of_household(
        "relation age", _count(is_own_child), "children of the person asking", "person"
    ),
    "minors": _of_household(
        "relation age", _count(lambda m: m.age < ADULT_AGE), "members under 18", "person"
    ),
    "adults": _of_household(
        "relation age", _count(lambda m: m.age >= ADULT_AGE), "members of 18 and older", "person"
    ),
    "lives_alone": _of_household(MEMBERS_KEY, lambda h: len(h.members) == 1, "nobody else is here"),
    "married": _of_household("relation", has_spouse, "the person asking has a spouse"),
    "has_partner": _of_household(
        "relation", has_spouse_or_partner, "the person asking has a spouse or partner"
    ),
    "single_parent": _of_household(
        "relation", _is_single_parent, "the person asking has a child, no spouse or partner"
    ),
    "employed": _of_member(_HOURS, works, "works now"),
    "full_time": _of_member(
        _HOURS, lambda m: m.work_hours_per_week >= FULL_TIME_HOURS, "works full time"
    ),
    "part_time": _of_member(
        _HOURS, lambda m: 0 < m.work_hours_per_week < FULL_TIME_HOURS, "works part time"
    ),
    "student": _of_member("current_school_level", attends_school_or_college, "is enrolled"),
    "has_diploma": _of_member(
        "high_school_equivalent",
        lambda m: m.high_school_equivalent != "no diploma",
        "has a high school or equivalency diploma",
    ),
    "pregnant": _of_member("weeks_pregnant", lambda m: m.weeks_pregnant is not None, "is pregnant"),
    "veteran": _of_member(_VETERAN, is_veteran, "is a veteran"),
    "citizen": _of_member(
        "citizenship", lambda m: m.citizenship == "citizen_or_national", "is a US citizen"
    ),
    "lawfully_present": _of_member(
        "citizenship", lambda m: m.citizenship != "unlawful_resident", "may live in the US"
    ),
    "homeless": _of_household(
        "housing_type", lives_in_temporary_housing, "homeless or in temporary housing"
    ),
    "in_shelter": _of_household("housing_type", is_in_shelter, "lives in a shelter"),
    "lives_in_new_york_city": _of_household(
        "place_of_residence", lambda h: h.place_of_residence == "New York City", "lives in NYC"
    ),
    "insured": _any_of("member", "health_insurance receives_medicaid", "has health insurance"),
    "tax_number": _any_of("member", "has_ssn has_itin has_atin", "has a tax number"),
    "health_conditions": _any_of(
        "member",
        "disabled chronic_health_condition developmental_condition emotional_behavioral_condition "
        "mental_health_condition mental_impairment hiv_aids heat_exacerbated_condition",
        "has a disability or health condition",
    ),
    "job_training": _any_of(
        "member",
        "enrolled_in_educational_training enrolled_in_vocational_training enrolled_in_hse_program",
        "is in a training or equivalency program",
    ),
    "social_security": _any_of("member", "receives_ssi receives_ssdi", "receives SSI or SSDI"),
    "disability_benefits": _any_of(
        "member",
        "receives_ssi receives_ssdi receives_va_disability",
        "receives disability benefits",
    ),
    "veterans_benefits": _any_of(
        "member", "receives_va_disability receives_vpsb", "receives veterans benefits"
    ),
    "government_benefits": _any_of(
        "household",
        "receives_snap receives_fpha receives_housing_assistance receives_cash_assistance "
        "receives_temporary_assistance receives_ssi receives_ssdi receives_va_disability "
        "receives_vpsb receives_medicaid",
        "somebody receives government benefits",
    ),
    "utility_emergency": _any_of(
        "household", "electricity_shut_off heat_shut_off out_of_fuel", "power, heat or fuel is out"
    ),
    "losing_home": _any_of(
        "household", "at_risk_of_homelessness currently_being_evicted", "is losing the home"
    ),
}
"""What declared facts tell: the only way in which one thing asked may need several facts."""


def _names(level: Level, declared: Iterable[str]) -> tuple[str, ...]:
    return *declared, *(name for name, fact in DERIVED.items() if fact.level == level)


MEMBER_FACTS = _names("member", MEMBER_FEATURES)
HOUSEHOLD_FACTS = _names("household", (MEMBERS_KEY, *HOUSEHOLD_FEATURES))


def request_for(key: str, member: int | None = None) -> Json:
    """Return the request for one fact of a member by number, or of the household."""
    return {"fact": key, "who": THE_HOUSEHOLD if member is None else [member]}


def numbers_of(who: Who, n_members: int) -> tuple[int | None, ...]:
    """Return the members that are meant, by number; `None` alone for the household."""
    if isinstance(who, str):
        return (None,) if who == THE_HOUSEHOLD else tuple(range(n_members))
    return tuple(who)


def base_facts(question: Iterable[Json], n_members: int) -> tuple[BaseFact, ...]:
    """Return the declared facts that a question needs, or claims tell, each once, in order."""
    facts: dict[BaseFact, None] = {}
    for request in question:
        for number in numbers_of(request["who"], n_members):
            facts |= dict.fromkeys(_needs(request["fact"], number, n_members))
    return tuple(facts)


def _needs(fact: str, number: int | None, n_members: int) -> list[BaseFact]:
    if fact not in DERIVED:
        return [(fact, number)]
    members = range(n_members) if number is None else (number,)
    return [
        (name, member)
        for name in DERIVED[fact].needs
        for member in (members if name in MEMBER_FEATURES else (None,))
    ]


def look_up(fact: str, number: int | None, household: Household) -> Any:
    """Return the value of a fact, declared or derived, of a member or of the household."""
    if fact == MEMBERS_KEY:
        return len(household.members)
    if fact in DERIVED:
        return DERIVED[fact].value(household, household.members[number or 0])
    return getattr(household if number is None else household.members[number], fact)


def items_schema(n_members: int, **more: Json) -> Json:
    """Return the JSON schema of an array of requests.

    Args:
        n_members: How many members the household has.
        more: Schemas of what an item holds beside `fact` and `who`.
    """
    numbers = {"type": "array", "items": _number(n_members), "minItems": 1}
    of_members = {"anyOf": [numbers, {"enum": [EVERYONE]}]}
    return {
        "type": "array",
        "items": {
            "anyOf": [
                object_schema({"fact": {"enum": [*MEMBER_FACTS]}, "who": of_members, **more}),
                object_schema(
                    {"fact": {"enum": [*HOUSEHOLD_FACTS]}, "who": {"enum": [THE_HOUSEHOLD]}, **more}
                ),
            ]
        },
    }


def _number(n_members: int) -> Json:
    # With the type: the validator, as Python does, holds true equal to one.
    return {"type": "integer", "enum": [*range(n_members)]}


def object_schema(properties: Mapping[str, Any]) -> Json:
    """Return the JSON schema of an object with these properties, all required, and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


@cache
def describe_facts() -> str:
    """Return the facts, a line each with its values: the part of a prompt that never changes."""
    return "\n\n".join(
        f"{title}:\n" + "\n".join(f"{name}: {_describe(name)}" for name in names)
        for title, names in (
            ("Facts of a member", MEMBER_FACTS),
            ("Facts of the household", HOUSEHOLD_FACTS),
        )
    )


def _describe(name: str) -> str:
    if name == MEMBERS_KEY:
        return "a number of persons"
    if name in DERIVED:
        derived = DERIVED[name]
        kind = {"": "true or false", "dollar": "dollars a year", "person": "a number"}
        return f"{kind[derived.unit]}; {derived.meaning}"
    feature = FEATURES[name]
    if feature.kind == "flag":
        return (
            f"true or false; {feature.verb} {phrase_of(feature, affirmed=True).format(**YOU.forms)}"
        )
    if feature.kind == "choice":
        return f"one of {', '.join(feature.choices)}"
    period = name.partition("_")[0].removesuffix("ly") if feature.unit == "dollar" else ""
    per = {"month": " a month", "annual": " a year"}.get(period, "")
    kind = {"date": "a day, as 2024-01-31", "text": "words"}
    never = ", or null for never or none" if feature.optional else ""
    return kind.get(feature.kind, f"a number of {feature.unit or 'point'}s{per}") + never
