"""What an answer says, as claims, held against the household: pure, no text is compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.facts import (
    FactType,
    UnknownFactError,
    fact_types,
    is_any,
    related,
)
from benyfits_data.understanding.people import EVERYBODY, People
from benyfits_data.understanding.query import (
    PER_YEAR,
    SIGNS,
    Period,
    Queries,
    QueryEvaluation,
    evaluate,
    people_of_record,
    set_fields,
    tuples_of_lists,
)

ROUGHLY = 0.05
"""What "about" leaves room for, as a share."""
ROUNDED = 0.005
"""The same where an amount was told for another time than ours."""
OF_PEOPLE = ("relation", "age", "name", "household_size", "lives_alone")
"""Facts that tell who lives there."""
Verdict = Literal["faithful", "unfaithful", "over_claim", "no_answer"]


@dataclass(frozen=True)
class AnswerClaim:
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

    claims: tuple[AnswerClaim, ...] = ()
    stance: Literal["", "yes", "no"] = ""
    says_nothing: bool = False
    adds: tuple[str, ...] = ()

    def to_record(self) -> dict[str, Any]:
        """Return the claims as plain data, without what is as usual."""
        return set_fields(self) | {"claims": [set_fields(claim) for claim in self.claims]}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Claims":
        """Return the claims that `to_record` wrote down."""
        data = tuples_of_lists(record)
        claims = (
            {**claim, "people": people_of_record(claim.get("people", {}))}
            for claim in data.pop("claims")
        )
        return cls(tuple(AnswerClaim(**claim) for claim in claims), **data)


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
    evaluations = [evaluate(query, household) for query in queries]
    said = [(claim, _truth(claim, household)) for claim in claims.claims]
    wrong = [_describe(claim, true, household) for claim, (is_so, true) in said if is_so is False]
    stance = true_stance(evaluations)
    if claims.stance and stance is not None and (claims.stance == "yes") != stance:
        wrong.append(f"{claims.stance} was said, {'yes' if stance else 'no'} is so")
    if wrong:
        return Judgment("unfaithful", tuple(wrong))
    if claims.says_nothing:
        return Judgment("no_answer")
    invents = bool(claims.adds) or any(is_so is None for _, (is_so, _) in said)
    if evaluations and not any(evaluation.is_known for evaluation in evaluations):
        return Judgment("over_claim" if invents or claims.claims or claims.stance else "no_answer")
    is_answered = not queries and bool(claims.claims)
    is_answered |= bool(claims.stance) and stance is not None
    is_answered |= any(
        _answers(claim, evaluation, household) for claim, _ in said for evaluation in evaluations
    )
    if not is_answered:
        return Judgment("no_answer")
    return Judgment("over_claim" if invents else "faithful")


def true_stance(evaluations: Sequence[QueryEvaluation]) -> bool | None:
    """Return whether yes is the answer; `None` where yes and no answer nothing."""
    whether = [evaluation for evaluation in evaluations if evaluation.query.asks_whether] or [
        evaluation
        for evaluation in evaluations
        if evaluation.query.how in ("who", "count") or isinstance(evaluation.answer, bool)
    ]
    if not whether or not all(evaluation.is_known for evaluation in whether):
        return None
    is_all = any(evaluation.query.joint == "and" for evaluation in whether)
    return (all if is_all else any)(bool(evaluation.answer) for evaluation in whether)


def _truth(claim: AnswerClaim, household: Household) -> tuple[bool | None, Any]:
    """Return whether a claim is so, `None` where no fact tells it, and what is so."""
    numbers = claim.people.members(household)
    if claim.fact is None:
        true: Any = len(numbers) if claim.how == "count" else bool(numbers)
        return _compare(true, claim, ""), true
    if claim.fact not in fact_types():
        return None, None
    fact = fact_types()[claim.fact]
    places = numbers if fact.of_member else [0]
    try:
        values = [fact.value(household, household.members[place]) for place in places]
        if claim.how == "only":
            everybody = range(len(household.members))
            members = [household.members[number] for number in everybody]
            agree = [_is(fact, fact.value(household, member), claim) for member in members]
            true = [number for number in everybody if agree[number]]
            return true == numbers, true
    except UnknownFactError:
        return None, None
    if claim.how == "count":
        true = sum(is_any(fact, value) for value in values)
        return _compare(true, claim, ""), true
    if claim.how == "sum":
        true = sum(value or 0 for value in values)
        return _compare(true, claim, fact.period), true
    agree = [_is(fact, value, claim) for value in values]
    is_so = any(agree) if claim.how == "any" else bool(agree) and all(agree)
    return is_so, values[0] if len(values) == 1 else values


def _is(fact: FactType, true: Any, claim: AnswerClaim) -> bool:
    """Return whether a value is what a claim holds it to be; true is any, where it is no flag."""
    if isinstance(claim.value, bool):
        return _compare(is_any(fact, true), claim, "")
    return _compare(true.isoformat() if isinstance(true, date) else true, claim, fact.period)


def _compare(true: Any, claim: AnswerClaim, period: Period) -> bool:
    said, sign = claim.value, claim.sign
    if isinstance(said, bool) or not isinstance(true, int | float):
        is_same = str(true).lower() == str(said).lower()
        return is_same != (sign == "not")
    if not isinstance(said, int | float):
        return sign == "not"
    is_converted = bool(claim.per and period and claim.per != period)
    if is_converted:
        true = true * PER_YEAR[period] / PER_YEAR[claim.per]
    room = {"about": ROUGHLY * abs(true)}.get(sign, ROUNDED * abs(true) if is_converted else 0)
    if sign in ("=", "about", "not"):
        return bool(abs(true - said) <= room) != (sign == "not")
    return SIGNS[sign](true, said)


def _answers(claim: AnswerClaim, evaluation: QueryEvaluation, household: Household) -> bool:
    """Return whether a claim is about what a query asks: the same fact, or near, of somebody."""
    asked = evaluation.query.fact
    if asked is None or claim.fact is None or not evaluation.is_known:
        return asked is None and claim.fact in (None, *OF_PEOPLE)
    if claim.fact not in related(asked):
        return False
    are_members = fact_types()[asked].of_member and fact_types()[claim.fact].of_member
    meant = set(claim.people.members(household))
    return not are_members or not evaluation.people or bool(meant & set(evaluation.people))


def _describe(claim: AnswerClaim, true: Any, household: Household) -> str:
    """Return in plain words what was said and what is true."""
    names = [household.members[number].name for number in claim.people.members(household)]
    who = "nobody like that" if not names else ", ".join(names)
    what = "people" if claim.fact is None else claim.fact.replace("_", " ")
    how = "" if claim.how == "each" else f" ({claim.how})"
    sign = "" if claim.sign == "=" else f"{claim.sign} "
    return f"{what}{how} of {who}: {sign}{claim.value} was said, {true} is so"
