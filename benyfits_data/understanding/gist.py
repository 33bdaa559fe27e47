"""What a question that was not understood most likely asks: guessed for the judge alone.

The user never answers a guess. The judge holds a number that was said against what was guessed,
which seldom fits by chance; a bare yes or no is never judged so.
"""

import re
from collections.abc import Sequence

from benyfits_data.household.model import Household
from benyfits_data.understanding.answer_words import TOLD
from benyfits_data.understanding.chatter import is_limiting
from benyfits_data.understanding.cover import NotUnderstoodError, cover
from benyfits_data.understanding.fact_words import asks_unknown_fact
from benyfits_data.understanding.people import People
from benyfits_data.understanding.people_found import find_people, mark_names, people_named
from benyfits_data.understanding.phrases import find_phrases
from benyfits_data.understanding.query import Query
from benyfits_data.understanding.question_text import WORDING
from benyfits_data.understanding.questions import MOST_CHARACTERS, read_question
from benyfits_data.understanding.topics import topics
from benyfits_data.understanding.whom import UNKNOWN, YOU
from benyfits_data.understanding.words import plain

_GUESSES = [(re.compile(pattern), topic) for pattern, topic in TOLD["guesses"]["amounts"]]
_OWNING = frozenset(WORDING["owning"].split())
_OF_AMOUNTS = ("how", "many", "much", "total", "count")
_AMOUNTS = ("value", "sum", "count")


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
