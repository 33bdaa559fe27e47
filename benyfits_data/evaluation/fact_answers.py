"""Facts asked for by name, for agents that speak no English: canonical words out, values back.

What relation, age and sex settle is asked by no agent that asks for facts: nobody asks a newborn's
hours of work, or about a joint tax return where nobody is a spouse. The guards of a feature say so:
where one of them fails, the fact is off.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from benyfits_data.errors import EvaluationError, FeatureValueError
from benyfits_data.household.constraints.derived import guard_of
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.par.questions import GIVEN
from benyfits_data.spelling import suggest
from benyfits_data.understanding.canonical import ask_fact, name_member
from benyfits_data.understanding.facts import MEMBERS_KEY, BaseFact
from benyfits_data.understanding.typed import NOTHING, Nothing

SETTLING = ("relation", "age", "sex")
"""The facts of members that settle others: what anybody sees who enters a home."""


@dataclass(frozen=True)
class FactAnswer:
    """What a user said of a fact.

    Attributes:
        text: The answer as it was given.
        value: The value that it gives; `None` where a fact does not apply, and where the answer is
            no plain value.
        is_told: Whether a value was read.
    """

    text: str
    value: Any = None
    is_told: bool = False


def question_of(fact: str, member: int | None) -> str:
    """Return the canonical question for a fact.

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
    is_of_member = fact in MEMBER_FEATURES
    if is_of_member != (member is not None):
        whose = "a fact of one member" if is_of_member else "a fact of the household"
        call = f"ask_fact({fact!r}, member=0)" if is_of_member else f"ask_fact({fact!r})"
        speaker = ", 0 for the speaker" if is_of_member else ""
        raise EvaluationError(
            f"ask_fact({fact!r}, member={member}): it is {whose}. Write {call}{speaker}."
        )
    if member is not None and (type(member) is not int or member < 0):
        raise EvaluationError(f"ask_fact({fact!r}, member={member!r}): members count from 0.")
    return ask_fact(fact, name_member(member))


class _NotToldError(Exception):
    """A guard reads what nobody told."""


class SettledFacts:
    """What follows from what one household told so far."""

    def __init__(self) -> None:
        self._told: dict[BaseFact, Any] = {GIVEN: "self"}

    def learn(self, fact: str, member: int | None, value: Any) -> None:
        """Take in a value that was told; only `SETTLING` facts count, with values they may have.

        Args:
            fact: A feature's name, `MEMBERS_KEY`, or a key that somebody else made up.
            member: The member's number; nothing for the household.
            value: The value.
        """
        if fact == MEMBERS_KEY and type(value) is int and value > 0:
            self._told[fact, None] = value
        elif fact in SETTLING and member is not None:
            with suppress(FeatureValueError):
                self._told[fact, member] = FEATURES[fact].parse(value)

    def value(self, fact: str, member: int | None) -> Any | Nothing:
        """Return the only value that a fact can have, `NOTHING` where it may have several."""
        feature = FEATURES.get(fact)
        if feature is None or (fact, member) in self._told:
            return NOTHING
        home = _AsTold(self)
        owners = (home,) if feature.level == "household" else (home, _AsTold(self, member))
        for condition in feature.when + feature.needs:
            with suppress(_NotToldError):
                if not guard_of(fact, condition)(*owners):
                    return feature.off
        return NOTHING

    def look_up(self, fact: str, member: int | None) -> Any:
        """Return a value that was told, or that follows from it.

        Raises:
            _NotToldError: It may be any.
        """
        value = self._told.get((fact, member), NOTHING)
        if value is NOTHING:
            value = self.value(fact, member)
        if value is NOTHING:
            raise _NotToldError
        return value


class _AsTold:
    """A household, or a member by number, as guards read it: as far as it was told."""

    def __init__(self, settled: SettledFacts, number: int | None = None) -> None:
        self._settled, self._number = settled, number

    def __getattr__(self, name: str) -> Any:
        if name == "members":
            size = self._settled.look_up(MEMBERS_KEY, None)
            return [_AsTold(self._settled, number) for number in range(size)]
        if name == "applicant":
            return _AsTold(self._settled, 0)
        return self._settled.look_up(name, self._number)
