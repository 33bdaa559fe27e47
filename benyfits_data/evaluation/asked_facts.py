"""Which facts of the household a turn asks for, and which of them its answer tells."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benyfits_data.errors import FeatureValueError
from benyfits_data.evaluation import spoken_facts as facts
from benyfits_data.evaluation.players.reference_players import NOT_UNDERSTOOD
from benyfits_data.evaluation.record import Turn
from benyfits_data.evaluation.spoken_groups import group_asked
from benyfits_data.evaluation.user import REMEMBERED_TURNS, fact_of
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.partial import Fact, household_facts
from benyfits_data.par.tracks import SIZE
from benyfits_data.planner.track_questions import OPENINGS, facts_told
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.query import Query, evaluate
from benyfits_data.understanding.parser.questions import read_question
from benyfits_data.understanding.typed import Nothing


@dataclass(frozen=True)
class AskedFacts:
    """What one turn is about.

    Attributes:
        asked: The facts asked for; empty where the question cannot be mapped to facts.
        told: Those that the answer tells, with values as they were told.
        is_complete: Whether the answer tells nothing else about the household.
    """

    asked: frozenset[Fact]
    told: dict[Fact, Any] = field(default_factory=dict)
    is_complete: bool = True


def map_turn(turn: Turn, earlier: Sequence[Turn], household: Household) -> AskedFacts:
    """Return the facts that a turn asks for and tells.

    The key that an agent stored is taken before the question's words. An answer that is faithful
    tells true values, any other the value that can be read off it.

    Args:
        turn: A turn that was held against the household.
        earlier: The turns before it.
        household: The household it is about.
    """
    group = group_asked(turn.question)
    if group is not None:
        told = facts_told(group, len(household.members))
        asked = frozenset([*told, SIZE] if group in OPENINGS else told)
        return _tell(turn, asked, household)
    single = fact_of(turn, household) or facts.canonical_fact(household, turn.question)
    if single is not None:
        fact = SIZE if single.key == MEMBERS_KEY else (single.key, single.member)
        if turn.faithfulness not in ("faithful", "over_claim"):
            return _misread(turn, fact, single.key)
        return _tell(turn, frozenset({fact}), household)
    return _map_queries(turn, earlier, household)


def _map_queries(turn: Turn, earlier: Sequence[Turn], household: Household) -> AskedFacts:
    says_nothing = turn.answer == NOT_UNDERSTOOD or facts.is_no_answer(turn.answer)
    try:
        before = [it.question for it in earlier[-REMEMBERED_TURNS:]]
        queries = read_question(turn.question, household, before)
    except NotUnderstoodError:
        return AskedFacts(frozenset(), is_complete=says_nothing)
    mapped = [_facts_of(query, household) for query in queries]
    asked = frozenset(fact for found, _ in mapped for fact in found)
    is_exact = all(found and exact for found, exact in mapped)
    exact = frozenset(fact for found, is_each in mapped if is_each for fact in found)
    told = _tell(turn, exact, household)
    return AskedFacts(asked, told.told, says_nothing or (is_exact and told.is_complete))


def _facts_of(query: Query, household: Household) -> tuple[list[Fact], bool]:
    """Return the facts that a query asks for, and whether a true answer tells each of them."""
    found = evaluate(query, household)
    is_everybody = len(found.people) == len(household.members)
    if query.topic == "household_size" or (
        query.topic is None and query.how == "count" and is_everybody
    ):
        return [SIZE], True
    if query.topic not in FEATURES or query.among is not None or query.than is not None:
        return [], False
    if query.topic not in MEMBER_FEATURES:
        asked: list[Fact] = [(query.topic, None)]
    else:
        asked = [(query.topic, number) for number in found.people]
    is_limited = query.comparison is not None or query.value is not None or bool(query.extreme)
    if FEATURES[query.topic].kind == "flag":
        # "Does anybody ...?" is told of each where nobody does, or only one was meant.
        is_each = query.how in ("value", "who") or len(asked) == 1 or found.answer is False
        return asked, is_each and not is_limited
    return asked, query.how in ("value", "list") and not is_limited


def _tell(turn: Turn, asked: frozenset[Fact], household: Household) -> AskedFacts:
    if turn.faithfulness in ("faithful", "over_claim"):
        true = {**household_facts(household), SIZE: len(household.members)}
        return AskedFacts(asked, {fact: true[fact] for fact in sorted(asked, key=str)})
    return AskedFacts(asked, is_complete=turn.faithfulness == "no_answer")


def _misread(turn: Turn, fact: Fact, key: str) -> AskedFacts:
    """What is said of one fact, although it is not so, or not known to be."""
    said = facts.read_answer(key, turn.answer)
    if isinstance(said, Nothing):
        return AskedFacts(frozenset({fact}), is_complete=turn.faithfulness == "no_answer")
    try:
        value = said if fact == SIZE else FEATURES[key].parse(said)
    except FeatureValueError:
        return AskedFacts(frozenset({fact}))
    return AskedFacts(frozenset({fact}), {fact: value})
