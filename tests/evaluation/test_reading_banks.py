"""An oracle reader, made of the banks' gold: with a perfect reading the rest has to be perfect."""

import json
from dataclasses import replace
from datetime import date

import anyio

from benyfits_data.evaluation.studies import reading_banks as study
from benyfits_data.understanding.answers import answer
from benyfits_data.understanding.claims import judge, true_stance
from benyfits_data.understanding.query import evaluate
from tests.commands import invoke
from tests.evaluation.server import Reply, Server

EXCEPTIONS = {
    "How many years have you owned your home?": "the fact is told in months",
    "older or younger than you?": "the answer is yes or no, with both ages",
}
"""Ends of questions that are answered rightly, but not as their gold spells it."""
NO_QUERY = (
    "How many people would be in your household once the baby is born?",
    "Does your rent eat up more than half of what you make?",
    "Does rent eat up more than a third of your income?",
)
"""Questions that no typed query asks: a number plus one, a share of another fact."""


class OracleReader:
    """Reads what gold says."""

    name = "oracle"

    def __init__(self, items):
        self._items = {(it.question, it.context, it.answer): it for it in items}
        self._queries = {(it.question, it.context): it.queries for it in items}

    async def read_question(self, text, context):
        return self._queries[text, context] or None

    async def read_answer(self, question, queries, text, context):
        return self._items[question, context, text].claims


def items(of_answers):
    return [it for it in study.load_banks() if (it.answer is not None) == of_answers]


def tells(item):
    """Return whether the evaluation of an item's queries is what its authors hold to be right."""
    found = [evaluate(it, item.household) for it in item.queries]
    gold, said = item.gold, answer(item.queries, item.household).lower()
    if gold.get("unknown"):
        return not any(it.is_known for it in found)
    if not any(it.is_known for it in found):
        return False
    if gold.get("none"):
        return all(is_nothing(it) for it in found)
    numbers = {n for it in found for n in numbers_of(it)}
    members = [{v.member for v in it.values if v.holds} for it in found]
    return (
        all(is_so(found) == gold[it] for it in ("bool", "holds") if it in gold)
        and all(is_among(n, numbers) for n in gold.get("numbers", ()))
        and ("number" not in gold or shows_number(gold["number"], numbers, found))
        and ("names" not in gold or any(set(it) in members for it in lists_of(gold["names"])))
        and ("text" not in gold or any(it.lower() in said for it in gold["text"]))
        and not any(it.lower() in said for it in gold.get("not_text", ()))
    )


def is_nothing(found):
    return not found.answer or not any(it.value for it in found.values)


def is_so(found):
    stance = true_stance(found)
    return not all(map(is_nothing, found)) if stance is None else stance


def shows_number(number, numbers, found):
    return any(map(is_nothing, found)) if number is None else is_among(number, numbers)


def is_among(number, numbers):
    room = 0.005 * abs(number) if abs(number) >= 1000 or number != int(number) else 0
    return any(abs(number - it) <= room for it in numbers)


def numbers_of(found):
    values = [it.value for it in found.values if it.holds or not found.query.extreme]
    values = [it.year if isinstance(it, date) else it for it in values]
    shown = [it for it in (*values, found.answer) if isinstance(it, int | float)]
    per = [it * 12 for it in shown] + [it / 12 for it in shown] if found.query.per else []
    holders = [it.member for it in found.values if it.holds]
    return [*shown, *per, sum(it for it in values if isinstance(it, int | float)), len(holders)]


def lists_of(names):
    return names if names and all(isinstance(it, list) for it in names) else [names]


def test_every_unseen_question_is_answered_as_its_authors_hold_right():
    asked = items(of_answers=False)
    wrong = {it.question for it in asked if it.queries and not tells(it)}
    assert not [it for it in wrong if not it.endswith(tuple(EXCEPTIONS))]
    assert all(any(it.endswith(end) for it in wrong) for end in EXCEPTIONS)
    assert {it.question for it in asked if not it.queries} == set(NO_QUERY)
    assert len(asked) > 5000


def test_every_unseen_verdict_follows_from_claims():
    judged = [it for it in items(of_answers=True) if it.claims is not None]
    wrong = [
        it for it in judged if judge(it.queries, it.claims, it.household).verdict != it.verdict
    ]
    assert not wrong, wrong[:3]
    assert len(judged) > 4500


def test_the_oracle_reader_plays_without_a_fault():
    drawn = [
        it
        for it in study.draw(study.load_banks(), 400)
        if it.queries and (it.claims or it.answer is None)
    ]
    reader = OracleReader(study.load_banks())

    async def play():
        return [await study.play(reader, it) for it in drawn]

    outcomes = anyio.run(play)
    assert {it["outcome"] for it in outcomes} == {"right"}


def test_a_wrong_reading_is_false_and_none_is_not_understood():
    item = next(it for it in items(of_answers=False) if it.queries and it.queries[0].how == "is")
    (query,) = item.queries
    other = (replace(query, is_inverted=not query.is_inverted),)
    assert study.question_outcome(item.queries, item) == "right"
    assert study.question_outcome(other, item) == "false"
    assert study.question_outcome(None, item) == "not understood"


def test_two_readers_stand_beside_one_another():
    read = [
        {"kind": kind, "answer": None, "outcome": outcome}
        for kind, outcome in (("you", "right"), ("you", "false"), ("any", "not understood"))
    ]
    header, rows = study.compare({"one": read, "two": read[:2]}, of_answers=False)
    assert header[2:4] == ["questions", "right %"]
    assert rows == [
        ("any", "one", 1, 0.0, 0.0, 100.0),
        ("you", "one", 2, 50.0, 50.0, 0.0),
        ("you", "two", 2, 50.0, 50.0, 0.0),
        ("all", "one", 3, 33.3, 33.3, 33.3),
        ("all", "two", 2, 50.0, 50.0, 0.0),
    ]


def test_the_command_prints_both_tables_as_json(tmp_path):
    with Server(lambda request, number: Reply("{}")) as server:
        command = ["study", "reader", "--reader-model", "openai-api/local/tiny", "--limit", "2"]
        command += ["--base-url", server.url, "--output", str(tmp_path / "reader.json"), "--json"]
        done = invoke(*command)
    assert done.exit_code == 0, done.output
    assert [table["title"] for table in json.loads(done.stdout)] == ["Questions", "Answers"]
