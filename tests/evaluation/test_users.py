"""Users: grounded in the facts, and models that speak from the profile; and who reads them."""

import json

import anyio
import pytest

from benyfits_data.evaluation.players.users import ModelUser
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.reading import NOT_UNDERSTOOD, TURNS_AT_ONCE, DialogReading
from benyfits_data.evaluation.record import CANONICAL, VERDICTS, Dialog, Turn
from benyfits_data.evaluation.scoring import facts_asked, judge_turn
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.understanding.canonical import ask_fact
from tests.evaluation.hostile import TEXTS
from tests.evaluation.players import QueueModels, family, talk
from tests.evaluation.readings import asks, read_all, reading_of, replay, says
from tests.evaluation.test_metrics import dialog

HOME = family()
QUESTION = "And how old is your husband?"


def calls(models, role):
    return sum(asked[0] == role for asked in models.asked)


def judged(turns):
    for turn in turns:
        judge_turn(turn, HOME)
    return [turn.faithfulness for turn in turns]


def test_a_grounded_user_states_the_facts_that_a_model_read_in_a_question():
    models = replay({QUESTION: asks(("age", [1])), "Huh?": "no array"})
    reading = reading_of(HOME, models)
    conversation = talk(user=reading, models=models, reading=reading)
    assert anyio.run(conversation.ask, QUESTION) == "My spouse Ben is 36 years old."
    assert anyio.run(conversation.ask, "Huh?") == NOT_UNDERSTOOD
    assert anyio.run(conversation.ask, ask_fact("age", "you")) == "34 years."
    anyio.run(reading.read, conversation.turns)
    assert [turn.reader for turn in conversation.turns] == ["recorded", "recorded", CANONICAL]
    assert judged(conversation.turns) == ["faithful", "nothing_claimed", "faithful"]
    # A question is read once, our own answers and questions by nobody.
    assert calls(models, "reader") == len(models.asked) == 2


def test_a_grounded_user_answers_every_question_of_ours_faithfully():
    user = DialogReading(HOME)
    questions = [ask_fact(fact, "") for fact in HOUSEHOLD_FEATURES]
    for person in ("you", "person 2 in your household"):
        questions += [ask_fact(fact, person) for fact in MEMBER_FEATURES]
    turns = [Turn(question, anyio.run(user.answer, question, [])) for question in questions]
    for turn in turns:
        user.read_exactly(turn)
    assert {turn.reader for turn in turns} == {CANONICAL}
    assert set(judged(turns)) == {"faithful"}


def test_a_dialog_is_read_once_at_its_end_some_turns_at_a_time():
    answer = "He is thirty-six."
    said = {QUESTION: asks(("age", [1])), answer: says(("age", [1], 36))}
    models = replay(said, [answer] * 12)
    reading = reading_of(HOME, models)
    user = ModelUser("The profile.", models, Prompts())
    conversation = talk(user=user, models=models, reading=reading)
    for _ in range(11):
        anyio.run(conversation.ask, QUESTION)
    # What a canonical question asks is known; what is said to it is read.
    anyio.run(conversation.ask, ask_fact("age", "person 2 in your household"))
    assert calls(models, "reader") == 0
    assert set(judged(conversation.turns)) == {"not_read"}
    anyio.run(reading.read, conversation.turns)
    assert calls(models, "reader") == 2 == -(-12 // TURNS_AT_ONCE)
    assert judged(conversation.turns) == ["faithful"] * 12
    assert conversation.turns[-1].asks == asks(("age", [1]))
    system, prompt = models.asked[-1][1:3]
    assert "age: a number of years" in system
    assert "1: Ben Cruz (spouse, male)" in prompt
    assert prompt.count(f"Asked before: {QUESTION}") == 6


def test_a_turn_that_a_reply_leaves_out_or_reads_twice_is_not_read():
    turns = [Turn(QUESTION, "36."), Turn("And you?", "34."), Turn("And Cleo?", "7.")]
    reply = read_all("Answer: " * 3, asks(("age", [1])), says(("age", [1], 36)))
    for number in (2, 3):
        reply = reply.replace(f'"turn": {number}', '"turn": 2')
    anyio.run(reading_of(HOME, QueueModels([reply])).read, turns)
    assert judged(turns) == ["faithful", "not_read", "not_read"]


ODD = (
    '{"asks": [{"fact": "age", "who": [7]}], "turns": [{"turn": 1, "asks": [], "claims": [1]}]}',
    '{"asks": {"fact": "age"}, "turns": {"turn": 1}}',
    '{"asks": null, "turns": [null]}',
    '{"asks": [], "turns": [{"turn": [1]}]}',
    read_all("Answer: ", [], says(("age", [0], float("nan")))),
    read_all("Answer: ", [], says(("age", [0], 1e400))),
    read_all("Answer: ", [], says(("relation", [1], [1]))),
    read_all("Answer: ", asks((["age"], [1]))),
)


@pytest.mark.parametrize("reply", [*TEXTS, *ODD], ids=lambda reply: reply[:30])
def test_whatever_a_reader_replies_leaves_a_turn_that_can_be_judged(reply):
    models = QueueModels(lambda role, prompt: reply)
    reading = reading_of(HOME, models)
    conversation = talk(user=reading, models=models, reading=reading)
    anyio.run(conversation.ask, QUESTION)
    conversation._user = ModelUser("The profile.", models, Prompts())
    anyio.run(conversation.ask, "And your income?")
    anyio.run(reading.read, conversation.turns)
    assert set(judged(conversation.turns)) <= set(VERDICTS)
    for turn in conversation.turns:
        facts_asked(turn, HOME)
    item = dialog("a", [1], [1])
    item.turns = conversation.turns
    assert Dialog.from_record(json.loads(json.dumps(item.to_record()))) == item
