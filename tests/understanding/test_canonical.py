import pytest

from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.understanding import canonical
from benyfits_data.understanding.facts import (
    DERIVED,
    EVERYONE,
    MEMBERS_KEY,
    THE_HOUSEHOLD,
    look_up,
)
from benyfits_data.understanding.typed import read_value
from tests.evaluation.players import family
from tests.evaluation.readings import asks

HOUSEHOLD = family()


def every_fact():
    for key in FEATURES:
        members = range(len(HOUSEHOLD.members)) if key in MEMBER_FEATURES else [None]
        yield from ((key, member) for member in members)
    yield MEMBERS_KEY, None


def test_canonical_questions_are_answered_with_the_fact_and_nothing_else(subtests):
    for key, member in every_fact():
        with subtests.test(key=key, member=member):
            question = canonical.ask_fact(key, canonical.name_member(member))
            asked = canonical.read_question(question, HOUSEHOLD)
            assert asked == asks((key, THE_HOUSEHOLD if member is None else [member]))
            said = canonical.answer(question, HOUSEHOLD)
            assert read_value(key, said) == look_up(key, member, HOUSEHOLD)


@pytest.mark.parametrize(
    "question", ["Does Cleo have any disability?", "What is the weather like?", ""]
)
def test_other_questions_are_no_canonical_ones(question):
    assert canonical.read_question(question, HOUSEHOLD) is None
    assert canonical.answer(question, HOUSEHOLD) is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([("employed", (0, 1))], "I do not work now. My spouse Ben does not work now."),
        (
            [("relation", (2,)), ("age", (2,)), ("disabled", (2,))],
            "My daughter Cleo is my child. She is 7 years old. She has a disability.",
        ),
        ([("name", (3,))], "My son Dan is called Dan Cruz."),
        ([("age_months", (0,))], "I am too old for my age to be counted in months."),
        ([(MEMBERS_KEY, THE_HOUSEHOLD)], "There are 4 people in my household."),
        ([("monthly_rent_spending", THE_HOUSEHOLD)], "Our rent is $1,800 a month."),
        ([], canonical.UNKNOWN),
    ],
)
def test_facts_are_stated_in_sentences_of_the_applicant(asked, said):
    assert canonical.state(asks(*asked), HOUSEHOLD) == said


def test_every_fact_of_everyone_can_be_stated(subtests):
    for key in (*FEATURES, *DERIVED):
        with subtests.test(key=key):
            feature = FEATURES.get(key) or DERIVED[key]
            who = EVERYONE if feature.level == "member" else THE_HOUSEHOLD
            said = canonical.state(asks((key, who)), HOUSEHOLD)
            assert "{" not in said
            assert not {"you", "your"} & set(said.lower().replace(".", "").split())
