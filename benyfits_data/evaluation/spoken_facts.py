"""Single facts of a household as the reference players speak of them, in canonical questions.

Any other question or answer is read by `benyfits_data.understanding.parser`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benyfits_data.evaluation.spoken_wording import (
    NEVER,
    NOT_APPLICABLE,
    answer_fact,
    ask_fact,
    read_day,
)
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.profiles.verb_forms import HOUSEHOLD, ME
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import NOTHING, Nothing, read_numbers

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


def canonical_fact(household: Household, question: str) -> Fact | None:
    """Return the fact that a canonical question asks for, or `None` of any other question.

    Args:
        household: The household.
        question: Any question.
    """
    return _canonical(_names(household)).get(_normal(question))


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
        spoken = [phrase.format_map(speaker.forms) for speaker in (ME, HOUSEHOLD)]
        for words in (*map(_as_mine, spoken), *spoken, value.replace("_", " ")):
            plain = _normal(words)
            if re.search(rf"\b{re.escape(plain)}\b", said):
                found.append((len(plain), value))
    return max(found)[1] if found else NOTHING


def _as_mine(phrase: str) -> str:
    """A phrase as the first member of a household says it."""
    return phrase.replace("your ", "my ").replace("yours", "mine")


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
