from datetime import date

import pytest

from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import (
    NOTHING,
    is_no_answer,
    read_value,
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
        ("annual_work_income", "$24,000.50", NOTHING),
        ("gpa", "My GPA is 2.8.", 2.8),
        ("annual_work_income", "31,500", 31500),
        ("annual_work_income", "$0", 0),
        ("annual_work_income", "Nothing.", 0),
        ("annual_work_income", "$2,000 a month", NOTHING),
        ("annual_work_income", "$310 weekly", NOTHING),
        ("annual_work_income", "24k", NOTHING),
        ("annual_work_income", "24 thousand", NOTHING),
        ("annual_work_income", "1,5", NOTHING),
        ("annual_work_income", "-5", NOTHING),
        ("annual_work_income", "20%", NOTHING),
        ("annual_work_income", "more than 30,000", NOTHING),
        ("annual_work_income", "between 20,000 and 30,000", NOTHING),
        ("annual_work_income", "It isn't 30,000.", NOTHING),
        ("annual_work_income", "I have no income.", NOTHING),
        ("monthly_rent_spending", "$1,500 a month", 1500),
        ("monthly_rent_spending", "$18,000 a year", NOTHING),
        ("work_hours_per_week", "20 hours a week", 20),
        ("work_hours_per_week", "8 hours a day", NOTHING),
        ("age", "30 months", NOTHING),
        ("age", "34.5", NOTHING),
        ("age", "My 2nd child", NOTHING),
        ("age", "9" * 5000, NOTHING),
        ("disabled", "No idea.", NOTHING),
        ("disabled", "Yes and no.", NOTHING),
        ("disabled", "Yes, unless it is cold.", NOTHING),
        ("disabled", "No!", False),
        (MEMBERS_KEY, "There are 4 people in my household.", 4),
        (MEMBERS_KEY, "4 or 5", NOTHING),
        ("age", "Less than a year.", 0),
        ("current_grade", "Kindergarten.", 0),
        ("months_pregnant", "Never.", None),
        ("covid_funeral_expense_date", "On March 5, 2021.", date(2021, 3, 5)),
        ("covid_funeral_expense_date", "On March 35, 2021.", NOTHING),
        ("relation", "Cleo is my child.", "child"),
        ("relation", "Cleo is my foster child.", "foster child"),
        ("relation", "Cleo is not my child.", NOTHING),
        ("relation", "A child or a friend.", NOTHING),
        ("tenure", "We rent the home.", "renter"),
        ("tenure", "We don't rent the home.", NOTHING),
        ("tenure", "We live there without paying rent and do not own the home.", "rent-free"),
        ("covid_funeral_expense_date", "2021-03-05", date(2021, 3, 5)),
        ("covid_funeral_expense_date", "Before March 5, 2021.", NOTHING),
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
