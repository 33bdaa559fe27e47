"""Answers of anybody are read into claims and held against the household."""

from typing import get_args

import pytest

from benyfits_data.understanding.parser.answers import answer
from benyfits_data.understanding.parser.claims import Verdict, judge
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.gist import guessed
from benyfits_data.understanding.parser.questions import MOST_CHARACTERS, read_question
from tests.understanding.banks import FOLDER, expand_answers, households_of_banks
from tests.understanding.quality import judge_outcome
from tests.understanding.test_questions import HOME

CASES = [
    ("faithful", "Does anyone in your household have a disability?", "Yes, my spouse has one."),
    ("faithful", "Does anyone have a disability?", "Yes, my spouse has a disability."),
    ("unfaithful", "Does anyone have a disability?", "No, I do not."),
    ("unfaithful", "Does anyone have a disability?", "Yes, my daughter has a disability."),
    ("faithful", "How old are you?", "I'm forty-one."),
    ("unfaithful", "How old are you?", "I am 42 years old."),
    ("faithful", "What is your household income?", "About $2,500 a month."),
    ("faithful", "What is your household income?", "Around 31k."),
    ("unfaithful", "What is your household income?", "$40,000 a year."),
    ("faithful", "Do you get SNAP?", "Yes, we receive food stamps."),
    ("unfaithful", "Do you get SNAP?", "We don't get food stamps."),
    ("over_claim", "Are you married?", "Yes, I am married and we have a house in Florida."),
    ("over_claim", "Do you work?", "Yes, I work as a nurse at Bellevue."),
    ("no_answer", "Are you married?", "I'd rather skip this one."),
    ("no_answer", "Do you work?", "I'm not answering that one."),
    ("no_answer", "How old is your mother?", "I always forget, honestly."),
    ("no_answer", "Do you get SNAP?", "Say that again?"),
    ("no_answer", "Are you married?", "I'd rather not say."),
    ("no_answer", "How old are you?", "I don't know."),
    ("faithful", "How many children do you have?", "I have two children."),
    ("unfaithful", "How many children do you have?", "Three."),
    ("faithful", "Who has a disability?", "Ben."),
    ("unfaithful", "Who has a disability?", "Nobody."),
    ("faithful", "Do you own or rent your home?", "We rent."),
    ("unfaithful", "Where do you live?", "In New Jersey."),
    ("faithful", "Does anyone have a disability?", "I don't, but Ben does."),
    ("unfaithful", "Does anyone have a disability?", "I don't, but Cleo does."),
    ("unfaithful", "Is anyone disabled?", "Everyone here is free of disabilities."),
    ("unfaithful", "Is anyone in your home under 18?", "We're all adults."),
    ("faithful", "Who is Cleo?", "That's my daughter."),
    ("unfaithful", "Who is Cleo?", "A friend who lives with me."),
    ("faithful", "What is your rent?", "1,450 bucks each month, to the landlord."),
    ("unfaithful", "Do you get SNAP?", "We have never been enrolled, no SNAP."),
    ("faithful", "How old are your children?", "Cleo is 9 and little Dan is 4."),
    ("unfaithful", "How old are your children?", "Cleo and Dan are 9."),
    ("faithful", "Are you married?", "Ben and I are husband and wife."),
    ("faithful", "How is Eva related to you?", "Eva is my mother."),
    ("unfaithful", "How is Eva related to you?", "Eva is my cousin."),
    ("unfaithful", "Who lives with you?", "It's just me and Ben."),
    ("unfaithful", "Does anyone live with you?", "Yes, my friend Teresa."),
    ("faithful", "Does your spouse work?", "My husband has no job."),
    ("unfaithful", "What is your household income?", "We have no income at all."),
    ("faithful", "How much is your rent?", "We pay about $1,500 a month in rent."),
    ("over_claim", "What is your rent?", "It's $1,450 a month for a loft in the Bronx."),
    ("faithful", "Does anyone have a disability?", "Ben does. Nobody else."),
    ("unfaithful", "Who are your children?", "Cleo. Nobody else."),
    ("unfaithful", "Does anyone have a disability?", "Everyone except Ben."),
    ("faithful", "How old are you and your husband?", "I'm 41, he's 43."),
    ("unfaithful", "How old are you and your husband?", "I'm 41, he's 42."),
    ("faithful", "How many of you are over 60?", "One of us."),
    ("unfaithful", "How many of you are over 60?", "Two of us."),
    ("faithful", "Do you get SNAP?", "No, wait, yes."),
    ("unfaithful", "Do you get SNAP?", "Yes. Hold on, no."),
    ("faithful", "Does Dan go to school?", "Oh no, Dan is only 4, far too small for school."),
    ("unfaithful", "Does Dan go to school?", "Oh no, Dan is only 3, far too small for school."),
    ("unfaithful", "Who is the oldest person in your household?", "That would be me."),
    ("faithful", "Is anyone pregnant?", "Not that I'd know. No."),
    ("faithful", "How many children do you have?", "Two, Cleo and Dan."),
    ("unfaithful", "How many children do you have?", "Two, Cleo and Ben."),
    ("faithful", "Who is the oldest person in your household?", "My mother."),
    ("unfaithful", "Is anyone over 80?", "We are all older than that."),
    ("no_answer", "Are you pregnant?", "No comment."),
    ("no_answer", "Do you receive SSI?", "What is SSI?"),
    ("no_answer", "Do you own your home?", "You'd have to ask my husband."),
    ("no_answer", "Do you work?", "I'd have to ask my boss about that one."),
    ("no_answer", "How old are you?", "Roughly."),
    ("faithful", "Who lives with you?", "My husband, my mother and our two kids."),
    ("unfaithful", "Who lives with you?", "My husband, my mother and our three kids."),
    ("unfaithful", "Do you pay rent?", "We don't, the place belongs to us."),
    ("faithful", "How many hours a week do you work?", "Eight hours a day, five days a week."),
    ("unfaithful", "How many hours a week do you work?", "40 hours a month."),
    ("faithful", "Do you get SNAP?", "We receive it every month."),
    ("over_claim", "Are you married?", "Yes, we got married in Las Vegas."),
    ("unfaithful", "Do you get SNAP?", "I certainly did not."),
    ("faithful", "How old are you and your husband?", "41 43."),
    ("faithful", "What is your rent?", "Fourteen fifty."),
    ("unfaithful", "What is your rent?", "Fifteen fifty."),
    ("faithful", "What is your rent?", "$1,500 tops."),
    ("unfaithful", "What is your rent?", "$1,400 tops."),
]


@pytest.mark.parametrize(("verdict", "question", "said"), CASES)
def test_answers_are_judged(verdict, question, said):
    assert judge(question, said, HOME).verdict == verdict


@pytest.mark.parametrize(("question", "said"), [case[1:] for case in CASES])
def test_what_the_reference_user_says_is_faithful(question, said):
    told = answer(read_question(question, HOME), HOME)
    assert judge(question, told, HOME).verdict == "faithful", told


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("over_claim", "Do you have a boat?", "An old Honda."),
        ("over_claim", "How many pets do you have?", "Three of them."),
        ("no_answer", "How many pets do you have?", "I'd rather not say."),
        ("faithful", "How much rent a month are you racking up?", "$1,450."),
        ("unfaithful", "How much rent a month are you racking up?", "$1,250."),
        ("not_understood", "Did you rack up any rent?", "Yes."),
    ],
)
def test_an_answer_to_a_question_that_is_not_understood_is_held_against_a_guess(
    verdict, question, said
):
    with pytest.raises(NotUnderstoodError):
        read_question(question, HOME)
    assert judge(question, said, HOME).verdict == verdict


@pytest.mark.parametrize("question", [case[1] for case in CASES[:20]])
@pytest.mark.parametrize(
    "said", ["That's between me and my husband.", "I am who I am.", "Ask Ben.", "Not that many."]
)
def test_an_evasion_that_names_members_is_no_answer(question, said):
    assert judge(question, said, HOME).verdict == "no_answer"


def test_a_word_about_what_no_fact_tells_is_an_over_claim():
    assert judge("Race or ethnicity (optional):", "Dominican", HOME).verdict == "over_claim"
    assert judge("Race or ethnicity (optional):", "No comment.", HOME).verdict == "no_answer"


def test_nothing_is_guessed_of_a_text_longer_than_a_question():
    asked = "How many bedrooms does your flat have?"
    assert guessed(asked, HOME)
    assert not guessed(asked * (MOST_CHARACTERS // len(asked) + 1), HOME)


def test_a_wrong_claim_names_what_is_so():
    (wrong,) = judge("How old are you?", "I am 42 years old.", HOME).wrong
    assert (wrong.topic, wrong.truth) == ("age", [41])


@pytest.mark.slow
@pytest.mark.parametrize("author", ["a", "e"])
def test_every_answer_of_a_bank_gets_a_verdict(author):
    path = FOLDER / f"answers_{author}.jsonl"
    told = [judge_outcome(it)[1] for it in expand_answers(path, households_of_banks())]
    assert len(told) > 800
    assert set(told) <= set(get_args(Verdict))
