"""Conditions on people, comparisons between them, and sums of what they get."""

import pytest

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answers import answer
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.questions import read_question

HOME = Household.from_facts(
    {
        "members": [
            {"relation": "self", "age": 40, "name": "Ann Lee", "sex": "female",
             "annual_work_income": 24_000, "work_hours_per_week": 30},
            {"relation": "spouse", "age": 66, "name": "Ben Lee", "sex": "male",
             "annual_investment_income": 6_000, "disabled": True},
            {"relation": "child", "age": 19, "name": "Cleo Lee", "sex": "female",
             "annual_work_income": 12_000, "work_hours_per_week": 15},
            {"relation": "child", "age": 9, "name": "Dan Lee", "sex": "male",
             "current_school_level": "school", "current_grade": 4},
        ]
    },
    constrained=False,
)  # fmt: skip


def say(question):
    return answer(read_question(question, HOME), HOME)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("How many of you are over 60 and not working?", "1: my spouse Ben"),
        ("How many of you are over 60 and have a job?", "0."),
        ("How old is the youngest person who works?", "My daughter Cleo is 19"),
        ("How many work?", "2: me, Ann Lee (40); and my daughter Cleo (19)."),
        ("How many seniors, 60 and up, are there?", "1: my spouse Ben"),
        ("Who is over 60 and has a disability?", "My spouse Ben has a disability."),
        ("Who is disabled and under 30?", "None of them has a disability."),
        ("Is anyone over 60 and disabled?", "Yes. My spouse Ben has a disability."),
        ("How many of you are working and over 65?", "0."),
        ("Does anyone have a disability and is under 18?", "No. My son Dan does not have"),
        ("How old are your two oldest children?", "My daughter Cleo is 19 years old. My son"),
        ("How old are the two youngest people at home?", "My daughter Cleo is 19"),
        ("How old are the two oldest people at home?", "I am 40 years old. My spouse Ben is 66"),
        ("Some of you disabled?", "Yes. My spouse Ben has a disability."),
        ("Do you have a disabled person living with you?", "Yes"),
        ("Any of you veterans?", "No. Nobody in my household is a veteran."),
        ("Is anyone home-schooled?", "I don't know"),
        ("Is your husband working full-time or part-time?", "My spouse Ben does not work now."),
        ("Do both your parents live with you?", "No. I have no parents in my household."),
        ("Which kids have a disability?", "None of them has a disability."),
        ("Is it just you and your kids?", "My spouse Ben (66)."),
        ("Are you and Ben the only people in the home?", "My daughter Cleo (19) and my son Dan"),
        ("Between you and Ben, how many hours do you work a week in total?", "30 hours in all"),
        ("Please list the ages of your children, oldest to youngest.", "My daughter Cleo is 19"),
    ],
)
def test_conditions_hold_of_the_same_people(question, begins):
    assert say(question).startswith(begins)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Does your husband earn more than you?", "No."),
        ("Is anybody there older than you?", "Yes. My spouse Ben is 66"),
        ("By how many years is Ben older than Cleo?", "By 47 years."),
        ("Age gap, you vs your husband?", "By 26 years."),
        ("Ben or Ann, who has more years?", "My spouse Ben is 66"),
        ("Are there more kids than adults?", "No: 1 child and 3 adults."),
        ("Does your wife make more than you?", "I have no wife"),
    ],
)
def test_people_are_held_against_one_another(question, begins):
    assert say(question).startswith(begins)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What does your household bring in from work in a year?", "$36,000"),
        ("Combined pay, you + Cleo, per month?", "$3,000 a month"),
        ("What do the two of you bring home from your jobs together?", "$24,000"),
        ("Per month, what comes in from your daughter's job?", "$1,000 a month"),
        ("What do the adults who work earn together?", "$36,000"),
        ("How many hours does everybody work?", "45 hours in all"),
    ],
)
def test_sums_are_of_whom_and_what_was_named(question, shown):
    assert shown in say(question)


@pytest.mark.parametrize(
    "question",
    [
        "Is your income higher than your rent?",
        "How many adults more than kids?",
        "Who is the oldest of those who moved in?",
        "How much money is left after rent?",
        "When do you get paid at work?",
        "What do you do at work?",
        "Does anyone have a job and a disability?",
    ],
)
def test_what_is_compared_or_added_up_must_be_known(question):
    with pytest.raises(NotUnderstoodError):
        read_question(question, HOME)
