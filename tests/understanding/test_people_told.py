"""Answers about people, and what a denial denies: true ones, and untrue ones near them."""

import pytest

from tests.understanding.test_claim_classes import verdict_of


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Does Ben draw SSDI?", "He gets money from it, and not by mail."),
        ("unfaithful", "Does Ben draw SSI?", "He gets money from it, and not by mail."),
        ("faithful", "Do you work?", "I do. That's no job, that's a calling."),
        ("unfaithful", "Does Ben work?", "He does. That's no job, that's a calling."),
        (
            "faithful",
            "Is Cleo in school?",
            "She's in eighth grade, and no, it isn't a day care, it's a school.",
        ),
        ("unfaithful", "Do you work?", "I have a bad back, and no, I don't work."),
        ("faithful", "Do you get food stamps?", "Yes, and we would not make it without them."),
        ("faithful", "Do you get food stamps?", "Yes, not that they last all month."),
        ("unfaithful", "Do you get SSI?", "Yes, not that it lasts all month."),
        ("no_answer", "Do you get food stamps?", "Don't wave food stamps at me."),
        ("unfaithful", "Do you get food stamps?", "Don't get food stamps."),
        ("faithful", "Does Eva work?", "She never stopped working."),
        ("unfaithful", "Does Ben work?", "He never quit working."),
        ("faithful", "Does Eva work?", "She doesn't have to, but she does."),
        ("no_answer", "Does Ben work?", "He doesn't have to."),
        ("faithful", "Do you work?", "I don't just work, I work 40 hours a week."),
        ("unfaithful", "Does Ben work?", "He doesn't just work, he works 40 hours a week."),
        (
            "faithful",
            "Does Eva have an ITIN?",
            "No, she does not have an ITIN, only a Social Security number.",
        ),
        ("faithful", "Does Ben work?", "Ben doesn't, and neither does Cleo."),
        ("unfaithful", "Does Ben work?", "Ben doesn't, and neither does Eva."),
        ("faithful", "Does anyone here get SSI?", "None of us does and none of us is pregnant."),
        ("unfaithful", "Does anyone here get SSI?", "None of us does and none of us is disabled."),
    ],
)
def test_a_denial_denies_what_it_stands_with(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Are you pregnant?", "tbh no im not"),
        ("unfaithful", "Do you work?", "tbh no i dont"),
        ("unfaithful", "Are you disabled?", "tbh yes i am"),
        ("faithful", "Do you get food stamps?", "we get them yep"),
        ("unfaithful", "Do you get SSI?", "we get it yep"),
        ("faithful", "Does Ben work?", "As a youngster, yes. Today, no."),
        ("unfaithful", "Do you work?", "As a youngster, yes. Today, no."),
        ("no_answer", "Does Ben work?", "As a youngster, yes."),
        ("faithful", "Does anyone get SSI?", "Not a soul."),
        ("unfaithful", "Does anyone get SSDI?", "Not a soul."),
        ("faithful", "Is Fay 65 or older?", "Not even close, 11."),
        ("unfaithful", "Is Eva 65 or older?", "Not even close, 70."),
        ("unfaithful", "Are you working?", "No, that doesn't apply to me."),
        ("no_answer", "Do you get food stamps?", "y do u ask"),
    ],
)
def test_yes_and_no_are_found_in_chat(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("no_answer", "Does Ben work?", "No partner is typical."),
        ("no_answer", "Does Ben work?", "Ben..."),
        ("faithful", "Does Eva or Ben work?", "Eva."),
        ("no_answer", "Does Cleo have a serious health condition?", "That's my condition."),
        ("not_understood", "Do you go to school?", "School around a big place like that is a zoo."),
        ("no_answer", "Does anyone here get SSDI?", "The boy at the counter keeps the forms."),
        ("no_answer", "How old is Fay?", "I'm 41."),
        ("no_answer", "Who is the oldest person in your household?", "Dan is 1."),
        ("faithful", "Who is the oldest person in your household?", "Eva is 70."),
        ("no_answer", "Which of your children are under 13?", "I have three children."),
        (
            "faithful",
            "Do you have a working air conditioner?",
            "Yes, it's 2 years old and still works.",
        ),
        ("unfaithful", "Does Ben have a job?", "Yes, still works."),
    ],
)
def test_what_names_nobody_of_the_household_is_no_answer(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        (
            "faithful",
            "Are all your children in school?",
            "All save Dan. Fay is, and the others are.",
        ),
        ("faithful", "Are all your children in school?", "Only Cleo and Fay."),
        ("unfaithful", "Are all your children in school?", "Only Cleo."),
        ("faithful", "Are all your children in school?", "Two of the three are."),
        ("unfaithful", "Are all your children in school?", "Two of the three aren't."),
        ("unfaithful", "Are all your children in school?", "Only one of them is, Fay."),
        ("faithful", "Do your parents live with you?", "Only one of them does, Eva."),
        ("unfaithful", "Do your parents live with you?", "Only one of them does, Ben."),
        ("faithful", "Is your father in the household?", "No. Only my mother is."),
        ("unfaithful", "Is your mother in the household?", "No. Only my father is."),
        ("unfaithful", "Who else lives with you?", "Ben and Cleo, nobody besides them."),
        ("faithful", "Does anyone here get SSDI?", "Nobody here except Ben."),
        ("unfaithful", "Does anyone here get SSDI?", "Nobody here except Eva."),
        ("faithful", "Who has a disability?", "Ben is the only one."),
        ("unfaithful", "Who works?", "I'm the only one."),
        ("faithful", "Does Ben or Eva work?", "Eva does, not Ben."),
        ("unfaithful", "Does Ben or Eva work?", "Ben does, not Eva."),
        (
            "faithful",
            "Do your grandparents live with you?",
            "There's no grandmother and no grandfather here.",
        ),
        (
            "unfaithful",
            "Does your spouse or partner live with you?",
            "There's no spouse and no partner here.",
        ),
    ],
)
def test_only_some_are_meant(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Are you older than Ben?", "No, he is older, but only by two years."),
        ("unfaithful", "Are you older than Ben?", "No, he is older, but only by three years."),
        ("faithful", "Is Cleo older or younger than Fay?", "Older, by 3 years."),
        ("unfaithful", "Is Cleo older or younger than Fay?", "Younger, by 3 years."),
        ("unfaithful", "Is Cleo older or younger than Fay?", "Fay is older, by 3 years."),
        ("faithful", "Who is older, you or Ben?", "Ben, by two years."),
        ("unfaithful", "Who is older, you or Ben?", "Me, by two years."),
        ("faithful", "How much older is Ben than you?", "Two years."),
        ("unfaithful", "How much older is Ben than you?", "Four years."),
        ("unfaithful", "How old are your children?", "All of them are under 10."),
        ("faithful", "How many children do you have?", "Three. They are all under 18."),
        ("unfaithful", "How many children do you have?", "Three. They are all under 10."),
        ("faithful", "Is Cleo a teenager?", "Yes, 14."),
        ("unfaithful", "Is Cleo a teenager?", "Yes, 15."),
        ("faithful", "Who is the youngest adult in the household?", "I am, at 41."),
        ("unfaithful", "What grades are Cleo and Fay in?", "They're both in the same grade, 8."),
    ],
)
def test_ages_are_held_against_each_other(verdict, question, said):
    assert verdict_of(question, said) == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "How is Ben related to you?", "We're domestic partners."),
        ("unfaithful", "How is Eva related to you?", "We're just friends, not family."),
        ("faithful", "Are you married?", "Not married, but Ben and I are domestic partners."),
        ("unfaithful", "Are you married?", "Not married, but Ben and I are siblings."),
        ("unfaithful", "Is Cleo your own child?", "No, Cleo is a foster child of mine."),
        ("faithful", "What are the names of your children?", "Cleo, then Fay, then Dan."),
        ("unfaithful", "What are the names of your children?", "Cleo, Dan and Brandon."),
        (
            "unfaithful",
            "What are the names of your kids?",
            "The oldest is Fay, then Cleo, and the baby is Dan.",
        ),
        (
            "faithful",
            "What are the names of your kids?",
            "Cleo, Dan and Fay. They are 14, 1 and 11.",
        ),
        (
            "faithful",
            "Do you have children under 18?",
            "Yes, three. Her name is Cleo and she is 14.",
        ),
        (
            "unfaithful",
            "Do you have children under 18?",
            "Yes, three. Her name is Cleo and she is 12.",
        ),
        ("faithful", "How many children do you have?", "Three: two girls and a boy."),
        ("unfaithful", "How many children do you have?", "Three: two boys and a girl."),
        (
            "faithful",
            "Who lives with you?",
            "Me, my partner Ben, my mother Eva, my girls Cleo and Fay, and one boy, Dan.",
        ),
    ],
)
def test_people_are_told_by_name_and_kin(verdict, question, said):
    assert verdict_of(question, said) == verdict
