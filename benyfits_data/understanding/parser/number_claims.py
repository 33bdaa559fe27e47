"""Claims that state a number: whether it is what was asked for, exactly, rounded or about."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.household.model import Member
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.numbers import SPANS, Comparison
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_claims import take_holders
from benyfits_data.understanding.parser.query import PER_YEAR, Evaluation, Query, evaluate
from benyfits_data.understanding.parser.topics import Topic, topics
from benyfits_data.understanding.parser.whom import YOU

APPROXIMATE_SHARE = 0.1
"""How far "about $30,000" may be from the amount that is meant."""
_MOST_YEARS = 2
"""How far "about 40" may be from an age."""
ROUNDED_SHARE = 0.02
"""How far a round number of thousands may be, said without "about"."""

SMALLEST_AMOUNT = 100
"""Smaller numbers may count anything."""
_TOGETHER = frozenset(("between", "together", "altogether", "total", "combined", "jointly"))
"""Words by which an amount is told of several people in one."""
_HAVING = frozenset(("get", "gets", "has", "have"))
"""With these somebody's amount is told, and not that it is who was asked for."""
_IN_ALL = re.compile(r"\bin (?:all|total)$")
_IS_NUMBER = re.compile(r"\b(?:is|am) \d+$")
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_WEEKS = {"day": 5.0, "month": 12 / 52, "year": 1 / 52}
"""How many hours a week one hour a day, a month and a year are."""


def take_number(
    notes: ClaimNotes, number: Comparison, people: Sequence[People], text: str, is_about: bool
) -> bool:
    """Take in a number alone or of somebody: "61", "my son is 9"."""
    if is_aged(number, text) and not people and _take_age_of_those(notes, number, text):
        return True
    for it in notes.found:
        is_of_people = it.query.topic is None and it.query.how in (
            "exists",
            "list",
            "who",
            "is",
        )
        if is_of_people and (ages := _ages_meant(notes, text)):
            return notes.add(text, "age", any(map(number.holds, ages)), ages, answers=False)
        if is_of_people and all(person.kind in ("you", "household") for person in people):
            return notes.add(text, None, number.holds(len(it.people)), len(it.people))
        if it.query.how == "who" and it.query.topic and _has_number(it, number):
            if people and not notes.named and not _HAVING & set(text.split()):
                take_holders(notes, people, [], text, is_negated=False, is_only=False)
            of_them = {n for person in people for n in notes.numbers_of(person)}
            who = of_them or notes.named or set(it.answer)
            values = [each.value for each in it.findings if each.member in who]
            is_true = any(fits(value, number, it.query, is_about) for value in values)
            return notes.add(text, it.query.topic, is_true, values, answers=False)
        if it.query.how == "who" and (number.is_money or number.period):
            break  # "Ben gets SSDI. He gets $900 a month": neither an age nor a count
        if it.query.how == "who" and it.query.topic:
            take_holders(notes, people, [], text, is_negated=False, is_only=False)
        if it.query.how == "who" and it.query.topic and not people and not number.unit:
            n = len(it.answer)
            return notes.add(text, it.query.topic, number.holds(n), n, answers=False)
        if is_of_people or it.query.how == "who":
            numbers = [n for person in people for n in notes.numbers_of(person)]
            members = [notes.household.members[n] for n in numbers]
            is_true = bool(members) and all(is_age_of(number, member) for member in members)
            ages = [member.age for member in members]
            return notes.add(text, "age", is_true, ages, answers=is_of_people)
        if it.query.how == "count" or it.query.topic == "household_size":
            return notes.add(text, it.query.topic, number.holds(it.answer), it.answer)
    for it in notes.found:
        if it.query.topic and topics()[it.query.topic or ""].kind in ("number", "money"):
            if it.query.topic == "age" and is_year(number):
                continue
            if not may_be(number, topics()[it.query.topic or ""]):
                continue
            if _is_age_told(notes, number, people, text, it.query):
                return True
            query, found = it.query, it
            if query.topic == "age" and number.unit.startswith("month"):
                in_months = replace(query, topic="age_months")
                told = evaluate(in_months, notes.household)
                if told.is_known and all(each.value for each in told.findings):
                    query, found = in_months, told
            is_one = len(people) == 1 and len(notes.numbers_of(people[0])) == 1
            is_named = is_one and (people[0].kind == "name" or notes.is_answered)
            if query.topic == "household_income" and is_named:
                query = replace(query, topic="income")  # "Maria earns $9,000, Tom $4,000"
            others = [person for person in people if person.kind != "you" or len(people) == 1]
            is_part = query.how == "sum" and _is_part_of_sum(notes, others, query)
            if is_part:
                query = replace(query, how="value")  # "(Ann: $900; Ben: $400)" after their sum
            if others and topics()[query.topic or ""].of_member and query.how != "sum":
                of_one = replace(query, people=others[0], how="value", extreme="")
                found = evaluate(of_one, notes.household)
            is_together = len(found.findings) > 1 and (
                bool(_TOGETHER & set(text.split())) or _IN_ALL.search(text) is not None
            )
            is_sum = query.how == "sum" or is_together
            values = [_total(it)] if is_sum else [each.value for each in found.findings]
            are_all = bool(others) and others[0].kind == "group"
            fitting = [fits(value, number, query, is_about) for value in values]
            is_true = all(fitting) if are_all else any(fitting)
            return notes.add(text, query.topic, is_true, values)
    return _take_other_amount(notes, number, text)


def _take_age_of_those(notes: ClaimNotes, number: Comparison, text: str) -> bool:
    """Take in "11 years old" after somebody was named, where no age and no thing was asked for."""
    asked = [topics()[it.topic] for it in notes.queries if it.topic]
    is_of_thing = any(
        not it.of_member
        or (it.kind in ("number", "money") and (it.unit in SPANS or it.name == "age"))
        for it in asked
    )
    numbers = notes.numbers_of(notes.people) if notes.people else []
    if is_of_thing or len(numbers) != 1:
        return False
    member = notes.household.members[numbers[0]]
    is_true = is_age_of(number, member)
    return notes.add(text, "age", is_true, member.age, answers=False)


def is_aged(number: Comparison, text: str) -> bool:
    """Return whether a number says of itself that it is an age: "11 years old", "18 months"."""
    return (
        number.unit.startswith(("year", "month"))
        and not number.period
        and (number.unit.endswith("old") or text.endswith(" old"))
    )


def is_age_of(number: Comparison, member: Member) -> bool:
    """Return whether a number is somebody's age, in years or a small child's in months."""
    if not number.unit.startswith("month"):
        return number.holds(member.age)
    return (
        number.holds(member.age_months)
        if member.age_months
        else number.in_unit("year").holds(member.age)
    )


def _is_age_told(
    notes: ClaimNotes, number: Comparison, people: Sequence[People], text: str, query: Query
) -> bool:
    """Take in "he is 87" as an age, where that is his and another number was asked for."""
    is_bare = not (number.unit or number.period or number.is_money)
    if query.topic in ("age", "age_months") or not is_bare or not _IS_NUMBER.search(text):
        return False
    meant = people[0] if len(people) == 1 else notes.people
    return meant is not None and take_age_if_so(notes, number, meant, text)


def take_age_if_so(notes: ClaimNotes, number: Comparison, person: People, text: str) -> bool:
    """Take in a bare number beside an answer as somebody's age, if it is that: "Just 11, so"."""
    ages = [notes.household.members[n].age for n in notes.numbers_of(person)]
    if len(ages) != 1 or not number.holds(ages[0]):
        return False
    return notes.add(text, "age", is_true=True, truth=ages, answers=False)


def _is_part_of_sum(notes: ClaimNotes, people: Sequence[People], query: Query) -> bool:
    """Whether one of several is named, whose amounts were asked for in one."""
    if len(people) != 1 or people[0].kind not in ("you", "name"):
        return False
    return len(notes.asked_of(query)) > 1


def _has_number(it: Evaluation, number: Comparison) -> bool:
    """Whether the fact by which people are asked for is a number that may be told so."""
    topic = topics()[it.query.topic or ""]
    is_told = number.is_money or bool(number.unit or number.period)
    return is_told and topic.kind in ("number", "money") and may_be(number, topic)


def is_year(number: Comparison) -> bool:
    """Return whether a number is a year: "married since 2009"."""
    first = number.parts[0][1]
    return not number.unit and first == int(first) and _FIRST_YEAR <= first <= _LAST_YEAR


def _total(it: Evaluation) -> Any:
    """Return the sum of what was found, where several values were."""
    if isinstance(it.answer, list):
        return sum(each.value or 0 for each in it.findings)
    return it.answer


def _take_other_amount(notes: ClaimNotes, number: Comparison, text: str) -> bool:
    """Take in the rent or the income where something else was asked: "we pay $1,600 a month"."""
    if number.period not in PER_YEAR or number.parts[0][1] < SMALLEST_AMOUNT:
        return False
    for name in ("monthly_rent_spending", "monthly_carrying_charge", "household_income"):
        query = Query("value", YOU, name)
        value = evaluate(query, notes.household).answer
        if value and fits(value, number, query, is_about=False):
            return notes.add(text, name, is_true=True, truth=value, answers=False)
    return False


def _ages_meant(notes: ClaimNotes, text: str) -> list[int]:
    """Return the ages of those whom "he is 9" may mean, after several were named."""
    sex = {"he": "male", "she": "female"}.get(text.split(" ")[0])
    meant = notes.spoken_of or set(range(len(notes.names)))
    members = [notes.household.members[n] for n in sorted(meant - {0})]
    return [it.age for it in members if it.sex == sex] if " is " in text else []


def may_be(number: Comparison, topic: Topic | None) -> bool:
    """Whether a number may tell a topic, by its unit and period."""
    if all(n == 0 for _, n in number.parts):
        return True
    if topic is None:
        is_bare = not number.is_money and not number.period
        return is_bare and (not number.unit or counts_people(number))
    if number.is_money or (number.period and not number.unit and topic.kind == "money"):
        return topic.kind == "money"
    if number.unit.startswith("hour"):
        return topic.unit == "hour"
    if any(number.unit.startswith(it) for it in SPANS):
        return topic.unit in SPANS or topic.name == "age"
    if "credit" in number.unit:
        return topic.unit == "college credit"
    return not number.unit and not (number.period and topic.unit != "hour")


def counts_people(number: Comparison) -> bool:
    """Return whether a number says of itself that it counts people."""
    return number.unit.startswith(("people", "person", "member"))


def take_numbers(
    notes: ClaimNotes, numbers: Sequence[Comparison], kinds: set[str], text: str
) -> bool:
    """Take in a list of what was asked for: "38 and 5"."""
    if kinds & {"people", "topic"}:
        return False
    for it in notes.found:
        values = [each.value for each in it.findings]
        is_number = it.query.topic and topics()[it.query.topic or ""].kind in (
            "number",
            "money",
        )
        if is_number and len(values) == len(numbers):
            told = sorted(each.parts[0][1] for each in numbers)
            is_true = sorted(float(value or 0) for value in values) == told
            return notes.add(text, it.query.topic, is_true, values)
    return False


def fits(value: Any, number: Comparison, query: Query, is_about: bool) -> bool:
    """Return whether a number is meant for a value: rounded, or per another period."""
    if not isinstance(value, int | float):
        return value is None and number.holds(0)
    said = number.parts[0][1]
    topic = topics()[query.topic or ""]
    period = number.period or query.period
    share = 1.0
    if topic.period in PER_YEAR and period in PER_YEAR and topic.period != period:
        share = PER_YEAR[period] / PER_YEAR[topic.period]
    if topic.unit == "hour" and number.period in _WEEKS:
        share = _WEEKS[number.period]
    elif number.period and not topic.period and topic.unit != "hour":
        return False  # "3 a month" for how many there are
    if topic.name == "age" and number.unit.startswith("month") and number.parts[0][0] == "==":
        return value == said // 12  # "18 months" of somebody of one year
    if (span := number.in_unit(topic.unit)) is not number:
        if len(number.parts) > 1 or number.parts[0][0] != "==":
            return span.holds(value)
        own = span.parts[0][1] / said if said else 1.0
        is_whole = own > 1 and value // own == said  # "a year" for 14 months
        return is_whole or abs(span.parts[0][1] - value) <= max(own, 1) / 2
    if len(number.parts) > 1 or number.parts[0][0] != "==":
        return number.holds(value / share)
    said = said * share
    if abs(said - value) <= (share if share != 1 else 0):
        return True
    if is_about:
        most = _MOST_YEARS if topic.name == "age" else APPROXIMATE_SHARE * abs(value)
        return abs(said - value) <= most
    if topic.kind != "money" or abs(said - value) > ROUNDED_SHARE * abs(value):
        return False
    is_round = said >= 1000 and said % 500 == 0
    return is_round or abs(said - value) <= share * _step(number.parts[0][1]) / 2


def _step(said: float) -> int:
    """Return to which multiple a number was rounded: $26,100 to 100, and none to less than that."""
    step = 100
    while said and said % (10 * step) == 0:
        step *= 10
    return step if said % step == 0 else 0
