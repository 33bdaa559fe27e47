"""Numbers as people tell them: exact or about, taken back, beside an answer, and "one"."""

import pytest

from tests.understanding.test_claim_classes import verdict_of


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Does Ben have a disability?", "He does, it's one he's had for years."),
        ("faithful", "How old is Cleo?", "14, and a lively one at that."),
        ("faithful", "How old is Cleo?", "14, that one."),
        ("faithful", "How old is Cleo?", "That one is 14."),
        ("unfaithful", "How old is Cleo?", "That one is 15."),
        ("unfaithful", "How old is Cleo?", "She's officially one."),
        ("faithful", "How old is Dan?", "He's already one."),
        ("faithful", "How much is your rent?", "$1,450, one that keeps going up."),
        ("faithful", "Are you working?", "I am, one of the lucky ones."),
        ("faithful", "Are you working?", "I do, I've got one that pays."),
        ("unfaithful", "Does Ben have a job?", "He has one he likes."),
        ("faithful", "Do you have a job?", "Yes, a full-time one."),
        ("unfaithful", "Does your mother have a job?", "Yes, a full-time one."),
        ("faithful", "Is Cleo a student?", "She's one."),
        ("faithful", "Is Cleo a student?", "She's definitely one."),
        ("unfaithful", "Is Ben a veteran?", "He is one indeed."),
        ("faithful", "Is Cleo a student?", "She's one. Dan is one."),
        ("unfaithful", "Is Cleo a student?", "She's one. Ben is one."),
        ("unfaithful", "How old is Cleo?", "14, one of four kids."),
        ("unfaithful", "How many children do you have?", "One that I know of."),
    ],
)
def test_one_is_a_pronoun_where_it_counts_nothing(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "How old is your mother?", "It's 70."),
        ("unfaithful", "How old is your mother?", "It's 72."),
        ("unfaithful", "How old is your mother?", "She has got old, it's 72."),
        ("faithful", "How old is your mother?", "About 72."),
        ("faithful", "How many hours do you work?", "40 a week, so that's 160 a month."),
        ("faithful", "How old is your mother?", "70 years old already."),
        ("unfaithful", "How old is your mother?", "60 years old already."),
        ("faithful", "How old is your mother?", "Over 60."),
        ("faithful", "How much do you earn a year?", "It comes to about $31,200."),
        ("unfaithful", "How much do you earn a year?", "It comes to $31,200."),
        ("unfaithful", "How many hours do you work a week?", "25 h weekly rn"),
        ("faithful", "How many hours do you work a week?", "40 a week, so 160 over four weeks."),
        ("unfaithful", "How many hours do you work a week?", "40 a week, so 200 over four weeks."),
        (
            "faithful",
            "How many hours do you work a week?",
            "173 hours over a month, that is 40 a week.",
        ),
        (
            "unfaithful",
            "How many hours do you work a week?",
            "Over a month it comes to some 130 hours.",
        ),
        ("faithful", "How many hours does your mother work a week?", "24 every two weeks."),
        ("unfaithful", "How many hours does your mother work a week?", "12 every two weeks."),
        ("faithful", "How many hours do you work?", "45... no wait, I misspoke. 40."),
        ("faithful", "How many hours do you work?", "45. My mistake. 40."),
        ("unfaithful", "How many hours do you work?", "40. My mistake. 45."),
        ("unfaithful", "How many hours do you work?", "40... no wait, I misspoke. 45."),
        (
            "faithful",
            "What is your rent?",
            "$1,407, sorry, no, I'm mixing things up. $1,450 is what we pay.",
        ),
        (
            "unfaithful",
            "What is your rent?",
            "$1,450, sorry, no, I'm mixing things up. $1,407 is what we pay.",
        ),
        ("faithful", "How old is your AC unit?", "Over a year, 24 months to be exact."),
        ("faithful", "How much do you earn a month?", "The yearly figure, $30,000, divided by 12."),
        (
            "unfaithful",
            "How much do you earn a month?",
            "The yearly figure, $36,000, divided by 12.",
        ),
        ("no_answer", "How many hours does your mother work a week?", "She works hours."),
        (
            "no_answer",
            "How much does your mother earn?",
            "Her pay is about enough for her bus fare.",
        ),
        ("faithful", "How much does Ben earn?", "He does not earn anything."),
        ("faithful", "What is your grade point average?", "I don't have one."),
        ("faithful", "What is your grade point average?", "I'm not in school."),
        ("unfaithful", "How old is your AC?", "We don't have an air conditioner."),
    ],
)
def test_a_number_is_exact_unless_it_says_that_it_is_not(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Does your mother work?", "She does. $4,800 a year."),
        ("unfaithful", "Does your mother work?", "She does. $9,000 a year."),
        ("over_claim", "Does your mother work?", "She does, $2 a day for the bus."),
        ("over_claim", "Do you get food stamps?", "Yes. $300 a month."),
        ("unfaithful", "Do you rent?", "Yes. $1,300 a month."),
        ("faithful", "How many hours does your mother work?", "12 a week, and 70 years old."),
        ("unfaithful", "How many hours does your mother work?", "12 a week, and 60 years old."),
        ("faithful", "Does anyone here go to school?", "Two people, Cleo and Fay."),
        ("unfaithful", "Does anyone here go to school?", "Three people, Cleo and Fay."),
        ("unfaithful", "Does anyone here work?", "One person."),
        ("faithful", "Who has the highest income?", "That would be me, with $30,000 a year."),
        ("unfaithful", "Who has the highest income?", "That would be me, with $40,000 a year."),
        ("unfaithful", "Who has the highest income?", "Ben does, about $12,000."),
        ("no_answer", "Who has the highest income?", "Ben gets $12,000 a year."),
        ("faithful", "What is your household's income?", "All of us together, $46,800."),
        ("unfaithful", "What is your household's income?", "All of us together, $56,800."),
        ("faithful", "What do you and Ben earn together?", "$30,000, I'm the only one who earns."),
        (
            "unfaithful",
            "What is the combined work income of you and your mother?",
            "$34,800, since I'm the only one of the two of us who earns.",
        ),
        ("unfaithful", "Do you earn over $25,000 a year?", "No, I'm below twenty-five thousand."),
        (
            "faithful",
            "Do you earn over $58,399 a year?",
            "No, I'm well below the limit at $30,000.",
        ),
        ("unfaithful", "Do you earn over $28,399 a year?", "No, I'm well below the limit."),
        ("faithful", "Is the AC more than five years old?", "No, newer than that. It's 2."),
        ("faithful", "What is Ben's income per month?", "$1,000, and none of it from a job."),
        ("unfaithful", "What is Eva's income per month?", "$400, and none of it from a job."),
        ("faithful", "What is Eva's income per month?", "$400, all of it from her job."),
        ("unfaithful", "What is Ben's income per month?", "$1,000, all of it from his job."),
        ("faithful", "Does Ben work?", "No. He has some other income though, $12,000 last year."),
        ("unfaithful", "Does Ben work?", "No. He has some other income though, $16,000 last year."),
    ],
)
def test_an_amount_beside_an_answer_is_of_what_it_fits(verdict, question, said):
    assert verdict_of(question, said) == verdict
