"""Facts asked for by name, for agents that speak no English: canonical words out, values back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from benyfits_data.errors import EvaluationError, FeatureValueError
from benyfits_data.evaluation.record import Turn
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.spelling import suggest
from benyfits_data.understanding.canonical import ask_everybody, ask_fact
from benyfits_data.understanding.claims import Claims
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import NOTHING, Nothing


@dataclass(frozen=True)
class FactAnswer:
    """What a user said of a fact.

    Attributes:
        text: The answer as it was given.
        value: The value that was read in it: exactly where it is in our own words, by the run's
            reader where there is one; one for each member where all were asked about;
            `None` where a fact does not apply, and where nothing was read.
        is_told: Whether a value was read.
    """

    text: str
    value: Any = None
    is_told: bool = False

    def to_data(self) -> dict[str, Any]:
        """Return the answer as JSON can hold it."""
        return {"text": self.text, "value": _plain(self.value), "is_told": self.is_told}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], facts: tuple[str, ...]) -> "FactAnswer":
        """Return the answer about some facts that `to_data` wrote down."""
        return cls(data["text"], _typed(data["value"], facts), data["is_told"])


def name_member(member: int | None) -> str:
    """Return how a question names a member whose name nobody told."""
    if member is None:
        return ""
    return "you" if member == 0 else f"person {member + 1} in your household"


def question_of(fact: str, member: int | None) -> str:
    """Return the canonical question for a fact; arguments and errors are those of `check_fact`."""
    check_fact(fact, member)
    return ask_fact(fact, name_member(member))


def question_of_everybody(fact: str) -> str:
    """Return the canonical question for a fact of every member; errors as of `check_fact`."""
    if fact in HOUSEHOLD_FEATURES or fact == MEMBERS_KEY:
        raise EvaluationError(
            f"ask_everybody({fact!r}): it is a fact of the household. Use ask_fact({fact!r})."
        )
    check_fact(fact, 0)
    return ask_everybody(fact)


def check_fact(fact: str, member: int | None) -> None:
    """Return nothing where a fact may be asked of a member, or of the household.

    Args:
        fact: A feature's name, or `number_of_members`.
        member: The member's number; nothing for the household.

    Raises:
        EvaluationError: There is no such fact, or a member is missing or is one too many.
    """
    if fact != MEMBERS_KEY and fact not in FEATURES:
        known = [MEMBERS_KEY, *FEATURES]
        raise EvaluationError(
            f"ask_fact({fact!r}): no such fact. "
            + suggest(fact, known, "`benyfits-data features` lists them."),
            fact=fact,
        )
    if (fact in MEMBER_FEATURES) != (member is not None):
        expected = "a member's number, 0 for the speaker" if member is None else "no member"
        raise EvaluationError(f"ask_fact({fact!r}, member={member}): expected {expected}.")
    if member is not None and (type(member) is not int or member < 0):
        raise EvaluationError(f"ask_fact({fact!r}, member={member!r}): members count from 0.")


def read_one(fact: str, member: int | None, turn: Turn) -> FactAnswer:
    """Return what an answer tells of one fact, by what was read in it."""
    value = _values(turn).get((fact, member), NOTHING)
    return FactAnswer(turn.answer) if value is NOTHING else FactAnswer(turn.answer, value, True)


def read_everybody(facts: tuple[str, ...], turn: Turn) -> FactAnswer:
    """Return what an answer tells of some facts of every member, by what was read in it.

    Its value is a list: of values where there is one fact, else of a dictionary a member.
    """
    values = _values(turn)
    size = len({member for _, member in values if member is not None})
    keys = [[(fact, member) for fact in facts] for member in range(size)]
    if not keys or not all(key in values for person in keys for key in person):
        return FactAnswer(turn.answer)
    people_values = [{fact: values[fact, member] for fact, member in person} for person in keys]
    one = [person[facts[0]] for person in people_values]
    return FactAnswer(turn.answer, one if len(facts) == 1 else people_values, is_told=True)


def _values(turn: Turn) -> dict[tuple[str, int | None], Any]:
    """The values that an answer tells of members by number, and of the household."""
    values: dict[tuple[str, int | None], Any] = {}
    said = turn.said or Claims()
    for claim in said.claims:
        if claim.fact is None and claim.how == "count":
            values[MEMBERS_KEY, None] = claim.value
        elif claim.fact in FEATURES and claim.how == "each" and claim.sign in ("=", "about"):
            value = parse_value(claim.fact, claim.value)
            is_of_member = claim.fact in MEMBER_FEATURES
            for member in claim.people.numbers if is_of_member else (None,):
                if value is not NOTHING:
                    values[claim.fact, member] = value
    if said.stance and turn.key in FEATURES and FEATURES[turn.key].kind == "flag":
        values.setdefault((turn.key, turn.member), said.stance == "yes")
    return values


def parse_value(fact: str, value: Any) -> Any | Nothing:
    """Return a claimed value as one that a fact may have, or `NOTHING`."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        return FEATURES[fact].parse(value)
    except FeatureValueError:
        return NOTHING


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value.isoformat() if isinstance(value, date) else value


def _typed(value: Any, facts: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [_typed(item, facts) for item in value]
    if isinstance(value, dict):
        return {name: _typed(item, (name,)) for name, item in value.items()}
    is_date = isinstance(value, str) and FEATURES[facts[0]].kind == "date"
    return date.fromisoformat(value) if is_date else value
