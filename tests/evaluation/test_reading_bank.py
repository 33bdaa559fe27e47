"""What many authors asked and answered: our facts answer it, and our verdicts are theirs."""

import json
from collections import Counter

from click.testing import CliRunner

from benyfits_data.cli.cmd_study import command
from benyfits_data.evaluation.studies import reading_bank
from benyfits_data.evaluation.studies.reading_bank import load_bank
from benyfits_data.understanding.canonical import UNKNOWN, state
from benyfits_data.understanding.claims import claims_of, judge
from benyfits_data.understanding.facts import (
    DERIVED,
    THE_HOUSEHOLD,
    base_facts,
    look_up,
)
from tests.evaluation.readings import replay

TEST = [item for item in load_bank() if item.split == "test"]
QUESTIONS = [item for item in TEST if not item.answer]
ANSWERS = [item for item in TEST if item.claims is not None]


def numbers_told(item):
    """The numbers that the facts an item asks for tell: values, their sums, also by the month."""
    home = item.household
    facts = base_facts(item.asks, len(home.members))
    values = [look_up(*fact, home) for fact in facts]
    derived = [look_up(it["fact"], None, home) for it in item.asks if it["who"] == THE_HOUSEHOLD]
    numbers = [value for value in (*values, *derived) if type(value) in (int, float)]
    return {*numbers, sum(numbers), *(round(it / 12, 2) for it in (*numbers, sum(numbers)))}


def test_four_questions_in_five_ask_for_declared_facts_alone():
    assert len(QUESTIONS) == 5699
    derived = [any(ask["fact"] in DERIVED for ask in item.asks) for item in QUESTIONS if item.asks]
    kinds = Counter(derived)
    assert (kinds[False], kinds[True], len(QUESTIONS) - len(derived)) == (4664, 765, 270)


def test_stating_the_facts_is_faithful_and_leaving_them_out_is_not():
    for item in QUESTIONS:
        asked, home = item.asks, item.household
        facts = base_facts(asked, len(home.members))
        claims = claims_of(facts, home)
        assert judge(asked, claims, home) == ("faithful" if asked else "nothing_claimed")
        assert judge(asked, (), home) == "nothing_claimed"
        assert (state(asked, home) == UNKNOWN) == (not asked)


AMOUNTS = {"age", "annual_work_income", "income", "household_income", "weeks_pregnant", "gpa"}


def test_the_facts_hold_the_numbers_that_authors_hold_right():
    """A target from outside: authors spelt their numbers without our facts.

    What is left are counts and sums over some people, which a listener makes of the facts.
    """
    counted = [
        (item, item.gold["number"])
        for item in QUESTIONS
        if type(item.gold.get("number")) in (int, float)
        and {it["fact"] for it in item.asks} <= AMOUNTS
    ]
    wrong = [
        item.question
        for item, number in counted
        if item.asks and not any(abs(number - it) < 1 for it in numbers_told(item))
    ]
    assert len(counted) > 400
    assert len(wrong) < 0.1 * len(counted), wrong


def test_the_verdicts_of_the_authors_follow_from_the_claims():
    for item in ANSWERS:
        assert judge(item.asks, item.claims, item.household) == item.verdict, item
    assert len(ANSWERS) > 2000


def test_a_reader_is_measured_by_facts_and_by_verdicts(monkeypatch, tmp_path):
    questions = list({it.question: it for it in QUESTIONS if it.asks}.values())[:3]
    answers = list({it.answer: it for it in ANSWERS if it.claims}.values())[:3]
    monkeypatch.setattr(reading_bank, "load_bank", lambda: (*questions, *answers))
    readings = {it.question: it.asks for it in questions} | {it.answer: it.claims for it in answers}
    # One of each is read wrongly, and one not at all.
    readings[questions[1].question] = []
    readings[answers[1].answer] = []
    readings[questions[2].question] = [{"fact": "shoe_size", "who": [0]}]
    readings[answers[2].answer] = "?"
    monkeypatch.setattr(reading_bank, "completers", lambda options: [replay(readings)])
    output = tmp_path / "reader.json"
    words = ["reader", "--model", "openai-api/local/tiny", "--items", "9", "--json"]
    done = CliRunner().invoke(command, [*words, "--output", str(output)], catch_exceptions=False)
    rows = json.loads(done.stdout)
    assert len(json.loads(output.read_text())["items"]) == 6
    assert [row["read"] for row in rows] == ["questions", "answers"]
    for row in rows:
        assert (row["n"], round(row["right %"]), row["wrong"], row["not read"]) == (3, 33, 1, 1)
