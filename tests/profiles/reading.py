"""Reads a profile of either register back into its household: proof that it states every fact."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.constraints.derived import applies
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.household.schema import Feature
from benyfits_data.profiles.render import SHORT_OPENING
from benyfits_data.profiles.sections import ALL_OF_YOU, FOLLOWS, follows
from benyfits_data.profiles.sentences import (
    GRADE_WORDS,
    SAID_TOGETHER,
    relation_of,
    value_sentence,
)
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    EACH,
    NEGATIVE,
    NOBODY,
    YOU,
    Speaker,
    phrase_of,
    speaker_of,
    speaker_of_home,
)

_SENTENCE_END = re.compile(r"(?<=\.)\s+")
_IDENTITY = re.compile(
    r"(?:You are (?P<own>.+?)|(?P<name>.+?) is (?P<relation>.+?)), "
    r"a (?P<newborn>newborn )?(?:baby )?(?P<person>girl|woman|boy|man)"
    r"(?: of (?:(?P<age>\d+)(?: \((?P<months>\d+) months?\))?|(?P<young>\d+) months?))?\."
)
_AMOUNT = r"(?P<value>\$?\d[\d,.]*(?: [a-z ]+)?)"
_DAY = r"(?P<value>[A-Z][a-z]+ \d+, \d+)"
_SCHOOL = re.compile(r"[\w ]+? (?:are|is) in (?P<grade>[\w ]+?) at (?P<school>a \w+ school)\.")
_HOME = ("You and your household ", "You ")


def parse_profile(profile: str) -> Household:
    """Return the household that a rendered profile describes.

    Raises:
        DatasetFormatError: A sentence is not one that `render_profile` writes.
        ImpossibleHouseholdError: The facts contradict a constraint.
    """
    is_short = profile.startswith(SHORT_OPENING)
    # The summary, or the opening, states no fact of its own.
    home, *sections = profile.strip().split("\n\n")[1:]
    facts = _null_facts(HOUSEHOLD_FEATURES)
    for sentence in _split(_titled(home)[1]):
        facts.update(_read(_with_subject(sentence, _HOME, "You"), YOU, "household"))
    members: list[dict[str, Any]] = []
    shared: dict[str, Any] = {}
    for title, text in map(_titled, sections):
        if title == ALL_OF_YOU:
            for sentence in _split(text):
                shared.update(_read_of_all(sentence))
        else:
            members.append(_member(_split(text)) | shared)
    facts["members"] = members
    return Household.from_facts(_completed(facts, is_short=is_short))


def _titled(section: str) -> tuple[str, str]:
    if not section.startswith("# "):
        return "", section
    title, _, text = section.removeprefix("# ").partition("\n")
    return title, text


def _completed(facts: dict[str, Any], *, is_short: bool) -> dict[str, Any]:
    """Return the facts with those that the profile only implies."""
    members = facts["members"]
    if len(members) == 1:
        members[0]["lived_together_last_6_months"] = True
    silent = [
        (number, feature)
        for number, told in enumerate(members)
        for feature in MEMBER_FEATURES.values()
        if feature.denial and feature.name not in told
    ]
    for number, feature in silent:
        members[number][feature.name] = False
    for name in FOLLOWS if is_short else ():
        home = Household.from_facts(facts, constrained=False)
        if name in HOUSEHOLD_FEATURES:
            facts[name] |= follows(HOUSEHOLD_FEATURES[name], home)
            continue
        for told, member in zip(members, home.members, strict=True):
            told[name] |= follows(MEMBER_FEATURES[name], home, member)
    home = Household.from_facts(facts, constrained=False)
    for number, feature in silent if is_short else ():
        members[number][feature.name] = applies(feature, home, home.members[number])
    return facts


def _null_facts(features: dict[str, Feature]) -> dict[str, Any]:
    return {
        name: feature.off
        for name, feature in features.items()
        if (feature.optional or feature.off is not None) and not feature.denial
    }


def _split(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence]


def _member(sentences: list[str]) -> dict[str, Any]:
    told = _IDENTITY.fullmatch(sentences[0])
    if not told:
        raise _unreadable(sentences[0])
    facts: dict[str, Any] = {
        **_null_facts(MEMBER_FEATURES),
        "name": told["own"] or told["name"],
        "relation": "self" if told["own"] else _relation(told),
        "sex": _sex(told),
        "age": int(told["age"] or 0),
        "age_months": _months(told),
    }
    identity = {key: facts[key] for key in ("name", "sex", "relation")}
    speaker = YOU if told["own"] else speaker_of(Member.from_facts(identity))
    first, later = (name[0].upper() + name[1:] for name in (speaker.names[0], speaker.names[-1]))
    for sentence in sentences[1:]:
        said = _with_subject(sentence, (f"{first} ",), later)
        facts.update(_read(said, speaker, "member"))
    return facts


def _months(told: re.Match[str]) -> int | None:
    if told["newborn"]:
        return 0
    months = told["months"] or told["young"]
    return int(months) if months else None


def _relation(told: re.Match[str]) -> str:
    said = {
        relation_of(Member(relation=relation, sex=_sex(told))): relation
        for relation in MEMBER_FEATURES["relation"].choices
    }
    return said[told["relation"]]


def _sex(told: re.Match[str]) -> str:
    return "female" if told["person"] in ("girl", "woman") else "male"


def _choice(name: str, words: str) -> str:
    return {said: value for value, said in MEMBER_FEATURES[name].choices.items()}[words]


def _with_subject(sentence: str, subjects: tuple[str, ...], wanted: str) -> str:
    for subject in subjects:
        if sentence.startswith(subject):
            return f"{wanted} {sentence.removeprefix(subject)}"
    return sentence


def _read_of_all(sentence: str) -> dict[str, Any]:
    if not sentence.startswith("None of you "):
        return _read(sentence, EACH, "member")
    facts = _read(sentence, NOBODY, "member")
    if any(value is not True for value in facts.values()):
        raise _unreadable(sentence)
    return dict.fromkeys(facts, False)


def _read(sentence: str, speaker: Speaker, level: str) -> dict[str, Any]:
    if level == "member" and (school := _SCHOOL.fullmatch(sentence)):
        return {
            "current_school_level": "school",
            "current_grade": GRADE_WORDS.index(school["grade"]),
            "school_type": _choice("school_type", school["school"]),
        }
    if level == "household":
        sentence = sentence.replace("A member of your household owns", "You own")
    subject = speaker.names[-1].capitalize()
    patterns = _patterns(subject, level)
    for pattern in patterns.together if level == "member" else ():
        if match := pattern.fullmatch(sentence):
            return {name: int(said) for name, said in match.groupdict().items()}
    for pattern, feature, values in patterns.values:
        if match := pattern.fullmatch(sentence):
            return {feature.name: _value(feature, match, values)}
    for pattern, affirmed, phrases in patterns.flags:
        if (match := pattern.fullmatch(sentence)) and (
            facts := _flags(match["list"], affirmed, phrases)
        ):
            return facts
    raise _unreadable(sentence)


@dataclass(frozen=True)
class _Patterns:
    values: list[tuple[re.Pattern[str], Feature, dict[str, Any]]]
    flags: list[tuple[re.Pattern[str], bool, dict[str, str]]]
    together: list[re.Pattern[str]]


_SPEAKERS = {
    "You": YOU,
    "Each of you": EACH,
    "None of you": NOBODY,
    "She": speaker_of(Member(relation="friend", sex="female")),
    "He": speaker_of(Member(relation="friend", sex="male")),
}


@cache
def _patterns(subject: str, level: str) -> _Patterns:
    speaker = speaker_of_home(1) if level == "household" else _SPEAKERS[subject]
    return _Patterns(
        list(_value_patterns(speaker, level)),
        list(_flag_patterns(speaker, level)),
        [_together(pair, speaker) for pair in SAID_TOGETHER],
    )


def _together(pair: tuple[str, str], speaker: Speaker) -> re.Pattern[str]:
    said = speaker.sentence(SAID_TOGETHER[pair], again=True, first="\0", second="\1")
    pattern = re.escape(said)
    for mark, name in zip("\0\1", pair, strict=True):
        pattern = pattern.replace(mark, rf"(?P<{name}>\d+) {MEMBER_FEATURES[name].unit}s?")
    return re.compile(pattern)


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
            of_verb = [feature for feature in flags if feature.verb == verb]
            phrases = {
                phrase_of(feature, affirmed=affirmed).format(**speaker.forms): feature.name
                for feature in of_verb
            }
            # A denial says that a flag is false, in an affirmative sentence.
            phrases |= {it.denial: f"not {it.name}" for it in of_verb if it.denial and affirmed}
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
        name = phrases[found]
        facts[name.removeprefix("not ")] = affirmed and not name.startswith("not ")
        rest = re.sub(r"\A[,;]?\s*(?:(?:and|or)\s+)?", "", rest[len(found) :])
    return facts


def _unreadable(sentence: str) -> DatasetFormatError:
    return DatasetFormatError(
        f"This profile sentence states no known fact: {sentence!r}. Render the profile anew.",
        sentence=sentence,
    )
