"""Wordings of questions by class: each is read, and something near it is not read so."""

import pytest

from benyfits_data.understanding.cover import NotUnderstoodError
from tests.understanding.test_questions import say


@pytest.mark.parametrize(
    ("question", "said"),
    [
        # One thing or its contrary.
        ("Is it just you, or do you live with other people?",
         "No. My household does not live alone."),
        ("Is everyone a citizen, or is there someone who isn't?",
         say("Is everyone a citizen?")),
        # Several who are left out.
        ("Does anybody besides you and your spouse work?", "No. None of them works now."),
        ("Does anybody besides your spouse work?", "Yes. I work now."),
        # Whoever is picked is one person.
        ("Who's the youngest, and how old are they?",
         "My son Dan (4). My son Dan is 4 years old."),
        ("How many months old is your youngest, if still a baby?",
         say("How many months old is your youngest?")),
        # What is asked comes first, and is spoken of by "it".
        ("Your rent, does it include heat?", "Yes. My household has heat included in the rent."),
        ("Your last job, was it in the city?", "I don't know; I have no information about that."),
        # Values of a choice, things of a list.
        ("Do you own your place, rent it, or stay there for free?",
         say("Do you own your home or rent it?")),
        ("Public assistance, SSI, Medicaid: which ones do you get?",
         "No. I do not receive Cash Assistance. I do not receive Supplemental Security Income "
         "(SSI). I do not receive Medicaid."),
        ("Who do you work for, a government agency or a private company?",
         "No. I do not work for a government agency. I do not work for a private employer in New "
         "York State."),
        # What is threatened, and what it is.
        ("Have they cut off your heat, or threatened to?",
         "No. My household does not have its heat turned off or in danger of being turned off."),
        ("Have you at any time not taken medicine that was prescribed?",
         "No. I do not have a history of not following medication or treatment."),
        ("What count of persons in the household are children under 18?",
         "2: my daughter Cleo (9) and my son Dan (4)."),
        ("Your spouse bring in any money?",
         "No. My spouse Ben's income from all sources is $0 a year."),
        # Limits of age, and of amounts, in every order.
        ("Is any household member 60 years of age or older?", "Yes: my mother Eva (70)."),
        ("Are you 18 to 24 years old (inclusive)?", "No. I am 41 years old."),
        ("Are any of the kids 3 or 4, the right age for preschool?", "Yes: my son Dan (4)."),
        ("Is your rent less than or equal to $1,500?",
         "Yes. My household's rent is $1,450 a month."),
        ("Does your income not exceed $20,000?",
         "No. My income from all sources is $30,000 a year."),
        ("You don't pay more than $1,500 in rent, do you?",
         "No. My household's rent is $1,450 a month."),
        # People of whom something is so.
        ("Is any of the people who work 62 or older?", "No. There is no such person."),
        ("Is every owner of the home at least 65?", "There is no such person."),
        ("Does anyone you claim as a dependent work?", "There is no such person."),
    ],
)  # fmt: skip
def test_wordings_of_questions_are_read(question, said):
    assert say(question) == said


@pytest.mark.parametrize(
    "question",
    [
        "Is it just you, or do you own a dog?",
        "Does anybody besides your landlord and your spouse work?",
        "Have they cut off your phone, or threatened to?",
        "Are any of the kids 3 or 6?",
        "Is every owner of the shop at least 65?",
        "Does the owner of the building work?",
    ],
)
def test_what_is_near_is_not_read_so(question):
    with pytest.raises(NotUnderstoodError):
        say(question)
