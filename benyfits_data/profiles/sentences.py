"""What a profile says, sentence by sentence, and which facts each sentence states."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.household.schema import Feature, Verb
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    NEGATIVE,
    Speaker,
    amount,
    day,
    is_list,
    join,
    kin_of,
    phrase_of,
)

MOST_WORDS = 30
"""Of one sentence: a list that would be longer goes on in the next."""
TOPICS = tuple(dict.fromkeys(feature.topic for feature in FEATURES.values()))
GRADE_WORDS = (
    "kindergarten",
    "1st grade",
    "2nd grade",
    "3rd grade",
    *(f"{n}th grade" for n in range(4, 13)),
)
IDENTITY = ("name", "relation", "sex", "age", "age_months")
ATTENDANCE = ("current_school_level", "current_grade", "school_type")
SAID_TOGETHER = {
    ("consecutive_work_weeks", "nonconsecutive_work_days"): (
        "{subject} {has} worked for {possessive} current employer for {first} in a row "
        "and on {second} of the last year."
    ),
    ("months_pregnant", "weeks_pregnant"): (
        "{subject} {is} {second} pregnant ({first} completed)."
    ),
}
"""Two numbers that one sentence states where neither is 0 or missing."""
_CLAUSES = (" from ", " if ", " on ", " that ", " when ", " who ", " whom ", " with ")
_PERSONS = {"female": ("girl", "woman"), "male": ("boy", "man")}


@dataclass(frozen=True)
class Sentence:
    """One sentence of a profile.

    Attributes:
        text: The sentence.
        features: Names of the facts it states; none for a summary.
    """

    text: str
    features: tuple[str, ...]


def introduce(member: Member) -> Sentence:
    """Return who a member is: name, relation, sex and age in one sentence."""
    person = _PERSONS[member.sex][member.age >= ADULT_AGE]
    if member.age_months is None:
        whole = f"a {person} of {member.age}"
    elif member.age_months == 0:
        whole = f"a newborn {person}"
    elif member.age == 0:
        whole = f"a baby {person} of {amount(member.age_months, 'month')}"
    else:
        whole = f"a {person} of {member.age} ({amount(member.age_months, 'month')})"
    who = f"{member.name} is {relation_of(member)}"
    if member.relation == "self":
        who = f"You are {member.name}"
    return Sentence(f"{who}, {whole}.", IDENTITY)


def relation_of(member: Member) -> str:
    """Return what a member is to the applicant, such as your daughter or a friend of yours."""
    said = FEATURES["relation"].choices[member.relation]
    return said.replace(f"your {member.relation}", f"your {kin_of(member)}")


def state(
    owner: Household | Member,
    speaker: Speaker,
    features: Sequence[Feature],
    *,
    again: bool = False,
) -> list[Sentence]:
    """Return sentences that state some facts, all of one topic.

    Args:
        owner: Whose facts they are.
        speaker: Who the sentences are about.
        features: The facts.
        again: Whether the speaker was just mentioned.
    """
    sentences: list[Sentence] = []
    for names, template, values in _say(owner, speaker, features):
        text = speaker.sentence(template, again=again or bool(sentences), **values)
        sentences.append(Sentence(text, names))
    return sentences


Said = tuple[tuple[str, ...], str, dict[str, str]]
"""The facts that a sentence states, its template, and what fills it."""


def _say(owner: Any, speaker: Speaker, features: Sequence[Feature]) -> Iterator[Said]:
    names_of_facts = {feature.name for feature in features}
    joined: set[str] = set()
    if names_of_facts.issuperset(ATTENDANCE):
        yield ATTENDANCE, *_attendance(owner)
        joined.update(ATTENDANCE)
    together = {
        pair[0]: pair
        for pair in SAID_TOGETHER
        if names_of_facts.issuperset(pair) and all(getattr(owner, name) for name in pair)
    }
    for feature in features:
        if pair := together.get(feature.name):
            first, second = (amount(getattr(owner, name), FEATURES[name].unit) for name in pair)
            yield pair, SAID_TOGETHER[pair], {"first": first, "second": second}
            joined.update(pair)
        elif feature.kind != "flag" and feature.name not in joined:
            yield (feature.name,), *_with_value(feature, getattr(owner, feature.name))
    for template, conjunction, group in _flag_groups(owner, features):
        for part in _parts([(stated, phrase.format(**speaker.forms)) for stated, phrase in group]):
            listed = join([phrase for _, phrase in part], conjunction)
            yield tuple(stated.name for stated, _ in part), template, {"list": listed}


def deny(speaker: Speaker, features: Sequence[Feature]) -> list[Sentence]:
    """Return sentences that say of nobody what some flags of one topic say."""
    sentences = []
    for verb, template in AFFIRMATIVE.items():
        group = [
            (feature, feature.phrase.format(**speaker.forms))
            for feature in features
            if feature.verb == verb
        ]
        for part in _parts(group) if group else ():
            text = speaker.sentence(template, list=join([phrase for _, phrase in part], "or"))
            sentences.append(Sentence(text, tuple(stated.name for stated, _ in part)))
    return sentences


def _attendance(member: Any) -> tuple[str, dict[str, str]]:
    if member.current_grade is None or member.school_type is None:
        return _with_value(FEATURES["current_school_level"], member.current_school_level)
    return "{subject} {is} in {grade} at {school}.", {
        "grade": GRADE_WORDS[member.current_grade],
        "school": FEATURES["school_type"].choices[member.school_type],
    }


def _flag_groups(
    owner: Household | Member, features: Sequence[Feature]
) -> Iterator[tuple[str, str, list[tuple[Feature, str]]]]:
    """Yield flags said with one verb, affirmed or denied: template, conjunction, phrases."""
    groups: dict[tuple[bool, Verb | None], list[tuple[Feature, str]]] = {}
    for feature in features:
        if feature.kind == "flag":
            affirmed = getattr(owner, feature.name)
            phrase = phrase_of(feature, affirmed=affirmed)
            if not affirmed and feature.denial:
                affirmed, phrase = True, feature.denial
            groups.setdefault((affirmed, feature.verb), []).append((feature, phrase))
    for affirmed, templates in ((True, AFFIRMATIVE), (False, NEGATIVE)):
        for verb, template in templates.items():
            if group := groups.get((affirmed, verb)):
                yield template, "and" if affirmed else "or", group


def _parts(group: Sequence[tuple[Feature, str]]) -> Iterator[list[tuple[Feature, str]]]:
    """Yield phrases in parts that make a sentence each, of some `MOST_WORDS` at most.

    Phrases that are lists themselves, or end in a clause of their own, follow in sentences of
    their own: in another list nobody could tell where they end.
    """
    alone = [
        (feature, phrase)
        for feature, phrase in group
        if is_list(phrase) or any(word in phrase for word in _CLAUSES)
    ]
    part: list[tuple[Feature, str]] = []
    words = 0
    for feature, phrase in group:
        if (feature, phrase) in alone:
            continue
        length = len(phrase.split())
        if part and words + length > MOST_WORDS - 5:
            yield part
            part, words = [], 0
        part.append((feature, phrase))
        words += length
    if part:
        yield part
    yield from ([flag] for flag in alone)


def value_sentence(feature: Feature, value: Any, speaker: Speaker, again: bool = False) -> str:
    """Return the sentence that states a value of a feature that is not a flag."""
    template, values = _with_value(feature, value)
    return speaker.sentence(template, again=again, **values)


def _with_value(feature: Feature, value: Any) -> tuple[str, dict[str, str]]:
    """Return the template that states a value, and what fills it."""
    if value is None:
        return feature.none_sentence, {}
    if value == 0 and feature.kind == "number" and feature.zero_sentence:
        return feature.zero_sentence, {}
    if feature.kind == "choice":
        said = feature.choices[value]
    elif feature.kind == "date":
        said = day(value)
    elif feature.name == "current_grade":
        said = GRADE_WORDS[value]
    else:
        said = amount(value, feature.unit)
    return feature.sentence, {"value": said, "count": said}


def summary(household: Household) -> str:
    """Return who lives together, how many are minors, and what they had to live on."""
    members = household.members
    others = [f"{member.name} ({relation_of(member)}, {_age(member)})" for member in members[1:]]
    who = "You live alone" if not others else f"You live with {join(others, 'and')}"
    minors = sum(member.age < ADULT_AGE for member in members)
    count = f"{minors} people are" if minors > 1 else ("One person is" if minors else "Nobody is")
    work = sum(member.annual_work_income for member in members)
    other = sum(member.annual_investment_income for member in members)
    whose = "All together, the household" if others else "The household"
    return (
        f"{who}. The household has {amount(len(members), 'member')}. {count} under 18. "
        f"{whose} earned {amount(work, 'dollar')} from work and received {amount(other, 'dollar')} "
        "from other sources in the last year, before taxes."
    )


def _age(member: Member) -> str:
    if member.age_months is not None and member.age == 0:
        return amount(member.age_months, "month") if member.age_months else "newborn"
    return str(member.age)
