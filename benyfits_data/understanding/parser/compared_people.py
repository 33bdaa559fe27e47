"""Clauses that hold people against one another: "is Rob older than you?", "who earns the most?".

A comparison is read word by word: whom it names, what is held against what, and whether more or
less is asked for. A word that is none of these means that it is not read here.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.cover import ClausePart, NotUnderstoodError
from benyfits_data.understanding.parser.people import OWN, People
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.phrases import find_phrases
from benyfits_data.understanding.parser.query import How, Query
from benyfits_data.understanding.parser.question_text import WORDING
from benyfits_data.understanding.parser.topics import Topic, topics
from benyfits_data.understanding.parser.whom import EVERYBODY

_TABLE: dict[str, str] = WORDING["comparing"]
_MORE, _LESS, _AGE, _HOURS, _EARNED, _GRADE, _INCOME, _WORK, _FREE, _DIFFERENCE = (
    frozenset(_TABLE[name].split())
    for name in (
        *("more", "less", "age", "hours", "earned"),
        *("grade", "income", "work", "free", "difference"),
    )
)
_OF_AGE = frozenset(("older", "younger"))
Sign = Literal["most", "least"]


def read_comparison(words: Sequence[str], household: Household | None) -> Query | None:
    """Return the query of a clause that compares people, `None` where it is none or not read."""
    signs = [at for at, word in enumerate(words) if word in _MORE | _LESS | _DIFFERENCE]
    if not signs or household is None:
        return None
    named, rest, at_than = _taken_apart(words)
    if rest is None:
        return _of_measured_fact(words, household)
    if not named:
        return None
    compares = [word for word in rest if word in _MORE | _LESS]
    is_difference = bool(set(rest) & _DIFFERENCE) or "how" in rest
    if len(compares) != 1 and not (is_difference and not compares):
        return None
    sign: Sign = "least" if compares and compares[0] in _LESS else "most"
    before = [it for at, it in named if at_than is None or at < at_than]
    if at_than is not None and not before and words[0] == "who":
        before = [replace(EVERYBODY, quantifier="who", said="who")]
    after = [it for at, it in named if at_than is not None and at > at_than]
    if len(before) == 2 and before[0].kind == "you" and {"have", "has", "got"} & set(rest):
        before = before[1:]  # "do you have more sons than daughters?"
    if at_than is not None and len(before) == len(after) == 1:
        topic = _measure(rest)
        if topic is None:
            return _of_counts(before[0], after[0], rest, sign)
        return _held_against(before[0], after[0], topic, sign, is_difference=is_difference)
    return _of_two(before, rest, words, sign, is_difference=is_difference)


def _taken_apart(
    words: Sequence[str],
) -> tuple[list[tuple[int, People]], list[str] | None, int | None]:
    """Return the people named, with their places, the other words, and where "than" stands.

    The other words are `None` where one is unknown here.
    """
    named: list[tuple[int, People]] = []
    rest: list[str] = []
    at_than: int | None = None
    place = 0
    while place < len(words):
        found = [it for it in find_people(words, place) if it.people.kind != "pronoun"]
        is_who = words[place] in ("who", "which", "whose")
        if found and not is_who:
            people = found[0].people
            repeats = [it for _, it in named if it == people or people.said == "your"]
            if not repeats or (at_than is not None and named[-1][0] < at_than):
                named.append((place, people))
            place = found[0].end
            continue
        word = words[place]
        if word in ("than", "over", "versus", "vs"):
            at_than = place
        elif word not in _KNOWN:
            return named, None, None
        else:
            rest.append(word)
        place += 1
    return named, rest, at_than


_MEASURES = frozenset(("college_credits", "days_looking_for_work", "consecutive_work_weeks"))
"""Facts of everybody that people are held against one another by, in the words of the lexicon."""


def _of_measured_fact(words: Sequence[str], household: Household) -> Query | None:
    """Return the query who of two has more of a measured fact: "more college credits than you"."""
    for place in range(len(words)):
        for phrase in find_phrases(words, place):
            topics_named = {it.topic for it in phrase.meanings} & _MEASURES
            if not topics_named or any(words[at] in _MORE | _LESS for at in phrase.skipped):
                continue
            own = set(range(phrase.start, phrase.end)) - set(phrase.skipped)
            left = [it for at, it in enumerate(words) if at not in own and it != "been"]
            if words[-1] in ("have", "has", "is", "do", "does") and "than" in words:
                left = left[:-1]  # "longer than you have"
            said = _as_more_money(left)
            measured = read_comparison(said, household) if said else None
            if measured is not None and measured.topic == "income":
                return replace(measured, topic=topics_named.pop())
    return None


def _as_more_money(words: Sequence[str]) -> list[str]:
    """Return "is longer than you" as a comparison of an amount."""
    at = next((at for at, word in enumerate(words) if word in _MORE | _LESS), None)
    if at is None or set(words) & (_INCOME | _EARNED | _AGE | _HOURS | _GRADE | _WORK):
        return []
    return [*words[: at + 1], "money", *words[at + 1 :]]


_KNOWN = _MORE | _LESS | _AGE | _HOURS | _EARNED | _GRADE | _INCOME | _WORK | _FREE | _DIFFERENCE


def _measure(rest: Sequence[str]) -> Topic | None:
    """Return what is held against what, `None` where it is nothing but how many they are."""
    said = set(rest)
    is_at_work = "at work" in " ".join(rest) or "from work" in " ".join(rest)
    if said & _GRADE:
        return topics()["current_grade"]
    if said & _HOURS or (said & _WORK and not is_at_work and not said & (_EARNED | _INCOME)):
        return topics()["work_hours_per_week"]
    if said & _EARNED or is_at_work:
        return topics()["annual_work_income"]
    if said & _INCOME:
        return topics()["income"]
    if said & (_AGE | _OF_AGE):
        return topics()["age"]
    return None


def _held_against(
    first: People, second: People, topic: Topic, sign: Sign, *, is_difference: bool
) -> Query | None:
    is_one = second.kind in ("you", "name") or (second.relations and not second.is_plural)
    of_several = first.quantifier in ("any", "who", "all", "each") or first.is_plural
    if not is_one or (is_difference and of_several) or first.kind == "household":
        return None
    how: How = "value" if is_difference else "who" if first.quantifier == "who" else "is"
    if of_several and second.kind == "you":
        first = replace(first, is_other=first.kind == "members")
    return Query(how, first, topic.name, than=second, extreme=sign)


def _of_counts(first: People, second: People, rest: Sequence[str], sign: Sign) -> Query | None:
    """Return the query whether there are more of some people than of others."""
    is_plain = not set(rest) & (_OF_AGE | _DIFFERENCE) and "how" not in rest
    is_plain = is_plain and not first.is_counted
    if first.kind != "members" or second.kind != "members" or not is_plain:
        return None
    if not (first.is_plural and second.is_plural):
        return None
    first, second = (_of_any_family(replace(it, quantifier="the")) for it in (first, second))
    return Query("is", first, None, than=second, extreme=sign)


_YOURS = re.compile(r"\b(?:your (?:own )?(?:\w+ )?children|children of yours)\b")


def _of_any_family(people: People) -> People:
    """Return "children" who are counted beside adults as minors, whosever they are."""
    if people.relations == OWN and not people.sex and not _YOURS.search(people.said):
        return replace(people, relations=(), below=people.below or 18)
    return people


def _of_two(
    named: Sequence[People],
    rest: Sequence[str],
    words: Sequence[str],
    sign: Sign,
    *,
    is_difference: bool,
) -> Query | None:
    """Return the query who of two has more: "Ben or Ann, who is older?"; or by how much."""
    group = named[0] if len(named) == 1 else None
    pair = list(group.of) if group and group.kind == "group" else list(named)
    topic = _measure(rest)
    is_pair = len(pair) == 2 and all(
        it.kind in ("you", "name") or (it.relations and not it.is_plural) for it in pair
    )
    if topic is None or not is_pair:
        return None
    if is_difference:
        return Query("value", pair[0], topic.name, than=pair[1], extreme=sign)
    if not {"who", "which", "whose"} & set(words):
        return None
    both = People("group", "who", of=tuple(pair), said="of the two", is_plural=True)
    return Query("who", both, topic.name, extreme=sign)


def extreme(
    parts: Sequence[ClausePart],
    how: How | None,
    people: People,
    topic: Topic,
    words: Sequence[str],
    *,
    is_lacked: bool,
) -> Query:
    """Return the query for the largest or smallest value: "who earns the most?".

    Whoever "has been out of work the longest" is asked for by months, not by hours.
    """
    said = next(str(part.it) for part in parts if part.kind == "extreme")
    is_of_work = {"earn", "earns", "work", "job", "wages", "salary"} & set(words)
    if any(part.kind == "but topic" for part in parts):
        raise NotUnderstoodError("the most of what is left?")  # "the most income besides wages"
    earned = "annual_work_income" if is_of_work else "income"
    swaps = {"employed": "work_hours_per_week", "household_income": earned, "income": earned}
    if is_lacked and topic.name == "employed" and said in ("longest", "most", "shortest"):
        swaps["employed"] = "months_since_worked"
    elif is_lacked or (topic.name == "employed" and said == "longest" and "hours" not in words):
        raise NotUnderstoodError("the longest of what?")  # "who has worked the longest?"
    topic = topics()[swaps.get(topic.name, topic.name)]
    if topic.kind not in ("number", "money") or not topic.of_member or how not in ("who", "value"):
        raise NotUnderstoodError("the most of what?")
    among = EVERYBODY if people.kind in ("you", "household") else people
    if how == "who" and among.quantifier != "who":
        raise NotUnderstoodError("who of whom?")
    is_most = said in ("most", "longest", "highest", "largest", "biggest", "greatest")
    return Query(how, among, topic.name, extreme="most" if is_most else "least")
