"""Agents without a language model ask for facts by name, and get values."""

from datetime import date

import anyio
import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.codegen.checker_translation import key_type
from benyfits_data.evaluation.conversation import QuestionLimitReached
from benyfits_data.evaluation.fact_answers import FactAnswer
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.players.interpreter import Need
from benyfits_data.evaluation.players.reference_players import ReferenceInterpreter
from benyfits_data.evaluation.players.users import GroundedUser
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.turn_reading import TurnReader
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.understanding.facts import MEMBERS_KEY
from tests.evaluation.players import QueueUser, example_rows, family, run, talk

HOME = family()


def test_every_fact_of_every_member_comes_back_as_its_value():
    conversation = talk(user=GroundedUser(HOME), reading=TurnReader(HOME))
    conversation.limit = 10_000

    async def ask_all():
        for number, member in enumerate(HOME.members):
            for fact in MEMBER_FEATURES:
                said = await conversation.ask_fact(fact, member=number)
                assert said == FactAnswer(said.text, getattr(member, fact), is_told=True), fact
        for fact in HOUSEHOLD_FEATURES:
            said = await conversation.ask_fact(fact)
            assert said == FactAnswer(said.text, getattr(HOME, fact), is_told=True), fact
        assert (await conversation.ask_fact(MEMBERS_KEY)).value == 4

    anyio.run(ask_all)
    n_facts = 4 * len(MEMBER_FEATURES) + len(HOUSEHOLD_FEATURES) + 1
    assert len(conversation.turns) == n_facts
    assert conversation.turns[0].answer


def test_the_planners_tracks_are_one_turn_each():
    conversation = talk(user=GroundedUser(HOME), reading=TurnReader(HOME))
    roster = anyio.run(conversation.ask_roster)
    assert roster.value == [{"age": it.age, "relation": it.relation} for it in HOME.members]
    who = anyio.run(conversation.ask_everybody, "disabled")
    assert who.value == [it.disabled for it in HOME.members]
    assert len(conversation.turns) == 2


def test_our_own_agent_calls_people_by_the_names_it_has_heard():
    conversation = talk(user=GroundedUser(HOME), reading=TurnReader(HOME))
    interpreter = ReferenceInterpreter({})

    def phrase(member):
        person = f"person {member + 1} in your household"
        need = Need("FairFaresNYC", "age", member, person, key_type("age"), 1, "")
        return anyio.run(interpreter.phrase, conversation, need)

    assert phrase(2) == "How old is person 3 in your household?"
    anyio.run(conversation.ask_fact, "disabled", 2)
    assert phrase(2) == "How old is Cleo Cruz?"
    anyio.run(conversation.ask_fact, "weeks_pregnant", 3)
    assert phrase(3) == "How old is Dan Cruz?"
    # What others say in words like ours is no name: "Yes, she is."
    conversation.turns[0].reader = "a model"
    assert phrase(2) == "How old is person 3 in your household?"
    anyio.run(conversation.ask_roster)
    assert phrase(1) == "How old is Ben Cruz?"


def test_an_answer_without_a_value_says_so_and_counts_all_the_same():
    conversation = talk(user=QueueUser("I don't know."), reading=TurnReader(HOME))
    assert anyio.run(conversation.ask_fact, "age", 0) == FactAnswer("I don't know.")
    assert anyio.run(conversation.ask_roster) == FactAnswer("I don't know.")
    assert len(conversation.turns) == 2
    conversation.limit = 2
    with pytest.raises(QuestionLimitReached):
        anyio.run(conversation.ask_fact, "age", 0)


@pytest.mark.parametrize(
    ("fact", "member", "message"),
    [
        ("anual_work_income", 1, "no such fact.*annual_work_income"),
        ("age", None, "expected a member's number"),
        ("monthly_rent_spending", 0, "expected no member"),
        ("age", -1, "count from 0"),
        ("age", True, "count from 0"),
    ],
)
def test_a_fact_that_cannot_be_asked_for_is_refused_before_it_costs_a_turn(fact, member, message):
    conversation = talk()
    with pytest.raises(EvaluationError, match=message):
        anyio.run(conversation.ask_fact, fact, member)
    with pytest.raises(EvaluationError, match="fact of the household"):
        anyio.run(conversation.ask_everybody, "monthly_rent_spending")
    assert not conversation.turns


def test_days_survive_the_pipe_to_an_agent_elsewhere():
    told = FactAnswer("On May 1, 2020.", date(2020, 5, 1), is_told=True)
    facts = ("covid_funeral_expense_date",)
    assert FactAnswer.from_data(told.to_data(), facts) == told


@pytest.mark.slow
def test_an_agent_elsewhere_asks_for_facts(tmp_path):
    (row,) = example_rows("FairFaresNYC", limit=1)
    agent = "tests.evaluation.outside_agents:AsksFacts"
    (dialog,) = run("diverse", [row], Options(agent, choose_roles(), log_dir=tmp_path))
    assert not dialog.failures
    assert [turn.faithfulness for turn in dialog.turns] == ["faithful"] * 4
    assert dialog.turns[0].key == MEMBERS_KEY
