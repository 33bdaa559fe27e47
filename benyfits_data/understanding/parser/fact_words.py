"""The words of each fact, for clauses whose words no phrase of the lexicon covers.

Whoever asks whether "heating is part of what you pay the landlord" uses words of a known fact in an
unknown order. Where one fact alone has all of them in its phrases, that fact is meant.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.phrases import (
    ARTICLES,
    BETWEEN,
    find_phrases,
    stems_of_phrases,
)
from benyfits_data.understanding.parser.question_text import WORDING
from benyfits_data.understanding.parser.topics import Meaning, topics
from benyfits_data.understanding.parser.words import plain, stem

FEWEST_WORDS = 2
"""A clause must name a fact by as many words: "tank" alone does not ask for heating fuel."""
MOST_MISSING = 1
"""Words of a phrase that a clause may leave out."""
_WEAK = frozenset(stem(word) for word in WORDING["weak"].split())
_TELLING_NOTHING = frozenset(("anything", "something", "everything", "nothing", "already"))
_DENYING = frozenset(("not", "no", "without", "unable"))
MOST_TOPICS = 4
"""One of the words must belong to no more facts than these."""


def topic_of_words(words: Sequence[str]) -> Meaning | None:
    """Return what words name together, or `None` where it is nothing, or several things."""
    stems = {stem(word) for word in words}
    if stems <= _WEAK:
        return None
    table = _vocabulary()
    if len(stems) < FEWEST_WORDS or any(it not in table for it in stems):
        return None
    meant = frozenset.intersection(*(table[it] for it in stems))
    if not any(stems <= words for words, it in _phrases() if it.topic == "not_known"):
        # What is not known are many things: one of them must have all words.
        meant -= {Meaning("not_known")}
    others = ({it.topic for it in table[each]} - {"not_known"} for each in stems)
    is_telling = min(len(it) for it in others) <= MOST_TOPICS
    if not is_telling or not meant:
        return None
    if len({it.topic for it in meant}) > 1:
        return _nearest(stems)
    plainest = [it for it in meant if it.value is None and not it.is_opposite]
    if plainest and not (topics()[plainest[0].topic].kind == "flag" and len(meant) > 1):
        return plainest[0]
    return next(iter(meant)) if len(meant) == 1 else None


@cache
def denies(topic: str) -> bool:
    """Return whether a fact is that something is not so: "does not follow treatment"."""
    feature = FEATURES.get(topic)
    return feature is not None and bool(_DENYING & set(plain(feature.phrase or feature.question)))


def is_known(word: str) -> bool:
    """Return whether a word belongs to a fact."""
    return stem(word) in _vocabulary()


def _nearest(stems: set[str]) -> Meaning | None:
    """Return what the phrase with fewest other words stands for, `None` where two things do."""
    fewest = min((len(words - stems) for words, _ in _phrases() if stems <= words), default=0)
    meant = {it for words, it in _phrases() if stems <= words and len(words - stems) == fewest}
    return meant.pop() if len(meant) == 1 and fewest <= MOST_MISSING else None


@cache
def _phrases() -> tuple[tuple[frozenset[str], Meaning], ...]:
    """Return the words of each phrase that tell it from others, and what it stands for."""
    free = {stem(word) for word in BETWEEN | ARTICLES}
    return tuple((frozenset(stems) - free, meaning) for stems, meaning in stems_of_phrases())


def belongs(word: str, topic: str) -> bool:
    """Return whether a word belongs to a topic, as itself or as one of its values."""
    return any(it.topic == topic for it in meanings_of(word))


def meanings_of(word: str) -> frozenset[Meaning]:
    """Return what the phrases stand for that have a word."""
    return _vocabulary().get(stem(word), frozenset())


def values_named(words: Sequence[str], topic: str) -> set[str]:
    """Return the values of a topic that words name, in phrases or by a word of one value alone."""
    named = {
        it.value
        for place in range(len(words))
        for phrase in find_phrases(words, place)
        for it in phrase.meanings
        if it.topic == topic and it.value
    }
    if not named:
        for word in words:
            values = {it.value for it in meanings_of(word) if it.topic == topic and it.value}
            named |= values if len(values) == 1 else set()
    return {it for it in named if it}


def facts_of(word: str) -> frozenset[str]:
    """Return the facts that a word belongs to."""
    return frozenset(it.topic for it in meanings_of(word)) - {"not_known"}


@cache
def _vocabulary() -> Mapping[str, frozenset[Meaning]]:
    told: dict[str, set[Meaning]] = defaultdict(set)
    for words, meaning in _phrases():
        for word in words:
            told[word].add(meaning)
    for name, feature in FEATURES.items():
        for text in (feature.phrase, feature.question):
            for word in plain(text):
                told[stem(word)].add(Meaning(name))
    for word in BETWEEN | ARTICLES | _TELLING_NOTHING:
        told.pop(stem(word), None)
    return {word: frozenset(meanings) for word, meanings in told.items() if word.isalpha()}


def asks_unknown_fact(question: str) -> bool:
    """Return whether a question names what no fact tells, and nothing that one does."""
    words = plain(question)
    found = [it for place in range(len(words)) for it in find_phrases(words, place)]
    named = {meaning.topic for it in found if not it.skipped for meaning in it.meanings}
    return named == {"not_known"}
