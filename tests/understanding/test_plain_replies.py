"""Ordinary replies, in the words of the question or in few of their own, are never turned round."""

import pytest

from benyfits_data.understanding.parser.answers import answer
from benyfits_data.understanding.parser.claims import judge
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.questions import read_question
from tests.understanding.banks import FOLDER, expand_questions, households_of_banks, shows
from tests.understanding.test_questions import HOME

REPLIES = [
    ("faithful", "Does your mother work?", "No Eva doesn't"),
    ("unfaithful", "Does your husband have a disability?", "No Ben doesn't"),
    ("faithful", "Are you on Medicaid?", "not on medicaid no"),
    ("faithful", "Are you on Medicaid?", "no not me"),
    ("faithful", "Are you on Medicaid?", "I'm not, sorry."),
    ("faithful", "Are you on Medicaid?", "That's not the case."),
    ("unfaithful", "Do you get SNAP?", "That's not the case."),
    ("faithful", "Are you at least 62 years old?", "I am not at least 62 years old."),
    ("faithful", "Are you 62?", "I am not 62."),
    ("unfaithful", "Are you 41?", "I am not 41."),
    ("no_answer", "How old are you?", "I am not 62."),
    ("faithful", "Are you employed by a government agency?", "I'm not employed by an agency."),
    ("faithful", "Were you ever in the service?", "I wasn't."),
    ("unfaithful", "Were you ever in the service?", "I sure was."),
    ("faithful", "Are you pregnant?", "Sure. I am not pregnant. Anything else?"),
    ("unfaithful", "Are you pregnant?", "Sure."),
    ("faithful", "Are you a parent?", "Yes, I'm a mom."),
    ("faithful", "Is anyone pregnant?", "No, not in my household."),
    ("faithful", "Do you work, and are you pregnant?", "Yes. I work. No. I am not pregnant."),
    ("unfaithful", "Do you work, and are you pregnant?", "No. Yes."),
    ("faithful", "How much do you make in a typical week?", "In a typical week I make $577."),
    ("faithful", "What do you and your husband earn in all?", "$30,000 a year in all "
     "(I: $30,000 a year; and my spouse Ben: $0 a year)."),
    ("unfaithful", "What do you and your husband earn in all?", "$30,000 a year in all "
     "(I: $20,000 a year; and my spouse Ben: $10,000 a year)."),
    ("faithful", "Do you work?", "I work, which I guess is what you are asking."),
    ("no_answer", "Do you work?", "I can't say, I'd have to check."),
    ("faithful", "How old are you?", "41, can you believe it?"),
    ("no_answer", "Are you in school?", "Yes, I'd rather not say."),
    # Leads of what is told, with a denial and without; what is not told behind them.
    ("faithful", "Do you work?", "I must admit that I do."),
    ("unfaithful", "Do you work?", "I must admit that I don't."),
    ("faithful", "Does your sister work?", "I have to confess that I have no sister."),
    ("faithful", "Do you get SSI?", "I'm here to tell you that I don't."),
    ("no_answer", "Do you get SSI?", "I must admit that I don't know."),
    ("no_answer", "Do you get SSI?", "I'd rather you look at my papers for that."),
    ("no_answer", "Do you get SSI?", "I'm only here to find out about the rent."),
    ("no_answer", "Do you get SSI?", "Ben would know."),
    ("no_answer", "Do you get SSI?", "My mother takes care of the paperwork."),
    ("no_answer", "Do you work?", "Define work."),
    ("faithful", "Do you work?", "I do, and you have that on file."),
    ("unfaithful", "Do you get SSI?", "It's on file that I get SSI."),
    ("faithful", "Do you get SSI?", "Not that I can think of."),
    ("faithful", "How many people live in your household?", "Five that I can swear to."),
    ("unfaithful", "How many people live in your household?", "Six, the whole lot of us."),
]  # fmt: skip


@pytest.mark.parametrize(("verdict", "question", "said"), REPLIES)
def test_plain_replies_are_judged_as_they_are_meant(verdict, question, said):
    assert judge(question, said, HOME).verdict == verdict


LEAST_OWN = 0.95
"""Of the user's own right answers to bank a. Of 700 to all seen banks 93% were, before sums were
read with their parts."""


def test_what_our_user_answers_rightly_is_faithful():
    told = []
    for asked in expand_questions(FOLDER / "questions_a.jsonl", households_of_banks()):
        if asked.earlier or asked.gold.get("unknown"):
            continue
        try:
            said = answer(read_question(asked.question, asked.household), asked.household)
        except NotUnderstoodError:
            continue
        if shows(said, asked.gold, asked.household):
            told.append(judge(asked.question, said, asked.household).verdict)
    assert len(told) > 900
    assert told.count("faithful") >= LEAST_OWN * len(told)
