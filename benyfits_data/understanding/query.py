"""A question as a query over the household: how, of whom, which fact, under which limit."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from typing import Any, Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.facts import UnknownFactError, fact_types, is_any
from benyfits_data.understanding.people import EVERYBODY, People

How = Literal["value", "is", "who", "count", "sum", "which"]
Sign = Literal["<", "<=", ">", ">=", "=="]
Period = Literal["", "year", "month", "week"]

PER_YEAR: Mapping[str, int] = {"year": 1, "month": 12, "week": 52}
"""How many of a period a year has."""
SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


@dataclass(frozen=True)
class QueryLimit:
    """What a number is held against: "more than $400 a month".

    Attributes:
        sign: The comparison.
        number: The number.
        per: The time it is for; as the fact is told where empty.
        up_to: The last number of a range, which then begins with `number`.
    """

    sign: Sign
    number: float
    per: Period = ""
    up_to: float | None = None

    def holds(self, value: float, period: Period = "") -> bool:
        """Return whether a value, an amount for some period, keeps the limit."""
        if self.per and period and self.per != period:
            value = value * PER_YEAR[period] / PER_YEAR[self.per]
        is_within = self.up_to is None or value <= self.up_to
        return is_within and SIGNS[self.sign](value, self.number)


@dataclass(frozen=True)
class Query:
    """One thing asked.

    Attributes:
        how: `value`: what it is; `is`: whether it is so, or whether there is such a person;
            `who`: of whom it is so; `count`: of how many; `sum`: all values added up; `which`:
            which facts of a group are so ("which benefits do you get?").
        people: Whom it is about.
        fact: What it is about, one of `facts.fact_types()`; `None`: the people alone.
        value: The value of a choice that is asked about.
        limit: The limit of a number that is asked about.
        is_inverted: Whether those are meant of whom it is not so ("unemployed", "who does not").
        of_all: Whether all of them are meant where several are ("does everybody"); else any.
        denies: Whether the question denies ("do you not ..."), so that a bare yes is no answer.
        among: Whom the people are asked to be: "is Rob your spouse?"; with a fact, of whom alone
            it is asked to be so: "is Rob the only one who works?".
        than: Whose value is held against theirs: "are you older than Rob?"; `extreme` says how.
        extreme: Whether only the largest or smallest value is asked for.
        per: The time that an amount is asked for.
        joint: How it is joined to the query before.
    """

    how: How
    people: People = EVERYBODY
    fact: str | None = None
    value: str | None = None
    limit: QueryLimit | None = None
    is_inverted: bool = False
    of_all: bool = False
    denies: bool = False
    among: People | None = None
    than: People | None = None
    extreme: Literal["", "most", "least"] = ""
    per: Period = ""
    joint: Literal["", "and", "or"] = ""

    @property
    def asks_whether(self) -> bool:
        """Whether yes or no answers it."""
        return self.how == "is"

    def to_record(self) -> dict[str, Any]:
        """Return the query as plain data, without what is as usual."""
        return set_fields(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Query":
        """Return the query that `to_record` wrote down."""
        data = dict(record)
        for name in ("people", "among", "than"):
            if name in data:
                data[name] = people_of_record(data[name])
        if "limit" in data:
            data["limit"] = QueryLimit(**data["limit"])
        return cls(**data)


Queries = tuple[Query, ...]
"""What one question asks; never empty."""


@dataclass(frozen=True)
class FactValue:
    """What is so of one member, or of the household (`member` is `None`)."""

    member: int | None
    value: Any
    holds: bool


@dataclass(frozen=True)
class QueryEvaluation:
    """What answers a query.

    Attributes:
        query: The query.
        values: The fact of each member that was meant, in their order; one of the household.
        people: The members that were meant; empty where there are none of that kind.
        answer: The answer: true or false, a number, a value or values, or the numbers of members.
        is_known: Whether the household model has the fact.
    """

    query: Query
    values: tuple[FactValue, ...]
    people: tuple[int, ...]
    answer: Any
    is_known: bool = True


def people_of_record(record: Mapping[str, Any]) -> People:
    """Return people from plain data, whose lists are tuples."""
    return People(**tuples_of_lists(record))


def tuples_of_lists(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain data as fields of a dataclass, whose sequences are tuples."""
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in record.items()
    }


def set_fields(item: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that are not as usual, those of its parts likewise."""
    record: dict[str, Any] = {}
    for field in fields(item):
        value = getattr(item, field.name)
        # One is no truth value, although Python holds it equal to one.
        is_usual = value == field.default and type(value) is type(field.default)
        if field.default is MISSING or not is_usual:
            record[field.name] = (
                set_fields(value)
                if is_dataclass(value)
                else list(value)
                if isinstance(value, tuple)
                else value
            )
    return record


def evaluate(query: Query, household: Household) -> QueryEvaluation:
    """Return what answers a query about a household."""
    numbers = query.people.members(household)
    if query.fact is None:
        return _evaluate_people(query, numbers, household)
    fact = fact_types()[query.fact]
    places: list[int | None] = [*numbers] if fact.of_member else [None]
    try:
        known = [(place, fact.value(household, household.members[place or 0])) for place in places]
        if query.than is not None:
            return _evaluate_against(query, known, household)
    except UnknownFactError:
        return QueryEvaluation(query, (), tuple(numbers), None, is_known=False)
    if query.extreme:
        known = [(place, value) for place, value in known if value is not None]
        best = (max if query.extreme == "most" else min)((pair[1] for pair in known), default=None)
        values = [FactValue(place, value, value == best) for place, value in known]
    else:
        values = [FactValue(place, value, holds(query, value)) for place, value in known]
    return QueryEvaluation(query, tuple(values), tuple(numbers), _answer(query, values, household))


def _evaluate_people(query: Query, numbers: list[int], household: Household) -> QueryEvaluation:
    """Return what answers a query for people alone."""
    among = None if query.among is None else query.among.members(household)
    values = [FactValue(number, True, among is None or number in among) for number in numbers]
    answer = _answer(replace(query, among=None), values, household)
    if query.than is not None:
        n, m = len(numbers), len(query.than.members(household))
        answer = n > m if query.extreme == "most" else n < m
    elif query.limit is not None:
        answer = query.limit.holds(len(numbers)) != query.is_inverted
    elif query.how == "is" and among is None:
        answer = bool(numbers) != query.is_inverted
    return QueryEvaluation(query, tuple(values), tuple(numbers), answer)


def _evaluate_against(
    query: Query, known: Sequence[tuple[int | None, Any]], household: Household
) -> QueryEvaluation:
    """Return who has more, or less, than somebody; or by how much."""
    others = query.than.members(household) if query.than else []
    numbers = tuple(place for place, _ in known if place is not None)
    if len(others) != 1:
        return QueryEvaluation(query, (), numbers, answer=False)
    limit = fact_types()[query.fact or ""].value(household, household.members[others[0]])
    if limit is None or any(value is None for _, value in known):
        raise UnknownFactError("There is nothing to compare.")
    is_more = query.extreme != "least"
    values = [
        FactValue(place, value, value > limit if is_more else value < limit)
        for place, value in known
    ]
    answer = _answer(query, values, household)
    if query.how == "value":
        answer = abs(values[0].value - limit) if values else None
    return QueryEvaluation(query, (*values, FactValue(others[0], limit, False)), numbers, answer)


def _answer(query: Query, values: Sequence[FactValue], household: Household) -> Any:
    holders = [value.member for value in values if value.holds]
    if query.among is not None:  # whether it is so of them alone
        return set(holders) == set(query.among.members(household))
    if query.how == "who" or (query.how == "value" and query.fact is None):
        return holders
    if query.how == "count":
        return len(holders)
    if query.how == "is":
        return bool(values) and (len(holders) == len(values) if query.of_all else bool(holders))
    shown = [value.value for value in values if value.holds or not query.extreme]
    if query.how == "sum":
        return sum(value or 0 for value in shown)
    return shown[0] if len(shown) == 1 else shown


def holds(query: Query, value: Any) -> bool:
    """Return whether a value is what a query asks about; a number without limit: is there any."""
    fact = fact_types()[query.fact or ""]
    if query.value is not None:
        is_so = value == query.value
    elif query.limit is not None:
        is_so = value is not None and query.limit.holds(value, fact.period)
    else:
        is_so = is_any(fact, value)
    return bool(is_so) != query.is_inverted
