"""The simulated user, and whether what it says is so."""

from collections.abc import Sequence

from benyfits_data.evaluation import spoken_facts as facts
from benyfits_data.evaluation.console import read_line, show
from benyfits_data.evaluation.conversation import REPLY_TOKENS, Completion, Models
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import Turn
from benyfits_data.evaluation.spoken_groups import group_asked, tell_group
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.parser.claims import judge_queries
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.query import How, Query, evaluate
from benyfits_data.understanding.parser.questions import read_question
from benyfits_data.understanding.parser.whom import YOU
from benyfits_data.understanding.typed import Nothing

REMEMBERED_TURNS = 6
"""Earlier questions a question may go on with, as in "and your spouse?"."""


class ModelUser:
    """A language model that knows the profile and nothing else.

    Args:
        profile: The profile.
        models: Who completes prompts; the role `user` is asked.
        prompts: The prompts in force.
    """

    def __init__(self, profile: str, models: Models, prompts: Prompts) -> None:
        self._models = models
        self._system = prompts.render("user", profile=profile)

    async def answer(self, question: str, turns: Sequence[Turn]) -> Completion:
        """Return the model's answer, in the first person; it sees the whole dialog so far."""
        earlier = [(turn.question, turn.answer) for turn in turns]
        return await self._models.complete(
            "user", self._system, question, None, REPLY_TOKENS, earlier
        )


class HumanUser:
    """A person, who is shown the profile once.

    Args:
        profile: The profile.
    """

    def __init__(self, profile: str) -> None:
        self._profile: str | None = profile

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return what the person types; earlier turns the person remembers."""
        if self._profile is not None:
            show(f"\nYou are this person:\n\n{self._profile}\n")
            self._profile = None
        return await read_line(question)


def check_turn(turn: Turn, turns: Sequence[Turn], household: Household) -> None:
    """Return nothing; the turn is marked with whether its answer holds for the household.

    What was asked is the key the agent asked for, where that is a fact, otherwise what the question
    is understood to mean. A turn whose question or answer is not understood stays unidentified.

    Args:
        turn: A question that was just answered.
        turns: The earlier turns of the dialog.
        household: The household it is about.
    """
    group = group_asked(turn.question)
    if group is not None:
        turn.fact = tell_group(household, group)
        if turn.answer == turn.fact:
            turn.faithfulness = "faithful"
        return
    earlier = [it.question for it in turns[-REMEMBERED_TURNS:]]
    fact = fact_of(turn, household) or facts.canonical_fact(household, turn.question)
    if fact is not None:
        queries = [_query(fact)]
    else:
        try:
            queries = read_question(turn.question, household, earlier)
        except NotUnderstoodError:
            queries = []
        fact = _single_fact(queries)
    found = [evaluate(query, household) for query in queries]
    if fact is not None:
        turn.fact = f"{fact}: {facts.look_up(household, fact)}"
    elif found:
        turn.fact = "; ".join(f"{it.query.topic or 'members'}: {it.answer}" for it in found)
    if fact is not None and _is_plainly_so(turn, fact, household):
        turn.faithfulness = "faithful"
        return
    verdict = judge_queries(queries, turn.answer, household, question=turn.question).verdict
    if verdict != "not_understood":
        turn.faithfulness = verdict
    elif fact is not None:
        # What is no sentence of ours may still hold one value: a number, a choice.
        said = facts.read_answer(fact.key, turn.answer)
        if not isinstance(said, Nothing):
            is_so = said == facts.look_up(household, fact)
            turn.faithfulness = "faithful" if is_so else "unfaithful"


def _is_plainly_so(turn: Turn, fact: facts.Fact, household: Household) -> bool:
    """Whether the answer is the canonical one, as the reference user gives it."""
    return turn.answer == facts.tell(household, fact)


def _query(fact: facts.Fact) -> Query:
    if fact.key == MEMBERS_KEY:
        return Query("value", YOU, "household_size")
    people = YOU if not fact.member else People("name", number=fact.member)
    how: How = "is" if FEATURES[fact.key].kind == "flag" else "value"
    return Query(how, people, fact.key)


def _single_fact(queries: Sequence[Query]) -> facts.Fact | None:
    """The fact that queries ask for, where it is one fact of one member or of the household."""
    if len(queries) != 1 or queries[0].topic not in FEATURES:
        return None
    (query,) = queries
    if query.value or query.comparison or query.is_opposite or query.topic is None:
        return None
    if query.topic not in MEMBER_FEATURES:
        return facts.Fact(query.topic)
    if query.people.kind == "you":
        return facts.Fact(query.topic, 0)
    return facts.Fact(query.topic, query.people.number) if query.people.kind == "name" else None


def fact_of(turn: Turn, household: Household) -> facts.Fact | None:
    """Return the fact that the agent asked for, where its key is one of ours."""
    if turn.key == MEMBERS_KEY:
        return facts.Fact(MEMBERS_KEY)
    if turn.key not in FEATURES:
        return None
    if (turn.key in MEMBER_FEATURES) != (turn.member is not None):
        return None
    if turn.member is not None and turn.member >= len(household.members):
        return None
    return facts.Fact(turn.key, turn.member)
