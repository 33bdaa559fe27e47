"""The planner proves every verdict from a truthful user's answers."""

import anyio
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.agents.planner import PlannerAgent
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.players.interpreters import Interpreter, ReferenceInterpreter
from benyfits_data.evaluation.reading import DialogReading
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import find_logs, pairs_of, read_runs
from benyfits_data.evaluation.run_options import Options
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.planner import interview
from tests.evaluation.players import (
    EDITION,
    QueueModels,
    QueueUser,
    example_rows,
    family,
    run,
    talk,
)

PROGRAMS = ("FairFaresNYC", "HeadStart")


def agent(interpreter=None):
    reference = ReferenceInterpreter(load_edition(EDITION).programs)
    return PlannerAgent(EDITION, interpreter or reference)


@pytest.mark.slow
def test_all_verdicts_on_a_family_are_right():
    household, edition = family(), load_edition(EDITION)
    conversation = talk(PROGRAMS, user=DialogReading(household))
    verdicts = anyio.run(agent().run, conversation)
    assert verdicts == {it: edition.program(it).is_eligible(household) for it in PROGRAMS}
    assert not conversation.failures
    assert all(turn.value for turn in conversation.turns)


@pytest.mark.slow
@pytest.mark.parametrize("youngest", [3, 9])
def test_a_household_of_more_than_six_is_read_to_its_last_member(youngest):
    ages = [40, 38, 17, 16, 15, 14, 13, youngest]
    relations = ["self", "spouse", *["child"] * 6]
    members = [
        {"age": age, "relation": relation, "annual_work_income": 90_000 * (relation == "self")}
        for age, relation in zip(ages, relations, strict=True)
    ]
    home = Household.complete(members=members, place_of_residence="New York City")
    edition = load_edition(EDITION)
    conversation = talk(("ThreeK",), user=DialogReading(home))
    verdicts = anyio.run(agent().run, conversation)
    assert verdicts == {"ThreeK": edition.program("ThreeK").is_eligible(home)}
    assert not conversation.failures


@pytest.mark.slow
def test_a_run_is_right_and_its_answers_are_faithful(tmp_path):
    rows = example_rows(*PROGRAMS, limit=1)
    options = Options(agent="planner", roles=choose_roles(models="reference"), log_dir=tmp_path)
    dialogs = run("diverse", rows, options)
    assert metrics.score(pairs_of(dialogs), metrics.accuracy) == 100
    assert {turn.faithfulness for dialog in dialogs for turn in dialog.turns} == {"faithful"}
    (played,) = read_runs(find_logs([tmp_path]))
    assert played.agent == "planner"


@pytest.mark.slow
def test_a_model_words_questions_and_reads_answers():
    models = QueueModels(
        lambda role, prompt: '{"value": 1}' if "number_of_members" in prompt else '{"value": "no"}'
    )
    user = QueueUser("There is only me.", "No.")
    conversation = talk(("FairFaresNYC",), user=user, models=models)
    anyio.run(agent(interpreter=Interpreter()).run, conversation)
    prompts = [prompt for _, _, prompt, _ in models.asked]
    assert any("Write the question" in prompt for prompt in prompts)
    assert any("Reply with the value" in prompt for prompt in prompts)


def test_who_knows_nothing_is_asked_each_thing_once(monkeypatch):
    # Only the order of questions hangs on the prior, which takes seconds to draw.
    monkeypatch.setattr(interview, "draw_prior", lambda year: Households.of_defaults(1))
    conversation = talk(user=QueueUser("I don't know."))
    verdicts = anyio.run(agent().run, conversation)
    questions = [turn.question for turn in conversation.turns]
    assert len(questions) == len(set(questions))
    assert verdicts.keys() == {"FairFaresNYC"}
    (failure,) = [it for it in conversation.failures if it.kind == "not_proven"]
    assert failure.program == "FairFaresNYC"
