"""A question as a query over the household, and the facts that answer it.

A query says whom, what and how. It is evaluated on the household, never on prose.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.numbers import Comparison
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.topics import Topic, UnknownFactError, topics, without_parts

How = Literal["value", "is", "who", "count", "sum", "list", "exists"]


@dataclass(frozen=True)
class Query:
    """One thing asked.

    Attributes:
        how: What is wanted: the value, whether it is so, who, how many, the sum, names and ages,
            whether there is such a person.
        people: Whom it is about.
        topic: What it is about; nothing where only people are asked for.
        value: The value of a choice that is asked about.
        comparison: The limit that a number is held against.
        is_negated: Whether the question denies ("do you not have ...").
        is_opposite: Whether its phrase is the opposite of the topic ("unemployed").
        period: The time that amounts are wanted for: `month`, `year`, or as they are.
        wants_parts: Whether a group is asked for one by one ("which benefits").
        among: The people that those asked about may belong to ("is Rob your spouse?"); of a topic
            those of whom alone it may be so ("is Rob the only one who works?").
        than: Somebody whose value is held against ("are you older than Rob?").
        extreme: Whether the largest or the smallest value is asked for.
        joint: The word that joins it to the query before.
        without: Parts of a group that are left out ("any benefits besides SNAP").
    """

    how: How
    people: People
    topic: str | None = None
    value: str | None = None
    comparison: Comparison | None = None
    is_negated: bool = False
    is_opposite: bool = False
    period: str = ""
    wants_parts: bool = False
    among: People | None = None
    than: People | None = None
    extreme: Literal["", "most", "least"] = ""
    joint: Literal["", "and", "or"] = ""
    without: tuple[str, ...] = ()

    @property
    def spoken_of(self) -> People:
        """Whom pronouns of an answer mean."""
        return self.among if self.among is not None and self.topic else self.people

    @property
    def asks_whether(self) -> bool:
        """Whether yes or no answers it: "do you have more than two children?" does so too."""
        is_limited = self.how == "count" and self.topic is None and self.comparison is not None
        return self.how in ("is", "exists") or is_limited


@dataclass(frozen=True)
class FoundValue:
    """What is so of one member, or of the household (`member` is `None`)."""

    member: int | None
    value: Any
    holds: bool


@dataclass(frozen=True)
class Evaluation:
    """What answers a query.

    Attributes:
        query: The query.
        findings: What was found for each member that was meant, in their order.
        people: The members that were meant; empty where there are none of that kind.
        answer: The answer as a value: true or false, a number, or the numbers of members.
        is_known: Whether the household model has the fact.
    """

    query: Query
    findings: tuple[FoundValue, ...]
    people: tuple[int, ...]
    answer: Any
    is_known: bool = True

    @property
    def is_so(self) -> bool:
        """Whether yes is the answer, where yes or no is."""
        limit = self.query.comparison
        is_counted = self.query.how == "count" and limit is not None
        return limit.holds(self.answer) if limit and is_counted else bool(self.answer)


def evaluate(query: Query, household: Household) -> Evaluation:
    """Return what answers a query.

    Args:
        query: The query; pronouns have been replaced by whom they mean.
        household: The household that is asked.
    """
    topic = topic_of(query) if query.topic else None
    if query.people.kind == "household":
        numbers = list(range(len(household.members)))
    else:
        numbers = query.people.members(household)
    if query.among is not None and topic is None:
        among = query.among.members(household)
        found = tuple(FoundValue(number, True, number in among) for number in numbers)
        return Evaluation(query, found, tuple(numbers), _answer(query, found))
    if topic is None and query.than is not None:
        return _compared_counts(query, numbers, query.than.members(household))
    if topic is None:
        found = tuple(FoundValue(number, True, True) for number in numbers)
        answer: Any = len(numbers) if query.how == "count" else numbers
        if query.how in ("exists", "is"):
            answer = bool(numbers)
        return Evaluation(query, found, tuple(numbers), answer)
    try:
        if not topic.of_member:
            value = topic.value(household, household.applicant)
            findings: tuple[FoundValue, ...] = (FoundValue(None, value, holds(query, value)),)
        else:
            findings = tuple(
                FoundValue(number, value, holds(query, value))
                for number in numbers
                for value in (topic.value(household, household.members[number]),)
            )
        if query.than is not None:
            return _held_against(query, topic, findings, numbers, household)
        if query.extreme and _is_optional(query.topic):
            findings = tuple(it for it in findings if it.value is not None)
        if query.extreme and findings:
            best = (max if query.extreme == "most" else min)(it.value or 0 for it in findings)
            findings = tuple(replace(it, holds=(it.value or 0) == best) for it in findings)
    except UnknownFactError:
        return Evaluation(query, (), tuple(numbers), None, is_known=False)
    if query.among is not None:
        holders = {it.member for it in findings if it.holds}
        is_alone = holders == set(query.among.members(household))
        return Evaluation(query, findings, tuple(numbers), is_alone)
    return Evaluation(query, findings, tuple(numbers), _answer(query, findings))


def topic_of(query: Query) -> Topic:
    """Return what a query asks about: a group without the parts that it leaves out."""
    topic = topics()[query.topic or ""]
    return without_parts(topic, query.without) if query.without else topic


def _compared_counts(query: Query, first: Sequence[int], second: Sequence[int]) -> Evaluation:
    """Return whether there are more, or fewer, of some people than of others."""
    n, m = len(first), len(second)
    is_so = n > m if query.extreme == "most" else n < m
    findings = tuple(FoundValue(number, True, True) for number in first)
    return Evaluation(query, findings, tuple(first), is_so)


def _held_against(
    query: Query,
    topic: Topic,
    findings: Sequence[FoundValue],
    numbers: Sequence[int],
    household: Household,
) -> Evaluation:
    """Return who has more, or less, than somebody; or by how much."""
    others = query.than.members(household) if query.than else []
    if len(others) != 1:
        return Evaluation(query, (), tuple(numbers), False)
    limit = topic.value(household, household.members[others[0]])
    if limit is None or any(it.value is None for it in findings):
        raise UnknownFactError("nothing to compare")
    sign = ">" if query.extreme == "most" else "<"
    is_so = Comparison(((sign, limit),), "", "", is_money=False, end=0, said="").holds
    told = tuple(replace(it, holds=is_so(it.value)) for it in findings)
    answer: Any = any(it.holds for it in told)
    if query.people.quantifier in ("all", "each"):
        answer = all(it.holds for it in told)
    if query.how == "who":
        return Evaluation(query, told, tuple(numbers), [it.member for it in told if it.holds])
    if query.how == "value":
        answer = abs(findings[0].value - limit) if findings else None
    return Evaluation(query, (*told, FoundValue(others[0], limit, False)), tuple(numbers), answer)


def _answer(query: Query, findings: Sequence[FoundValue]) -> Any:
    who = [finding.member for finding in findings if finding.holds]
    if query.how == "who":
        return who
    if query.how == "count":
        return len(who)
    if query.how in ("is", "exists"):
        if not findings:
            return False
        if query.people.quantifier in ("all", "each") or (
            query.people.quantifier == "the" and query.people.kind != "household"
        ):
            return len(who) == len(findings)
        return bool(who)
    values = [finding.value for finding in findings if finding.holds or not query.extreme]
    if query.how == "sum":
        return sum(value or 0 for value in values)
    return values[0] if len(values) == 1 else values


def holds(query: Query, value: Any) -> bool:
    """Return whether a value is what a query asks about; a number without limit: is there any."""
    topic = topics()[query.topic or ""]
    if query.value is not None:
        is_so: bool = value == query.value
    elif query.comparison is not None:
        is_so = value is not None and query.comparison.holds(_in_period(query, topic.period, value))
    elif topic.kind == "flag":
        is_so = bool(value)
    elif topic.kind in ("number", "money"):
        is_so = value is not None if _is_optional(query.topic) else bool(value)
    else:
        is_so = value is not None and value != "none"
    is_denied = query.is_negated and (query.how in ("who", "count") or query.among is not None)
    return bool(is_so) != (query.is_opposite != is_denied)


def _is_optional(name: str | None) -> bool:
    return name in FEATURES and FEATURES[name].optional


PER_YEAR = {"year": 1, "month": 12, "week": 52}
"""How many of a period a year has."""


def _in_period(query: Query, period: str, value: float) -> float:
    """Return an amount per `period` as one per period of the query's limit."""
    wanted = (query.comparison.period or query.period) if query.comparison else ""
    if not period or wanted not in PER_YEAR or wanted == period:
        return value
    return value * PER_YEAR[period] / PER_YEAR[wanted]
