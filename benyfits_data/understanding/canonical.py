"""Questions and answers in canonical words: what our own players ask and say, exact both ways.

A canonical question is read only where it is word for word one of ours. Whatever else asks for
facts is answered by sentences that state them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.profiles.sentences import state as state_flags
from benyfits_data.profiles.sentences import value_sentence
from benyfits_data.profiles.verb_forms import (
    HOUSEHOLD,
    ME,
    YOU,
    Speaker,
    amount,
    day,
    first_name,
    kin_of,
    named_speaker,
    with_capitals,
)
from benyfits_data.understanding.facts import (
    MEMBERS_KEY,
    Json,
    Question,
    base_facts,
    look_up,
    request_for,
)
from benyfits_data.understanding.typed import normal

MEMBERS_QUESTION = "How many people live in your household, counting yourself?"
UNKNOWN = "I don't know; I have no information about that."
"""What is said to a question that is not about facts."""
WE = Speaker(
    ("we",), {**YOU.forms, **with_capitals({"possessive": "our", "reflexive": "ourselves"})}
)
_SHORT = {"has": "does", "receives": "does", "has done": "has"}
"""The verb after yes or no: "Yes, she does" of whom it is asked what she has."""
_MINE = {"your": "my", "yours": "mine", "you": "me", "yourself": "myself"}


# Questions


def name_member(member: int | None) -> str:
    """Return how a canonical question names a member by number; empty for the household."""
    if member is None:
        return ""
    return "you" if member == 0 else f"person {member + 1} in your household"


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


def ask_plainly(key: str) -> str:
    """Return the question for a fact of no particular member, for comments in programs."""
    is_member = key != MEMBERS_KEY and FEATURES[key].level == "member"
    return ask_fact(key, "this person" if is_member else "")


def read_question(text: str, household: Household) -> Question | None:
    """Return what a canonical question asks, or `None` of any other question."""
    request = canonical_requests(len(household.members)).get(normal(text))
    return None if request is None else [request]


@lru_cache
def canonical_requests(n_members: int) -> Mapping[str, Json]:
    """Return what each canonical question asks of a household of so many members."""
    questions = {
        normal(ask_fact(key, "")): request_for(key) for key in (*HOUSEHOLD_FEATURES, MEMBERS_KEY)
    }
    for number in range(n_members):
        for key in MEMBER_FEATURES:
            question = normal(ask_fact(key, name_member(number)))
            questions.setdefault(question, request_for(key, number))
    return questions


@lru_cache(maxsize=1024)
def _forms(person: str) -> Mapping[str, str]:
    words = {"subject": person}
    if person not in ("you", "the household"):
        words |= {"possessive": "their", "reflexive": "themselves"}
    forms = YOU.forms if person == "you" else HOUSEHOLD.forms
    # In a question the main verb keeps its plain form: does she qualify, does she work.
    return {**forms, **with_capitals(words), "s": "", "ies": "y"}


# Answers


def answer(question: str, household: Household) -> str | None:
    """Return what the applicant says to a canonical question, or `None` to any other.

    Args:
        question: Any question.
        household: The household; its first member speaks.
    """
    asked = read_question(question, household)
    if asked is None:
        return None
    ((key, member),) = base_facts(asked, len(household.members))
    is_mine = member == 0 or (member is None and len(household.members) == 1)
    person = "you" if is_mine else "" if member is None else household.members[member].name
    return answer_fact(key, look_up(key, member, household), person)


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
    who = {"you": ME, "": WE}.get(person) or named_speaker(person, f"{person}'s")
    if feature.kind == "flag":
        verb = _SHORT.get(feature.verb or "is", feature.verb or "is")
        short = f"{who.names[0]} {who.forms.get(verb, verb)}"
        return f"Yes, {short}." if value else f"No, {short} not.".replace("can not", "cannot")
    if value is None:
        whom = {"you": "me", "": "us"}.get(person, person)
        return "Never." if " ago " in feature.question else f"That does not apply to {whom}."
    if feature.kind == "choice":
        return _as_mine(who.sentence(feature.sentence, value=feature.choices[value]))
    if feature.kind == "date":
        return f"On {day(value)}."
    if feature.kind == "text":
        return f"{'My' if person == 'you' else 'The'} name is {value}."
    said = _how_much(feature, value)
    return f"{said[0].upper()}{said[1:]}."


def _how_much(feature: Feature, value: float) -> str:
    if feature.name == "current_grade":
        return f"grade {value}" if value else "kindergarten"
    if value == 0 and feature.unit in ("year", "month", "week"):
        return f"less than a {feature.unit}"
    return amount(value, feature.unit)


def state(question: Question, household: Household) -> str:
    """Return the facts that a question needs, as the applicant says them in whole sentences.

    Args:
        question: What is asked, in whatever words.
        household: The household; its first member speaks.
    """
    asked: dict[int | None, list[str]] = {}
    for fact, number in base_facts(question, len(household.members)):
        asked.setdefault(number, []).append(fact)
    said = [
        sentence for number, facts in asked.items() for sentence in _state(facts, number, household)
    ]
    return " ".join(said) or UNKNOWN


def _state(facts: Sequence[str], number: int | None, household: Household) -> Iterator[str]:
    """Yield sentences that state facts of one member, or of the household; flags at the end."""
    speaker = _speaker_of(household, number)
    flags = [FEATURES[fact] for fact in facts if fact in FEATURES and FEATURES[fact].kind == "flag"]
    others = [fact for fact in facts if fact == MEMBERS_KEY or FEATURES[fact] not in flags]
    for place, fact in enumerate(others):
        value = look_up(fact, number, household)
        yield _as_mine(state_value(fact, value, speaker, again=place > 0))
    owner = household if number is None else household.members[number]
    for sentence in state_flags(owner, speaker, flags, again=bool(others)):
        yield _as_mine(sentence.text)


def state_value(fact: str, value: Any, speaker: Speaker, *, again: bool = False) -> str:
    """Return a fact that is no flag as a sentence.

    Args:
        fact: A feature's name, or `MEMBERS_KEY`.
        value: Its value.
        speaker: Who the sentence is about.
        again: Whether the speaker was just mentioned.
    """
    if fact == MEMBERS_KEY:
        return answer_fact(fact, value, "")
    feature = FEATURES[fact]
    if fact == "name":
        return speaker.sentence("{subject} {is} called {value}.", again=again, value=value)
    if value is None and feature.none_or_off_sentence:
        return speaker.sentence(feature.none_or_off_sentence, again=again)
    return value_sentence(feature, value, speaker, again)


def _speaker_of(household: Household, number: int | None) -> Speaker:
    if number is None:
        return WE if len(household.members) > 1 else ME
    if number == 0:
        return ME
    member = household.members[number]
    is_male = member.sex == "male"
    kin = kin_of(member).replace("other relative", "relative")
    named = named_speaker(
        f"my {kin} {first_name(member)}", *(("his", "himself") if is_male else ("her", "herself"))
    )
    return replace(named, names=(*named.names, "he" if is_male else "she"))


def _as_mine(words: str) -> str:
    """Return a sentence to the applicant as one by the applicant: my for your."""
    return re.sub(r"\b(?:yours|yourself|your|you)\b", lambda match: _MINE[match[0]], words)
