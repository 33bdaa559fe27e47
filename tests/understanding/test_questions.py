"""Questions are read into queries, and queries are answered from the household."""

import pytest

from benyfits_data.evaluation.spoken_wording import ask_fact
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answers import answer
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.query import evaluate
from benyfits_data.understanding.parser.questions import read_question
from tests.understanding.bank_households import bank_households

HOME = Household.complete(
    members=[
        {"name": "Ana Ruiz", "age": 41, "sex": "female", "annual_work_income": 30000,
         "work_hours_per_week": 40},
        {"name": "Ben Ruiz", "relation": "spouse", "age": 43, "sex": "male", "disabled": True},
        {"name": "Cleo Ruiz", "relation": "child", "age": 9, "sex": "female"},
        {"name": "Dan Ruiz", "relation": "child", "age": 4, "sex": "male"},
        {"name": "Eva Ruiz", "relation": "parent", "age": 70, "sex": "female"},
    ],
    receives_snap=True,
    monthly_rent_spending=1450,
)  # fmt: skip


def say(question, *earlier, home=HOME):
    return answer(read_question(question, home, earlier), home)


def test_a_single_parent_has_a_child_and_no_partner_here():
    alone = Household.complete(
        members=[{"age": 30, "sex": "male"}, {"relation": "child", "age": 3}]
    )
    childless = Household.complete(members=[{"age": 30, "sex": "male"}])
    assert say("Are you raising your kids alone?", home=alone) == "Yes. I am a single parent."
    assert say("Are you a single parent?", home=childless) == "No. I am not a single parent."
    assert say("Is your mother a single parent?").startswith("I don't know")


@pytest.mark.parametrize("key", [*FEATURES])
@pytest.mark.parametrize("number", range(3))
def test_every_canonical_question_asks_for_its_fact(key, number):
    member = key in MEMBER_FEATURES
    person = (["you", "Ben Ruiz", "person 3 in your household"][number]) if member else ""
    (query,) = read_question(ask_fact(key, person), HOME)
    assert (query.topic, query.value, query.is_opposite) == (key, None, False)
    if member:
        assert query.people.members(HOME) == [number]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Are you married?", "Yes. I am married."),
        ("Are you a single mother?", "No. I am not a single parent."),
        ("Do you have at least two children under 18?",
         "Yes: 2, my daughter Cleo (9) and my son Dan (4)."),
        ("Do both of you work?", "No. I work now. My spouse Ben does not work now."),
        ("Do you receive cash benefits?", "No. I do not receive Cash Assistance."),
        ("Do you claim your mother on your taxes?",
         "No. My mother Eva is not claimed as a dependent on my tax return."),
        ("Is Cleo in first grade?", "No. My daughter Cleo is in grade 2."),
        ("Are you Ben's wife?", "Yes. Ben Ruiz is my spouse, 43 years old."),
        ("Have you earned fewer than 15 credits?", "Yes. I have earned no college credits."),
        ("Is either of you a student?", "No. None of them attends school or college."),
        ("Do you live in New York State?",
         "Yes. My household lives in New York State. My household lives in New York City."),
        ("Do you live outside New York City?",
         "No. My household does not live outside New York City. "
         "My household lives in New York City."),
        ("Is there anybody who can't ride the bus because of a disability?",
         "No. Nobody in my household has a disability that rules out accessible buses or subways "
         "for at least some trips."),
        ("Is there anyone who cannot work?",
         "My daughter Cleo cannot start work immediately. My son Dan cannot start work "
         "immediately."),
        ("Does the household include any children under 6?", "Yes: my son Dan (4)."),
        ("Tell me about each person living with you.",
         "My spouse Ben (43), my daughter Cleo (9), my son Dan (4), and my mother Eva (70)."),
        ("Are there any babies in the home?", "No. There are no babies in the home."),
        ("Which of your children go to a public school?",
         "My daughter Cleo attends a public school."),
        ("Does your household have any earned income?",
         "Yes. I earned $30,000 from work in the last year."),
        ("How many of you work?", "1: me, Ana Ruiz (41)."),
        ("How many people work, and how many hours?",
         "1: me, Ana Ruiz (41). I work 40 hours a week."),
        ("How many dependents do you claim?",
         "0. Nobody in my household is claimed as a dependent on my tax return."),
        ("Do you have a child?", "Yes: my daughter Cleo (9) and my son Dan (4)."),
        ("How old is your youngest child?", "My son Dan is 4 years old."),
        ("How many kids under 5 do you have?", "1: my son Dan (4)."),
        ("Does anyone in your household have a disability?",
         "Yes. My spouse Ben has a disability."),
        ("Who has a disability?", "My spouse Ben has a disability."),
        ("Is anyone in your household pregnant?", "No. Nobody in my household is pregnant."),
        ("Are you on food stamps?", "Yes. My household receives SNAP (food stamps)."),
        ("Is your household income under $31,000 a year?",
         "Yes. My household's income from all sources is $30,000 a year."),
        ("Do you make more than $2,600 a month?",
         "No. I earned $30,000 from work in the last year. That is $2,500 a month."),
        ("How much rent do you pay?", "My household's rent is $1,450 a month."),
        ("Does your wife work?", "I have no wife; my spouse, Ben Ruiz, is male."),
        ("How old is your sister?", "I have no sister in my household."),
        ("Aren't you a citizen?", "I am a US citizen or national."),
        ("Is anyone 65 or older?", "Yes: my mother Eva (70)."),
        ("Are you older than your spouse?",
         "No. I am 41 years old. My spouse Ben is 43 years old."),
        ("Who earns the most in your household?", "I earned $30,000 from work in the last year."),
        ("Is anyone in your household over 60 or disabled?",
         "Yes. My mother Eva (70). My spouse Ben has a disability."),
        ("Among the adults in your household, how old is the youngest?", "I am 41 years old."),
        ("How many disabled people live in your household?", "1: my spouse Ben (43)."),
        ("Is Ben your cousin?", "No. Ben Ruiz is my spouse, 43 years old."),
        ("Apart from you, does anyone work?", "No. None of them works now."),
        ("Are you under 21 or over 65?", "No. I am 41 years old."),
        ("List ages.", "I am 41 years old. My spouse Ben is 43 years old. My daughter Cleo is 9 "
         "years old. My son Dan is 4 years old. My mother Eva is 70 years old."),
        ("Who are your children and how old is each?",
         "My daughter Cleo (9) and my son Dan (4). My daughter Cleo is 9 years old. My son Dan is "
         "4 years old."),
        ("Who works, and how many hours?", "I work now. I work 40 hours a week."),
        ("How old are the twins, I mean your kids?",
         "My daughter Cleo is 9 years old. My son Dan is 4 years old."),
        ("Does anyone in the household receive veterans benefits?",
         "No. Nobody in my household receives veterans benefits."),
        ("Do you have unemployment insurance?",
         "I don't know; I have no information about that."),
        ("How many people live with you?",
         "4: my spouse Ben (43), my daughter Cleo (9), my son Dan (4), and my mother Eva (70)."),
    ],
)  # fmt: skip
def test_ordinary_questions_are_answered_truly(question, said):
    assert say(question) == said


def test_questions_go_on_from_earlier_ones():
    assert say("What about Cleo?", "How old is Dan?") == "My daughter Cleo is 9 years old."
    assert say("How old is she?", "Does Cleo go to school?") == "My daughter Cleo is 9 years old."
    assert say("Does your husband?", "Do you work?") == "No. My spouse Ben does not work now."
    assert say("How old are they?", "Does anyone in your household have a disability?") == (
        "My spouse Ben is 43 years old."
    )
    assert say("And the youngest?", "How old is your oldest child?") == (
        "My son Dan is 4 years old."
    )
    assert say("Who?", "Does anyone in your household have a disability?") == (
        "My spouse Ben has a disability."
    )
    assert say("In New York City?", "Do you work?") == "No. I do not work in New York City."
    assert say("What about SSI?", "Who gets Medicaid?") == (
        "Nobody in my household receives Supplemental Security Income (SSI)."
    )
    assert say("Is the oldest in school?", "How many children do you have?") == (
        "Yes. My daughter Cleo attends school."
    )


@pytest.mark.parametrize(
    ("question", "earlier"),
    [
        ("And how old exactly?", "Does any of the kids juggle?"),
        ("And how old exactly, in months?", "Tell me, is one of your kids under 5?"),
        ("In New York State?", "Do you work?"),
        ("And a job?", "Who has a disability?"),
    ],
)
def test_nothing_goes_on_with_a_question_that_was_not_understood(question, earlier):
    with pytest.raises(NotUnderstoodError):
        say(question, earlier)


@pytest.mark.parametrize(
    "question",
    [
        "Have you applied for SNAP?",
        "How many jobs do you have?",
        "Will you receive SNAP next year?",
        "Did you receive SNAP last year?",
        "What is the weather like?",
        "What is your Social Security number?",
        "How much do you work with your spouse's landlord?",
        "Does anyone in the family own the dog?",
        "What benefits don't you get?",
        "Who at home earns more than $30,000 a year from your family?",
        "Any disabilities?",
        "Do you receive unemployment from your farm?",
        "How old is person 9 in your household's dog?",
        "",
    ],
)
def test_what_has_no_place_is_not_understood(question):
    with pytest.raises(NotUnderstoodError):
        read_question(question, HOME)


@pytest.mark.parametrize(
    "question",
    [
        "Were you ever in foster care?",
        "Do you own a business?",
        "How often are you paid?",
    ],
)
def test_what_no_fact_tells_is_said_to_be_unknown(question):
    assert say(question) == "I don't know; I have no information about that."


def test_who_is_in_foster_care_now_was_so_at_some_time():
    home = Household.complete(members=[{"age": 17, "in_foster_care": True}])
    [query] = read_question("Were you ever in foster care?", home)
    assert answer([query], home).startswith("Yes.")


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("Do you work? " * 200, "2600 characters"),
        ("Do you have " + "rent " * 90 + "?", "80 words"),
    ],
)
def test_text_without_end_is_refused_and_not_searched(question, why):
    with pytest.raises(NotUnderstoodError, match=why):
        read_question(question, HOME)


def test_a_limit_is_held_to_the_dollar():
    low, high = "Do you make at least $30,000 a year?", "Do you make at least $30,001 a year?"
    assert [evaluate(read_question(q, HOME)[0], HOME).answer for q in (low, high)] == [True, False]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many of your children are girls?", "1: my daughter Cleo (9)."),
        (
            "How many people live with you, not counting the kids?",
            "2: my spouse Ben (43) and my mother Eva (70).",
        ),
        ("What day do you get paid?", None),
        ("Do you like your job?", None),
        ("How do you get to work?", None),
        ("Is there a woman in the house besides you?", "Yes: my mother Eva (70)."),
        ("Does Ben work, and how many hours a week?",
         "No. My spouse Ben does not work now. My spouse Ben does not work now."),
        ("Are you the legal guardian of Cleo?",
         "No. I am not legal guardian of a child in the household."),
        ("Which branch of the military did you serve in?", None),
        ("How much SSI does Ben get?",
         "No. My spouse Ben does not receive Supplemental Security Income (SSI)."),
        ("How much SNAP do you get?", None),
        ("Does anyone have a job or have a disability?",
         "Yes. I work now. My spouse Ben has a disability."),
        ("Does Ben pay you rent?", None),
        ("Are there seniors or people with disabilities in the home?", None),
        ("What are the ages of you and your spouse?",
         "I am 41 years old. My spouse Ben is 43 years old."),
        ("Did they turn off your heat?",
         "No. My household does not have its heat turned off or in danger of being "
         "turned off."),
        ("Dan: male, female?", "My son Dan is male."),
        ("government employee, who is it?",
         "Nobody in my household works for a government agency."),
        ("The folks who own it, do they all live in it?", None),
        ("Who has a health plan that's not Medicaid?",
         "Nobody in my household has health insurance other than Medicaid or Child Health Plus."),
        ("Which of these do you get: SNAP, SSI?", "Yes. My household receives SNAP (food stamps). "
         "I do not receive Supplemental Security Income (SSI)."),
        ("Which of these does your spouse get: SNAP, SSI?", None),
        ("Which of these do you not get: SNAP, SSI?", None),
        ("Are you or your spouse 65 or older?",
         "No. I am 41 years old. Ben Ruiz is my spouse, 43 years old."),
        ("Are you and your mother 65 or older?", "No. I am 41 years old."),
        ("Is Cleo in high school?", "No. My daughter Cleo is not in high school (grades 9 to 12)."),
        ("Are they all girls, your kids?",
         "No. Dan Ruiz is my son, 4 years old."),
        ("So no Medicaid for you?", "No. I do not receive Medicaid."),
        ("Is Dan claimed as your dependent?",
         "No. My son Dan is not claimed as a dependent on my tax return."),
        ("Are you currently without a permanent home?", "No. My household is not homeless or in "
         "temporary housing. My household lives in a rental without rent regulation."),
        ("Do you have foster children?", "No. I have no foster children in my household."),
        ("Do you take your medication as prescribed?",
         "Yes. I do not have a history of not following medication or treatment."),
        ("Have you owned a home in the past three years?",
         "No. I have owned no home in the last three years."),
        ("How much is your mortgage?", "I don't know; I have no information about that."),
        ("Names and relationships of your children?", "My daughter's name is Cleo Ruiz. My son's "
         "name is Dan Ruiz. Cleo is my daughter. Dan is my son."),
        ("Are you on SNAP or WIC?",
         "Yes. My household receives SNAP (food stamps). I have no information about the rest."),
        ("Are you on Medicaid or WIC?",
         "I do not receive Medicaid. I have no information about the rest."),
        ("Is your household income above or below $50,000?",
         "No. My household's income from all sources is $30,000 a year."),
    ],
)  # fmt: skip
def test_who_is_meant_follows_from_the_sentence_or_nothing_is_said(question, said):
    if said is None:
        with pytest.raises(NotUnderstoodError):
            say(question)
    else:
        assert say(question) == said


@pytest.mark.parametrize(
    ("name", "question", "said"),
    [
        ("Harold", "Have you owned a home in the past three years?",
         "Yes. I have owned a home in the last three years."),
        ("Kofi", "Do you have foster children?", "Yes: my foster child Kojo (11)."),
        ("Harold", "Does anyone need help taking care of themselves?",
         "No. I can care for myself physically and mentally. "
         "My spouse June can care for herself physically and mentally."),
        ("Maya", "Are you or anyone you live with on any kind of public assistance?",
         "Yes. My household receives SNAP (food stamps). "
         "My spouse Arun receives Social Security Disability Insurance (SSDI)."),
    ],
)  # fmt: skip
def test_households_of_the_banks_say(name, question, said):
    (home,) = (it for it in bank_households() if it.members[0].name.startswith(name))
    assert answer(read_question(question, home), home) == said


def test_a_span_is_told_in_any_unit():
    (query,) = read_question("Has Ben been out of work for more than a year?", HOME)
    assert (query.topic, query.is_opposite) == ("months_since_worked", False)
    assert query.comparison.parts == ((">", 12.0),)


@pytest.mark.parametrize(
    ("question", "earlier"),
    [
        ("Do you and your spouse together earn more than $25,000 from work?", []),
        ("How much of the rent does your spouse pay?", []),
        ("And under 13?", ["Do you have any kids under 5?"]),
        ("Are the others in school too?", ["Is your oldest child in school?"]),
    ],
)
def test_what_narrows_a_question_is_never_left_out(question, earlier):
    with pytest.raises(NotUnderstoodError):
        say(question, *earlier)


def test_a_clause_without_subject_is_about_whom_was_spoken_of():
    assert "40 hours" not in say("How many hours a week?", "Does your spouse work?")
