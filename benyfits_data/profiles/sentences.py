"""What a profile says, sentence by sentence, and which facts each sentence states."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.household.constraints.derived import applies
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.household.schema import Feature, Verb
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    HOUSEHOLD,
    NEGATIVE,
    Speaker,
    amount,
    join,
    phrase_of,
    speaker_of,
)

GRADE_WORDS = (
    "kindergarten",
    "1st grade",
    "2nd grade",
    "3rd grade",
    *(f"{n}th grade" for n in range(4, 13)),
)


@dataclass(frozen=True)
class Sentence:
    """One sentence of a profile.

    Attributes:
        text: The sentence.
        features: Names of the facts it states; none for a summary.
    """

    text: str
    features: tuple[str, ...]


def household_sentences(household: Household) -> list[list[Sentence]]:
    """Return the sentences about the home and the household as paragraphs, one per topic."""
    told = [feature for feature in HOUSEHOLD_FEATURES.values() if applies(feature, household)]
    topics = ([feature for feature in told if feature.topic == topic] for topic in _TOPICS)
    return [_sentences(household, HOUSEHOLD, topic) for topic in topics if topic]


def member_sentences(household: Household, member: Member) -> list[list[Sentence]]:
    """Return the sentences about a member as paragraphs, one per topic; who it is comes first."""
    speaker = speaker_of(member)
    told = [
        feature
        for feature in MEMBER_FEATURES.values()
        if feature.name not in _IDENTITY + _ATTENDANCE and applies(feature, household, member)
    ]
    paragraphs = []
    for topic in _TOPICS:
        opening = {"identity": [_identity(member)], "school": [_attendance(member, speaker)]}.get(
            topic, []
        )
        features = [feature for feature in told if feature.topic == topic]
        sentences = _sentences(member, speaker, features, again=bool(opening))
        paragraphs.append([*opening, *sentences])
    return [paragraph for paragraph in paragraphs if paragraph]


_TOPICS = tuple(dict.fromkeys(feature.topic for feature in FEATURES.values()))
_IDENTITY = ("name", "relation", "sex", "age", "age_months")
_ATTENDANCE = ("current_school_level", "current_grade", "school_type")
_PERSONS = {"female": ("girl", "woman"), "male": ("boy", "man")}


def _identity(member: Member) -> Sentence:
    """Return who a member is: name, relation, sex and age in one sentence."""
    person = _PERSONS[member.sex][member.age >= 18]
    if member.age_months is None:
        whole = f"a {person} of {member.age}"
    elif member.age_months == 0:
        whole = f"a newborn {person}"
    elif member.age == 0:
        whole = f"a baby {person} of {amount(member.age_months, 'month')}"
    else:
        whole = f"a {person} of {member.age} ({amount(member.age_months, 'month')})"
    who = f"{member.name} is {MEMBER_FEATURES['relation'].choices[member.relation]}"
    if member.relation == "self":
        who = f"You are {member.name}"
    return Sentence(f"{who}, {whole}.", _IDENTITY)


def _attendance(member: Member, speaker: Speaker) -> Sentence:
    if member.current_grade is None or member.school_type is None:
        level = MEMBER_FEATURES["current_school_level"]
        text = speaker.sentence(level.sentence, value=level.choices[member.current_school_level])
    else:
        text = speaker.sentence(
            "{subject} {is} in {grade} at {school}.",
            grade=GRADE_WORDS[member.current_grade],
            school=MEMBER_FEATURES["school_type"].choices[member.school_type],
        )
    return Sentence(text, _ATTENDANCE)


def _sentences(
    owner: Household | Member,
    speaker: Speaker,
    features: Sequence[Feature],
    *,
    again: bool = False,
) -> list[Sentence]:
    sentences: list[Sentence] = []
    for feature in features:
        if feature.kind != "flag":
            text = value_sentence(
                feature, getattr(owner, feature.name), speaker, again or bool(sentences)
            )
            sentences.append(Sentence(text, (feature.name,)))
    for template, affirmed, group in _flag_groups(owner, features):
        phrases = [
            phrase_of(feature, affirmed=affirmed).format(**speaker.forms) for feature in group
        ]
        text = speaker.sentence(
            template,
            again=again or bool(sentences),
            list=join(phrases, "and" if affirmed else "or"),
        )
        sentences.append(Sentence(text, tuple(feature.name for feature in group)))
    return sentences


def _flag_groups(
    owner: Household | Member, features: Sequence[Feature]
) -> Iterator[tuple[str, bool, list[Feature]]]:
    groups: dict[tuple[bool, Verb | None], list[Feature]] = {}
    for feature in features:
        if feature.kind == "flag":
            groups.setdefault((getattr(owner, feature.name), feature.verb), []).append(feature)
    for affirmed, templates in ((True, AFFIRMATIVE), (False, NEGATIVE)):
        for verb, template in templates.items():
            if group := groups.get((affirmed, verb)):
                yield template, affirmed, group


def value_sentence(feature: Feature, value: Any, speaker: Speaker, again: bool = False) -> str:
    """Return the sentence that states a value of a feature that is not a flag."""
    if value is None:
        return speaker.sentence(feature.none_sentence, again=again)
    if value == 0 and feature.kind == "number" and feature.zero_sentence:
        return speaker.sentence(feature.zero_sentence, again=again)
    if feature.kind == "choice":
        return speaker.sentence(feature.sentence, again=again, value=feature.choices[value])
    if feature.kind == "date":
        return speaker.sentence(
            feature.sentence, again=again, value=f"{value:%B} {value.day}, {value.year}"
        )
    if feature.name == "current_grade":
        return speaker.sentence(feature.sentence, again=again, value=GRADE_WORDS[value])
    said = amount(value, feature.unit)
    return speaker.sentence(feature.sentence, again=again, value=said, count=said)


def summary(household: Household) -> str:
    """Return who lives together, how many are minors, and what they had to live on."""
    members = household.members
    others = [
        f"{MEMBER_FEATURES['relation'].choices[member.relation]} {member.name} ({_age(member)})"
        for member in members[1:]
    ]
    who = "You live alone" if not others else f"You live with {join(others, 'and')}"
    minors = sum(member.age < ADULT_AGE for member in members)
    count = _COUNTS[minors] + (" is" if minors < 2 else " are")
    work = sum(member.annual_work_income for member in members)
    other = sum(member.annual_investment_income for member in members)
    whose = "All together, the household" if others else "The household"
    return (
        f"{who}, so the household has {amount(len(members), 'member')}. {count} under 18. "
        f"{whose} earned {amount(work, 'dollar')} from work and received {amount(other, 'dollar')} "
        "from other sources in the last year, before taxes."
    )


_COUNTS = (
    "Nobody",
    "One person",
    *(f"{n} people" for n in ("Two", "Three", "Four", "Five", "Six")),
)


def _age(member: Member) -> str:
    if member.age_months is not None and member.age == 0:
        return amount(member.age_months, "month") if member.age_months else "newborn"
    return str(member.age)
