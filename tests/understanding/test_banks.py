"""Every entry of the banks can be asked: its expressions evaluate, and it fits a household."""

import json
from collections import Counter

import pytest

from tests.understanding import banks
from tests.understanding.bank_households import bank_households

FILES = sorted(banks.FOLDER.glob("questions_*.jsonl")) + sorted(
    banks.FOLDER.glob("answers_*.jsonl")
)
HOME = bank_households()[13]
"""Maya Singh, 36, her husband Arun, 39, who is disabled, and their son Kiran, 9."""


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_entry_evaluates_and_fits_a_household(path):
    households = banks.households_of_banks()
    entries = banks.read_bank(path)
    lonely = [each["question"] for each in entries if not banks.chosen_households(each, households)]
    assert lonely == []
    expand = banks.expand_questions if "gold" in entries[0] else banks.expand_answers
    expanded = list(expand(path, households))
    assert len(entries) <= len(expanded) <= banks.HOUSEHOLDS_PER_ENTRY * len(entries)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_entry_stands_twice(path):
    entries = banks.read_bank(path)
    keys = [
        json.dumps([e["question"], e.get("earlier"), e.get("answer"), e["needs"]]) for e in entries
    ]
    assert [key for key, n in Counter(keys).items() if n > 1] == []


@pytest.mark.parametrize("author", ["a", "c", "d", "e", "f", "g", "i", "j"])
def test_there_are_at_least_twenty_questions_and_twenty_five_answers_of_each_kind(author):
    questions = Counter(
        e["kind"] for e in banks.read_bank(banks.FOLDER / f"questions_{author}.jsonl")
    )
    answers = Counter(e["kind"] for e in banks.read_bank(banks.FOLDER / f"answers_{author}.jsonl"))
    assert min(questions[kind] for kind in banks.QUESTION_KINDS) >= 20
    assert min(answers[kind] for kind in banks.ANSWER_KINDS) >= 25


def test_the_same_households_are_chosen_every_time():
    path = banks.FOLDER / "questions_a.jsonl"
    asked = [list(banks.expand_questions(path, bank_households())) for _ in range(2)]
    assert asked[0] == asked[1]


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("Yes, I do.", {"bool": True}),
        ("No, nobody does.", {"bool": False}),
        ("I am not.", {"bool": False}),
        ("I am not working. Yes, I study.", {"bool": True}),
        ("I am thirty-six.", {"number": 36}),
        ("About $33k a year.", {"number": 33000}),
        ("I have none.", {"number": None}),
        ("My son is in kindergarten.", {"number": 0}),
        ("My husband Arun.", {"names": [1]}),
        ("Kiran and I.", {"names": [0, 2]}),
        ("I have one child: Kiran.", {"names": [2]}),
        ("Everyone does.", {"names": [0, 1, 2]}),
        ("He is 8 months old.", {"number": 0}),
        ("I don\u2019t.", {"bool": False}),
        ("Nobody.", {"names": [], "none": True}),
        ("I am not sure what you mean.", {"unknown": True}),
        ("Sorry, I don't have that information.", {"unknown": True}),
        ("We rent.", {"text": ["rent"], "not_text": ["own"]}),
        ("No, I do work.", {"holds": True}),
        ("That's right, I don't work.", {"holds": False}),
        ("No.", {"holds": False}),
        ("That is not right. I do work.", {"holds": True}),
        ("Yes, my husband Arun does. I do not.", {"holds": True}),
        ("I am single.", {"none": True}),
        ("I am retired.", {"number": None}),
        ("He is 15 months old.", {"number": 1}),
        ("Arun is 39, Kiran is nine.", {"numbers": [9, 39]}),
        ("Arun and Kiran.", {"names": [[0, 1, 2], [1, 2]]}),
        ("Arun, Kiran and me.", {"names": [[0, 1, 2], [1, 2]]}),
        ("I am a citizen, but I have no SSN.", {"states": {"citizen": True, "ssn": False}}),
    ],
)
def test_an_answer_that_shows_the_gold_is_right(answer, gold):
    assert banks.shows(answer, gold, HOME)


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("No.", {"bool": True}),
        ("I don't know.", {"bool": False}),
        ("Yes, I do.", {"bool": False}),
        ("I am not disabled.", {"bool": True}),
        ("I am 37.", {"number": 36}),
        ("I am 36.", {"number": None}),
        ("$34,000 a year.", {"number": 33000}),
        ("Arun and Kiran.", {"names": [1]}),
        ("Arun.", {"names": [1, 2]}),
        ("Arun and I.", {"names": [1]}),
        ("Everyone does.", {"names": [0, 1]}),
        ("He is 14 months old.", {"number": 0}),
        ("Arun.", {"names": [], "none": True}),
        ("Yes.", {"unknown": True}),
        ("We own it.", {"text": ["rent"], "not_text": ["own"]}),
        ("We rent, and own.", {"text": ["rent"], "not_text": ["own"]}),
        ("No, I do work.", {"holds": False}),
        ("I am married.", {"none": True}),
        ("He is 15 months old.", {"number": 2}),
        ("Arun is 39.", {"numbers": [9, 39]}),
        ("Fifteen months ago.", {"number": 1}),
        ("Arun.", {"names": [[0, 1, 2], [1, 2]]}),
        ("Yes.", {"holds": True}),
        ("Yes.", {"holds": False}),
        ("I am a citizen and have an SSN.", {"states": {"citizen": True, "ssn": False}}),
        ("I am a citizen.", {"states": {"citizen": True, "ssn": False}}),
    ],
)
def test_an_answer_that_does_not_show_the_gold_is_wrong(answer, gold):
    assert not banks.shows(answer, gold, HOME)


@pytest.mark.parametrize(
    "planted",
    [
        {"kind": "you", "question": "How old are you?", "needs": None},
        {"kind": "odd", "question": "How old are you?", "needs": None, "gold": {"number": "1"}},
        {"kind": "you", "question": "How old are you?", "needs": None, "gold": {"age": "1"}},
        {"kind": "you", "question": "How old are you?", "needs": "1 +", "gold": {"number": "1"}},
    ],
)
def test_a_faulty_line_is_refused(planted, tmp_path):
    path = tmp_path / "questions_x.jsonl"
    path.write_text(json.dumps(planted) + "\n")
    with pytest.raises(banks.BankError):
        banks.read_bank(path)
