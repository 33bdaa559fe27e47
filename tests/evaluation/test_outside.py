"""Agents of somebody else's cannot reach what they are to find out."""

import sys

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import used_roles
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.run import run
from benyfits_data.evaluation.run_options import Options
from tests.evaluation.players import example_rows

ROWS = example_rows("FairFaresNYC", limit=2)


class Fair:
    roles = ("user",)

    async def run(self, conversation):
        sys.stdout.write("what an agent prints goes to the terminal\n")
        answer = await conversation.ask("Where do you live?")
        conversation.fail("reply_not_parsed", f"{len(conversation.turns)} turn")
        lives_here = "New York City" in answer
        return dict.fromkeys(conversation.programs, lives_here)


class Peeks:
    roles = ()

    def run(self, conversation):
        import gc

        from benyfits_data.household.model import Household

        user = getattr(conversation, "_user", None)
        reached = [item for item in gc.get_objects() if isinstance(item, Household)]
        return dict.fromkeys(conversation.programs, user is not None or bool(reached))


class Endless:
    def ask(self, conversation):
        return "And now?"

    def ready(self, conversation):
        return False

    def predict(self, conversation):
        return dict.fromkeys(conversation.programs, conversation.questions_left == 0)


class Dies:
    def run(self, conversation):
        import os

        os._exit(3)


class Rambles:
    def run(self, conversation):
        import sys

        sys.__stdout__.write("x" * 100 + "\n")
        sys.__stdout__.flush()
        return {}


def play(name, tmp_path):
    agent = f"tests.evaluation.test_outside:{name}"
    options = Options(agent=agent, roles=choose_roles(), log_dir=tmp_path)
    return run("diverse", ROWS[:1], options)[0]


def test_an_agent_elsewhere_asks_and_decides(tmp_path):
    dialog = play("Fair", tmp_path)
    assert len(dialog.turns) == 1
    assert dialog.turns[0].faithfulness == "faithful"
    assert dialog.verdicts == {"FairFaresNYC": "New York City" in dialog.turns[0].answer}
    assert [(item.kind, item.message) for item in dialog.failures] == [
        ("reply_not_parsed", "1 turn")
    ]
    assert dialog.roles == {"user": "reference"}


def test_household_and_user_are_in_another_process(tmp_path):
    assert play("Peeks", tmp_path).verdicts == {"FairFaresNYC": False}


def test_questions_are_counted_on_our_side(tmp_path):
    dialog = play("Endless", tmp_path)
    assert len(dialog.turns) == 20
    assert dialog.verdicts == {"FairFaresNYC": True}
    assert dialog.failures[-1].kind == "limit_reached"


@pytest.mark.parametrize(
    ("name", "message"), [("Dies", "ended without a verdict"), ("Rambles", "sent no message")]
)
def test_a_process_that_misbehaves_is_a_scored_row(tmp_path, name, message):
    dialog = play(name, tmp_path)
    assert dialog.verdicts == {"FairFaresNYC": False}
    (failure,) = dialog.failures
    assert failure.kind == "agent_failed"
    assert message in failure.message


def test_an_agent_that_is_not_there_is_an_error_in_a_line():
    with pytest.raises(EvaluationError, match="importable from"):
        used_roles("no_such_module:Agent")
