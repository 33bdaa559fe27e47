"""The number of an answer whose other words make no clause: "50 weeks straight", "must be 29".

Where a number was asked for, the one that is said is the answer, however it is wrapped up: the
other words need not be read, only looked at for what they add.
"""

from collections.abc import Callable, Sequence
from typing import Any

from benyfits_data.understanding.parser.answer_words import (
    ABOUT_WORDS,
    DENIALS,
    SMALL_TALK,
    TOLD,
    as_asked,
)
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.fact_words import belongs
from benyfits_data.understanding.parser.number_claims import (
    fits,
    may_be,
    take_age_if_so,
    take_number,
)
from benyfits_data.understanding.parser.numbers import Comparison, numbers_in
from benyfits_data.understanding.parser.people_found import beside_people, people_named
from benyfits_data.understanding.parser.query import PER_YEAR, Evaluation, Query, evaluate
from benyfits_data.understanding.parser.topics import Topic, numbers_near, related, topics

_WRAPPING = frozenset(TOLD["wrapping"].split()) | ABOUT_WORDS | SMALL_TALK
"""Words that wrap up a number and say nothing of a household."""


def is_wrapping(word: str) -> bool:
    """Return whether a word wraps up what is said and says nothing of a household."""
    return word in _WRAPPING


_AUXILIARIES = frozenset(("have", "has", "am", "is", "are", "been", "you", "he", "she", "they"))
"""After these a strange word is what somebody does: "I've piled up 175 credits"."""
_OTHER_TIME = frozenset(("will", "next", "soon", "used", "before", "until"))


def take_left_number(notes: ClaimNotes, text: str, is_told: Callable[[str], bool]) -> bool:
    """Take in the only number of a text, where one number was asked for; return whether it did.

    Args:
        notes: What was asked and claimed.
        text: What no reader of clauses understood.
        is_told: Whether a word is one of grammar, or of what was asked.
    """
    asked = [it for it in notes.found if it.is_known and asks_number(it)]
    if len(notes.queries) == 1 and not asked:
        return _take_number_beside(notes, text, is_told)
    if len(asked) != 1 or len(notes.queries) != 1:
        return False
    words = as_asked(text, notes.names)
    numbers = numbers_in(words)
    fitting = [number for _, number in numbers if may_be(number, _counted(asked[0]))]
    if len(fitting) != 1 or any(not it.unit for _, it in numbers if it not in fitting):
        return False
    inside = {n for at, it in numbers for n in range(at, it.end)}
    rest = [word for n, word in enumerate(words) if n not in inside]
    named = {n for it in people_named(rest) for n in notes.numbers_of(it)}
    is_of_others = named - notes.asked_of(asked[0].query) and asked[0].query.how != "sum"
    if is_of_others or (DENIALS | _OTHER_TIME) & set(rest):
        return False
    strange = [it for it in beside_people(rest) if not (is_wrapping(it) or is_told(it))]
    if len(numbers) == 1 and strange == words[:1] and words[1:2] in (["is"], ["makes"], ["gets"]):
        strange = []  # "Mami is 88": called as no lexicon knows
    return _take_with(notes, fitting[0], strange, words, text)


def _take_with(
    notes: ClaimNotes, number: Comparison, strange: Sequence[str], words: list[str], text: str
) -> bool:
    """Take in a number with words beside it that are of nothing known.

    With such words it may be a number of something else: it is taken in only where it is so.
    """
    mark = notes.mark()
    if not take_number(notes, number, [], text, bool(ABOUT_WORDS & set(words))):
        return False
    if not strange:
        return True
    if not all(it.is_true for it in notes.since(mark)):
        notes.take_back(mark)
        return False
    before = words[words.index(strange[0]) - 1] if strange[0] in words[1:4] else ""
    if len(strange) > 1 or before not in _AUXILIARIES:
        notes.invented.append(" ".join(strange))
    return True


def _take_number_beside(notes: ClaimNotes, text: str, is_told: Callable[[str], bool]) -> bool:
    """Take in a number where it was asked whether something is so.

    Either it is held against the fact that was asked about ("over $2,000?" "They charge us
    $2,100."), or it goes with a yes: "She is! 27 weeks." to "is she pregnant?".
    """
    (asked,) = notes.found
    words = as_asked(text, notes.names)
    numbers = numbers_in(words)
    topic = topics()[asked.query.topic] if asked.query.topic else None
    if topic is None or asked.query.how not in ("is", "exists", "who"):
        return False
    if len(numbers) != 1 or DENIALS & set(words):
        return False
    ((start, number),) = numbers
    rest = [*words[:start], *words[number.end :]]
    said = people_named(rest)[:1] or ([notes.people] if notes.people else [asked.query.people])
    told = [it for it in beside_people(rest) if not (is_wrapping(it) or is_told(it))]
    if not (number.unit or number.is_money or number.period):
        return not told and notes.is_answered and take_age_if_so(notes, number, said[0], text)
    is_about = bool(ABOUT_WORDS & set(words))
    if not notes.is_answered:
        if told or asked.query.comparison is None or not may_be(number, topic):
            return False
        values = [it.value for it in asked.findings]
        is_true = any(fits(it, number, asked.query, is_about) for it in values)
        return notes.add(text, topic.name, is_true, values)
    others: dict[str, list[Any]] = {}
    for name in sorted(numbers_near(topic.name)):
        if not may_be(number, topics()[name]) or not all(belongs(it, name) for it in told):
            continue
        query = Query("value", said[0], name)
        values = [it.value for it in evaluate(query, notes.household).findings]
        if any(fits(it, number, query, is_about) for it in values):
            return notes.add(text, name, is_true=True, truth=values, answers=False)
        if name in related(topic.name) and any(values):
            others[name] = values
    if told or not others or number.period not in PER_YEAR:
        return False
    # "Do you work?" "I do. $9,000 a year." is of no other fact
    name, values = others.popitem()
    return notes.add(text, name, is_true=False, truth=values, answers=False)


def asks_number(it: Evaluation) -> bool:
    """Return whether a number was asked for."""
    if it.query.how == "count":
        return True
    topic = topics()[it.query.topic] if it.query.topic else None
    return it.query.how in ("value", "sum") and bool(topic and topic.kind in ("number", "money"))


def _counted(it: Evaluation) -> Topic | None:
    """Return what a number that was asked for counts, nothing for people."""
    return None if it.query.how == "count" or not it.query.topic else topics()[it.query.topic]
