"""What an answer says, as claims, held against the household: pure, no text is compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.people import EVERYBODY, People
from benyfits_data.understanding.query import (
    Period,
    Queries,
    people_of_record,
    set_fields,
    tuples_of_lists,
)

Verdict = Literal["faithful", "unfaithful", "over_claim", "no_answer"]


@dataclass(frozen=True)
class Claim:
    """One thing said of a fact.

    Attributes:
        people: Of whom it is said.
        fact: The fact; `None`: of the people alone.
        how: `each`: of each of them; `any`: of one of them at least; `only`: of them alone;
            `count`, `sum`: the value is their number, or what theirs add up to.
        sign: How the true value is said to stand to the value.
        value: The value.
        per: The time an amount is for.
    """

    people: People = EVERYBODY
    fact: str | None = None
    how: Literal["each", "any", "only", "count", "sum"] = "each"
    sign: Literal["=", "not", "<", "<=", ">", ">=", "about"] = "="
    value: Any = True
    per: Period = ""


@dataclass(frozen=True)
class Claims:
    """All that an answer says.

    Attributes:
        claims: What it says of facts.
        stance: Yes or no to what was asked; empty where neither is said.
        says_nothing: Whether it evades, or says that it does not know.
        adds: What it tells beside that no fact of ours bears out.
    """

    claims: tuple[Claim, ...] = ()
    stance: Literal["", "yes", "no"] = ""
    says_nothing: bool = False
    adds: tuple[str, ...] = ()

    def to_record(self) -> dict[str, Any]:
        """Return the claims as plain data, without what is as usual."""
        return set_fields(self) | {"claims": [set_fields(it) for it in self.claims]}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Claims":
        """Return the claims that `to_record` wrote down."""
        data = tuples_of_lists(record)
        claims = (
            {**it, "people": people_of_record(it.get("people", {}))} for it in data.pop("claims")
        )
        return cls(tuple(Claim(**it) for it in claims), **data)


@dataclass(frozen=True)
class Judgment:
    """An answer held against the household.

    Attributes:
        verdict: `faithful`; `unfaithful`: something said is not so; `over_claim`: right, and adds
            what no fact bears out; `no_answer`.
        wrong: The claims that are not so, and the stance where that is wrong, in plain words.
    """

    verdict: Verdict
    wrong: tuple[str, ...] = ()


def judge(queries: Queries, claims: Claims, household: Household) -> Judgment:
    """Return whether what was said to a question is so.

    Args:
        queries: What was asked; empty where it was not understood, then only claims are judged.
        claims: What was said.
        household: The household.
    """
    raise NotImplementedError
