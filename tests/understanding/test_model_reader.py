import json
from functools import partial

import anyio
import pytest
from jsonschema import validate

from benyfits_data.household.model import Household
from benyfits_data.understanding.claims import AnswerClaim as Claim
from benyfits_data.understanding.claims import Claims
from benyfits_data.understanding.model_reader import ModelReader
from benyfits_data.understanding.people import EVERYBODY, OTHERS, YOU, People
from benyfits_data.understanding.query import Query, QueryLimit
from benyfits_data.understanding.reading_schema import (
    Context,
    claims_schema,
    names_of,
    query_schema,
)

HOME = Household.complete(
    members=[
        {"name": "Ana Ruiz", "age": 34},
        {"name": "Ben Ruiz", "relation": "spouse", "age": 36},
        {"name": "Ben Ruiz", "relation": "child", "age": 5},
    ]
)
CONTEXT = Context.of(HOME, ["Do you work?"])
WHO = {"who": [], "sex": "", "age_from": 0, "age_below": 0, "pick": "", "rank": 1}
QUERY = {
    **WHO,
    **{"how": "is", "fact": "people", "value": "", "sign": "", "number": 0, "up_to": 0, "per": ""},
    **{"inverted": False, "of_all": False, "denies": False, "among": [], "than": []},
    **{"extreme": "", "joint": ""},
}
CLAIM = {**WHO, "fact": "people", "how": "each", "sign": "=", "value": "yes", "per": ""}
SAID = {"stance": "", "says_nothing": False, "adds": [], "understood": True}


class Recorded:
    """Replies as recorded, and keeps what was asked."""

    def __init__(self, reply):
        self.reply = reply if isinstance(reply, str) else json.dumps(reply)
        self.asked = []

    async def __call__(self, system, prompt, schema):
        self.asked.append((system, prompt, schema))
        return self.reply


def read_question(reply, text="..."):
    reader = ModelReader("recorded", Recorded(reply))
    return anyio.run(reader.read_question, text, CONTEXT)


def read_answer(reply):
    reader = ModelReader("recorded", Recorded(reply))
    read = partial(reader.read_answer, "Do you work?", (Query("is", YOU, "employed"),))
    return anyio.run(read, "...", CONTEXT)


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ({"who": ["you"], "fact": "employed"}, Query("is", YOU, "employed")),
        ({"who": ["Ben Ruiz (3)"]}, Query("is", People((2,)))),
        ({"who": ["everybody"], "how": "count"}, Query("count")),
        ({"who": ["everybody but you"], "how": "who"}, Query("who", OTHERS)),
        (
            {"who": ["child", "you"], "age_below": 18, "pick": "oldest", "rank": 2},
            Query("is", People((0,), ("child",), below=18, pick="oldest", rank=2)),
        ),
        (
            {"fact": "income", "how": "sum", "sign": ">", "number": 4.5, "per": "month"},
            Query("sum", fact="income", limit=QueryLimit(">", 4.5, "month"), per="month"),
        ),
        (
            {"fact": "tenure", "value": "renter", "denies": True},
            Query("is", fact="tenure", value="renter", denies=True),
        ),
        ({"who": ["you"], "among": ["child"]}, Query("is", YOU, among=People((), ("child",)))),
        (
            {"who": ["you"], "fact": "age", "than": ["Ben Ruiz (2)"], "extreme": "most"},
            Query("is", YOU, "age", than=People((1,)), extreme="most"),
        ),
    ],
)
def test_a_question_is_read_from_a_reply(said, query):
    reply = {"queries": [{**QUERY, **said}], "understood": True}
    validate(reply, query_schema(CONTEXT))
    assert read_question(reply) == (query,)


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ({"who": ["you"], "fact": "employed"}, Claim(YOU, "employed")),
        (
            {"who": ["you"], "fact": "employed", "value": "no"},
            Claim(YOU, "employed", value=False),
        ),
        (
            {"who": ["you"], "fact": "annual_work_income", "value": "$24,000", "sign": "about"},
            Claim(YOU, "annual_work_income", sign="about", value=24000),
        ),
        ({"how": "count", "value": "3"}, Claim(EVERYBODY, how="count", value=3)),
        ({"fact": "tenure", "value": "renter"}, Claim(EVERYBODY, "tenure", value="renter")),
        (
            {"fact": "weeks_pregnant", "value": "never"},
            Claim(fact="weeks_pregnant", value=None),
        ),
    ],
)
def test_an_answer_is_read_from_a_reply(said, claim):
    reply = {**SAID, "claims": [{**CLAIM, **said}]}
    validate(reply, claims_schema(CONTEXT))
    assert read_answer(reply) == Claims((claim,))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I think",
        "[]",
        {"queries": [], "understood": True},
        {"queries": [QUERY], "understood": 0},
    ],
)
def test_what_is_no_reading_is_not_understood(reply):
    assert read_question(reply) is None


def test_an_answer_without_sense_is_not_understood():
    wrong = {**CLAIM, "who": ["you"], "fact": "employed", "value": "purple"}
    assert read_answer({**SAID, "claims": [wrong]}) is None
    assert read_answer({**SAID, "claims": [], "understood": False}) is None


def test_a_reader_is_told_names_and_earlier_questions_behind_a_constant_prefix():
    recorded = Recorded("{}")
    reader = ModelReader("recorded", recorded)
    anyio.run(reader.read_question, "And your spouse?", CONTEXT)
    anyio.run(reader.read_question, "How old is she?", Context.of(HOME))
    (first, prompt, _), (second, _, _) = recorded.asked
    assert first == second
    assert "Ben Ruiz (2) (spouse)" in prompt
    assert "Asked before: Do you work?" in prompt
    assert names_of(CONTEXT) == ["you", "Ben Ruiz (2)", "Ben Ruiz (3)"]
