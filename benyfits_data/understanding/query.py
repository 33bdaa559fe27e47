"""A question as a query over the household: how, of whom, which fact, under which limit."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.people import EVERYBODY, People

How = Literal["value", "is", "who", "count", "sum", "which"]
Sign = Literal["<", "<=", ">", ">=", "=="]
Period = Literal["", "year", "month", "week"]


@dataclass(frozen=True)
class Limit:
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
    limit: Limit | None = None
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
            data["limit"] = Limit(**data["limit"])
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
class Evaluation:
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
    return {key: tuple(it) if isinstance(it, list) else it for key, it in record.items()}


def set_fields(item: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that are not as usual, those of its parts likewise."""
    record: dict[str, Any] = {}
    for it in fields(item):
        value = getattr(item, it.name)
        if it.default is MISSING or value != it.default:
            record[it.name] = (
                set_fields(value)
                if is_dataclass(value)
                else list(value)
                if isinstance(value, tuple)
                else value
            )
    return record


def evaluate(query: Query, household: Household) -> Evaluation:
    """Return what answers a query about a household."""
    raise NotImplementedError
