"""What a question that was not understood most likely asks: guessed for the judge alone.

The user never answers a guess. The judge needs it to read what was said: a number, which seldom
fits by chance, or words of the fact's own; a bare yes or no is never judged so.
"""

import re
from collections.abc import Sequence

from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answer_words import TOLD, plain_answer
from benyfits_data.understanding.parser.chatter import is_limiting
from benyfits_data.understanding.parser.cover import NotUnderstoodError, cover
from benyfits_data.understanding.parser.fact_words import asks_unknown_fact, facts_of
from benyfits_data.understanding.parser.number_claims import counts_people, is_year, may_be
from benyfits_data.understanding.parser.numbers import numbers_in
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_found import (
    beside_people,
    find_people,
    mark_names,
    people_named,
)
from benyfits_data.understanding.parser.phrases import find_phrases
from benyfits_data.understanding.parser.query import How, Query
from benyfits_data.understanding.parser.question_text import WORDING
from benyfits_data.understanding.parser.questions import MOST_CHARACTERS, read_question
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.whom import UNKNOWN, YOU
from benyfits_data.understanding.parser.words import plain

_GUESSES = [(re.compile(pattern), topic) for pattern, topic in TOLD["guesses"]["amounts"]]
_OWNING = frozenset(WORDING["owning"].split())
_OF_AMOUNTS = ("how", "many", "much", "total", "count")
_AMOUNTS = ("value", "sum", "count")
_IS_WHETHER = re.compile(r"(?i)\W*(?:yes|yeah|yep|no|nope)\b")
"""Begins the answer to a question that asks for no number."""
_MEASURES = ("income", "household_income", "household_size")
_FEWEST = 0.7
"""Of the words of a question that belong to the fact, each shared among the facts that it may be
of, counted twice: among all facts and among those that such a number may tell."""
_LARGEST_SHARE = 1.5
"""How much more of a question's words the fact that it asks for has than any other."""


def guessed(question: str, household: Household) -> list[Query]:
    """Return the queries that a question not understood may ask, empty where nothing is likely.

    They ask for numbers, or for what no fact tells. What is longer than a question asks nothing.
    """
    if len(question) > MOST_CHARACTERS:
        return []
    words = plain(question)
    if likely := _number_asked(words, household):
        return [likely]
    if asks_unknown_fact(question):
        return [UNKNOWN]
    strange = [place for place in range(len(words)) if not _has_place(words, place)]
    if any(_is_thing(words, place) for place in strange):
        return [] if _names_fact(words) else [UNKNOWN]
    kept = [word for place, word in enumerate(words) if place not in strange]
    if is_limiting([it for it in kept if it not in _OF_AMOUNTS]):
        return []
    try:
        queries = read_question(" ".join(kept), household) if strange else []
    except NotUnderstoodError:
        queries = []
    if UNKNOWN in queries:
        queries = []  # Of the past of a fact: what was left out may say what is asked.
    if not queries and {"much", "many"} & set(words):
        queries = _amounts_named(kept)
    return queries if all(it.how in _AMOUNTS for it in queries) else []


def _number_asked(words: Sequence[str], household: Household) -> Query | None:
    """Return the query for the number that questions in such words mostly ask for."""
    names = [plain(member.name) for member in household.members]
    words = mark_names([word for word in words if word.isalnum()], names)
    text = " ".join(words)
    topic = next((topic for pattern, topic in _GUESSES if pattern.search(text)), None)
    if topic is None:
        return None
    period = next((it for it in ("month", "week") if it in words and topics()[topic].period), "")
    people = people_named(words)
    if topics()[topic].of_member and len(people) == 1 and "and" in words and "you" in words:
        both = People("group", "all", of=(YOU, people[0]), said="you both", is_plural=True)
        return Query("sum", both, topic, period=period)
    if len(people) > 1:
        return None
    return Query("value", people[0] if people else YOU, topic, period=period)


def _has_place(words: Sequence[str], place: int) -> bool:
    """Whether a word could be part of a question that is understood."""
    try:
        cover([words[place]])
    except NotUnderstoodError:
        return (
            any(
                start <= place < end
                for start in range(max(0, place - 6), place + 1)
                for end in (
                    *(it.end for it in find_phrases(words, start)),
                    *(it.end for it in find_people(words, start)),
                )
            )
            or words[place].lstrip("$")[:1].isdigit()
            or not words[place].isalpha()
        )
    return True


def _is_thing(words: Sequence[str], place: int) -> bool:
    """Whether a word names what is asked about: "your car", "how many bedrooms"."""
    return place == 0 or words[place - 1] in _OWNING


def _names_fact(words: Sequence[str]) -> bool:
    return any(
        {it.topic for it in phrase.meanings} - {"not_known"}
        for place in range(len(words))
        for phrase in find_phrases(words, place)
    )


def _amounts_named(words: Sequence[str]) -> list[Query]:
    """Return the one number that words name: "how many credits from college you got"."""
    named = {
        it.topic
        for place in range(len(words))
        for phrase in find_phrases(words, place)
        for it in phrase.meanings
        if topics()[it.topic].kind in ("number", "money")
    }
    people = [it.people for place in range(len(words)) for it in find_people(words, place)[:1]]
    others = [it for it in people if it.kind not in ("you", "household")]
    if len(named) != 1 or len(others) > 1:
        return []
    return [Query("value", others[0] if others else YOU, named.pop())]


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
    return [_of_whom("value", people, best)]


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
    return [_of_whom("is" if topics()[best].kind == "flag" else "value", people, best)]


def _of_whom(how: How, people: Sequence[People], topic: str) -> Query:
    """Return the query for a fact of the one whom a question names, else of you or your home."""
    return Query(how, people[0] if people and topics()[topic].of_member else YOU, topic)


def _words_and_people(question: str, household: Household) -> tuple[list[str], list[People]]:
    """Return the words of a question but those of people, and whom it names beside you.

    What is longer than a question has none.
    """
    if len(question) > MOST_CHARACTERS:
        return [], []
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
