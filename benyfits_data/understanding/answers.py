"""Answers in plain words, said by the applicant, from what a query found on the household."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    ME,
    NEGATIVE,
    Speaker,
    amount,
    day,
    join,
    kin_of,
    named_speaker,
    phrase_of,
)
from benyfits_data.understanding.people import People
from benyfits_data.understanding.query import Evaluation, FoundValue, Query, evaluate
from benyfits_data.understanding.topics import Topic, said_of_groups, topics

SMALL_AMOUNT = 100
"""Dollars a month below which cents are told: rounded, 7.33 would be 5% less."""
_MINE = {"your": "my", "you": "me", "yours": "mine", "yourself": "myself"}


def answer(queries: Sequence[Query], household: Household) -> str:
    """Return what the applicant says to a question.

    Args:
        queries: The question, as `questions.read_question` gives it.
        household: The household; its first member speaks.
    """
    found = [evaluate(query, household) for query in queries]
    told = [_tell(it, household) for it in found]
    whether = [it for it in found if it.query.how in ("is", "exists") and it.is_known]
    if len(whether) < 2 or len(whether) < len(found) or not all(it.query.joint for it in found[1:]):
        return " ".join(dict.fromkeys(told))
    # Several things asked at once: yes if one of them, or all of them, are so; then each as it is.
    answers = [bool(it.answer) for it in whether]
    is_so = any(answers) if any(it.query.joint == "or" for it in whether) else all(answers)
    lead = "Yes. " if is_so else "" if any(answers) else "No. "
    bare = [re.sub(r"^(Yes|No)[.:] ", "", text) for text in told]
    return lead + " ".join(dict.fromkeys(text[:1].upper() + text[1:] for text in bare))


def _tell(found: Evaluation, household: Household) -> str:
    query = found.query
    if not found.is_known:
        return "I don't know; I have no information about that."
    if missing := [it for it in _presupposed(query.people) if not it.members(household)]:
        rest = tuple(it for it in query.people.of if it not in missing)
        told = " ".join(_nobody(it, household) for it in missing)
        others = evaluate(replace(query, people=replace(query.people, of=rest)), household)
        return f"{told} {_tell(others, household)}" if rest else told
    is_of_nobody = query.than is not None and not query.than.members(household)
    if query.than is not None and query.than.kind == "members" and is_of_nobody:
        return _nobody(query.than, household)
    if query.topic is None:
        return _tell_people(found, household)
    topic = topics()[query.topic]
    if query.than is not None and found.findings and query.how != "who":
        return _tell_compared(found, topic, household)
    if topic.of_member and not found.people:
        return _nobody(query.people, household)
    if query.extreme and query.than is None:
        best = [it for it in found.findings if it.holds]
        told = " ".join(_state(topic, it, household, query) for it in best)
        is_mine = query.how == "who" and told.startswith("My ") and best[0].member == 0
        return f"I do. {told}" if is_mine else told
    is_choice = topic.kind in ("choice", "text", "date") and query.value is None
    if query.how == "is" and not (is_choice and query.comparison is None and not _is_yes_no(topic)):
        return _tell_whether(found, topic, household)
    if query.how in ("who", "count"):
        return _tell_who(found, topic, household)
    if query.how == "sum":
        total = _say_value(topic, found.answer, query.period)
        if len(found.findings) == 1:
            return f"{total[0].upper()}{total[1:]}."
        each = join(
            [
                f"{_short(household, it.member)}: {_say_value(topic, it.value, query.period)}"
                for it in found.findings
            ],
            "and",
        )
        return f"{total} in all ({each})."
    if query.wants_parts:
        return _tell_parts(found, topic, household)
    told = " ".join(_state(topic, it, household, query) for it in found.findings)
    if topic.name in _ADDED_UP and len(found.findings) > 1:
        added_up = sum(it.value or 0 for it in found.findings)
        return f"{told} That is {_say_value(topic, added_up, query.period)} in all."
    return told


_ADDED_UP = ("income", "annual_work_income", "annual_investment_income", "work_hours_per_week")


def _tell_compared(found: Evaluation, topic: Topic, household: Household) -> str:
    """Tell who has more than somebody, or by how much."""
    query, (*told, other) = found.query, found.findings
    if not told:
        return _nobody(query.people, household)
    if query.how == "value":
        unit = "year" if topic.name == "age" else topic.unit
        said = amount(found.answer, unit) if unit else str(found.answer)
        lead = f"By {said}."
    else:
        lead = "Yes." if found.answer else "No."
        if len(told) > 1 and query.people.quantifier == "any" and found.answer:
            told = [it for it in told if it.holds]
    states = (_state(topic, it, household, query) for it in (*told, other))
    return f"{lead} {' '.join(states)}"


def _presupposed(people: People) -> list[People]:
    """Return the people of a group that the question takes for granted: "you and your spouse"."""
    return [it for it in people.of if people.quantifier == "all" and it.quantifier == "the"]


def _tell_people(found: Evaluation, household: Household) -> str:
    query, numbers = found.query, found.people
    if query.how == "exists" and query.people.kind == "name":
        return f"Yes, {name(household, numbers[0])} lives with me." if numbers else "No."
    if query.among is not None:
        return _tell_among(found, household)
    if query.than is not None:
        word, n, m = "Yes" if found.answer else "No", len(numbers), query.than.members(household)
        return (
            f"{word}: {n} {_reverse(query.people.said)} and {len(m)} {_reverse(query.than.said)}."
        )
    if query.comparison is not None:
        word = "Yes" if query.comparison.holds(len(numbers)) else "No"
        if not numbers:
            return f"{word}. There is nobody like that."
        people = join([_with_age(household, number) for number in numbers], "and")
        return f"{word}: {len(numbers)}, {people}."
    if not numbers:
        empty = _nobody(query.people, household)
        return f"0. {empty}" if query.how == "count" else f"No. {empty}"
    people = join([_with_age(household, number) for number in numbers], "and")
    if query.how == "count":
        return f"{len(numbers)}: {people}."
    if query.how == "exists":
        return f"Yes: {people}."
    return f"{people[0].upper()}{people[1:]}."


def _tell_among(found: Evaluation, household: Household) -> str:
    """Tell whether people belong to others: "is Rob your spouse?", "are all of you adults?"."""
    query = found.query
    if not found.people:
        return _nobody(query.people, household)
    told = found.findings
    if query.people.quantifier not in ("the", "each") and len(told) > 1:
        wanted = query.people.quantifier not in ("all",)
        told = tuple(it for it in told if it.holds == wanted) or told
    return f"{'Yes' if found.answer else 'No'}. " + " ".join(
        _who_it_is(it.member or 0, household) for it in told
    )


def _who_it_is(number: int, household: Household) -> str:
    who, age = name(household, number), household.members[number].age
    subject, verb = ("I", "am") if number == 0 else (household.members[number].name, "is")
    return (
        f"{subject} {verb} {'' if number == 0 else who.rpartition(' ')[0] + ', '}{age} years old."
    )


def _tell_whether(found: Evaluation, topic: Topic, household: Household) -> str:
    query = found.query
    lead = "Yes. " if found.answer else "No. "
    if query.people.quantifier == "none" and found.answer:
        lead = ""
    if (
        topic.name == "single"
        and household.applicant.relation
        and any(member.relation == "domestic partner" for member in household.members)
    ):
        lead = ""
    if not topic.of_member:
        return lead + _state(topic, found.findings[0], household, query)
    holders = [it for it in found.findings if it.holds]
    others = [it for it in found.findings if not it.holds]
    is_one = len(found.findings) == 1
    if (
        is_one
        or query.people.quantifier in ("all", "each")
        or (query.people.quantifier == "the" and query.people.kind == "members")
    ):
        if not is_one and holders and others and query.people.quantifier == "the":
            lead = "Not all. "
        return lead + " ".join(_state(topic, it, household, query) for it in found.findings)
    if holders:
        return lead + " ".join(dict.fromkeys(_state(topic, it, household, query) for it in holders))
    if (
        query.people.kind == "members"
        and not query.people.relations
        and not query.people.is_other
        and (query.people.below is None and not query.people.at_least)
    ):
        whom = "nobody in my household"
    else:
        whom = "none of them" if len(others) > 1 else name(household, others[0].member)
    if topic.kind != "flag" or query.is_opposite:
        return lead + " ".join(_state(topic, it, household, query) for it in others)
    return f"{lead}{_nobody_does(topic, query, whom)}"


def _is_yes_no(topic: Topic) -> bool:
    """Whether a choice has a value that says no, so that one may ask whether there is any."""
    return topic.name in ("current_school_level", "covid_funeral_expense_date")


def _nobody_does(topic: Topic, query: Query, whom: str) -> str:
    whom = whom[0].upper() + whom[1:]
    if topic.kind == "flag" and not query.is_opposite:
        verb, phrase = _verb_and_phrase(topic)
        speaker = _speaker(whom)
        return speaker.sentence(AFFIRMATIVE[verb], list=_mine(phrase))  # type: ignore[index]
    return f"That is so of {whom[0].lower()}{whom[1:]}."


def _tell_who(found: Evaluation, topic: Topic, household: Household) -> str:
    holders = [it for it in found.findings if it.holds]
    count = f"{len(holders)}: " if found.query.how == "count" else ""
    if not holders:
        people = found.query.people
        is_all = not people.relations and not people.is_other
        whom = "nobody in my household" if is_all else "none of them"
        lead = "0. " if found.query.how == "count" else ""
        if found.query.is_negated:
            return lead + "That is so of nobody in my household."
        return lead + _nobody_does(topic, found.query, whom)
    if topic.kind == "flag" and not found.query.is_opposite:
        if found.query.how == "count":
            return (
                f"{count}{join([_with_age(household, it.member or 0) for it in holders], 'and')}."
            )
        return " ".join(_state(topic, it, household, found.query) for it in holders)
    each = [_state(topic, it, household, found.query) for it in holders]
    if holders[0].member == 0 and each[0].startswith("My "):
        each[0] = f"I do. {each[0]}"
    return (count + " ".join(each)).strip()


def _tell_parts(found: Evaluation, topic: Topic, household: Household) -> str:
    """Tell a group one by one: which benefits, which conditions."""
    told = dict.fromkeys(
        it for number in found.people for it in _state_parts(topic, number, household, found.query)
    )
    whom = "I" if found.people == (0,) else "nobody in my household"
    return " ".join(told) or (
        "None." if whom == "I" else f"None. {_nobody_does(topic, found.query, whom)}"
    )


def _state_parts(topic: Topic, number: int, household: Household, query: Query) -> Iterator[str]:
    """Yield what of a group is so of a member, or of the household."""
    for part in (topics()[name] for name in topic.parts):
        if value := part.value(household, household.members[number]):
            member = number if part.of_member else None
            yield _state(part, FoundValue(member, value, True), household, query)


def _nobody(people: People, household: Household) -> str:
    """Correct a presupposition: there is no such person."""
    said = _reverse(people.said) or "such person"
    said = said.removeprefix("my ").removeprefix("any of my ").removeprefix("all of my ")
    for lead in (
        "how many of my ",
        "how many ",
        "any ",
        "all ",
        "both ",
        "which ",
        "which of my ",
        "each of my ",
        "a ",
        "an ",
        "no ",
        "each ",
        "every ",
        "of my ",
        "other ",
    ):
        said = said.removeprefix(lead)
    if (
        "anyone" in said
        or "anybody" in said
        or "everyone" in said
        or said.startswith(("nobody", "who", "someone"))
    ):
        return "There is nobody like that in my household."
    if people.relations == ("spouse",) and people.sex:
        other = [m for m in household.members if m.relation == "spouse"]
        if other:
            return f"I have no {said}; my spouse, {other[0].name}, is {other[0].sex}."
    if people.relations and people.has_home:
        return f"I have no {said}."
    return f"I have no {said} in my household." if people.relations else f"There is no {said}."


def _reverse(said: str) -> str:
    return " ".join(_MINE.get(word, word) for word in said.split())


def _state(topic: Topic, finding: FoundValue, household: Household, query: Query) -> str:
    """Return one finding as a sentence."""
    who = "my household" if finding.member is None else name(household, finding.member)
    speaker = _speaker(who)
    value = finding.value
    if topic.parts and value:
        return " ".join(_state_parts(topic, finding.member or 0, household, query))
    if topic.name in ("full_time", "part_time") and finding.member is not None:
        hours = household.members[finding.member].work_hours_per_week
        return speaker.sentence("{subject} work{s} {count} a week.", count=amount(hours, "hour"))
    if topic.name == "months_since_worked" and value is None and finding.member is not None:
        works = topics()["employed"].value(household, household.members[finding.member])
        if works:
            return speaker.sentence("{subject} work{s} now.")
    if topic.name in ("homeless", "in_shelter", "rent_regulated") and query.topic != "housing_type":
        housing = FoundValue(None, household.housing_type, True)
        verb, phrase = said_of_groups()[topic.name]
        form = AFFIRMATIVE if value else NEGATIVE
        bare = phrase if value else phrase.replace("{s}", "")
        said = speaker.sentence(form[verb], list=bare)  # type: ignore[index]
        return f"{said} {_state(topics()['housing_type'], housing, household, query)}"
    if topic.name == "student" and finding.member is not None:
        level = household.members[finding.member].current_school_level
        return _state(
            topics()["current_school_level"],
            FoundValue(finding.member, level, True),
            household,
            query,
        )
    if topic.name in ("noncitizen", "lawfully_present") and finding.member is not None:
        status = household.members[finding.member].citizenship
        return _state(
            topics()["citizenship"], FoundValue(finding.member, status, True), household, query
        )
    if topic.name == "single":
        value = topics()["marital_status"].value(household, household.members[finding.member or 0])
        return speaker.sentence("{subject} {is} {value}.", value=value)
    if topic.name == "name" and finding.member:
        return f"{who.rpartition(' ')[0].capitalize()}'s name is {value}."
    if topic.kind == "flag":
        verb, phrase = _verb_and_phrase(topic)
        if value:
            return speaker.sentence(AFFIRMATIVE[verb], list=_mine(phrase))  # type: ignore[index]
        bare = phrase.replace("{s}", "").replace("{ies}", "y") if verb == "does" else phrase
        return speaker.sentence(NEGATIVE[verb], list=_mine(bare))  # type: ignore[index]
    if topic.name == "marital_status":
        return speaker.sentence("{subject} {is} {value}.", value=value)
    if topic.name in ("income", "household_income"):
        told = _say_value(topic, value, query.period)
        return speaker.sentence("{Possessive} income from all sources is {value}.", value=told)
    if topic.name == "household_size":
        return (
            "There is 1 person in my household: me."
            if value == 1
            else (f"There are {value} people in my household, counting me.")
        )
    feature = FEATURES[topic.name]
    if value is None:
        template = feature.none_sentence or "That does not apply to {subject}."
        return speaker.sentence(_mine(template))
    if value and topic.kind == "money" and {query.period, topic.period} == {"month", "year"}:
        told = _state(topic, finding, household, replace(query, period=""))
        n = value / 12 if query.period == "month" else value * 12
        return f"{told} That is {_dollars(n)} a {query.period}."
    if value == 0 and feature.zero_sentence and topic.kind in ("number", "money"):
        return speaker.sentence(_mine(feature.zero_sentence), value=_say_value(topic, 0, ""))
    if topic.kind == "choice":
        said = speaker.sentence(_mine(feature.sentence), value=_mine(feature.choices[value]))
        if query.value in (None, value):
            return said
        if "{is} {value}" not in feature.sentence:
            return f"That is not so. {said}"
        denied = feature.sentence.replace("{is}", "{is} not")
        no = speaker.sentence(_mine(denied), value=_mine(feature.choices[query.value or ""]))
        return f"{no} {said}"
    if topic.kind == "date":
        return speaker.sentence(_mine(feature.sentence), value=day(value))
    said = amount(value, feature.unit) if feature.unit else _plain_value(topic, value)
    return speaker.sentence(_mine(feature.sentence), value=said, count=said)


def _dollars(n: float) -> str:
    """Return an amount in whole dollars, a small one with its cents."""
    return f"${n:,.2f}" if n < SMALL_AMOUNT and n != round(n) else f"${round(n):,}"


def _plain_value(topic: Topic, value: Any) -> str:
    if topic.name == "current_grade":
        return "kindergarten" if value == 0 else f"grade {value}"
    return str(value)


def _say_value(topic: Topic, value: Any, period: str) -> str:
    if value is None:
        return "nothing"
    if topic.kind != "money":
        return amount(value, topic.unit)
    if period == "month" and topic.period == "year":
        return f"{_dollars(value / 12)} a month, ${value:,} a year"
    per = {"year": " a year", "month": " a month"}.get(topic.period, "")
    if period == "year" and topic.period == "month":
        return f"${value * 12:,} a year, ${value:,} a month"
    return f"${value:,}{per}"


def _verb_and_phrase(topic: Topic) -> tuple[str, str]:
    if topic.name in said_of_groups():
        return said_of_groups()[topic.name]
    feature = FEATURES[topic.name]
    return feature.verb or "is", phrase_of(feature, affirmed=True)


def _mine(words: str) -> str:
    return " ".join(_MINE.get(word, word) for word in words.split(" "))


def name(household: Household, number: int | None) -> str:
    """Return how the applicant speaks of a member: I, my spouse Maria, my cousin Ann."""
    if number is None:
        return "my household"
    if number == 0:
        return "I"
    member = household.members[number]
    first = member.name.split()[0]
    if member.relation in ("other relative", "friend"):
        return f"my {'relative' if member.relation == 'other relative' else 'friend'} {first}"
    return f"my {kin_of(member)} {first}"


def _short(household: Household, number: int | None) -> str:
    return "I" if number == 0 else name(household, number)


def _with_age(household: Household, number: int) -> str:
    member = household.members[number]
    return (
        f"me, {member.name} ({member.age})"
        if number == 0
        else f"{name(household, number)} ({member.age})"
    )


def _speaker(who: str) -> Speaker:
    return ME if who == "I" else named_speaker(who, f"{who}'s")
