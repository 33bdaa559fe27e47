"""What an answer says, fact x member x value, held against the household."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Literal

from benyfits_data.errors import FeatureValueError
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.facts import (
    DERIVED,
    MEMBERS_KEY,
    BaseFact,
    Json,
    Question,
    base_facts,
    look_up,
    numbers_of,
    request_for,
)

ROUNDED = 0.005
"""Share of an amount of money that people leave out when they round it, or tell it by the week."""
Verdict = Literal["faithful", "unfaithful", "nothing_claimed"]
VALUE_SCHEMA: Json = {"type": ["boolean", "number", "string", "null"]}


Claims = Sequence[Json]
"""All that an answer says of facts: each a `fact`, `who` it is of, each of them, and the `value`.

The value is in the unit of the fact, a date as ISO text."""


def can_be(fact: str, value: Any) -> bool:
    """Return whether a value is of the kind that a fact has; people may be wrong about its size."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if fact == MEMBERS_KEY or (fact in DERIVED and DERIVED[fact].unit):
        return is_number
    if fact in DERIVED:
        return isinstance(value, bool)
    feature = FEATURES[fact]
    if value is None or feature.kind not in ("number", "decimal"):
        try:
            feature.parse(value)
        except FeatureValueError:
            return False
        return True
    return is_number


def claims_of(facts: Iterable[BaseFact], household: Household) -> list[Json]:
    """Return what somebody says who tells some facts as they are."""
    claims = []
    for fact, number in facts:
        value = look_up(fact, number, household)
        value = value.isoformat() if isinstance(value, date) else value
        claims.append({**request_for(fact, number), "value": value})
    return claims


def judge(question: Question, claims: Claims, household: Household) -> Verdict:
    """Return how an answer holds against the household.

    - `unfaithful`: something that it says is not so.
    - `faithful`: all is so, and something tells of a fact that was asked for.
    - `nothing_claimed`: it says nothing of what was asked.

    Args:
        question: What was asked; where it is not about facts, whatever is told answers it.
        claims: What was said.
        household: The household.
    """
    if not all(is_so(claim, household) for claim in claims):
        return "unfaithful"
    n_members = len(household.members)
    asked = set(base_facts(question, n_members))
    said = set(base_facts(claims, n_members))
    return "faithful" if said & asked or (said and not asked) else "nothing_claimed"


def is_so(claim: Json, household: Household) -> bool:
    """Return whether a claim is true of a household."""
    fact, numbers = claim["fact"], numbers_of(claim["who"], len(household.members))
    return all(_agree(fact, look_up(fact, number, household), claim["value"]) for number in numbers)


def _agree(fact: str, true: Any, said: Any) -> bool:
    if isinstance(true, date):
        return true.isoformat() == str(said)
    if true is None or said is None or isinstance(true, bool):
        return true is said
    if isinstance(true, str):
        first_name = true.split()[0] if fact == "name" else true
        return str(said) in (true, first_name)
    return abs(float(true) - float(said)) <= (ROUNDED * true if _is_money(fact) else 0)


def _is_money(fact: str) -> bool:
    unit = DERIVED[fact].unit if fact in DERIVED else fact in FEATURES and FEATURES[fact].unit
    return unit == "dollar"
