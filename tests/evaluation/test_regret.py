"""Regret: planted agents that repeat, ask what cannot matter, or guess, are told from good ones."""

from dataclasses import replace

import anyio
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.agents.planner import PlannerAgent
from benyfits_data.evaluation.asked_facts import map_turn
from benyfits_data.evaluation.players.reference_players import ReferenceInterpreter, ReferenceUser
from benyfits_data.evaluation.record import Dialog, Failure, Turn
from benyfits_data.evaluation.regret import measure_regret
from benyfits_data.evaluation.results.regret_tables import list_par, list_waste
from benyfits_data.evaluation.results.results_page import draw_scores
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.user import check_turn
from benyfits_data.household.model import Household
from benyfits_data.par.tracks import SIZE
from benyfits_data.understanding.canonical import ask_fact
from tests.evaluation.players import EDITION, talk
from tests.evaluation.test_results import manifest

PROGRAM = "BeaconPrograms"


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


def held(*questions, home=None, verdict=None, program=PROGRAM, answers=None):
    """A dialog whose questions are answered truly, or as told, and measured."""
    home = home or parents()
    user, turns = ReferenceUser(home), []
    for place, question in enumerate(questions):
        truth = anyio.run(user.answer, question, turns)
        turn = Turn(question, (answers or {}).get(place, truth))
        check_turn(turn, turns, home)
        turns.append(turn)
    label = load_edition(EDITION).program(program).is_eligible(home)
    verdicts = {program: label if verdict is None else verdict}
    labels = {program: label}
    dialog = Dialog("h", "diverse", "test", {}, len(home.members), labels, verdicts, turns=turns)
    dialog.edition, dialog.par = EDITION, 3
    measure_regret(dialog, home)
    return dialog


def uses(dialog):
    return [turn.use for turn in dialog.turns]


def age(member):
    return ask_fact("age", f"person {member + 1} in your household" if member else "you")


def test_an_agent_that_needs_all_it_asks_has_nothing_to_regret():
    agent = PlannerAgent(EDITION, "one", ReferenceInterpreter(load_edition(EDITION).programs))
    conversation = talk((PROGRAM,), user=ReferenceUser(parents()))
    anyio.run(agent.run, conversation)
    dialog = held(*(turn.question for turn in conversation.turns))
    assert set(uses(dialog)) == {"relevant"}
    assert dialog.proven == {PROGRAM: True}


def test_a_repeated_question_is_found_in_the_same_and_in_other_words():
    dialog = held(age(0), age(0), "What is your age?")
    assert uses(dialog) == ["relevant", "repeated", "repeated"]


def test_a_question_is_no_repetition_as_long_as_nobody_answered_it():
    dialog = held(age(0), age(0), age(0), answers={0: "I don't know.", 1: "Why do you ask?"})
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
    table = list_waste([Run(manifest(), [dialog])])
    assert dict(zip(table.header, table.rows[0], strict=True))[column] == "1"


@pytest.mark.slow
def test_a_question_nobody_can_map_is_counted_and_leaves_verdicts_unknown():
    dialog = held("What is your favourite colour, and why?", answers={0: "Blue, like the sea."})
    assert uses(dialog) == ["unmapped"]
    assert dialog.proven == {PROGRAM: None}


def test_free_text_is_read_as_the_facts_it_asks_for():
    home = parents()
    for question, asked, n_told in (
        ("How many people live in your household?", {SIZE}, 1),
        ("Does anyone in your household have a disability?", 4, 0),
        ("Who in your household has a disability?", 4, 4),
        ("Does anyone in your household receive SSI?", 4, 4),
        ("Do you earn more than $500 a year?", None, 0),
    ):
        turn = Turn(question, anyio.run(ReferenceUser(home).answer, question, []))
        check_turn(turn, [], home)
        found = map_turn(turn, [], home)
        assert len(found.told) == n_told, question
        if isinstance(asked, int):
            assert len(found.asked) == asked
        elif asked:
            assert found.asked == asked


def test_a_false_answer_is_taken_as_it_was_heard():
    dialog = held(age(2), "How many people live in your household?", answers={0: "He is 4."})
    assert dialog.turns[0].faithfulness == "unfaithful"
    assert dialog.proven == {PROGRAM: False}


def test_answers_that_contradict_each_other_drop_the_constraints():
    grade = ask_fact("current_grade", "person 3 in your household")
    dialog = held(grade, age(2), answers={1: "He is 60 years old."})
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
    assert not list_waste([Run(manifest(), [dialog])]).rows


def test_turns_over_par_leave_out_rows_without_par():
    dialogs = [replace(held(*[age(0)] * n), household=f"h{n}") for n in (3, 4, 8)]
    dialogs[1].par = None
    table = list_par([Run(manifest(), dialogs)])
    (row,) = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    assert (row["track"], row["with par"], row["no par"]) == ("one", "2", "1")
    assert (row["mean par"], row["turns"], row["over par"], row["max over"]) == (
        "3.0", "5.5", "2.5", "5")  # fmt: skip
    assert row["turns a par question"] == "1.83"
    assert "h8 (8, par 3)" in table.note
    dialogs[0].par = dialogs[2].par = None
    (row,) = list_par([Run(manifest(), dialogs)]).rows
    assert row[3:5] == ("0", "3")


def test_par_is_drawn_into_the_picture_of_its_track():
    run = Run({**manifest(), "agent": {"name": "planner", "code": "", "questions": "who"}})
    run.dialogs = [held(age(0))]
    assert "par, who, diverse only: 3.0" in draw_scores([run], [])
    run.dialogs[0].par = None
    assert "par, who" not in draw_scores([run], [])
