"""Users whose answers are true: grounded in the facts, or proven before they are sent."""

import json

import anyio
import pytest

from benyfits_data.evaluation.conversation import Completion
from benyfits_data.evaluation.error_analysis import judge_turn
from benyfits_data.evaluation.players.users import GroundedUser, ModelUser, ProvenUser
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import CANONICAL, VERDICTS, Dialog, Turn
from benyfits_data.evaluation.regret import map_turn
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.turn_reading import (
    BESIDE_THE_POINT,
    NOT_UNDERSTOOD,
    STYLES,
    TurnReader,
    without_manner,
)
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.understanding.canonical import ask_everybody, ask_fact
from tests.evaluation.hostile import TEXTS
from tests.evaluation.players import QueueModels, family, talk
from tests.evaluation.readings import NOT_UNDERSTOOD as UNREADABLE
from tests.evaluation.readings import asks, claim, reading_of, replay, says
from tests.evaluation.test_metrics import dialog
from tests.evaluation.test_results import grouped, manifest

HOME = family()
QUESTION = "And how old is your husband?"
AGE = asks("value", "age", ["Ben Cruz"])
TRUE, FALSE = says(claim("age", 36, ["Ben Cruz"])), says(claim("age", 63, ["Ben Cruz"]))


def hold(spoken, readings, *questions, style="plain"):
    """A dialog with a proven user, read, with its turns judged."""
    models = replay(readings, spoken)
    reading = reading_of(HOME, models)
    speaker = ModelUser("The profile.", models, Prompts(), style)
    user = ProvenUser(speaker, HOME, reading, style)
    conversation = talk(user=user, models=models, reading=reading)
    for question in questions:
        anyio.run(conversation.ask, question)
    for turn in conversation.turns:
        turn.faithfulness = judge_turn(turn, HOME)
    return conversation, models


def calls(models, role):
    return sum(asked[0] == role for asked in models.asked)


def test_a_grounded_user_answers_from_the_facts_what_a_model_read():
    models = replay({QUESTION: AGE, "Huh?": UNREADABLE})
    reading = reading_of(HOME, models)
    conversation = talk(user=GroundedUser(HOME, reading), models=models, reading=reading)
    assert anyio.run(conversation.ask, QUESTION) == "36 years."
    assert anyio.run(conversation.ask, "Huh?") == NOT_UNDERSTOOD
    assert anyio.run(conversation.ask, ask_fact("age", "you")) == "34 years."
    assert [turn.reader for turn in conversation.turns] == ["recorded", "recorded", CANONICAL]
    verdicts = [judge_turn(turn, HOME) for turn in conversation.turns]
    assert verdicts == ["faithful", "no_answer", "faithful"]
    # A question is read once, our own answers and questions by nobody.
    assert calls(models, "reader") == len(models.asked) == 2


def test_a_planted_wrong_claim_is_caught_before_it_reaches_the_agent_and_counted():
    spoken = ["He is 63.", "Ben is 36."]
    readings = {QUESTION: AGE, "He is 63.": FALSE, "Ben is 36.": TRUE}
    conversation, models = hold(spoken, readings, QUESTION)
    (turn,) = conversation.turns
    assert (turn.answer, turn.faithfulness, turn.is_replaced) == ("Ben is 36.", "faithful", False)
    (unsent,) = turn.unsent
    assert unsent.text == "He is 63."
    assert unsent.wrong == ["age of Ben Cruz: 63.0 was said, 36 is so"]
    told_again = next(prompt for role, _, prompt, _ in models.asked if "not been sent" in prompt)
    assert "63.0 was said, 36 is so" in told_again
    assert "What is so: 36 years." in told_again
    item = dialog("a", [1], [1])
    item.turns = conversation.turns
    (row,) = grouped("Faithfulness", [Run(manifest(), [item])])
    assert (row["asked again"], row["replaced by our words"]) == ("1", "0")


def test_what_is_wrong_twice_is_replaced_by_our_own_sentence():
    spoken, readings = ["He is 63.", "63!"], {QUESTION: AGE, "He is 63.": FALSE, "63!": FALSE}
    conversation, models = hold(spoken, readings, QUESTION)
    (turn,) = conversation.turns
    assert (turn.answer, turn.is_replaced) == ("36 years.", True)
    assert (turn.faithfulness, turn.reader) == ("faithful", "recorded")
    assert [unsent.text for unsent in turn.unsent] == ["He is 63.", "63!"]
    assert (calls(models, "user"), calls(models, "reader")) == (2, 3)


def test_planted_a_user_who_is_not_held_tells_the_agent_what_is_wrong(monkeypatch):
    monkeypatch.setattr("benyfits_data.evaluation.players.users.find_unproven", lambda *told: [])
    conversation, _ = hold(["He is 63."], {QUESTION: AGE, "He is 63.": FALSE}, QUESTION)
    assert [turn.faithfulness for turn in conversation.turns] == ["unfaithful"]


@pytest.mark.parametrize(
    ("read", "wrong"),
    [
        (says(says_nothing=True), "does not answer"),
        (says(claim("age", 36, ["Ben Cruz"]), adds=["he likes chess"]), "chess"),
        (UNREADABLE, "cannot be understood"),
        ("no JSON at all", "cannot be understood"),
    ],
)
def test_evasions_inventions_and_what_nobody_can_read_are_not_sent(read, wrong):
    readings = {QUESTION: AGE, "Well.": read, "Ben is 36.": TRUE}
    conversation, _ = hold(["Well.", "Ben is 36."], readings, QUESTION)
    (turn,) = conversation.turns
    assert turn.answer == "Ben is 36."
    assert wrong in " ".join(turn.unsent[0].wrong)


def test_who_does_not_know_what_no_fact_tells_may_say_so():
    question = "What is your favourite colour?"
    readings = {question: asks("value", "not_known"), "No idea.": says(says_nothing=True)}
    conversation, _ = hold(["No idea."], readings, question)
    (turn,) = conversation.turns
    assert (turn.answer, turn.unsent, turn.faithfulness) == ("No idea.", [], "no_answer")


def test_yes_to_a_question_that_was_not_understood_is_not_sent():
    readings = {"Huh?": UNREADABLE, "Yes!": says(stance="yes")}
    conversation, _ = hold(["Yes!", "Yes!"], readings, "Huh?")
    (turn,) = conversation.turns
    assert (turn.answer, turn.is_replaced) == (NOT_UNDERSTOOD, True)


def test_what_is_held_is_what_is_sent_to_the_letter():
    long = "36. " + "x" * 3000
    conversation, _ = hold([long], {QUESTION: AGE, long[:2000]: TRUE}, QUESTION)
    (turn,) = conversation.turns
    assert turn.answer == long[:2000]
    assert [failure.kind for failure in conversation.failures] == ["answer_cut"]


@pytest.mark.parametrize("style", STYLES)
def test_a_style_changes_words_and_never_facts(style):
    reading = TurnReader(HOME)
    plain, styled = GroundedUser(HOME), GroundedUser(HOME, reading, style)
    questions = [ask_fact(fact, "") for fact in HOUSEHOLD_FEATURES]
    for person in ("you", "person 2 in your household"):
        questions += [ask_fact(fact, person) for fact in MEMBER_FEATURES]
    questions += [ask_everybody("disabled")]
    turns = []
    for question in questions:
        answer = anyio.run(styled.answer, question, turns)
        turn = Turn(question, answer)
        anyio.run(reading.read, turn, turns)
        is_beside = style == "beside-the-point" and not turns
        assert judge_turn(turn, HOME) == ("no_answer" if is_beside else "faithful"), turn
        assert turn.reader == CANONICAL
        turns.append(turn)
    said = [turn.answer for turn in turns]
    truth = [anyio.run(plain.answer, question, []) for question in questions]
    assert (said == truth) == (style == "plain")
    assert (said[1:] == truth[1:]) == (style in ("plain", "beside-the-point"))
    if style == "talkative":
        assert list(map(without_manner, said)) == truth
    if style == "beside-the-point":
        assert said[0] == BESIDE_THE_POINT


def test_a_proven_user_is_told_its_manner_and_is_beside_the_point_in_our_words():
    conversation, models = hold(["36."], {QUESTION: AGE, "36.": TRUE}, QUESTION, style="terse")
    system = next(system for role, system, _, _ in models.asked if role == "user")
    assert "in a hurry" in system
    conversation, _ = hold(
        ["36."], {QUESTION: AGE, "36.": TRUE}, QUESTION, QUESTION, style="beside-the-point"
    )
    assert [turn.answer for turn in conversation.turns] == [BESIDE_THE_POINT, "36."]


def test_the_users_of_the_paper_are_told_no_manner():
    models = QueueModels(["36."])
    reply = anyio.run(ModelUser("The profile.", models, Prompts()).answer, QUESTION, [])
    assert reply == Completion("36.")
    assert models.asked[0][1].endswith("Do not speak of the text above, and ask nothing.")


ODD = (
    AGE.replace('"value"', '"why"'),
    AGE.replace('"number": 0', '"number": "many"'),
    asks("is", "annual_work_income", ["you"], sign=">", number=float("nan")),
    asks("is", "annual_work_income", ["you"], sign="~", number=5),
    says(claim("age", "1e400"), stance="perhaps"),
    says(claim("age", 3, ["nobody"], how="never", sign="??"), adds=[1, None]),
    says(claim("relation", [1])),
)


@pytest.mark.parametrize("reply", [*TEXTS, *ODD], ids=lambda reply: reply[:30])
def test_whatever_a_reader_replies_leaves_a_turn_that_can_be_judged(reply):
    models = QueueModels(lambda role, prompt: reply)
    reading = reading_of(HOME, models)
    conversation = talk(user=GroundedUser(HOME, reading), models=models, reading=reading)
    anyio.run(conversation.ask, QUESTION)
    speaker = ModelUser("The profile.", models, Prompts())
    conversation._user = ProvenUser(speaker, HOME, reading)
    anyio.run(conversation.ask, "And your income?")
    for turn in conversation.turns:
        assert judge_turn(turn, HOME) in VERDICTS
        map_turn(turn, HOME)
    item = dialog("a", [1], [1])
    item.turns = conversation.turns
    assert Dialog.from_record(json.loads(json.dumps(item.to_record()))) == item
