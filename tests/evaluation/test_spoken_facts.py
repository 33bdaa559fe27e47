from datetime import date

import pytest

from benyfits_data.evaluation import spoken_facts as facts
from benyfits_data.evaluation.keys import MEMBERS_KEY, NOTHING
from benyfits_data.evaluation.spoken_facts import Fact
from benyfits_data.evaluation.spoken_wording import ask_fact
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from tests.evaluation.players import family

HOUSEHOLD = family()


def every_fact():
    for key in FEATURES:
        members = range(len(HOUSEHOLD.members)) if key in MEMBER_FEATURES else [None]
        yield from (Fact(key, member) for member in members)
    yield Fact(MEMBERS_KEY)


@pytest.mark.parametrize("fact", list(every_fact()), ids=str)
def test_every_canonical_question_is_understood_and_its_answer_read_back(fact):
    people = {None: "", 0: "you", 1: "your spouse", 2: "Cleo", 3: "person 4 in your household"}
    question = ask_fact(fact.key, people[fact.member])
    assert facts.canonical_fact(HOUSEHOLD, question) == fact
    answer = facts.tell(HOUSEHOLD, fact)
    assert facts.read_answer(fact.key, answer) == facts.look_up(HOUSEHOLD, fact), answer


@pytest.mark.parametrize(
    "question",
    ["Does Cleo have any disability?", "What is the weather like?", ""],
)
def test_other_questions_are_no_canonical_ones(question):
    assert facts.canonical_fact(HOUSEHOLD, question) is None


@pytest.mark.parametrize(
    ("key", "answer", "value"),
    [
        ("disabled", "Yes, I do.", True),
        ("disabled", "No, she does not.", False),
        ("disabled", "She is in school.", NOTHING),
        ("disabled", "I have a disability.", True),
        ("disabled", "I do not have a disability. I work.", False),
        ("heat_included_in_rent", "The household doesn't have heat included in the rent.", False),
        ("age", "I am 34 years old.", 34),
        ("age", "34, and my son is 7.", NOTHING),
        ("annual_work_income", "About $24,000 a year.", 24000),
        ("annual_work_income", "I have no income.", 0),
        ("months_pregnant", "Never.", None),
        ("covid_funeral_expense_date", "On March 5, 2021.", date(2021, 3, 5)),
        ("covid_funeral_expense_date", "On March 35, 2021.", NOTHING),
        ("relation", "Cleo is my child.", "child"),
        ("relation", "Cleo is my foster child.", "foster child"),
    ],
)
def test_answers_are_read_only_where_they_are_plain(key, answer, value):
    found = facts.read_answer(key, answer)
    assert found is value or found == value


@pytest.mark.parametrize("answer", ["", "I don't know.", "I'm not sure about that", "No idea"])
def test_an_answer_that_says_nothing_is_recognised(answer):
    assert facts.is_no_answer(answer)


def test_an_answer_that_says_something_is_recognised():
    assert not facts.is_no_answer("I know I am 34.")
