"""Questions for declared facts, and a person's answers to them, in plain English."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from benyfits_data.household.features import FEATURES
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    HOUSEHOLD,
    ME,
    YOU,
    Speaker,
    amount,
    day,
    named_speaker,
    with_capitals,
)
from benyfits_data.understanding.facts import MEMBERS_KEY

MEMBERS_QUESTION = "How many people live in your household, counting yourself?"
NEVER = "Never"
NOT_APPLICABLE = "That does not apply"

# What follows yes or no: of the speaker, then of anybody else.
_SHORT = {
    "is": ("I am", "{who} is"),
    "has": ("I do", "{who} does"),
    "receives": ("I do", "{who} does"),
    "can": ("I can", "{who} can"),
    "does": ("I do", "{who} does"),
    "has done": ("I have", "{who} has"),
    "was": ("I was", "{who} was"),
}
_MINE = {"your": "my", "you": "I", "yours": "mine", "yourself": "myself"}


def ask_fact(key: str, person: str) -> str:
    """Return the canonical question for a fact.

    Args:
        key: A feature's name, or `MEMBERS_KEY`.
        person: "you", how to name a member, or empty for the household.
    """
    if key == MEMBERS_KEY:
        return MEMBERS_QUESTION
    feature = FEATURES[key]
    forms = _forms(person or "the household")
    if "ubject}" not in feature.question and person not in ("", "you"):
        forms = {**forms, **with_capitals({"possessive": f"{person}'s"})}
    question = feature.question.format_map(forms)
    if feature.level == "member" and person != "you" and person not in question:
        question += f" This is about {person}."
    return question[0].upper() + question[1:]


def ask_who(key: str) -> str:
    """Return the question of whom in the household a yes or no holds."""
    feature = FEATURES[key]
    who = named_speaker("who in your household", "their")
    said = who.sentence(AFFIRMATIVE[feature.verb or "is"], list=feature.phrase)
    return said.removesuffix(".") + "?"


def ask_plainly(key: str) -> str:
    """Return the question for a fact of no particular member, for comments in programs."""
    is_member = key != MEMBERS_KEY and FEATURES[key].level == "member"
    return ask_fact(key, "this person" if is_member else "")


def answer_fact(key: str, value: Any, person: str) -> str:
    """Return what somebody says whose household has this value.

    Args:
        key: A feature's name, or `MEMBERS_KEY`.
        value: The value.
        person: "you" for the speaker, how the speaker names a member, or empty for the household.
    """
    if key == MEMBERS_KEY:
        return f"There {'is 1 person' if value == 1 else f'are {value} people'} in my household."
    feature = FEATURES[key]
    if feature.kind == "flag":
        mine, theirs = _SHORT[feature.verb or "is"]
        who = mine if person == "you" else theirs.format(who=person or "my household")
        return f"Yes, {who}." if value else f"No, {who} not.".replace("can not", "cannot")
    if value is None:
        whom = "me" if person == "you" else person or "my household"
        return f"{NEVER}." if " ago " in feature.question else f"{NOT_APPLICABLE} to {whom}."
    if feature.kind == "choice":
        speaker = _speaker(person)
        told = speaker.sentence(feature.sentence, value=_speak(feature.choices[value]))
        return told[0].upper() + told[1:]
    if feature.kind == "date":
        return f"On {day(value)}."
    if feature.kind == "text":
        return f"{'My' if person == 'you' else 'The'} name is {value}."
    return f"{amount(value, feature.unit)}."


@lru_cache(maxsize=1024)
def _forms(person: str) -> Mapping[str, str]:
    own = {"subject": person}
    if person not in ("you", "the household"):
        own |= {"possessive": "their", "reflexive": "themselves"}
    forms = YOU.forms if person == "you" else HOUSEHOLD.forms
    # In a question the main verb keeps its plain form: does she qualify, does she work.
    return {**forms, **with_capitals(own), "s": "", "ies": "y"}


def _speaker(person: str) -> Speaker:
    if person == "you":
        return ME
    return named_speaker(person or "my household", f"{person}'s" if person else "its")


def _speak(words: str) -> str:
    return " ".join(_MINE.get(word, word) for word in words.split())


def read_day(words: str) -> date | None:
    """Return the day a text names, as in March 5, 2021 or 2021-03-05; `None` without one."""
    iso = re.search(r"(\d{4})-(\d{1,2})-(\d{1,2})", words)
    try:
        if iso:
            return date(*(int(part) for part in iso.groups()))
        spelt = re.search(r"([A-Z][a-z]+) (\d{1,2}),? (\d{4})", words)
        if spelt and spelt.group(1) in _MONTHS:
            return date(int(spelt.group(3)), _MONTHS[spelt.group(1)], int(spelt.group(2)))
    except ValueError:
        return None
    return None


_MONTHS: Mapping[str, int] = {f"{date(2000, month, 1):%B}": month for month in range(1, 13)}
