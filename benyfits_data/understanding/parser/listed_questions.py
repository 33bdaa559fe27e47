"""Questions that list: values of one choice ("own, rent, or neither?"), or things of several."""

import re
from collections.abc import Sequence

from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.fact_words import belongs
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.phrases import MEMBER, PLAIN_VERBS
from benyfits_data.understanding.parser.query import Query
from benyfits_data.understanding.parser.question_text import PLAIN_WORDS, VERBS, WORDING
from benyfits_data.understanding.parser.whom import YOU
from benyfits_data.understanding.parser.words import split_at, stem


def stem_all(text: str) -> str:
    """Return words by their stems."""
    return " ".join(stem(word) for word in text.split())


_VALUES: dict[str, frozenset[str]] = {
    name: frozenset(stem_all(it) for it in words.split(" | "))
    for name, words in WORDING["choices"].items()
}
_OF_MANY = frozenset(("housing_type",))
"""Choices with so many values that two of them leave most out."""
_KINDS = frozenset(("apartment", "house", "rental", "hotel", "shelter"))
"""Words for housing that are kinds of several values."""
_NONE = frozenset(WORDING["no_choice"].split(" | "))
_JOINTS = (",", "or", ":")
_LEADS = frozenset(
    ("in", "a", "an", "on", "by", "with", "the", "as", "it", "is", "do", "you", "are")
)
FEWEST_VALUES = 2


def things_of_each(words: Sequence[str]) -> list[list[str]]:
    """Return the questions of "your age and your husband's age", nothing where it is another.

    Each names one person and something of that person; not all name the same person.
    """
    opener = re.match(r"(?:what (?:is|are) |list )?", " ".join(words))
    start = len(opener.group(0).split()) if opener else 0
    pieces = split_at(words[start:], ("and", ","))
    owners = [_owner(piece) for piece in pieces]
    if len(pieces) < FEWEST_VALUES or None in owners or len(set(owners)) < FEWEST_VALUES:
        return []
    return [["what", "is", *piece] for piece in pieces]


def _owner(piece: Sequence[str]) -> People | None:
    """Return the one person of whom a piece names something: "your husband age"."""
    found = [
        it
        for it in find_people(piece, 0)
        if it.end < len(piece)
        and (
            piece[0].startswith(MEMBER)
            or (piece[0] == "your" and (it.people.kind == "you" or not it.people.is_plural))
        )
    ]
    rest = piece[found[0].end :] if found else []
    is_of_one = bool(rest) and not set(rest) & PLAIN_VERBS and not find_people(rest, 0)
    return found[0].people if is_of_one else None


def choice_listed(words: Sequence[str]) -> list[Query]:
    """Return what "do you own, rent, or something else?" asks, nothing where it is no such list.

    >>> [it.topic for it in choice_listed("do you own , rent , or something else".split())]
    ['tenure']
    """
    first, *rest = split_at(words, _JOINTS) or [[]]
    rest = [piece for piece in rest if " ".join(piece) not in _NONE]
    if not rest or first[:2] == ["how", "many"]:
        return []
    for topic, values in _VALUES.items():
        if topic in _OF_MANY and not _leaves_open(words):
            continue  # "is it rent stabilized or rent controlled?" asks whether it is so
        told = [stem_all(_without_leads(piece)) in values for piece in rest]
        if not all(told):
            continue
        for n in (3, 2, 1, 0):
            head, value = first[: len(first) - n], first[len(first) - n :]
            is_value = n > 0 and stem_all(" ".join(value)) in values
            people = _asked_of(head, topic)
            if people is not None and (is_value or (n == 0 and len(rest) >= FEWEST_VALUES)):
                return [Query("value", people, topic)]
    return []


def _leaves_open(words: Sequence[str]) -> bool:
    """Whether a list asks for a value: it ends with "or what", or names kinds of several values."""
    pieces = [_without_leads(piece) for piece in split_at(words, _JOINTS)]
    is_bare = words[0] not in VERBS
    return is_bare or any(it in _NONE or it in _KINDS for it in pieces)


def _without_leads(piece: Sequence[str]) -> str:
    kept = list(piece)
    while len(kept) > 1 and kept[0] in _LEADS:
        kept.pop(0)
    return " ".join(kept)


def _asked_of(words: Sequence[str], topic: str) -> People | None:
    """Return of whom the words before a list ask, `None` where they say more than that."""
    people: list[People] = []
    place = 0
    while place < len(words):
        word = words[place]
        found = [
            it for it in find_people(words, place) if it.people.kind in ("you", "name", "members")
        ]
        if found:
            people.append(found[0].people)
            place = found[0].end
        elif word in PLAIN_WORDS or word in _HOW or belongs(word, topic):
            place += 1
        else:
            return None
    others = [it for it in people if it != YOU and it.kind != "you"]
    if len(others) > 1 or any(it.is_plural or it.quantifier != "the" for it in others):
        return None
    if others and topic in FEATURES and FEATURES[topic].topic == "housing":
        return None
    return others[0] if others else YOU


_HOW = frozenset(("what", "which", "how", "immigration", "status", "legal"))
