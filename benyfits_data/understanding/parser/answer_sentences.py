"""Sentences in which the applicant tells one finding: a fact of a member, an amount, a name."""

from collections.abc import Iterator
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
    kin_of,
    named_speaker,
    phrase_of,
)
from benyfits_data.understanding.parser.query import FoundValue, Query
from benyfits_data.understanding.parser.topics import Topic, said_of_groups, topics

SMALL_AMOUNT = 100
"""Dollars a month below which cents are told: rounded, 7.33 would be 5% less."""
_TOLD_BY = {
    "homeless": "housing_type",
    "in_shelter": "housing_type",
    "rent_regulated": "housing_type",
    "in_new_york_state": "place_of_residence",
    "outside_the_city": "place_of_residence",
}
"""The fact that is told after what follows from it."""
_MINE = {"your": "my", "you": "me", "yours": "mine", "yourself": "myself"}


_ONE_OF = {"children": "child", "women": "woman", "men": "man", "people": "person"}


def counted(number: int, people: str) -> str:
    """Return "no adults", "1 adult under 65" or "2 adults" from a number and the plural."""
    first, _, rest = people.partition(" ")
    if number == 1:
        first = _ONE_OF.get(first, first.removesuffix("s"))
    return f"{number or 'no'} {first} {rest}".rstrip()


def statements_of_parts(
    topic: Topic, number: int, household: Household, query: Query
) -> Iterator[str]:
    """Yield what of a group is so of a member, or of the household."""
    for part in (topics()[name] for name in topic.parts):
        if value := part.value(household, household.members[number]):
            member = number if part.of_member else None
            yield statement(part, FoundValue(member, value, True), household, query)


def reverse(said: str) -> str:
    """Return words for people as the applicant says them: "your son" is "my son"."""
    return " ".join(_MINE.get(word, word) for word in said.split())


def statement(topic: Topic, finding: FoundValue, household: Household, query: Query) -> str:
    """Return one finding as a sentence."""
    who = "my household" if finding.member is None else name(household, finding.member)
    speaker = speaker_of(who)
    value = finding.value
    if topic.parts and value:
        return " ".join(statements_of_parts(topic, finding.member or 0, household, query))
    if topic.name in ("full_time", "part_time") and finding.member is not None:
        hours = household.members[finding.member].work_hours_per_week
        return speaker.sentence("{subject} work{s} {count} a week.", count=amount(hours, "hour"))
    if topic.name == "months_since_worked" and value is None and finding.member is not None:
        works = topics()["employed"].value(household, household.members[finding.member])
        if works:
            return speaker.sentence("{subject} work{s} now.")
    if (told := _TOLD_BY.get(topic.name)) and query.topic != told:
        shown = FoundValue(None, getattr(household, told), True)
        verb, phrase = said_of_groups()[topic.name]
        form = AFFIRMATIVE if value else NEGATIVE
        bare = phrase if value else phrase.replace("{s}", "")
        said = speaker.sentence(form[verb], list=bare)  # type: ignore[index]
        return f"{said} {statement(topics()[told], shown, household, query)}"
    if topic.name == "school_type" and finding.member is not None and value:
        kind = FEATURES["school_type"].choices[value]
        return speaker.sentence("{subject} attend{s} {value}.", value=kind)
    if topic.name == "student" and finding.member is not None:
        level = household.members[finding.member].current_school_level
        return statement(
            topics()["current_school_level"],
            FoundValue(finding.member, level, True),
            household,
            query,
        )
    if topic.name in ("noncitizen", "lawfully_present") and finding.member is not None:
        status = household.members[finding.member].citizenship
        return statement(
            topics()["citizenship"], FoundValue(finding.member, status, True), household, query
        )
    if topic.name == "lives_alone":
        return "I live alone." if value else "I do not live alone."
    if topic.name == "single":
        value = topics()["marital_status"].value(household, household.members[finding.member or 0])
        return speaker.sentence("{subject} {is} {value}.", value=value)
    if topic.name == "name" and finding.member:
        return f"{who.rpartition(' ')[0].capitalize()}'s name is {value}."
    if topic.name == "relation" and query.value is None:
        if not finding.member:
            return "I am the applicant."
        member = household.members[finding.member]
        kin = who.rpartition(" ")[0]
        if member.relation == "spouse":
            kin = "my husband" if member.sex == "male" else "my wife"
        return f"{member.name.split()[0]} is {kin}."
    if topic.kind == "flag":
        verb, phrase = verb_and_phrase(topic)
        if finding.member is None:
            speaker = named_speaker(who, "its", "itself")
        elif finding.member:
            # Whose spouse, behind a subject that names somebody: "his".
            is_male = household.members[finding.member].sex == "male"
            own = ("his", "himself") if is_male else ("her", "herself")
            speaker = named_speaker(who, *own)
        if topic.name == "first_time_home_buyer" and not value:
            return speaker.sentence("{subject} {has} owned a home in the last three years.")
        if value:
            return speaker.sentence(AFFIRMATIVE[verb], list=in_my_words(phrase))  # type: ignore[index]
        bare = phrase.replace("{s}", "").replace("{ies}", "y") if verb == "does" else phrase
        return speaker.sentence(NEGATIVE[verb], list=in_my_words(bare))  # type: ignore[index]
    if topic.name == "marital_status":
        return speaker.sentence("{subject} {is} {value}.", value=value)
    if topic.name in ("income", "household_income"):
        if query.how == "is" and not value and query.comparison is None:
            return speaker.sentence("{subject} {has} no income.")
        told = say_value(topic, value, query.period)
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
        return speaker.sentence(in_my_words(template))
    if value and topic.kind == "money" and {query.period, topic.period} == {"month", "year"}:
        told = statement(topic, finding, household, replace(query, period=""))
        n = value / 12 if query.period == "month" else value * 12
        return f"{told} That is {_dollars(n)} a {query.period}."
    if value == 0 and feature.zero_sentence and topic.kind in ("number", "money"):
        return speaker.sentence(in_my_words(feature.zero_sentence), value=say_value(topic, 0, ""))
    if topic.kind == "choice":
        said = speaker.sentence(
            in_my_words(feature.sentence), value=in_my_words(feature.choices[value])
        )
        if query.value in (None, value) or "{is} {value}" not in feature.sentence:
            return said
        denied = feature.sentence.replace("{is}", "{is} not")
        no = speaker.sentence(
            in_my_words(denied), value=in_my_words(feature.choices[query.value or ""])
        )
        return f"{no} {said}"
    if topic.kind == "date":
        return speaker.sentence(in_my_words(feature.sentence), value=day(value))
    said = amount(value, feature.unit) if feature.unit else _plain_value(topic, value)
    return speaker.sentence(in_my_words(feature.sentence), value=said, count=said)


def _dollars(n: float) -> str:
    """Return an amount in whole dollars, a small one with its cents."""
    return f"${n:,.2f}" if n < SMALL_AMOUNT and n != round(n) else f"${round(n):,}"


def _plain_value(topic: Topic, value: Any) -> str:
    if topic.name == "current_grade":
        return "kindergarten" if value == 0 else f"grade {value}"
    return str(value)


def say_value(topic: Topic, value: Any, period: str) -> str:
    """Return a value with its unit, an amount with its period."""
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


def verb_and_phrase(topic: Topic) -> tuple[str, str]:
    """Return verb and phrase by which a flag is told."""
    if topic.name in said_of_groups():
        return said_of_groups()[topic.name]
    feature = FEATURES[topic.name]
    return feature.verb or "is", phrase_of(feature, affirmed=True)


def in_my_words(words: str) -> str:
    """Return words of a declaration as the applicant says them."""
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


def called(household: Household, number: int | None) -> str:
    """Return how a member is named in a list: the applicant as "I"."""
    return "I" if number == 0 else name(household, number)


def with_age(household: Household, number: int) -> str:
    """Return how a member is named in a list, with age."""
    member = household.members[number]
    return (
        f"me, {member.name} ({member.age})"
        if number == 0
        else f"{name(household, number)} ({member.age})"
    )


def speaker_of(who: str) -> Speaker:
    """Return who a sentence is about, by the name that `name` gives."""
    if who == "I":
        return ME
    return named_speaker(who, "their" if who.startswith(("Nobody", "None")) else f"{who}'s")
