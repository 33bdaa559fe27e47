"""What the applicant says to a question, in our own sentences, and what these claim."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    ME,
    NEGATIVE,
    YOU,
    Speaker,
    amount,
    day,
    first_name,
    join,
    kin_of,
    named_speaker,
    with_capitals,
)
from benyfits_data.understanding.canonical import ROSTER, fact_of, state_fact
from benyfits_data.understanding.claims import AnswerClaim, Claims
from benyfits_data.understanding.facts import MEMBERS_KEY, FactType, fact_types
from benyfits_data.understanding.people import EVERYBODY, People
from benyfits_data.understanding.query import (
    PER_YEAR,
    FactValue,
    Queries,
    Query,
    QueryEvaluation,
    evaluate,
)

UNKNOWN = "I don't know; I have no information about that."
NOBODY = "There is nobody like that in my household."
SMALL_AMOUNT = 100
"""Dollars below which cents are told: rounded, 7.33 would be 5% less."""
_OUR = with_capitals({"possessive": "our", "reflexive": "ourselves"})
WE = Speaker(("we",), {**YOU.forms, **_OUR})
_SHORT = {"has": "does", "receives": "does", "has done": "has"}
"""The verb after yes or no: "Yes, she does" of whom it is asked what she has."""
_MINE = {"your": "my", "yours": "mine", "you": "me", "yourself": "myself"}
_SENTENCES = {
    "income": "{subject} {has} an income of {value} from all sources.",
    "household_income": "{subject} {has} an income of {value} from all sources.",
    "household_size": "{Possessive} household has {value}.",
    "marital_status": "{subject} {is} {value}.",
    "name": "{subject} {is} called {value}.",
}
"""Of facts that no profile states in a sentence of their own."""


def answer(queries: Queries, household: Household) -> str:
    """Return what the applicant says to a question.

    Args:
        queries: What it asks.
        household: The household; its first member speaks.
    """
    if len(queries) == 1 and (said := _answer_canonically(queries[0], household)) is not None:
        return said
    said_of_each = (
        _tell(evaluate(query, household), household, is_alone=len(queries) == 1)
        for query in queries
    )
    return " ".join(dict.fromkeys(said_of_each))


def claims_of_answer(queries: Queries, household: Household) -> Claims:
    """Return what `answer` claims: the facts that it states, and its yes or no."""
    claims: list[AnswerClaim] = []
    stances = []
    is_known = False
    for query in queries:
        evaluation = evaluate(query, household)
        is_known |= evaluation.is_known
        if query.asks_whether:
            stances.append(bool(evaluation.answer))
        if query == ROSTER:
            claims.append(AnswerClaim(how="count", value=len(household.members)))
            for number, member in enumerate(household.members):
                of_member = People(numbers=(number,))
                claims.append(AnswerClaim(of_member, "age", value=member.age))
                claims.append(AnswerClaim(of_member, "relation", value=member.relation))
        elif query.fact is None and query.how == "count":
            claims.append(AnswerClaim(query.people, how="count", value=evaluation.answer))
        elif query.fact is None:
            claims += [AnswerClaim(People(numbers=(number,))) for number in evaluation.people]
        else:
            claims += [_claim(query.fact, value) for value in _told_values(evaluation)]
    if len(queries) > 1 or not stances:
        return Claims(tuple(claims), says_nothing=not is_known)
    return Claims(tuple(claims), "yes" if stances[0] else "no", says_nothing=not is_known)


def _claim(fact: str, of: FactValue) -> AnswerClaim:
    people = EVERYBODY if of.member is None else People(numbers=(of.member,))
    value = of.value.isoformat() if isinstance(of.value, date) else of.value
    return AnswerClaim(people, fact, value=value)


def _told_values(evaluation: QueryEvaluation) -> list[FactValue]:
    """Return the values that an answer tells: who is not named among several is told to differ."""
    query = evaluation.query
    is_flag = fact_types()[query.fact or ""].kind == "flag" and query.limit is None
    if query.how in ("who", "count") and is_flag:
        return list(evaluation.values)
    return _stated_values(evaluation)


def _stated_values(evaluation: QueryEvaluation) -> list[FactValue]:
    """Return the values that sentences of an answer state: of those meant, where there are any."""
    query, values = evaluation.query, list(evaluation.values)
    holders = [value for value in values if value.holds]
    is_whether_any = query.how == "is" and not query.of_all and query.than is None
    is_of_some = is_whether_any or query.extreme or query.how in ("who", "count")
    return holders if holders and is_of_some else values


# Canonical answers


def _answer_canonically(query: Query, household: Household) -> str | None:
    """Return the answer to a question about one fact, of one member or of all; else nothing."""
    members = range(len(household.members))
    if query == ROSTER:
        return " ".join(f"Person {place + 1}: {_introduce(household, place)}." for place in members)
    if query == Query("value", EVERYBODY, query.fact) and query.fact in MEMBER_FEATURES:
        said = [
            answer(((Query("value", People((place,)), query.fact)),), household)
            for place in members
        ]
        return " ".join(f"Person {place + 1}: {words}" for place, words in enumerate(said))
    if (fact := fact_of(query)) is None:
        return None
    key, member = fact
    is_mine = member == 0 or (member is None and len(household.members) == 1)
    person = "you" if is_mine else "" if member is None else household.members[member].name
    return answer_fact(key, evaluate(query, household).answer, person)


def _introduce(household: Household, number: int) -> str:
    member = household.members[number]
    age = _how_much(FEATURES["age"], member.age)
    relation = _as_mine(FEATURES["relation"].choices[member.relation])
    return f"{member.name}, {relation}, {age}" if number else f"me, {age}"


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


def find_name(key: str, said: str) -> str:
    """Return the name in what `answer_fact` says of a fact of a member; empty where it has none."""
    if key not in FEATURES:
        return ""
    is_flag = FEATURES[key].kind == "flag"
    for value in (True, False) if is_flag else (*FEATURES[key].choices, None):
        before, _, after = answer_fact(key, value, "\0").partition("\0")
        if after and said.startswith(before) and said.endswith(after):
            return said[len(before) : len(said) - len(after)]
    return ""


def _how_much(feature: Feature, value: float) -> str:
    if feature.name == "current_grade":
        return f"grade {value}" if value else "kindergarten"
    if value == 0 and feature.unit in ("year", "month", "week"):
        return f"less than a {feature.unit}"
    return amount(value, feature.unit)


# Answers to all other questions


def _tell(evaluation: QueryEvaluation, household: Household, *, is_alone: bool) -> str:
    """Return what is so: yes or no, a number, or nothing; then the sentences behind it."""
    query = evaluation.query
    if not evaluation.is_known:
        return UNKNOWN
    lead = {True: "Yes. ", False: "No. "}[bool(evaluation.answer)] if query.how == "is" else ""
    # A yes could confirm what a question denies, and one yes to several things asked says nothing.
    if not is_alone or (query.denies and evaluation.answer):
        lead = ""
    if query.fact is None:
        return lead + _tell_people(evaluation, household)
    fact = fact_types()[query.fact]
    if query.how == "count":
        lead = f"{sum(value.holds for value in evaluation.values)}. "
    elif query.how == "sum":
        lead = f"{_amount(fact, evaluation.answer, query.per)} in all. "
    if not evaluation.values:
        return lead + NOBODY
    if query.how == "value" and query.than is not None:
        lead = f"By {amount(evaluation.answer, 'year' if fact.name == 'age' else fact.unit)}. "
    return lead + _state_all(fact, evaluation, household)


def _tell_people(evaluation: QueryEvaluation, household: Household) -> str:
    query, members = evaluation.query, list(evaluation.people)
    count = f"{len(members)}. " if query.how == "count" else ""
    if query.than is not None:
        return f"{len(members)} and {len(query.than.members(household))}."
    if query.among is not None and query.how != "is":
        members = [value.member or 0 for value in evaluation.values if value.holds]
    if not members:
        return count + NOBODY
    names = join(
        [f"{_called(household, place)} ({household.members[place].age})" for place in members],
        "and",
    )
    return f"{count}{names[0].upper()}{names[1:]}."


def _state_all(fact: FactType, evaluation: QueryEvaluation, household: Household) -> str:
    query = evaluation.query
    is_nobody = not any(value.value for value in evaluation.values)
    if fact.kind == "flag" and is_nobody and fact.of_member and query.people.is_everybody:
        nobody = named_speaker("nobody in my household", "their")
        return _as_mine(nobody.sentence(AFFIRMATIVE[fact.verb], list=fact.phrase))
    stated = _stated_values(evaluation)
    return " ".join(dict.fromkeys(_state(fact, value, household, query.per) for value in stated))


def _state(fact: FactType, of: FactValue, household: Household, per: str) -> str:
    """Return one fact of a member, or of the household, as the applicant says it."""
    speaker, value = _speaker_of(household, of.member), of.value
    if fact.parts and value:
        return " ".join(_state_parts(fact, of, household))
    if fact.name == "relation":
        if not of.member:
            return "I am the person asking."
        return f"{first_name(household.members[of.member])} is my {_kin(household, of.member)}."
    if fact.name in _SENTENCES:
        shown = _amount(fact, value, "") if fact.unit else str(value)
        said = speaker.sentence(_SENTENCES[fact.name], value=shown)
    elif fact.name in FEATURES:
        said = state_fact(fact.name, value, speaker)
    else:
        ends = {} if value else {"{s}": "", "{ies}": "y"}
        phrase = re.sub(r"\{s\}|\{ies\}", lambda match: ends.get(match[0], match[0]), fact.phrase)
        said = speaker.sentence((AFFIRMATIVE if value else NEGATIVE)[fact.verb], list=phrase)
    if per and fact.period and per != fact.period and value:
        said += f" That is {_amount(fact, value, per)}."
    return _as_mine(said)


def _state_parts(group: FactType, of: FactValue, household: Household) -> Iterator[str]:
    """Yield what of a group is so of a member, or of the household."""
    for part in (fact_types()[name] for name in group.parts):
        if value := part.value(household, household.members[of.member or 0]):
            yield _state(part, replace(of, value=value), household, "")


def _amount(fact: FactType, value: float | None, per: str) -> str:
    """Return an amount with its unit, money with the time it is for."""
    if value is None:
        return "nothing"
    if fact.kind != "money":
        return amount(value, fact.unit).replace("persons", "people")
    period: str = fact.period
    if per and period and per != period:
        value, period = value * PER_YEAR[period] / PER_YEAR[per], per
    is_small = value < SMALL_AMOUNT and value != round(value)
    dollars = f"${value:,.2f}" if is_small else f"${round(value):,}"
    return f"{dollars} a {period}" if period else dollars


def _called(household: Household, number: int) -> str:
    if number == 0:
        return f"me, {household.members[0].name}"
    return f"my {_kin(household, number)} {first_name(household.members[number])}"


def _kin(household: Household, number: int) -> str:
    return kin_of(household.members[number]).replace("other relative", "relative")


def _speaker_of(household: Household, number: int | None) -> Speaker:
    if number is None:
        return WE if len(household.members) > 1 else ME
    if number == 0:
        return ME
    is_male = household.members[number].sex == "male"
    pronouns = ("his", "himself") if is_male else ("her", "herself")
    return named_speaker(_called(household, number), *pronouns)


def _as_mine(words: str) -> str:
    """Return a sentence to the applicant as one by the applicant: my for your."""
    return re.sub(r"\b(?:yours|yourself|your|you)\b", lambda match: _MINE[match[0]], words)
