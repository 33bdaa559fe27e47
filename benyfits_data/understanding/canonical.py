"""Questions and answers in canonical words, exact both ways: what our own players speak.

A canonical question is read only where it is word for word one of ours, an answer likewise.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import Any

from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.profiles.sentences import value_sentence
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    HOUSEHOLD,
    ME,
    NEGATIVE,
    YOU,
    Speaker,
    amount,
    day,
    named_speaker,
    phrase_of,
    with_capitals,
)
from benyfits_data.understanding.claims import AnswerClaim, Claims
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.people import EVERYBODY, People
from benyfits_data.understanding.query import Queries, Query, evaluate
from benyfits_data.understanding.typed import NOTHING, normal, read_value, split_people

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


def tell(query: Query, household: Household) -> str | None:
    """Return the canonical answer to a canonical query, `None` to any other."""
    is_of_everybody = query == Query("value", EVERYBODY, query.fact)
    if query == ROSTER or (is_of_everybody and query.fact in MEMBER_FEATURES):
        keys = ROSTER_FACTS if query == ROSTER else (query.fact or "",)
        return " ".join(
            f"Person {number + 1}: " + " ".join(_tell(key, number, household) for key in keys)
            for number in range(len(household.members))
        )
    if (fact := fact_of(query)) is None:
        return None
    return _tell(*fact, household)


def _tell(key: str, member: int | None, household: Household) -> str:
    true = evaluate(query_for(key, member), household).answer
    return answer_fact(key, true, _name(household, member))


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
        speaker = ME if person == "you" else _speaker(person)
        said = speaker.sentence(feature.sentence, value=_as_speaker(feature.choices[value]))
        return said[0].upper() + said[1:]
    if feature.kind == "date":
        return f"On {day(value)}."
    if feature.kind == "text":
        return f"{'My' if person == 'you' else 'The'} name is {value}."
    return f"{amount(value, feature.unit)}."


def read_answer(queries: Queries, text: str, household: Household) -> Claims | None:
    """Return what a canonical answer to a canonical question says, `None` of any other answer."""
    if len(queries) != 1:
        return None
    if (fact := fact_of(queries[0])) is not None:
        said = _read_facts((fact[0],), fact[1], text, household)
        return None if said is None else Claims(said)
    keys = ROSTER_FACTS if queries[0] == ROSTER else (queries[0].fact or "",)
    parts = split_people(text) if tell(queries[0], household) is not None else []
    if len(parts) != len(household.members):
        return None
    claims = [_read_facts(keys, number, part, household) for number, part in enumerate(parts)]
    if any(claim is None for claim in claims):
        return None
    size = (AnswerClaim(how="count", value=len(claims)),) if queries[0] == ROSTER else ()
    return Claims((*size, *(claim for of_member in claims for claim in of_member or ())))


def _read_facts(
    keys: Sequence[str], member: int | None, text: str, household: Household
) -> tuple[AnswerClaim, ...] | None:
    """Return the claims of a text that is word for word our answer for some values."""
    values = [read_value(key, text) for key in keys]
    if any(value is NOTHING for value in values):
        return None
    who = _name(household, member)
    if " ".join(map(answer_fact, keys, values, [who] * len(keys))) != text:
        return None
    if keys[0] == MEMBERS_KEY:
        return (AnswerClaim(how="count", value=values[0]),)
    people = EVERYBODY if member is None else People(numbers=(member,))
    plain = [value.isoformat() if isinstance(value, date) else value for value in values]
    return tuple(
        AnswerClaim(people, key, value=value) for key, value in zip(keys, plain, strict=True)
    )


@lru_cache(maxsize=1024)
def _forms(person: str) -> Mapping[str, str]:
    words = {"subject": person}
    if person not in ("you", "the household"):
        words |= {"possessive": "their", "reflexive": "themselves"}
    forms = YOU.forms if person == "you" else HOUSEHOLD.forms
    # In a question the main verb keeps its plain form: does she qualify, does she work.
    return {**forms, **with_capitals(words), "s": "", "ies": "y"}


def _speaker(person: str) -> Speaker:
    return named_speaker(person or "my household", f"{person}'s" if person else "its")


def _as_speaker(words: str) -> str:
    return " ".join(_MINE.get(word, word) for word in words.split())


def _name(household: Household, number: int | None) -> str:
    if number is None:
        return ""
    return "you" if number == 0 else household.members[number].name


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
