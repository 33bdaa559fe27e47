"""Reads a profile back into its household: proof that the prose states every fact."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.household.schema import Feature
from benyfits_data.profiles.sentences import (
    GRADE_WORDS,
    value_sentence,
)
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    HOUSEHOLD,
    NEGATIVE,
    YOU,
    Speaker,
    phrase_of,
    speaker_of,
)

_SENTENCE_END = re.compile(r"(?<=\.)\s+")
_IDENTITY = re.compile(
    r"(?:You are (?P<own>.+?)|(?P<name>.+?) is (?P<relation>.+?)), "
    r"a (?P<newborn>newborn )?(?:baby )?(?P<person>girl|woman|boy|man)"
    r"(?: of (?:(?P<age>\d+)(?: \((?P<months>\d+) months?\))?|(?P<young>\d+) months?))?\."
)
_AMOUNT = r"(?P<value>\$?\d[\d,.]*(?: [a-z ]+)?)"
_DAY = r"(?P<value>[A-Z][a-z]+ \d+, \d+)"
_SCHOOL = re.compile(r"\w+ (?:are|is) in (?P<grade>[\w ]+?) at (?P<school>a \w+ school)\.")


def parse_profile(profile: str) -> Household:
    """Return the household that a rendered profile describes.

    Raises:
        DatasetFormatError: A sentence is not one that `render_profile` writes.
        ImpossibleHouseholdError: The facts contradict a constraint.
    """
    shared_text, *member_texts = re.split(r"^# .*\n", profile, flags=re.MULTILINE)[1:]
    facts: dict[str, Any] = _null_facts(HOUSEHOLD_FEATURES)
    for sentence in _split(shared_text):
        facts.update(_read(sentence, HOUSEHOLD, "household"))
    facts["members"] = [_member(text) for text in member_texts]
    return Household.from_facts(facts)


def _null_facts(features: dict[str, Feature]) -> dict[str, Any]:
    return {
        name: None if feature.optional else False if feature.kind == "flag" else 0
        for name, feature in features.items()
        if feature.optional or feature.kind in ("flag", "number")
    }


def _split(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence]


def _member(text: str) -> dict[str, Any]:
    first, *sentences = _split(text)
    told = _IDENTITY.fullmatch(first)
    if not told:
        raise _unreadable(first)
    facts: dict[str, Any] = {
        **_null_facts(MEMBER_FEATURES),
        "high_school_equivalent": "no diploma",
        "name": told["own"] or told["name"],
        "relation": "self" if told["own"] else _choice("relation", told["relation"]),
        "sex": "female" if told["person"] in ("girl", "woman") else "male",
        "age": int(told["age"] or 0),
        "age_months": _months(told),
    }
    speaker = speaker_of_facts(facts)
    for sentence in sentences:
        facts.update(_read(sentence, speaker, "member"))
    return facts


def _months(told: re.Match[str]) -> int | None:
    if told["newborn"]:
        return 0
    months = told["months"] or told["young"]
    return int(months) if months else None


def speaker_of_facts(facts: dict[str, Any]) -> Speaker:
    """Return the speaker for a member of whom only name, sex and relation are known."""
    identity = {key: facts[key] for key in ("name", "sex", "relation")}
    return YOU if facts["relation"] == "self" else speaker_of(Member.from_facts(identity))


def _choice(name: str, words: str) -> str:
    return {said: value for value, said in MEMBER_FEATURES[name].choices.items()}[words]


def _read(sentence: str, speaker: Speaker, level: str) -> dict[str, Any]:
    if level == "member" and (school := _SCHOOL.fullmatch(sentence)):
        return {
            "current_school_level": "school",
            "current_grade": GRADE_WORDS.index(school["grade"]),
            "school_type": _choice("school_type", school["school"]),
        }
    first, later = (name[0].upper() + name[1:] for name in (speaker.names[0], speaker.names[-1]))
    said = later + sentence[len(first) :] if sentence.startswith(f"{first} ") else sentence
    patterns = _patterns(later, level)
    for pattern, feature, values in patterns.values:
        if match := pattern.fullmatch(said):
            return {feature.name: _value(feature, match, values)}
    for pattern, affirmed, phrases in patterns.flags:
        if (match := pattern.fullmatch(said)) and (
            facts := _flags(match["list"], affirmed, phrases)
        ):
            return facts
    raise _unreadable(sentence)


@dataclass(frozen=True)
class _Patterns:
    values: list[tuple[re.Pattern[str], Feature, dict[str, Any]]]
    flags: list[tuple[re.Pattern[str], bool, dict[str, str]]]


_SPEAKERS = {
    "It": HOUSEHOLD,
    "You": YOU,
    "She": speaker_of(Member(relation="friend", sex="female")),
    "He": speaker_of(Member(relation="friend", sex="male")),
}


@cache
def _patterns(subject: str, level: str) -> _Patterns:
    speaker = _SPEAKERS[subject]
    return _Patterns(list(_value_patterns(speaker, level)), list(_flag_patterns(speaker, level)))


@cache
def _features(level: str) -> tuple[Feature, ...]:
    features = MEMBER_FEATURES if level == "member" else HOUSEHOLD_FEATURES
    return tuple(features.values())


def _value_patterns(
    speaker: Speaker, level: str
) -> Iterator[tuple[re.Pattern[str], Feature, dict[str, Any]]]:
    for feature in _features(level):
        if feature.kind in ("flag", "text"):
            continue
        if feature.kind == "choice":
            for value in feature.choices:
                said = value_sentence(feature, value, speaker, again=True)
                yield re.compile(re.escape(said)), feature, {"value": value}
            continue
        template = speaker.sentence(feature.sentence, again=True, value="\0", count="\0")
        written = _DAY if feature.kind == "date" else _AMOUNT
        yield re.compile(re.escape(template).replace("\0", written)), feature, {}
        if feature.none_sentence:
            said = speaker.sentence(feature.none_sentence, again=True)
            yield re.compile(re.escape(said)), feature, {"value": None}
        if feature.zero_sentence:
            said = speaker.sentence(feature.zero_sentence, again=True)
            yield re.compile(re.escape(said)), feature, {"value": 0}


def _value(feature: Feature, match: re.Match[str], values: dict[str, Any]) -> Any:
    if "value" in values:
        return values["value"]
    said = match["value"]
    if feature.kind == "date":
        return datetime.strptime(said, "%B %d, %Y").date()  # noqa: DTZ007 - a day has no zone
    number = said.split()[0].replace("$", "").replace(",", "")
    return float(number) if feature.kind == "decimal" else int(number)


def _flag_patterns(
    speaker: Speaker, level: str
) -> Iterator[tuple[re.Pattern[str], bool, dict[str, str]]]:
    flags = [feature for feature in _features(level) if feature.kind == "flag"]
    # Denials first: "is not a parent" would otherwise read as being "not a parent".
    for affirmed, templates in ((False, NEGATIVE), (True, AFFIRMATIVE)):
        for verb, template in templates.items():
            phrases = {
                phrase_of(feature, affirmed=affirmed).format(**speaker.forms): feature.name
                for feature in flags
                if feature.verb == verb
            }
            if phrases:
                said = speaker.sentence(template, again=True, list="\0")
                pattern = re.escape(said).replace("\0", "(?P<list>.+)")
                yield re.compile(pattern), affirmed, phrases


def _flags(listed: str, affirmed: bool, phrases: dict[str, str]) -> dict[str, bool]:
    facts: dict[str, bool] = {}
    rest = listed
    while rest:
        found = max((phrase for phrase in phrases if rest.startswith(phrase)), key=len, default="")
        if not found:
            return {}
        facts[phrases[found]] = affirmed
        rest = re.sub(r"\A[,;]?\s*(?:(?:and|or)\s+)?", "", rest[len(found) :])
    return facts


def _unreadable(sentence: str) -> DatasetFormatError:
    return DatasetFormatError(
        f"This profile sentence states no known fact: {sentence!r}. Render the profile anew.",
        sentence=sentence,
    )
