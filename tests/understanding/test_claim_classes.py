"""Classes of answers of people: each told as it is, and with something near that is not so."""

import pytest

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answer_reader import MOST_WORDS_SAID
from benyfits_data.understanding.parser.claims import judge
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.questions import read_question

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


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Are you pregnant?", "No, that's not the case for me."),
        ("faithful", "Are you pregnant?", "Ha, no. No, no."),
        ("faithful", "Are you pregnant?", "God no!"),
        ("faithful", "Are you pregnant?", "No way."),
        ("unfaithful", "Do you work?", "No way."),
        ("faithful", "Does anyone get SSI?", "Nah, nothing like that, neither one of us."),
        ("unfaithful", "Does anyone get SNAP?", "Nah, nothing like that, neither one of us."),
        ("faithful", "Are you about to lose your home?", "No, we're in no danger of that."),
        (
            "faithful",
            "Has anyone been in prison?",
            "No, neither Ben nor I have been in any such place.",
        ),
        ("unfaithful", "Do you work?", "Yes, although at the moment I have no job."),
        ("faithful", "Are you pregnant?", "I'm not pregnant, that's right."),
        ("over_claim", "Are you pregnant?", "No, and I never liked the thought of a big family."),
    ],
)
def test_a_denial_in_words_of_the_question_adds_nothing(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Does your wife live with you?", "There's no wife here. My mother does."),
        ("unfaithful", "Does your wife live with you?", "There's no wife here. My sister does."),
        ("unfaithful", "Does your wife live with you?", "Yes. My mother does."),
        ("faithful", "Is Ben your husband?", "He's not my husband, he's my partner."),
        (
            "faithful",
            "Does your husband work?",
            "I have no husband, I have a partner, Ben, and no.",
        ),
        ("unfaithful", "Does your husband work?", "I have a partner, Ben, and he works."),
        ("faithful", "Are you married?", "No. Ben is my partner, but we aren't married."),
        ("unfaithful", "Are you married?", "No. Cleo is my partner, but we aren't married."),
    ],
)
def test_what_a_question_takes_for_granted_is_put_right(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("no_answer", "Does Dan have a Social Security number?", "My mother has one."),
        ("no_answer", "Does Dan have a Social Security number?", "Cleo and my mother do."),
        ("no_answer", "Are any of your children disabled?", "Ben has a disability."),
        ("no_answer", "How many hours a week do you work?", "I made 30,000 dollars last year."),
        ("faithful", "How many hours a week do you work?", "Forty. I made 30,000 dollars."),
        ("unfaithful", "How many hours a week do you work?", "I made 50,000 dollars last year."),
        ("no_answer", "How much do you earn?", "I work hard, that's all I'll say."),
        ("faithful", "Does your mother work?", "Yes, twelve hours a week on the side."),
    ],
)
def test_a_fact_that_was_not_asked_for_is_no_answer(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("over_claim", "Does Ben have a disability?", "Yes, a lady named Rosa comes to help."),
        ("over_claim", "Do you have a car?", "Yes, an old Honda."),
        ("unfaithful", "Does Ben have a disability?", "No, a lady named Rosa comes to help."),
        ("unfaithful", "Do you work?", "I do, and so does Ben."),
        ("faithful", "Do you work?", "I do, and so does my mother."),
        ("faithful", "Do you work?", "Yes. Same goes for my mother."),
        ("unfaithful", "Do you work?", "Yes. Same goes for Ben."),
    ],
)
def test_what_is_added_is_held_against_the_facts(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "What is your household income?",
         "$46,800: 30 thousand from my job, the 12 thousand Ben gets and my mother's 4,800."),
        ("unfaithful", "What is your household income?",
         "$46,800: 20 thousand from my job, the 12 thousand Ben gets and my mother's 4,800."),
        ("unfaithful", "What is your household income?",
         "$46,800: 30 thousand from Ben's job, the 12 thousand I get and my mother's 4,800."),
        ("faithful", "What is your household income?",
         "My $30,000 plus Ben's $12,000 and my mother's $4,800."),
        ("unfaithful", "What is your household income?", "My $30,000 plus Ben's $12,000."),
        ("faithful", "What is your household income?", "Between $45,000 and $50,000."),
        ("faithful", "How many children do you have?", "Three. Two girls, one boy."),
        ("unfaithful", "How many children do you have?", "Three. One girl, two boys."),
    ],
)  # fmt: skip
def test_parts_of_a_sum_are_held_against_the_facts(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("unfaithful", "Who in your family is on SSDI?", "All six of us are."),
        ("faithful", "Who in your family is a US citizen?", "All six of us are."),
        ("unfaithful", "Who in your family is a US citizen?", "All five of us are."),
        ("unfaithful", "Do you have a disability?", "No. The only one of us who has one is Cleo."),
        ("faithful", "Do you have a disability?", "No. The only one of us who has one is Ben."),
        ("faithful", "Are you a US citizen or national?", "I am, and so are Ben and the kids."),
        ("unfaithful", "Are you a US citizen or national?", "No, and neither is Ben."),
        ("faithful", "Do you have an air conditioner, and how old is it?",
         "Yeah, we've got one. It's about two years old."),
        ("no_answer", "Did your mother get any pension?", "My mother has a job, 12 hours a week."),
        ("no_answer", "Is your home rent stabilized?", "We pay 1,450 a month for it."),
        ("unfaithful", "Did you adopt Fay?", "Yes, Fay is adopted."),
        ("unfaithful", "Did you adopt Fay?", "Fay is my foster child and is adopted."),
    ],
)  # fmt: skip
def test_who_is_meant_by_all_and_only(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "How old is Cleo?", "Fifteen, no, sorry, fourteen."),
        ("unfaithful", "How old is Cleo?", "Fourteen, no, sorry, fifteen."),
        ("faithful", "What is your rent?", "Fourteen hundred... wait, no, fourteen fifty."),
        ("unfaithful", "What is your rent?", "Fourteen fifty... wait, no, fourteen hundred."),
        ("faithful", "What grade is Cleo in?", "Seventh, no, eighth."),
        ("unfaithful", "What grade is Cleo in?", "Eighth. No, hold on, seventh."),
        ("faithful", "How old is Cleo?", "Cleo just turned... no, Cleo is 14."),
    ],
)
def test_a_number_may_be_taken_back(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Do you have kids?", "Yes, we have a son, and he is one."),
        ("unfaithful", "Do you have kids?", "Yes, we have two sons."),
        ("unfaithful", "Do you live alone?", "Me and Ben, that's it."),
        ("faithful", "Do you have a partner?", "Yes, I am Ben's partner."),
        ("unfaithful", "Who is Cleo to you?", "I'm her daughter."),
        ("faithful", "Who is Cleo to you?", "I'm her mother."),
        ("faithful", "Does Ben work?", "No, he's disabled and he stays home with our son."),
        ("faithful", "How old are you and Ben?", "I'm 41 and he's two years older."),
        ("unfaithful", "How old are you and Ben?", "I'm 41 and he's two years younger."),
        ("no_answer", "Does Ben work?", "I work 40 hours a week."),
        ("no_answer", "How many people live with you?", "I pay 1,450 in rent."),
    ],
)
def test_people_are_told_as_the_household_has_them(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("unfaithful", "Do you own or rent your home?", "Neither one."),
        ("unfaithful", "Do you rent?", "Neither rent nor own, we have no home of our own."),
        ("faithful", "Are you pregnant, and do you get SSI?", "Neither one."),
        ("unfaithful", "Do you get SNAP, and do you get SSI?", "Neither one."),
    ],
)
def test_neither_denies_both(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("unfaithful", "Have you been evicted in the city before, and if so when?", "Yes."),
        ("faithful", "Are you attending a school or college?", "No, I'm not in school."),
        ("unfaithful", "Are you attending a school or college?", "Yes, I'm not in school."),
    ],
)
def test_a_wrong_yes_before_a_value_is_noted(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        # A number, however it is wrapped up.
        ("faithful", "How many weeks in a row have you worked for this employer?", "52, straight."),
        ("faithful", "How many hours a week do you work?", "So far as I know it comes to 40."),
        ("unfaithful", "How many hours a week do you work?", "So far as I know it comes to 30."),
        ("faithful", "What do you pay in rent over a year?", "Twelve months of it makes $17,400."),
        (
            "unfaithful",
            "What do you pay in rent over a year?",
            "Twelve months of it makes $19,400.",
        ),
        ("over_claim", "How old is your AC?", "Two, a Frigidaire from the Bronx, 2 years old."),
        ("faithful", "What do you make a year?", "Thirty thousand, going by my pay stubs."),
        ("unfaithful", "What do you make a year?", "A hundred and thirty thousand."),
        ("faithful", "Do you earn more than $40,000 a year?", "My pay came to about $30,000."),
        ("unfaithful", "Do you earn more than $20,000 a year?", "My pay came to about $18,000."),
        ("faithful", "What is your rent?", "One thousand four... one thousand four hundred fifty."),
        ("unfaithful", "What is your rent?", "Fourteen hundred fifty... fifteen hundred fifty."),
        # "He is 43" is an age, also where a grade was asked for.
        ("no_answer", "What grade is Cleo in?", "She's 14."),
        ("unfaithful", "What grade is Cleo in?", "She's 9."),
        ("no_answer", "What grade is Cleo in?", "Cleo does go to school."),
    ],
)
def test_numbers_are_found_in_words_that_make_no_clause(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Does your household get SNAP?", "SNAP already helps us with groceries."),
        ("unfaithful", "Does your household get SNAP?", "We hardly get any SNAP these days."),
        ("not_understood", "Does your household get SNAP?", "I wonder why people hate SNAP."),
        ("unfaithful", "Do you work?", "no i don't"),
        ("faithful", "Are you pregnant?", "no i'm not"),
        ("faithful", "So you're not a veteran, is that right?", "That's right."),
        ("unfaithful", "So you don't work, is that right?", "That's right."),
        ("faithful", "Does Cleo go to a public, charter or private school?", "It's a public."),
        ("unfaithful", "Does Cleo go to a public, charter or private school?", "It's a charter."),
        ("faithful", "Is Fay your daughter?", "Fay is not a niece, just my foster child."),
        ("unfaithful", "Is Fay your daughter?", "Fay is not my foster child, just my niece."),
        ("faithful", "How old is your partner?", "That's Ben, he's 43. Time flies."),
        ("over_claim", "How old is your partner?", "That's Ben, he's 43. He sells used cars."),
        ("over_claim", "How old is your partner?", "43. He plays chess."),
        ("over_claim", "Are you working?", "Yes, and the doctor says it's a boy."),
        ("faithful", "Do both your daughters go to school?", "Yes, all two of them."),
        ("unfaithful", "Do both your daughters go to school?", "Yes, all three of them."),
    ],
)
def test_sentences_that_make_no_clause_take_a_stance(verdict, question, said):
    assert verdict_of(question, said) == verdict


NOT_UNDERSTOOD = "Adding everybody up to the last one, which income had the whole household?"
"""A question that no reader understands, whose words are those of one fact."""


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("faithful", "It's about $46,800."),
        ("unfaithful", "It's about $90,000."),
        ("not_understood", "Yes."),
    ],
)
def test_a_number_is_held_against_what_was_likely_asked_and_a_bare_yes_is_not(verdict, said):
    with pytest.raises(NotUnderstoodError):
        read_question(NOT_UNDERSTOOD, HOME)
    assert verdict_of(NOT_UNDERSTOOD, said) == verdict


@pytest.mark.parametrize(("n", "verdict"), [(1, "faithful"), (MOST_WORDS_SAID, "not_understood")])
def test_a_sentence_without_end_is_not_read(n, verdict):
    assert verdict_of("Do you work?", "Yes," + " I work" * n) == verdict
