"""Words around a question go only where they add nothing, and nothing said stays unread."""

import pytest

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.questions import read_question


@pytest.fixture(scope="module")
def household():
    return Household.from_facts(
        {
            "members": [
                {"relation": "self", "age": 40, "name": "Ann Lee"},
                {"relation": "spouse", "age": 42, "name": "Ben Lee"},
                {"relation": "child", "age": 9, "name": "Cleo Lee"},
            ]
        },
        constrained=False,
    )


@pytest.mark.parametrize(
    ("chatty", "plain"),
    [
        ("I am required to ask this: do you work?", "Do you work?"),
        ("Let me see, next one, does Ben have a disability?", "Does Ben have a disability?"),
        ("u working rn?", "Are you working now?"),
        ("hh income/yr?", "What is the household income per year?"),
        ("Children: how many?", "How many children are there?"),
    ],
)
def test_chatter_and_abbreviations_change_nothing(household, chatty, plain):
    asked, meant = (read_question(text, household) for text in (chatty, plain))
    assert [(it.how, it.topic, it.period) for it in asked] == [
        (it.how, it.topic, it.period) for it in meant
    ]
    assert [it.people.members(household) for it in asked] == [
        it.people.members(household) for it in meant
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Noncitizens: what year?",
        "Do you rent per year?",
        "How many weeks is Ben?",
        "Who works? Leave out the children.",
        "Leaving Ben aside, do you work?",
    ],
)
def test_what_is_not_read_is_refused_not_guessed(household, question):
    with pytest.raises(NotUnderstoodError):
        read_question(question, household)
