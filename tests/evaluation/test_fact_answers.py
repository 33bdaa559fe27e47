"""Agents without a language model ask for facts by name, and get values."""

import anyio
import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import QuestionLimitReached
from benyfits_data.evaluation.fact_answers import FactAnswer
from benyfits_data.evaluation.reading import DialogReading
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.facts import MEMBERS_KEY
from tests.evaluation.players import QueueUser, family, talk

HOME = family()


def test_every_fact_of_every_member_comes_back_as_its_value_asked_or_settled():
    home = Household.complete(
        members=[
            {"name": "Ana Cruz", "age": 34, "annual_work_income": 24000, "work_hours_per_week": 35},
            {"name": "Ben Cruz", "age": 36, "relation": "spouse", "sex": "male"},
            {"name": "Cleo Cruz", "age": 1, "relation": "child", "disabled": True},
        ]
    )
    conversation = talk(user=DialogReading(home), reading=DialogReading(home))
    conversation.limit = 10_000
    settled = []

    async def check(fact, member, value):
        said = await conversation.ask_fact(fact, member)
        assert said == FactAnswer(said.text, value, is_told=True), fact
        if not said.text:
            settled.append((fact, member))

    async def ask_all():
        assert (await conversation.ask_fact(MEMBERS_KEY)).value == 3
        for number, member in enumerate(home.members):
            for fact in MEMBER_FEATURES:
                await check(fact, number, getattr(member, fact))
        for fact in HOUSEHOLD_FEATURES:
            await check(fact, None, getattr(home, fact))

    anyio.run(ask_all)
    n_facts = 3 * len(MEMBER_FEATURES) + len(HOUSEHOLD_FEATURES) + 1
    assert len(conversation.turns) == n_facts - len(settled)
    assert {("weeks_pregnant", 1), ("work_hours_per_week", 2)} <= set(settled)
    assert not {fact for fact, member in settled if member == 0} & {"disabled", "weeks_pregnant"}


def test_an_answer_without_a_value_says_so_and_counts_all_the_same():
    conversation = talk(user=QueueUser("I don't know."), reading=DialogReading(HOME))
    assert anyio.run(conversation.ask_fact, "age", 0) == FactAnswer("I don't know.")
    assert len(conversation.turns) == 1
    conversation.limit = 1
    with pytest.raises(QuestionLimitReached):
        anyio.run(conversation.ask_fact, "age", 0)


@pytest.mark.parametrize(
    ("fact", "member", "message"),
    [
        ("anual_work_income", 1, "no such fact.*annual_work_income"),
        ("annual_work_income", None, r"Write ask_fact\('annual_work_income', member=0\), 0 for"),
        ("monthly_rent_spending", 0, r"Write ask_fact\('monthly_rent_spending'\)\."),
        ("age", -1, "count from 0"),
        ("age", True, "count from 0"),
    ],
)
def test_a_fact_that_cannot_be_asked_for_is_refused_before_it_costs_a_turn(fact, member, message):
    conversation = talk()
    with pytest.raises(EvaluationError, match=message):
        anyio.run(conversation.ask_fact, fact, member)
    assert not conversation.turns
