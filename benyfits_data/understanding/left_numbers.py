"""The number of an answer whose other words make no clause: "50 weeks straight", "must be 29".

Where a number was asked for, the one that is said is the answer, however it is wrapped up: the
other words need not be read, only looked at for what they add.
"""

from collections.abc import Callable, Sequence

from benyfits_data.understanding.answer_words import (
    ABOUT_WORDS,
    DENIALS,
    SMALL_TALK,
    TOLD,
    as_asked,
)
from benyfits_data.understanding.claim_notes import ClaimNotes
from benyfits_data.understanding.number_claims import (
    fits,
    may_be,
    take_number,
)
from benyfits_data.understanding.numbers import Comparison, find_comparison, find_number
from benyfits_data.understanding.people_found import find_people, people_named
from benyfits_data.understanding.query import Evaluation, Query, evaluate
from benyfits_data.understanding.topics import Topic, related, topics

_WRAPPING = frozenset(TOLD["wrapping"].split()) | ABOUT_WORDS | SMALL_TALK
"""Words that wrap up a number and say nothing of a household."""


def is_wrapping(word: str) -> bool:
    """Return whether a word wraps up what is said and says nothing of a household."""
    return word in _WRAPPING


_AUXILIARIES = frozenset(("have", "has", "am", "is", "are", "been", "you", "he", "she", "they"))
"""After these a strange word is what somebody does: "I've piled up 175 credits"."""
_OTHER_TIME = frozenset(("will", "next", "soon", "used", "before", "until"))
_LARGEST_SHARE = 1.5
"""How much more of a question's words the fact that it asks for has than any other."""


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
    fitting = [it for it in numbers if may_be(it[1], topic_of_number(asked[0]))]
    others = [it for it in numbers if it not in fitting]
    if len(fitting) != 1 or any(not it.unit for _, it in others):
        return False
    number = fitting[0][1]
    inside = {n for at, it in numbers for n in range(at, it.end)}
    rest = [word for n, word in enumerate(words) if n not in inside]
    if (DENIALS | _OTHER_TIME) & set(rest):
        return False
    people = people_named(rest)
    meant = {n for it in people for n in notes.numbers_of(it)}
    if meant - notes.asked_of(asked[0].query) and asked[0].query.how != "sum":
        return False
    strange = [it for it in beside_people(rest) if it not in _WRAPPING and not is_told(it)]
    n_claims = len(notes.claims)
    if strange == words[:1] and words[1:2] in (["is"], ["makes"], ["gets"]) and not numbers[1:]:
        strange = []  # "Mami is 88": called as no lexicon knows
    if not strange:
        return take_number(notes, number, [], text, bool(ABOUT_WORDS & set(words)))
    kept = notes.is_answered
    if take_number(notes, number, [], text, bool(ABOUT_WORDS & set(words))):
        if all(it.is_true for it in notes.claims[n_claims:]):
            before = words[words.index(strange[0]) - 1] if strange[0] in words[1:4] else ""
            if len(strange) > 1 or before not in _AUXILIARIES:
                notes.invented.append(" ".join(strange))  # but not "I've piled up 175"
            return True
        del notes.claims[n_claims:]  # a number of something else
        notes.is_answered = kept
    return False


def _take_number_beside(notes: ClaimNotes, text: str, is_told: Callable[[str], bool]) -> bool:
    """Take in the number that goes with a yes: "She is! 27 weeks." to "is she pregnant?"."""
    (asked,) = notes.found
    words = as_asked(text, notes.names)
    numbers = numbers_in(words)
    is_whether = asked.query.how in ("is", "exists", "who") and asked.query.topic
    own = topics()[asked.query.topic] if asked.query.topic else None
    is_limited = asked.query.comparison is not None and own is not None
    if len(numbers) != 1 or not is_whether or DENIALS & set(words):
        return False
    if not (notes.is_answered or is_limited):
        return False
    ((start, number),) = numbers
    rest = [*words[:start], *words[number.end :]]
    if not all(is_wrapping(it) or is_told(it) for it in beside_people(rest)):
        return False
    if not (number.unit or number.is_money or number.period):
        return False
    said = people_named(rest)[:1] or ([notes.people] if notes.people else [])
    if is_limited and own and not notes.is_answered and may_be(number, own):
        values = [it.value for it in asked.findings]
        is_true = any(
            fits(it, number, asked.query, bool(ABOUT_WORDS & set(words))) for it in values
        )
        return notes.add(text, own.name, is_true, values)  # "over $2,000?" "They charge us $2,100."
    for name in sorted(related(asked.query.topic or "")):
        topic = topics()[name]
        if topic.kind not in ("number", "money") or not may_be(number, topic):
            continue
        query = Query("value", said[0] if said else asked.query.people, name)
        values = [it.value for it in evaluate(query, notes.household).findings]
        if any(fits(it, number, query, bool(ABOUT_WORDS & set(words))) for it in values):
            return notes.add(text, name, is_true=True, truth=values, answers=False)
    return False


def asks_number(it: Evaluation) -> bool:
    """Return whether a number was asked for."""
    if it.query.how == "count":
        return True
    topic = topics()[it.query.topic] if it.query.topic else None
    return it.query.how in ("value", "sum") and bool(topic and topic.kind in ("number", "money"))


def topic_of_number(it: Evaluation) -> Topic | None:
    """Return what a number that was asked for counts, nothing for people."""
    return None if it.query.how == "count" or not it.query.topic else topics()[it.query.topic]


def numbers_in(words: Sequence[str]) -> list[tuple[int, Comparison]]:
    """Return the numbers and limits that words hold, each with its place."""
    told, place = [], 0
    while place < len(words):
        number = find_comparison(words, place) or find_number(words, place)
        if number is None:
            place += 1
            continue
        told.append((place, number))
        place = max(number.end, place + 1)
    return told


def beside_people(words: Sequence[str]) -> list[str]:
    """Return words without those that name people."""
    kept, place = [], 0
    while place < len(words):
        told = find_people(words, place)[:1]
        if told:
            place = told[0].end
            continue
        kept.append(words[place])
        place += 1
    return [it for it in kept if it.isalnum()]
