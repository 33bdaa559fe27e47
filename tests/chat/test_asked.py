"""Questions on the page: their choices, and the values that answers stand for."""

import pytest

from benyfits_data.chat.asked import ask, parse, recognise_question, typed_number
from benyfits_data.chat.resident import ResidentTalk, _planner
from benyfits_data.errors import FeatureValueError
from benyfits_data.evaluation.fact_answers import question_of
from benyfits_data.household.columns import Households
from benyfits_data.planner import interview


@pytest.fixture(scope="module", autouse=True)
def small_prior():
    """Questions are ordered by one household, as drawing thousands takes seconds."""
    _planner.cache_clear()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(interview, "draw_prior", lambda year: Households.of_defaults(1))
        yield
    _planner.cache_clear()


def test_an_amount_is_the_one_that_was_typed():
    for typed in (0, 12.0, 1_234_567.0, 2.5):
        assert float(typed_number(typed)) == typed
    assert typed_number(1_234_567.0) == "1234567"
    assert parse("available_financial_resources", typed_number(1_234_567.0)) == 1_234_567


def test_what_is_no_value_is_refused():
    with pytest.raises(ValueError, match=r"2\.5 is no whole number"):
        parse("age", "2.5")
    with pytest.raises(FeatureValueError, match="111"):
        parse("age", "111")
    talk = ResidentTalk(2026, ["SummerMeals"])
    before = talk.asked
    talk.answer("2.5")
    assert talk.note == "2.5 is no answer to the question. A whole number from 0 to 110."
    assert talk.asked == before


def test_a_canonical_question_has_the_choices_of_its_fact():
    asked = recognise_question(question_of("relation", 2))
    assert asked.kind == "choice"
    assert [words for words, _ in asked.choices] == [w for w, _ in ask("relation", 2).choices]
    assert recognise_question(question_of("age", 1)).kind == "number"
    assert recognise_question(question_of("place_of_residence", None)).kind == "choice"
    assert recognise_question("How old might you be?").kind == "text"


def test_a_verdict_names_the_answers_that_it_follows_from():
    talk = ResidentTalk(2026, ["SummerMeals"])
    while talk.asked is not None:
        talk.answer("1" if "How many people" in talk.asked.text else "9")
    (verdict,) = talk.verdicts
    assert verdict.eligible
    assert verdict.because == ("You are 9 years old.",)


def test_a_verdict_left_open_names_the_questions_that_were_not_answered():
    talk = ResidentTalk(2026, ["FairFaresNYC"])
    asked = []
    while talk.asked is not None:
        asked.append(talk.asked.text)
        talk.answer(None)
    (verdict,) = talk.verdicts
    assert verdict.eligible is None
    assert set(verdict.because) == set(asked)


def test_no_ground_speaks_of_a_fact_that_nobody_gave():
    talk = ResidentTalk(2026, ["ChildCareVouchers"])
    talk.answer("2")
    talk.answer("30")
    assert talk.asked is None
    (verdict,) = talk.verdicts
    assert not verdict.eligible
    # Nobody asked how old the applicant is, or who the other person is.
    assert [facts for *_, facts in verdict.grounds] == [()] * len(verdict.grounds)
    assert verdict.because[1] == "Person 2 in your household is 30 years old."
    talk = ResidentTalk(2026, ["SummerMeals"])
    while talk.asked is not None:
        talk.answer("1" if "How many people" in talk.asked.text else "9")
    (verdict,) = talk.verdicts
    assert "The applicant's age: 9 years" in str(verdict.grounds)
