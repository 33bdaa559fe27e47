"""Questions and facts in canonical words: what our own players ask, and how a fact is stated.

A canonical question is read only where it is word for word one of ours.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.profiles.sentences import value_sentence
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    HOUSEHOLD,
    NEGATIVE,
    YOU,
    Speaker,
    named_speaker,
    phrase_of,
    with_capitals,
)
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.people import EVERYBODY, People
from benyfits_data.understanding.query import Queries, Query
from benyfits_data.understanding.typed import normal

MEMBERS_QUESTION = "How many people live in your household, counting yourself?"
ROSTER_QUESTION = (
    "Who lives in your household? Please number the people, yourself first, and say how old each "
    "is and how each is related to you."
)
ROSTER = Query("value")
"""What `ROSTER_QUESTION` asks."""
ROSTER_FACTS = ("age", "relation")
MEMBERS = Query("count")
"""What `MEMBERS_QUESTION` asks."""


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


def ask_everybody(key: str) -> str:
    """Return the canonical question for a fact of every member."""
    return f"For each person in your household, numbered as before: {ask_plainly(key)}"


def query_for(key: str, member: int | None = None) -> Query:
    """Return the query for one fact of the household or of a member, or for their number.

    Args:
        key: A feature's name, or `MEMBERS_KEY`.
        member: The member's number; nothing for the household.
    """
    if key == MEMBERS_KEY:
        return MEMBERS
    return Query("value", EVERYBODY if member is None else People(numbers=(member,)), key)


def fact_of(query: Query) -> tuple[str, int | None] | None:
    """Return the key and the member of a query for one fact, `None` of any other query."""
    if query == MEMBERS:
        return MEMBERS_KEY, None
    key = query.fact
    is_flag = key in FEATURES and FEATURES[key].kind == "flag"
    if key not in FEATURES or query.how not in (("value", "is") if is_flag else ("value",)):
        return None
    if query != Query(query.how, query.people, key) or len(query.people.numbers) > 1:
        return None
    if key not in MEMBER_FEATURES:
        return key, None
    is_one = query.people == People(numbers=query.people.numbers) and query.people.numbers
    return (key, query.people.numbers[0]) if is_one else None


def read_question(text: str, household: Household) -> Queries | None:
    """Return what a canonical question asks, or `None` of any other question.

    Args:
        text: Any question.
        household: Its members may be named in any way that tells them apart.
    """
    if text in _of_everybody():
        return (_of_everybody()[text],)
    ways = tuple(
        tuple(_ways_to_name(household, number)) for number in range(len(household.members))
    )
    query = _canonical(ways).get(normal(text))
    return None if query is None else (query,)


@cache
def _of_everybody() -> Mapping[str, Query]:
    asked = {ask_everybody(key): Query("value", EVERYBODY, key) for key in MEMBER_FEATURES}
    return {ROSTER_QUESTION: ROSTER} | asked


@lru_cache(maxsize=256)
def _canonical(ways: tuple[tuple[str, ...], ...]) -> Mapping[str, Query]:
    """The canonical questions of a household whose members may be named in these ways."""
    questions = {
        normal(ask_fact(key, "")): query_for(key) for key in (*HOUSEHOLD_FEATURES, MEMBERS_KEY)
    }
    for number, people in enumerate(ways):
        for person in people:
            for key in MEMBER_FEATURES:
                questions.setdefault(normal(ask_fact(key, person)), query_for(key, number))
    return questions


def _ways_to_name(household: Household, number: int) -> list[str]:
    if number == 0:
        return ["you"]
    member = household.members[number]
    ways = [f"person {number + 1} in your household", member.name, member.name.split()[0]]
    alike = [other for other in household.members if other.relation == member.relation]
    return [*ways, f"your {member.relation}"] if len(alike) == 1 else ways


@lru_cache(maxsize=1024)
def _forms(person: str) -> Mapping[str, str]:
    words = {"subject": person}
    if person not in ("you", "the household"):
        words |= {"possessive": "their", "reflexive": "themselves"}
    forms = YOU.forms if person == "you" else HOUSEHOLD.forms
    # In a question the main verb keeps its plain form: does she qualify, does she work.
    return {**forms, **with_capitals(words), "s": "", "ies": "y"}


def household_speaker(key: str) -> Speaker:
    """Return the forms of sentences that state a feature of the household."""
    is_named = FEATURES[key].kind == "flag" or "{subject}" in FEATURES[key].sentence
    return named_speaker("your household", "its" if is_named else "your household's")


def state_fact(key: str, value: Any, speaker: Speaker) -> str:
    """Return a fact of somebody as a sentence."""
    feature = FEATURES[key]
    if value is None and feature.none_or_off_sentence:
        return speaker.sentence(feature.none_or_off_sentence)
    if feature.kind != "flag":
        return value_sentence(feature, value, speaker)
    if not value and feature.denial:
        return speaker.sentence(AFFIRMATIVE[feature.verb or "is"], list=feature.denial)
    forms = AFFIRMATIVE if value else NEGATIVE
    said = phrase_of(feature, affirmed=bool(value))
    return speaker.sentence(forms[feature.verb or "is"], list=said)


def choice_words(key: str, speaker: Speaker) -> tuple[str, dict[str, str]]:
    """Return how sentences about a choice begin, and how each goes on: "You live in", "a condo"."""
    sentences = {
        choice: state_fact(key, choice, speaker).split() for choice in FEATURES[key].choices
    }
    begins_alike = [len(set(words)) == 1 for words in zip(*sentences.values(), strict=False)]
    first = next(iter(sentences.values()))
    shared = begins_alike.index(False)
    while shared > 1 and first[shared - 1][0].isupper():
        shared -= 1  # A name is not torn apart: New York, New Jersey.
    ends = {choice: " ".join(words[shared:]) for choice, words in sentences.items()}
    return " ".join(first[:shared]), ends
