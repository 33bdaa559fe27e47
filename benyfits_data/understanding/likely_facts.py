"""The fact that a question most likely asks for which was not understood: for the judge alone.

The user never answers such a guess. The judge needs it to read what was said: a number that fits
the fact, or words of the fact's own. A bare yes or no is never judged so.
"""

import re

from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.answer_words import plain_answer
from benyfits_data.understanding.fact_words import facts_of
from benyfits_data.understanding.left_numbers import beside_people, numbers_in
from benyfits_data.understanding.number_claims import counts_people, is_year, may_be
from benyfits_data.understanding.people import People
from benyfits_data.understanding.people_found import mark_names, people_named
from benyfits_data.understanding.query import Query
from benyfits_data.understanding.topics import topics
from benyfits_data.understanding.whom import YOU
from benyfits_data.understanding.words import plain

_LARGEST_SHARE = 1.5
"""How much more of a question's words the fact that it asks for has than any other."""


def asked_by_number(question: str, answer: str, household: Household) -> list[Query]:
    """Return the query for what a number that was said most likely tells, empty where unsure.

    For questions that were not understood: of the facts that such a number may tell, the one that
    most of the question's words belong to.
    """
    said = [
        number
        for _, number in numbers_in(plain_answer(answer).split())
        if not counts_people(number)
    ]
    is_bare_one = len(said) == 1 and said[0].said == "1"  # "I have one"
    if len(said) != 1 or is_bare_one or is_year(said[0]) or _IS_WHETHER.match(answer):
        return []
    words, people = _words_and_people(question, household)
    if len(people) > 1:
        return []
    score: dict[str, float] = {}
    for word in set(words):
        facts = [it for it in facts_of(word) if it in FEATURES or it in _MEASURES]
        fitting = [
            it
            for it in facts
            if topics()[it].kind in ("number", "money") and may_be(said[0], topics()[it])
        ]
        for name in fitting:
            score[name] = score.get(name, 0.0) + 1 / len(facts) + 1 / len(fitting)
    best = _best(score)
    if not best:
        return []
    topic = topics()[best]
    return [Query("value", people[0] if people and topic.of_member else YOU, topic.name)]


_IS_WHETHER = re.compile(r"(?i)\W*(?:yes|yeah|yep|no|nope)\b")
"""Begins the answer to a question that asks for no number."""
_MEASURES = ("income", "household_income", "household_size")
_FEWEST = 0.7
"""Of the words of a question that belong to the fact, each shared among the facts that it may be
of, counted twice: among all facts and among those that such a number may tell."""


def asked_by_words(question: str, household: Household) -> list[Query]:
    """Return the query for the yes/no fact or choice that most words of a question belong to.

    Empty where another fact has nearly as many of them.
    """
    words, people = _words_and_people(question, household)
    if len(people) > 1:
        return []
    score: dict[str, float] = {}
    for word in set(words):
        facts = [it for it in facts_of(word) if topics()[it].kind in ("flag", "choice")]
        for name in facts:
            score[name] = score.get(name, 0.0) + 1 / len(facts)
    best = _best(score)
    if not best:
        return []
    topic = topics()[best]
    who = people[0] if people and topic.of_member else YOU
    return [Query("is" if topic.kind == "flag" else "value", who, best)]


def _words_and_people(question: str, household: Household) -> tuple[list[str], list[People]]:
    """Return the words of a question but those of people, and whom it names beside you."""
    names = [plain(member.name) for member in household.members]
    words = mark_names([it for it in plain(question) if it.isalnum() or it[:1] == "$"], names)
    return beside_people(words), people_named(words)


def _best(score: dict[str, float]) -> str:
    """Return the fact with the largest share of words, empty where it is not by far the largest."""
    best = sorted(score, key=lambda it: (-score[it], it))
    if not best or score[best[0]] < _FEWEST:
        return ""
    is_close = len(best) > 1 and score[best[0]] < _LARGEST_SHARE * score[best[1]]
    return "" if is_close else best[0]
