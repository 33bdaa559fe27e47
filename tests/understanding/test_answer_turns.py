"""What answers say beside the point: of the others, of nobody, of two at once, by comparison."""

import pytest

from benyfits_data.understanding.parser.amounts_said import in_usual_form
from benyfits_data.understanding.parser.claims import judge
from tests.understanding.test_questions import HOME


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Are you the oldest at home?", "No, Eva is older than me."),
        ("unfaithful", "Are you the oldest at home?", "Ben is younger than me."),
        ("faithful", "Who earns more, you or your husband?", "I earn more than he does."),
        ("unfaithful", "Who earns more, you or your husband?", "My husband makes more than I do."),
        ("faithful", "Who earns more, you or your husband?", "He makes less."),
        ("unfaithful", "Who makes the most money from work?", "My husband earns the most."),
        (
            "unfaithful",
            "Is your mother older than your husband?",
            "Other way round: my husband is the older one.",
        ),
    ],
)
def test_one_is_held_against_another(verdict, question, said):
    assert judge(question, said, HOME).verdict == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "How old is your brother?", "I don't have a brother."),
        ("faithful", "Does your brother work?", "There's no brother in my household."),
        ("unfaithful", "How old is your husband?", "I have no husband."),
        ("unfaithful", "Does your daughter work?", "I have no daughter."),
        ("unfaithful", "How old is your youngest child?", "I don't have any children."),
    ],
)
def test_who_is_asked_about_may_be_denied(verdict, question, said):
    assert judge(question, said, HOME).verdict == verdict


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("unfaithful", "Yes to both."),
        ("faithful", "No to SSI, yes to SNAP."),
        ("faithful", "No to the first, yes to the second."),
        ("unfaithful", "Yes to the first, no to the second."),
    ],
)
def test_each_of_two_questions_has_its_yes_or_no(verdict, said):
    assert judge("Do you get SSI, and do you get SNAP?", said, HOME).verdict == verdict


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        ("faithful", "Does anyone have a disability?", "I don't, Ben does, and the rest don't."),
        ("unfaithful", "Does anyone have a disability?", "I'm not disabled, but everyone else is."),
        ("faithful", "Does anyone have a disability?", "Only Ben has a disability."),
        ("unfaithful", "Does anyone have a disability?", "Only Cleo has a disability."),
        ("faithful", "Who works?", "I'm the only one who works."),
        ("unfaithful", "Who works?", "Ben is the only one who works."),
        ("faithful", "Who lives with you?", "Ben, Cleo, Dan and Eva, that's everyone."),
        ("unfaithful", "Who lives with you?", "Ben and Cleo. That's all."),
    ],
)
def test_nobody_else_and_the_others_are_counted(verdict, question, said):
    assert judge(question, said, HOME).verdict == verdict


def test_a_fact_of_somebody_else_is_no_answer():
    assert judge("Does your husband work?", "I work.", HOME).verdict == "no_answer"


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("faithful", "I believe so."),
        ("unfaithful", "I don't think so."),
        ("faithful", "We sure do!"),
        ("faithful", "Yes, we do. It's been a great help to my family."),
        ("unfaithful", "No, although it would be a great help."),
    ],
)
def test_hedges_and_comments_leave_a_yes_or_no_as_it_is(verdict, said):
    assert judge("Do you get SNAP?", said, HOME).verdict == verdict


def test_a_comment_with_a_fact_of_its_own_is_not_faithful():
    said = "Yes, we do. It's been a great help since the fire."
    assert judge("Do you get SNAP?", said, HOME).verdict != "faithful"


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("2 and a half thousand a month", "2500 a month"),
        ("half a million", "500000"),
        ("a thousand dollars", "1000 dollars"),
        ("a few thousand", "between 2000 and 7000"),
        ("in the low thirties", "between $30000 and $34999"),
        ("in the upper forties", "between $46000 and $49999"),
    ],
)
def test_amounts_in_words(told, meant):
    assert in_usual_form(told) == meant


@pytest.mark.parametrize(
    ("verdict", "said"), [("faithful", "Under 50k."), ("unfaithful", "Under 20k.")]
)
def test_a_limit_is_not_the_amount(verdict, said):
    assert judge("What is your household income?", said, HOME).verdict == verdict
