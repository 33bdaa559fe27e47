"""Wrong verdicts are decided again on proven answers: a liar acquits, a wrong program does not."""

from dataclasses import replace

import anyio
import pytest
from inspect_ai.log import read_eval_log

from benyfits_data.editions import load_edition
from benyfits_data.evaluation import error_analysis
from benyfits_data.evaluation.agents.baselines import DirectAgent
from benyfits_data.evaluation.agents.planner import PlannerAgent
from benyfits_data.evaluation.agents.proada import ProadaAgent
from benyfits_data.evaluation.codegen.sandbox import build_program
from benyfits_data.evaluation.conversation import InfrastructureError
from benyfits_data.evaluation.error_analysis import derive, find_acquittals, replay
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.players.reference_players import (
    ReferenceCoder,
    ReferenceInterpreter,
)
from benyfits_data.evaluation.players.users import GroundedUser
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.turn_reading import TurnReader
from benyfits_data.household.model import Household
from benyfits_data.understanding.canonical import ask_fact
from benyfits_data.understanding.claims import AnswerClaim, Claims
from tests.evaluation.players import EDITION, QueueModels, example_rows, share_settings, talk
from tests.evaluation.players import run as run_rows
from tests.evaluation.server import Reply, Server
from tests.evaluation.test_results import grouped

PROGRAMS = load_edition(EDITION).programs
NAME = "FairFaresNYC"
(ROW,) = [row for row in example_rows(NAME) if row.labels[NAME]][:1]
HOME = Household.from_facts(ROW.household, constrained=False)
LIE = "We live in New Jersey."


class Liar:
    """Tells the truth, but for questions that hold a word."""

    def __init__(self, word, lie):
        self.word, self.lie, self.reference = word, lie, GroundedUser(HOME)

    async def answer(self, question, turns):
        if self.word in question:
            return self.lie
        return await self.reference.answer(question, turns)


class ReadsTheLie:
    """Reads that one answer, and understands nothing else."""

    name = "recorded"

    async def read_question(self, text, context):
        return None

    async def read_answer(self, question, queries, text, context):
        claim = AnswerClaim(fact="place_of_residence", value="New Jersey")
        return Claims((claim,)) if text == LIE else None


class WrongCoder(ReferenceCoder):
    """Hands over our checker with its verdict turned round wherever it says eligible."""

    async def write(self, conversation, program, known):
        written = await super().write(conversation, program, known)
        source = written.program.source.replace("return True", "return False")
        return replace(written, program=build_program(source))


def play(sandbox, user, coder=ReferenceCoder):
    """A dialog of ProADA with its verdicts, its turns held against the household."""
    agent = ProadaAgent(coder(PROGRAMS, sandbox), ReferenceInterpreter(PROGRAMS), sandbox)
    conversation = talk([NAME], user=user, reading=TurnReader(HOME, ReadsTheLie()))
    verdicts = anyio.run(agent.run, conversation)
    return agent, conversation, verdicts


def acquit(conversation, agent, verdicts=None):
    """Whether an agent is acquitted of having decided wrongly."""
    verdicts = verdicts or {NAME: False}
    dialog = Dialog("h", "diverse", "test", {}, 1, {NAME: True}, verdicts)
    dialog.edition, dialog.turns, dialog.failures = (
        EDITION,
        conversation.turns,
        conversation.failures,
    )
    derive(dialog, HOME)
    dialog.replay = anyio.run(replay, dialog, conversation, agent, HOME)
    return find_acquittals(dialog)


@pytest.mark.slow
def test_a_lying_user_acquits_the_agent(sandbox):
    agent, conversation, verdicts = play(sandbox, Liar("Where does", LIE))
    assert verdicts == {NAME: False}
    assert acquit(conversation, agent) == {NAME: True}
    assert [turn.faithfulness for turn in conversation.turns] == ["unfaithful"]


def test_a_wrong_program_is_not_acquitted_by_another_lie(sandbox):
    agent, conversation, verdicts = play(
        sandbox, Liar("How old", "You would have to ask somebody else."), WrongCoder
    )
    assert verdicts == {NAME: False}
    assert acquit(conversation, agent) == {NAME: False}
    assert {turn.faithfulness for turn in conversation.turns} != {"faithful"}


def test_faithful_answers_acquit_nobody_and_cost_no_call(sandbox):
    agent, conversation, _ = play(sandbox, GroundedUser(HOME), WrongCoder)
    agent.sandbox = agent.interpreter = None
    assert acquit(conversation, agent) == {NAME: False}
    assert {turn.faithfulness for turn in conversation.turns} == {"faithful"}


@pytest.mark.slow
def test_planted_a_replay_that_repeats_the_lie_acquits_nobody(sandbox, monkeypatch):
    lie = Liar("Where does", LIE)
    monkeypatch.setattr(error_analysis.TruthfulUser, "answer", lie.answer)
    agent, conversation, _ = play(sandbox, lie)
    assert acquit(conversation, agent) == {NAME: False}


def asks(*questions):
    """A dialog of an agent that decides by the word New Jersey, whose user always says it."""

    def reply(role, prompt):
        return f'{{"{NAME}": {"false" if "New Jersey" in prompt else "true"}}}'

    user = Liar("", LIE)
    conversation = talk(
        [NAME], user=user, models=QueueModels(reply), reading=TurnReader(HOME, ReadsTheLie())
    )
    for question in questions:
        anyio.run(conversation.ask, question)
    return conversation


def test_an_agent_that_decides_on_the_dialog_is_shown_its_questions_answered_truly():
    conversation = asks(ask_fact("place_of_residence", ""))
    assert acquit(conversation, DirectAgent()) == {NAME: True}
    assert conversation.turns[0].answer == LIE


@pytest.mark.slow
def test_the_planner_is_played_again_from_its_first_question():
    agent = PlannerAgent(EDITION, "one", ReferenceInterpreter(PROGRAMS))
    conversation = talk(
        [NAME], user=Liar("Where does", LIE), reading=TurnReader(HOME, ReadsTheLie())
    )
    assert anyio.run(agent.run, conversation) == {NAME: False}
    assert acquit(conversation, agent) == {NAME: True}


@pytest.mark.slow
def test_what_cannot_be_proven_or_replayed_is_unknown():
    conversation = asks("What about the gizmo of the frobnicator?")
    assert acquit(conversation, DirectAgent()) == {NAME: None}

    class Outside:
        async def run(self, conversation):
            return {}

    conversation = asks(ask_fact("place_of_residence", ""))
    assert acquit(conversation, Outside()) == {NAME: None}

    class Down(DirectAgent):
        async def predict(self, conversation):
            raise InfrastructureError("no server")

    assert acquit(conversation, Down()) == {NAME: None}
    assert [failure.kind for failure in conversation.failures] == ["replay_failed"]


@pytest.mark.slow
def test_runs_record_and_results_print_whose_the_errors_are(tmp_path):
    with Server(lambda request, number: Reply(LIE)) as server:
        roles = choose_roles(models="reference", user="openai-api/local/tiny")
        settings = share_settings(roles, base_url=server.url)
        options = Options(roles=roles, settings=settings, log_dir=tmp_path)
        (dialog,) = run_rows("diverse", [ROW], options)
    assert dialog.acquitted == {NAME: True}
    (run,) = read_runs(find_logs([tmp_path]))
    (wrong,) = grouped("Whose wrong verdicts", [run])
    assert (wrong["wrong"], wrong["the user's"], wrong["the user's, % of known"]) == (
        "1", "1", "100.0")  # fmt: skip
    (answers,) = grouped("Faithfulness", [run])
    assert (answers["not understood"], answers["unfaithful %"]) == ("1", "-")
    (log,) = find_logs([tmp_path])
    events = read_eval_log(str(log)).samples[0].events
    (turn,) = (event.data for event in events if getattr(event, "source", "") == "turn")
    assert turn["faithfulness"] == "not_understood"
