"""Facts of a household as a dialog speaks of them: which one a question means, what one says.

Used by the reference user, who answers free-form questions from the structured household, and to
hold any user's answers against it.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log, sqrt
from typing import Any

from benyfits_data.evaluation.codegen.keys import MEMBERS_KEY, NOTHING, Nothing
from benyfits_data.evaluation.replies import read_numbers
from benyfits_data.evaluation.spoken_wording import (
    NEVER,
    NOT_APPLICABLE,
    answer_fact,
    ask_fact,
    read_day,
)
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household

LIKENESS = 0.45
"""Cosine of word weights above which a free-form question is taken to mean a fact."""
UNSEEN_WORD = 0.4
LEAD = 1.1
"""How much likelier than the next fact it has to be."""

SPOKEN_OF = 0.6
"""Share of a flag's words that a sentence must hold to speak of it."""

_COMMON = frozenset(
    """
    a an the is are am was were be been do does did has have had can could will would you your
    yours i my me it its they their he she his her him of in on at to for from by with or and
    any if that this what which who how there about as now please tell person member household
    anyone someone
    """.split()  # noqa: SIM905 - one word a line reads no better
)
_NEGATION = re.compile(r"\b(not|no|never|neither|nor|without|none|nobody)\b|n't\b", re.IGNORECASE)
_NOTHING_TO_TELL = ("none", NEVER.lower(), NOT_APPLICABLE.lower())
_NO_ANSWER = re.compile(
    r"\b(don'?t know|do not know|not sure|unsure|no idea|can(?:'?t|not) say|unknown|no information"
    r"|not (?:mentioned|specified|stated))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Fact:
    """One fact of one household.

    Attributes:
        key: A feature's name, or `number_of_members`.
        member: The member's number; nothing for the household.
    """

    key: str
    member: int | None = None

    def __str__(self) -> str:
        return self.key if self.member is None else f"{self.key} of member {self.member}"


def look_up(household: Household, fact: Fact) -> Any:
    """Return the value of a fact."""
    if fact.key == MEMBERS_KEY:
        return len(household.members)
    owner = household if fact.member is None else household.members[fact.member]
    return getattr(owner, fact.key)


def tell(household: Household, fact: Fact) -> str:
    """Return the fact in prose, said by the first member."""
    return answer_fact(fact.key, look_up(household, fact), _name(household, fact.member))


def read_answer(key: str, answer: str) -> Any | Nothing:
    """Return the value of a feature that an answer gives, or `NOTHING` where it is not plain.

    Args:
        key: A feature's name, or `number_of_members`.
        answer: What a user said.
    """
    text = " ".join(answer.split())
    if key == MEMBERS_KEY:
        return _read_number(text, whole=True)
    feature = FEATURES[key]
    if feature.kind == "flag":
        said = _read_yes_no(text)
        return _read_statement(feature.phrase, text) if isinstance(said, Nothing) else said
    if feature.optional and text.lower().startswith(_NOTHING_TO_TELL):
        return None
    if feature.kind == "date":
        day = read_day(text)
        return NOTHING if day is None else day
    if feature.kind == "choice":
        return _read_choice(key, text)
    if feature.kind == "text":
        found = re.search(r"name is (.+?)\.?$", text)
        return found.group(1) if found else NOTHING
    return _read_number(text, whole=feature.kind == "number")


def is_no_answer(answer: str) -> bool:
    """Return whether an answer says that there is none."""
    return not answer.strip() or bool(_NO_ANSWER.search(answer))


def identify(household: Household, question: str) -> Fact | None:
    """Return the fact a question asks for, or `None` if it is not clear.

    A canonical question is recognised as such. Any other is compared with the wording of every
    declaration; the member is found by name, number or relation.
    """
    exact = _canonical(_names(household)).get(_normal(question))
    if exact is not None:
        return exact
    member = _find_member(household, question)
    weights = _weights()
    words = _vector(question, weights)
    ranked = sorted(
        ((_cosine(words, vector), key) for key, vector in _vectors().items()), reverse=True
    )
    (best, key), (second, _) = ranked[0], ranked[1]
    if best < LIKENESS or best < LEAD * second:
        return None
    if key in MEMBER_FEATURES:
        return None if member is None else Fact(key, member)
    return Fact(key)


Ways = tuple[tuple[str, ...], ...]


@lru_cache(maxsize=256)
def _canonical(ways: Ways) -> dict[str, Fact]:
    """The canonical questions of a household whose members may be named in these ways."""
    questions = {
        _normal(ask_fact(key, "")): Fact(key) for key in (*HOUSEHOLD_FEATURES, MEMBERS_KEY)
    }
    for number, people in enumerate(ways):
        for person in people:
            for key in MEMBER_FEATURES:
                questions.setdefault(_normal(ask_fact(key, person)), Fact(key, number))
    return questions


def _names(household: Household) -> Ways:
    return tuple(
        tuple(_ways_to_name(household, number)) for number in range(len(household.members))
    )


def _ways_to_name(household: Household, number: int) -> list[str]:
    if number == 0:
        return ["you"]
    member = household.members[number]
    ways = [f"person {number + 1} in your household", member.name, member.name.split()[0]]
    alike = [other for other in household.members if other.relation == member.relation]
    return [*ways, f"your {member.relation}"] if len(alike) == 1 else ways


def _name(household: Household, number: int | None) -> str:
    if number is None:
        return ""
    return "you" if number == 0 else household.members[number].name


def _find_member(household: Household, question: str) -> int | None:
    """The member a question speaks of; the applicant if it says you, nobody if out of range."""
    text = _normal(question)
    numbered = re.search(r"\b(?:person|member|individual) (?:number )?(\d+)\b", text)
    if numbered:
        number = int(numbered.group(1)) - 1
        return number if 0 <= number < len(household.members) else None
    for number, member in enumerate(household.members):
        names = {member.name.lower(), member.name.split()[0].lower()}
        if any(re.search(rf"\b{re.escape(name)}\b", text) for name in names):
            return number
    for number, member in enumerate(household.members[1:], start=1):
        if re.search(rf"\byour (?:\w+ )?{re.escape(member.relation)}\b", text):
            return number
    return 0 if re.search(r"\b(you|your|yourself)\b", text) else None


def _read_yes_no(text: str) -> bool | Nothing:
    first = re.match(r"\W*(yes|yeah|yep|correct|true|no|nope|not|false)\b", text, re.IGNORECASE)
    if first:
        return first.group(1).lower() in ("yes", "yeah", "yep", "correct", "true")
    return NOTHING


def _read_statement(phrase: str, text: str) -> bool | Nothing:
    """What a whole sentence says of a flag, if its first sentence speaks of the flag's words."""
    first = re.split(r"(?<=[.!?])\s", text)[0]
    wanted = set(_words(re.sub(r"\{\w+\}", "", phrase)))
    speaks_of_it = len(wanted & set(_words(first))) >= max(1, SPOKEN_OF * len(wanted))
    if not speaks_of_it or _NEGATION.search(phrase):
        return NOTHING
    return not _NEGATION.search(first)


def _read_choice(key: str, text: str) -> str | Nothing:
    said = _normal(text)
    found = []
    for value, phrase in FEATURES[key].choices.items():
        bare = re.sub(r"\{\w+\}", "", phrase)
        for words in (*_as_said(bare), value.replace("_", " ")):
            plain = _normal(words)
            if re.search(rf"\b{re.escape(plain)}\b", said):
                found.append((len(plain), value))
    return max(found)[1] if found else NOTHING


def _as_said(phrase: str) -> tuple[str, str]:
    """A phrase as written for the household, and as its first member says it."""
    mine = phrase.replace("your ", "my ").replace("yours", "mine")
    return phrase, mine


def _read_number(text: str, *, whole: bool) -> float | Nothing:
    values = read_numbers(text)
    if not values and re.search(r"\b(zero|none|nothing|no)\b", text, re.IGNORECASE):
        values = {0.0}
    if len(values) != 1:
        return NOTHING
    value = values.pop()
    return int(value) if whole and value.is_integer() else (NOTHING if whole else value)


def _normal(text: str) -> str:
    return (
        re.sub(r"[^a-z0-9' ]+", " ", text.lower().replace("\u2019", "'")).strip().replace("  ", " ")
    )


def _words(text: str) -> list[str]:
    words = (re.sub(r"'s$", "", word) for word in _normal(text).split())
    return [_stem(word) for word in words if word not in _COMMON and len(word) > 1]


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@cache
def _documents() -> dict[str, list[str]]:
    documents = {
        key: _words(
            " ".join(
                re.sub(r"\{\w+\}", " ", text)
                for text in (feature.question, feature.question, feature.phrase, feature.sentence)
            )
            + " "
            + key.replace("_", " ")
        )
        for key, feature in FEATURES.items()
    }
    documents[MEMBERS_KEY] = _words("how many people live number of people size of family count")
    return documents


@cache
def _weights() -> dict[str, float]:
    documents = _documents()
    counts = Counter(word for words in documents.values() for word in set(words))
    return {word: log(1 + len(documents) / count) for word, count in counts.items()}


@cache
def _vectors() -> dict[str, dict[str, float]]:
    return {key: _vector(" ".join(words), _weights()) for key, words in _documents().items()}


def _vector(text: str, weights: dict[str, float]) -> dict[str, float]:
    counts = Counter(_words(text))
    # A word of no declaration says that something else is meant, but people use fillers too.
    unseen = UNSEEN_WORD * max(weights.values())
    vector = {word: (1 + log(count)) * weights.get(word, unseen) for word, count in counts.items()}
    length = sqrt(sum(weight**2 for weight in vector.values())) or 1.0
    return {word: weight / length for word, weight in vector.items()}


def _cosine(first: dict[str, float], second: dict[str, float]) -> float:
    return sum(weight * second.get(word, 0.0) for word, weight in first.items())
