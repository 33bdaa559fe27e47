"""Regret: planted agents that repeat, ask what cannot matter, or guess, are told from good ones."""

from dataclasses import replace

import anyio
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.agents.planner import PlannerAgent
from benyfits_data.evaluation.error_analysis import derive
from benyfits_data.evaluation.players.reference_players import ReferenceInterpreter
from benyfits_data.evaluation.players.users import GroundedUser
from benyfits_data.evaluation.record import Dialog, Failure, Turn
from benyfits_data.evaluation.regret import map_turn, measure_regret
from benyfits_data.evaluation.results.results_page import draw_scores
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.turn_reading import NOT_UNDERSTOOD, TurnReader
from benyfits_data.household.model import Household
from benyfits_data.language.partial import household_facts
from benyfits_data.par.tracks import SIZE
from benyfits_data.understanding.canonical import ROSTER_QUESTION, ask_everybody, ask_fact
from benyfits_data.understanding.claims import AnswerClaim, Claims
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.people import EVERYBODY, YOU, People
from benyfits_data.understanding.query import Query, QueryLimit
from tests.evaluation.players import EDITION, talk
from tests.evaluation.test_results import grouped, manifest

PROGRAM = "BeaconPrograms"
KNOWN = {
    "What is your age?": Query("value", YOU, "age"),
    "Anybody disabled?": Query("is", EVERYBODY, "disabled"),
    "Anybody on SSI?": Query("is", EVERYBODY, "receives_ssi"),
    "Who is disabled?": Query("who", EVERYBODY, "disabled"),
    "Do you earn more than $500?": Query(
        "is", YOU, "annual_work_income", limit=QueryLimit(">", 500, "year")
    ),
}
"""Questions in other words, as a reader would read them."""


def parents(**changes):
    """A possible household: two parents and two children, the first in school."""
    child = {"relation": "child"}
    members = [
        {"name": "Ana Cruz", "age": 34, "relation": "self"},
        {"name": "Ben Cruz", "age": 36, "relation": "spouse"},
        {"name": "Cleo", "age": 8, "current_grade": 2, "disabled": True, **child},
        {"name": "Dan", "age": 4, **child},
    ]
    return Household.complete(members=members, **changes)


def held(*questions, home=None, verdict=None, program=PROGRAM, answers=None, lies=None):
    """A dialog whose questions are answered truly, or as told, and measured.

    Lies are ages of the third member, by the place of the question: as a reader would read them.
    """
    home = home or parents()
    turns = read_turns(home, questions, answers or {})
    for place, age in (lies or {}).items():
        claim = AnswerClaim(People(numbers=(2,)), "age", value=age)
        turns[place].claims = Claims((claim,)).to_record()
    label = load_edition(EDITION).program(program).is_eligible(home)
    verdicts = {program: label if verdict is None else verdict}
    labels = {program: label}
    dialog = Dialog("h", "diverse", "test", {}, len(home.members), labels, verdicts, turns=turns)
    dialog.edition, dialog.par = EDITION, 3
    derive(dialog, home)
    return dialog


def read_turns(home, questions, answers=()):
    """Turns whose questions are answered truly, or as told, and read without a model."""
    reading, turns = TurnReader(home, known=KNOWN), []
    user = GroundedUser(home, reading)
    for place, question in enumerate(questions):
        truth = anyio.run(user.answer, question, turns)
        turn = Turn(question, dict(answers).get(place, truth))
        anyio.run(reading.read, turn, turns)
        turns.append(turn)
    return turns


def uses(dialog):
    return [turn.use for turn in dialog.turns]


def age(member):
    return ask_fact("age", f"person {member + 1} in your household" if member else "you")


@pytest.mark.slow
def test_an_agent_that_needs_all_it_asks_has_nothing_to_regret():
    agent = PlannerAgent(EDITION, "one", ReferenceInterpreter(load_edition(EDITION).programs))
    conversation = talk((PROGRAM,), user=GroundedUser(parents()))
    anyio.run(agent.run, conversation)
    dialog = held(*(turn.question for turn in conversation.turns))
    assert set(uses(dialog)) == {"relevant"}
    assert dialog.proven == {PROGRAM: True}


def test_a_repeated_question_is_found_in_the_same_and_in_other_words():
    dialog = held(age(0), age(0), "What is your age?")
    assert uses(dialog) == ["relevant", "repeated", "repeated"]


def test_a_question_is_no_repetition_as_long_as_nobody_answered_it():
    dialog = held(age(0), age(0), age(0), answers={0: NOT_UNDERSTOOD, 1: "Why do you ask?"})
    assert uses(dialog) == ["relevant"] * 3


def test_a_question_that_cannot_matter_is_found():
    dialog = held(ask_fact("receives_snap", ""), age(2), age(3))
    assert uses(dialog) == ["irrelevant", "relevant", "irrelevant"]
    assert dialog.proven == {PROGRAM: True}


@pytest.mark.parametrize(("verdict", "column"), [(True, "lucky"), (False, "unproven and wrong")])
def test_a_guess_is_lucky_or_wrong_and_never_proven(verdict, column):
    dialog = held(age(0), verdict=verdict)
    assert dialog.labels == {PROGRAM: True}
    assert dialog.proven == {PROGRAM: False}
    (row,) = grouped("Verdicts that the answers prove", [Run(manifest(), [dialog])])
    assert row[column] == "1"


@pytest.mark.slow
def test_a_question_nobody_read_is_counted_and_leaves_verdicts_unknown():
    dialog = held("What is your favourite colour, and why?", answers={0: "Blue, like the sea."})
    assert uses(dialog) == ["unmapped"]
    assert [turn.faithfulness for turn in dialog.turns] == ["not_read"]
    assert dialog.proven == {PROGRAM: None}


@pytest.mark.parametrize(
    ("question", "n_asked", "n_told"),
    [
        ("How many people live in your household, counting yourself?", 1, 1),
        (ROSTER_QUESTION, 9, 9),
        (ask_everybody("disabled"), 4, 4),
        ("Anybody disabled?", 4, 1),
        ("Who is disabled?", 4, 4),
        ("Anybody on SSI?", 4, 4),
        ("Do you earn more than $500?", 1, 1),
        ("What is your favourite colour?", 0, 0),
    ],
)
def test_queries_ask_for_facts_and_claims_tell_them(question, n_asked, n_told):
    (turn,) = read_turns(parents(), [question])
    found = map_turn(turn, parents())
    assert (len(found.asked), len(found.answers)) == (n_asked, n_told)
    truth = {**household_facts(parents()), SIZE: 4}
    assert all(truth[fact] == value for fact, value in found.answers.items())


def test_a_false_answer_is_taken_as_it_was_heard():
    dialog = held(age(2), ask_fact(MEMBERS_KEY, ""), lies={0: 4})
    assert dialog.turns[0].faithfulness == "unfaithful"
    assert dialog.proven == {PROGRAM: False}


def test_answers_that_contradict_each_other_drop_the_constraints():
    grade = ask_fact("current_grade", "person 3 in your household")
    dialog = held(grade, age(2), lies={1: 60})
    assert dialog.turns[1].faithfulness == "unfaithful"
    # The grade had proven it, with an age that goes with it.
    assert uses(dialog) == ["relevant", "irrelevant"]
    assert dialog.proven == {PROGRAM: False}


@pytest.mark.slow
def test_a_household_of_eight_is_measured():
    members = [{"age": 40 - n, "relation": "self" if not n else "sibling"} for n in range(8)]
    home = Household.complete(members=members)
    dialog = held(age(0), home=home)
    assert dialog.proven == {PROGRAM: False}


def test_who_asks_nothing_proves_nothing():
    dialog = held()
    assert dialog.proven == {PROGRAM: False}


def test_a_dialog_that_broke_off_is_not_measured():
    dialog = held(age(0))
    dialog.failures.append(Failure("agent_failed", "it broke"))
    measure_regret(dialog, parents())
    assert dialog.proven == {}
    assert not grouped("Verdicts that the answers prove", [Run(manifest(), [dialog])])


def test_turns_over_par_leave_out_rows_without_par():
    dialogs = [replace(held(*[age(0)] * n), household=f"h{n}") for n in (3, 4, 8)]
    dialogs[1].par = None
    (row,) = grouped("Turns over par", [Run(manifest(), dialogs)])
    assert (row["track"], row["with par"], row["no par"]) == ("one", "2", "1")
    assert (row["mean par"], row["turns"], row["over par"], row["max over"]) == (
        "3.0", "5.5", "2.5", "5")  # fmt: skip
    assert row["turns a par question"] == "1.83"
    dialogs[0].par = dialogs[2].par = None
    assert not grouped("Turns over par", [Run(manifest(), dialogs)])


@pytest.mark.slow
def test_par_is_drawn_into_the_picture_of_its_track():
    run = Run({**manifest(), "agent": {"name": "planner", "code": "", "questions": "who"}})
    run.dialogs = [held(age(0))]
    drawn = draw_scores([run], [])
    assert "Fewest questions (par), by track" in drawn
    assert "who, diverse only: 3.0" in drawn
    run.dialogs[0].par = None
    assert "(par)" not in draw_scores([run], [])
