"""Limits named in a clause, and the topics that their units belong to: "work 20 hours"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from benyfits_data.understanding.parser.clause_parts import Clause
from benyfits_data.understanding.parser.cover import ClausePart, NotUnderstoodError
from benyfits_data.understanding.parser.numbers import Comparison
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_words import AGES, SET_AGES
from benyfits_data.understanding.parser.query import Query
from benyfits_data.understanding.parser.topics import Meaning, Topic, topics

_UNITS = {
    "hour": "work_hours_per_week",
    "year": "age",
    "yr": "age",
    "college": "college_credits",
    "credit": "college_credits",
}
_AMOUNTS = {
    ("employed", "hour"): "work_hours_per_week",
    ("pregnant", "week"): "weeks_pregnant",
    ("pregnant", "month"): "months_pregnant",
    ("owns_home", "month"): "months_owned_property",
    ("is_property_owner", "month"): "months_owned_property",
    ("owns_home", "year"): "months_owned_property",
    ("is_property_owner", "year"): "months_owned_property",
    ("ac", "year"): "ac_age_years",
    ("employed", "month"): "months_since_worked",
    ("employed", "year"): "months_since_worked",
    ("days_looking_for_work", "day"): "days_looking_for_work",
}
"""What is counted in a unit where a flag is named: "how many hours does she work"."""


_WORKING = frozenset(("employed", "full_time", "part_time", "work_hours_per_week"))
_LEFT_WORK = frozenset(("lost_job", "months_since_worked"))
_PLACES = frozenset(("place_of_residence", "in_new_york_state", "outside_the_city"))


def at_work(clause: Clause, meanings: Sequence[Meaning]) -> Sequence[Meaning]:
    """Return "in New York City?" after a question of somebody's work as asked of where that is.

    Raises:
        NotUnderstoodError: The question before is of something else of somebody.
    """
    last, words = clause.last_query, clause.words
    is_place = {it.topic for it in meanings} <= _PLACES and words[0] in ("in", "for", "within")
    is_it = words[1:2] in (["it"], ["that"]) and not {"live", "home", "apartment"} & set(words)
    is_open = last is None or not last.topic or topics()[last.topic].of_member
    if is_it and is_open and not clause.is_claim and {it.topic for it in meanings} <= _PLACES:
        raise NotUnderstoodError("where is what?")  # "if you work, is it in New York City?"
    if clause.is_claim or not is_place or last is None or not last.topic or len(meanings) != 1:
        return meanings
    is_in_city = "city" in words or "nyc" in words
    if last.topic in _WORKING and words[0] != "for" and is_in_city and "outside" not in words:
        clause.people = clause.people or [replace(last.people, quantifier="the")]
        return [Meaning("works_in_nyc")]
    if last.topic in _LEFT_WORK and not is_in_city and "state" in words and "for" not in words:
        clause.people = clause.people or [replace(last.people, quantifier="the")]
        return [Meaning("last_worked_in_nys")]
    if topics()[last.topic].of_member:
        raise NotUnderstoodError(f"where is {last.topic}?")
    return meanings


def topic_of_unit(comparison: Comparison, last: Sequence[Query], people: Sequence[People]) -> str:
    """Return the topic of a limit that stands alone: "20 hours", or of the question before.

    Raises:
        NotUnderstoodError: It may be a limit of anything.
    """
    for unit, topic in _UNITS.items():
        if comparison.unit.startswith(unit):
            return topic
    if comparison.unit.startswith(("people", "person", "member")):
        return "household_size"
    if last and last[-1].topic and topics()[last[-1].topic].kind in ("number", "money"):
        return last[-1].topic
    is_amount = comparison.is_money or comparison.period in ("year", "month")
    if is_amount and any(it.kind == "household" for it in people):
        return "household_income"
    if comparison.is_of_age:
        return "age"
    raise NotUnderstoodError("a limit of what?")


def fit_unit(topic: Topic, meaning: Meaning, comparison: Comparison) -> tuple[Topic, Meaning]:
    """Return the topic that a limit's unit belongs to: "work 20 hours" is about hours."""
    unit = comparison.unit
    if topic.kind == "flag" or meaning.value is not None:
        return of_unit(topic, unit)
    if topic.kind == "money" and unit.startswith(("credit", "college")):
        return topics()["college_credits"], Meaning("college_credits")  # "earned 15 credits"
    if topic.kind not in ("number", "money"):
        raise NotUnderstoodError(f"{topic.name} has no amount")
    stated = topic.unit or ""
    if (
        unit
        and comparison.in_unit(topic.unit) is comparison
        and topic.kind == "number"
        and not unit.startswith(stated[:4])
        and topic.name != "household_size"
    ):
        raise NotUnderstoodError(f"{topic.name} is not counted in {unit}")
    if comparison.is_money and topic.kind != "money":
        raise NotUnderstoodError(f"{topic.name} is no amount of money")
    return topic, meaning


def of_unit(topic: Topic, unit: str) -> tuple[Topic, Meaning]:
    """Return what is counted in a unit where a flag is named: "how many hours does she work".

    Raises:
        NotUnderstoodError: Nothing of it is counted so.
    """
    for (name, start), other in _AMOUNTS.items():
        if topic.name == name and unit.startswith(start):
            return topics()[other], Meaning(other)
    raise NotUnderstoodError(f"{topic.name} has no amount")


def all_of_age(people: People) -> Query:
    """Return the query whether all of some people keep a limit of age.

    "Adults over 21" are asked whether they are, and are adults all the same.
    """
    parts: list[tuple[str, float]] = []
    if people.at_least:
        parts.append((">=", people.at_least))
    if people.below is not None:
        parts.append(("<", people.below))
    limit = Comparison(tuple(parts), "years old", "", is_money=False, end=0, said="")
    kinds = [AGES[it] for it in people.said.split() if it in SET_AGES and it in AGES]
    own = kinds[0] if kinds and re.search(r"\d", people.said) else {}
    whose = replace(people, at_least=own.get("at_least", 0), below=own.get("below"))
    return Query("is", whose, "age", comparison=limit)


def counts_people(
    parts: Sequence[ClausePart], comparison: Comparison | None, people: Sequence[People]
) -> bool:
    """Whether a limit is one of people: "do you have more than two children"."""
    if comparison is None or comparison.unit or comparison.is_money:
        return False
    at = next(place for place, part in enumerate(parts) if part.kind == "comparison")
    after = parts[at + 1] if at + 1 < len(parts) else None
    is_group = after is not None and after.kind == "people"
    return (
        is_group
        and not any(part.kind == "topic" for part in parts)
        and any(it.kind == "members" for it in people)
    )
