"""Lists, exclusions, ordinals and headings: nobody and nothing that was named goes unread."""

import doctest

import pytest

from benyfits_data.understanding.parser import listed_questions, words
from benyfits_data.understanding.parser.answers import answer
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.questions import read_question
from tests.understanding.bank_households import bank_households

SINGH = bank_households()[13]
"""Maya, 36, who works, her husband Arun, 39, on SSDI, and their son Kiran, 9."""
LOWE = bank_households()[20]
"""Beth Lowe, 46, and Cora, 15, Dean, 13, and Ellis, 10."""


def said(question, home=SINGH, earlier=()):
    return answer(read_question(question, home, earlier), home)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Tell me your age and your husband's age, please.", ("36", "39")),
        ("What are the ages of you, your spouse and your child?", ("36", "39", "9")),
        ("Do you own, rent, or something else?", ("rents",)),
        ("Are you in school, in college, or neither?", ("do not attend",)),
        ("Besides your spouse, is anyone in the household employed?", ("Yes", "I work")),
        ("Is anyone but Arun employed?", ("Yes", "I work")),
        ("How many people live with you, not counting your spouse?", ("1:", "Kiran")),
        ("Apart from SNAP, does your household get any benefits?", ("Yes", "SSDI")),
        ("Now for Arun. How old?", ("39",)),
        ("your husband, how old", ("39",)),
        ("There isn't anyone without a Social Security number, right?", ("No.",)),
    ],
)
def test_everything_named_is_told(question, shown):
    told = said(question)
    assert all(it in told for it in shown), told


def test_what_is_left_out_is_not_told():
    assert "Arun" not in said("Besides your spouse, who is disabled?")
    assert "SNAP" not in said("Apart from SNAP, does your household get any benefits?")


@pytest.mark.parametrize(
    ("question", "earlier", "name"),
    [
        ("Who is your second oldest child?", (), "Dean"),
        ("How old is your middle child?", (), "Dean"),
        ("Which of your children is the second youngest?", (), "Dean"),
        ("And the third oldest?", ("How old is your oldest child?",), "Ellis"),
    ],
)
def test_those_between_the_oldest_and_the_youngest_are_picked(question, earlier, name):
    told = said(question, LOWE, earlier)
    assert [it for it in ("Cora", "Dean", "Ellis") if it in told] == [name]


def test_the_other_one_is_the_other_of_two():
    webb = bank_households()[16]
    assert "12" in said("And the other one?", webb, ("How old is your oldest child?",))
    with pytest.raises(NotUnderstoodError):
        said("And the other one?", LOWE, ("How old is your oldest child?",))


@pytest.mark.parametrize(
    "question",
    [
        "Do you have any health insurance besides Medicaid or something?",
        "How old is the younger one?",
        "How far is your job from home?",
        "What is your rent, besides your spouse?",
    ],
)
def test_what_is_read_in_part_is_not_answered(question):
    with pytest.raises(NotUnderstoodError):
        said(question)


def test_examples_of_lists_hold():
    assert doctest.testmod(listed_questions) == (0, 1)
    assert doctest.testmod(words).failed == 0
    assert doctest.DocTestFinder().find(words.split_at)[0].examples
