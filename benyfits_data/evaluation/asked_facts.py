"""Which facts of the household a turn asks for, and which of them its answer tells."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benyfits_data.evaluation.fact_answers import parse_value
from benyfits_data.evaluation.record import Turn
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.partial import Fact
from benyfits_data.par.tracks import SIZE
from benyfits_data.understanding.canonical import ROSTER, ROSTER_FACTS
from benyfits_data.understanding.claims import AnswerClaim, Claims
from benyfits_data.understanding.people import EVERYBODY
from benyfits_data.understanding.query import Queries, Query, evaluate
from benyfits_data.understanding.typed import NOTHING


@dataclass(frozen=True)
class AskedFacts:
    """What one turn is about.

    Attributes:
        asked: The facts asked for; empty where the question was not read, or asks for none.
        told: Those that the answer tells, with values as they were told.
        is_complete: Whether the answer tells nothing else about the household.
    """

    asked: frozenset[Fact]
    told: dict[Fact, Any] = field(default_factory=dict)
    is_complete: bool = True


def map_turn(turn: Turn, household: Household) -> AskedFacts:
    """Return the facts that a turn asks for and tells, from what was read in it.

    Args:
        turn: The turn.
        household: The household it is about.
    """
    queries, said = turn.asked, turn.said
    asked = frozenset(fact for query in queries for fact in _facts_of(query, household))
    if said is None:
        return AskedFacts(asked, is_complete=False)
    told: dict[Fact, Any] = {}
    is_complete = True
    for claim in (*said.claims, *_claims_of_stance(queries, said, household)):
        facts = dict(_facts_told(claim, household))
        is_complete &= bool(facts)
        told |= facts
    if queries == (ROSTER,) and told:
        told[SIZE] = 1 + max(number or 0 for _, number in told)
    is_vague = bool(said.stance) and not told.keys() & asked
    return AskedFacts(asked, told, is_complete and not is_vague)


def look_up(household: Household, fact: Fact) -> Any:
    """Return the value of a fact."""
    name, number = fact
    if fact == SIZE:
        return len(household.members)
    return getattr(household if number is None else household.members[number], name)


def _facts_of(query: Query, household: Household) -> list[Fact]:
    if query == ROSTER:
        members = range(len(household.members))
        return [SIZE, *((fact, number) for fact in ROSTER_FACTS for number in members)]
    if query.fact is None:
        is_size = query.how in ("count", "who", "value") and query.people == EVERYBODY
        return [SIZE] if is_size and query.among is None and query.than is None else []
    if query.fact not in FEATURES:
        return []
    if query.fact not in MEMBER_FEATURES:
        return [(query.fact, None)]
    return [(query.fact, number) for number in evaluate(query, household).people]


def _facts_told(claim: AnswerClaim, household: Household) -> Iterator[tuple[Fact, Any]]:
    """Yield the facts that a claim tells in full: no limits, no sums, no "one of us"."""
    if claim.fact is None:
        if claim.how == "count" and claim.people == EVERYBODY and claim.sign == "=":
            yield SIZE, claim.value
        return
    is_flag = claim.fact in FEATURES and FEATURES[claim.fact].kind == "flag"
    if claim.fact not in FEATURES or claim.how not in ("each", "only"):
        return
    value = claim.value
    if claim.sign == "not" and is_flag and isinstance(value, bool):
        value = not value
    elif claim.sign != "=":
        return
    value = parse_value(claim.fact, value)
    if value is NOTHING:
        return
    if claim.fact not in MEMBER_FEATURES:
        yield (claim.fact, None), value
        return
    meant = claim.people.members(household)
    for number in meant:
        yield (claim.fact, number), value
    if claim.how == "only" and is_flag:
        for number in range(len(household.members)):
            if number not in meant:
                yield (claim.fact, number), not value


def _claims_of_stance(
    queries: Queries, said: Claims, household: Household
) -> Iterator[AnswerClaim]:
    """Yield the claims that a yes or no makes about each member that a question asks about."""
    if not said.stance or len(queries) != 1:
        return
    (query,) = queries
    is_plain = not (query.limit or query.denies or query.among or query.than or query.extreme)
    asks_whether = query.asks_whether or query.how == "value"
    if not asks_whether or query.fact is None or not is_plain:
        return
    is_of_one = query.fact not in MEMBER_FEATURES or len(query.people.members(household)) == 1
    if not is_of_one and query.of_all != (said.stance == "yes"):
        return
    is_so = (said.stance == "yes") != query.is_inverted
    if query.value is None:
        yield AnswerClaim(query.people, query.fact, value=is_so)
    elif is_so:
        yield AnswerClaim(query.people, query.fact, value=query.value)
