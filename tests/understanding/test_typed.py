from datetime import date

import pytest

from benyfits_data.understanding.typed import (
    NOTHING,
    TypedAnswer,
    is_no_answer,
    read_typed,
    read_value,
    split_people,
)


@pytest.mark.parametrize(
    ("key", "answer", "value"),
    [
        ("disabled", "Yes, I do.", True),
        ("disabled", "No, she does not.", False),
        ("disabled", "She is in school.", NOTHING),
        ("age", "I am 34 years old.", 34),
        ("age", "34, and my son is 7.", NOTHING),
        ("annual_work_income", "About $24,000 a year.", 24000),
        ("annual_work_income", "I have no income.", 0),
        ("age", "Less than a year.", 0),
        ("current_grade", "Kindergarten.", 0),
        ("months_pregnant", "Never.", None),
        ("covid_funeral_expense_date", "On March 5, 2021.", date(2021, 3, 5)),
        ("covid_funeral_expense_date", "On March 35, 2021.", NOTHING),
        ("relation", "Cleo is my child.", "child"),
        ("relation", "Cleo is my foster child.", "foster child"),
    ],
)
def test_answers_are_read_only_where_they_are_plain(key, answer, value):
    found = read_value(key, answer)
    assert found is value or found == value


@pytest.mark.parametrize("answer", ["", "I don't know.", "I'm not sure about that", "No idea"])
def test_an_answer_that_says_nothing_is_recognised(answer):
    assert is_no_answer(answer)


def test_an_answer_that_says_something_is_recognised():
    assert not is_no_answer("I know I am 34.")


def test_people_have_to_be_numbered_in_order():
    assert split_people("Person 1: yes. Person 2: no.") == ["yes.", "no."]
    assert split_people("Person 2: yes. Person 1: no.") == []
    assert split_people("Nobody.") == []


@pytest.mark.parametrize(
    ("key", "said", "expected"),
    [
        ("disabled", "yep", TypedAnswer(True, is_plain=True)),
        ("disabled", "Yes, since 2019", TypedAnswer(True, is_plain=False)),
        ("disabled", "purple", None),
        ("age", "thirty-four", TypedAnswer(34, is_plain=False)),
        ("annual_work_income", "24k", TypedAnswer(24000, is_plain=True)),
        ("annual_work_income", "24 thousand", TypedAnswer(24000, is_plain=False)),
        ("age", "400", None),
        ("tenure", "99", None),
    ],
)
def test_what_is_typed_is_plain_or_asked_back(key, said, expected):
    assert read_typed(key, said) == expected
