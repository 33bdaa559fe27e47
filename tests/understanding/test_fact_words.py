"""Words of one fact are understood in any order, and only where they can mean no other."""

import pytest

from benyfits_data.understanding.parser.answers import answer
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.fact_words import belongs, topic_of_words
from benyfits_data.understanding.parser.questions import read_question
from benyfits_data.understanding.parser.topics import Meaning
from tests.understanding.test_questions import HOME


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        (["treated", "drugs", "rent"], None),
        (["treatment", "substance", "abuse"], "receiving_treatment_for_substance_abuse"),
        (["abuse", "substance", "treatment"], "receiving_treatment_for_substance_abuse"),
        (["tank"], None),
        (["work", "school"], None),
    ],
)
def test_words_mean_a_fact_only_where_no_other_has_them_all(words, topic):
    assert topic_of_words(words) == (Meaning(topic) if topic else None)


def test_a_word_belongs_to_the_facts_whose_phrases_have_it():
    assert belongs("landlord", "monthly_rent_spending")
    assert not belongs("landlord", "age")


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Do you and Ben file taxes together?", "filing_jointly"),
        ("Has anyone in the family been treated for drugs or alcohol?",
         "receiving_treatment_for_substance_abuse"),
    ],
)  # fmt: skip
def test_a_question_in_no_known_order_is_understood(question, topic):
    (query,) = read_question(question, HOME)
    assert query.topic == topic


@pytest.mark.parametrize(
    "question",
    ["What bank do you have your savings account with?", "When did you move to New York City?",
     "Is your father retired or still working?"],
)  # fmt: skip
def test_loose_words_never_make_up_a_question(question):
    with pytest.raises(NotUnderstoodError):
        answer(read_question(question, HOME), HOME)
