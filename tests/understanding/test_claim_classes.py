"""Classes of answers of people: each told as it is, and with something near that is not so."""

import pytest

from benyfits_data.household.model import Household
from benyfits_data.understanding.claims import judge

HOME = Household.complete(
    members=[
        {"name": "Ana Ruiz", "age": 41, "sex": "female", "annual_work_income": 30000,
         "work_hours_per_week": 40, "consecutive_work_weeks": 52, "works_outside_home": True,
         "health_insurance": True},
        {"name": "Ben Ruiz", "relation": "domestic partner", "age": 43, "sex": "male",
         "disabled": True, "annual_investment_income": 12000, "receives_ssdi": True},
        {"name": "Cleo Ruiz", "relation": "child", "age": 14, "sex": "female",
         "current_school_level": "school", "current_grade": 8, "school_type": "public",
         "has_ssn": True},
        {"name": "Dan Ruiz", "relation": "child", "age": 1, "sex": "male", "age_months": 18},
        {"name": "Fay Stone", "relation": "foster child", "age": 11, "sex": "female",
         "current_school_level": "school", "current_grade": 6, "school_type": "public"},
        {"name": "Eva Ruiz", "relation": "parent", "age": 70, "sex": "female",
         "annual_work_income": 4800, "work_hours_per_week": 12, "has_ssn": True},
    ],
    receives_snap=True,
    monthly_rent_spending=1450,
    ac_age_years=2,
)  # fmt: skip


def verdict_of(question: str, said: str) -> str:
    return judge(question, said, HOME).verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Do you work?", "Do I work? My children are Cleo, Dan and Fay. Yes, I work."),
        ("unfaithful", "Do you work?", "Do I work? My children are Cleo and Ben. Yes, I work."),
        ("unfaithful", "Do you work?", "Do I work? Dan is one and Fay is 12. Yes, I do."),
        ("no_answer", "Does Cleo work?", "Does Cleo work? Cleo is my child and Dan is my child."),
        ("no_answer", "Is Fay disabled?", "Is Fay disabled? Fay is 11 and Dan is one."),
        ("no_answer", "Is Fay disabled?", "Is Fay disabled? This is about Fay."),
        ("no_answer", "Is Fay disabled?", "Is Fay disabled?"),
        ("faithful", "Do you work?", "There is Ben and there is Eva. Yes, I work."),
        ("faithful", "How old are Cleo and Ben?", "She's 14 and he's 43."),
        ("unfaithful", "How old are Cleo and Ben?", "He's 14 and she's 43."),
        ("faithful", "Who has a disability?", "Me? No. My partner does. Just him."),
        ("unfaithful", "Does anyone in the home work?", "I do. Just me."),
        (
            "faithful",
            "Who lives with you?",
            "Ben, my mother, Cleo, Dan, and Fay, who's in sixth grade.",
        ),
        (
            "unfaithful",
            "Who lives with you?",
            "Ben, my mother, Cleo, Dan, and Fay, who's my niece.",
        ),
        ("faithful", "Who works?", "Me and my mother, both of us."),
        ("unfaithful", "Who works?", "Me and Ben, both of us."),
    ],
)
def test_each_clause_names_its_own_people(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "What do you make a month, gross?", "2,500"),
        ("unfaithful", "What do you make a month, gross?", "3,500"),
        ("faithful", "How long has your mother been at her job?", "0 weeks"),
        ("faithful", "How long have you been with your employer without a break?", "52 weeks"),
        ("unfaithful", "How long have you been with your employer without a break?", "20 weeks"),
        ("faithful", "How much does Ben get a month?", "He gets 1,000 dollars a month."),
        ("unfaithful", "How much does Ben get a month?", "He gets 900 dollars a month."),
        ("unfaithful", "What do you and Ben bring in together, before taxes?", "30,000"),
        ("faithful", "What do you and Ben bring in together, before taxes?", "42,000"),
        ("over_claim", "How many bedrooms do you get?", "Three of them."),
    ],
)
def test_the_number_that_is_most_likely_asked_for_is_guessed(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "What is your annual income from work?", "In the low thirties, thousands."),
        ("unfaithful", "What is your annual income from work?", "In the low fifties, thousands."),
        ("faithful", "What is your rent?", "Fourteen hundred and change."),
        ("unfaithful", "What is your rent?", "Twelve hundred and change."),
        ("faithful", "How long have you been at this job?", "A year, just about."),
        ("unfaithful", "How long have you been at this job?", "A month and a half."),
        ("faithful", "How old is the air conditioner?", "A couple years old."),
        ("faithful", "What grade is Cleo in?", "Eighth."),
        ("unfaithful", "What grade is Cleo in?", "She's a junior in high school."),
        ("faithful", "What grades are Cleo and Fay in?", "She's in eighth, Fay in sixth."),
        ("unfaithful", "What grades are Cleo and Fay in?", "Cleo's in sixth, Fay in eighth."),
        ("faithful", "What does your mother earn?", "Four eight, more or less."),
        ("unfaithful", "What does your mother earn?", "Five eight, more or less."),
        ("faithful", "How many hours does she work, your mother?", "Six a day, two days. So 12."),
        ("unfaithful", "How many hours does she work, your mother?", "Six a day, two days. So 15."),
        ("faithful", "How old are you?", "41, two years younger than Ben."),
        ("unfaithful", "How old are you?", "41, two years older than Ben."),
        ("faithful", "How old is Dan?", "18 mos."),
        ("unfaithful", "How old is Dan?", "13 mos."),
        ("faithful", "Household size:", "6 (self + 5)"),
        ("unfaithful", "Household size:", "5 (self + 4)"),
    ],
)
def test_numbers_are_read_as_people_say_them(verdict, question, said):
    assert verdict_of(question, said) == verdict
