"""Plain answers: yes and no, numbers, days, choices and names, read into values.

An answer is one value in the unit that was asked for, or it is none: what gives two numbers, a
bound, another unit or a condition is asked about again, never worked out.
"""

import re
from datetime import date
from typing import Any

from benyfits_data.household.features import FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.profiles.verb_forms import HOUSEHOLD, ME
from benyfits_data.understanding.facts import MEMBERS_KEY

MOST_DIGITS = 40
"""Digits of a number that are kept: a float holds 17, and Python refuses to read 4,301."""
_NUMBER = re.compile(rf"\$?((?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,{MOST_DIGITS}}})(?:\.\d{{1,2}})?)")
_UNITS = {"hour", "day", "week", "month", "quarter", "year"}
_UNCLEAR = {
    *("no", "not", "never", "more", "less", "fewer", "over", "under", "above", "below", "least"),
    *("most", "up", "or", "and", "but", "between", "if", "unless", "except", "depends", "minus"),
    *("half", "dozen", "hundred", "thousand", "million", "k", "to", "from", "maybe", "until"),
}
"""Words that make another thing of a number, or of a yes or no."""
_YES_NO = {"y": True, "yes": True, "n": False, "no": False, "true": True, "false": False}
_NONE = ("none", "never", "that does not apply")
_NOT_KNOWN = re.compile(
    r"\b(don'?t know|do not know|not sure|unsure|no idea|can(?:'?t|not) say|unknown|no information"
    r"|not (?:mentioned|specified|stated))\b",
    re.IGNORECASE,
)
_ISO = re.compile(r"(?:on )?(\d{4})-(\d\d)-(\d\d)", re.IGNORECASE)
_DAY = re.compile(r"(?:on )?([a-z]+) (\d{1,2}),? (\d{4})", re.IGNORECASE)
_MONTHS = {f"{date(2000, month, 1):%B}": month for month in range(1, 13)}


class Nothing:
    """Stands for an answer that holds no value, which differs from the value `None`."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()


def read_value(key: str, answer: str) -> Any | Nothing:
    """Return the value of a fact that an answer gives, or `NOTHING` where it is not plain.

    Args:
        key: A feature's name, or `MEMBERS_KEY`.
        answer: What somebody said.
    """
    text = " ".join(answer.replace("\u2019", "'").split()).rstrip(".!")
    if is_no_answer(text):
        return NOTHING
    if key == MEMBERS_KEY:
        return _read_number(text, "people", is_whole=True)
    feature = FEATURES[key]
    if feature.kind == "flag":
        return _read_flag(text)
    if feature.optional and normal(text).startswith(_NONE):
        return None
    if feature.kind == "date":
        return _read_day(text)
    if feature.kind == "choice":
        return _read_choice(feature, text)
    if key == "current_grade" and normal(text) == "kindergarten":
        return 0
    if feature.kind == "text":
        match = re.search(r"name is (.+)$", text)
        return match.group(1) if match else NOTHING
    if normal(text) in ("none", "nothing", "zero", f"less than a {feature.unit}"):
        return 0
    asked = f"{feature.question} {feature.unit}"
    return _read_number(text, asked, is_whole=feature.kind == "number")


def is_no_answer(answer: str) -> bool:
    """Return whether an answer says that there is none."""
    return not answer.strip() or bool(_NOT_KNOWN.search(answer))


def normal(text: str) -> str:
    """Return a text in small letters without marks, for comparison."""
    plain = re.sub(r"[^a-z0-9' ]+", " ", text.lower().replace("\u2019", "'"))
    return " ".join(plain.split())


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower().replace("n't", " not"))


def _read_flag(text: str) -> bool | Nothing:
    first, *others = _words(text) or [""]
    unclear = _UNCLEAR - {"not"} | _YES_NO.keys()
    return NOTHING if unclear & set(others) else _YES_NO.get(first, NOTHING)


def _read_number(text: str, asked: str, *, is_whole: bool) -> float | Nothing:
    """Return the only number of an answer, in the units that a question speaks of."""
    match = _NUMBER.search(text)
    if match is None:
        return NOTHING
    before, after = text[: match.start()], text[match.end() :]
    words = [*_words(before), *_words(after)]
    units = {unit for unit in _UNITS if {unit, f"{unit}s", f"{unit}ly"} & set(words)}
    is_alone = not re.search(r"\d|-$", before) and not re.match(r"[\w,]*\d|[a-z%]", after)
    if not is_alone or re.search(r"\d", after) or _UNCLEAR & set(words):
        return NOTHING
    if units - {word.removesuffix("s") for word in _words(asked)}:
        return NOTHING
    value = float(match[1].replace(",", ""))
    if is_whole:
        return int(value) if value.is_integer() else NOTHING
    return value


def _read_day(text: str) -> date | Nothing:
    iso, spelt = _ISO.fullmatch(text), _DAY.fullmatch(text)
    try:
        if iso:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if spelt and (month := _MONTHS.get(spelt[1].capitalize())):
            return date(int(spelt[3]), month, int(spelt[2]))
    except ValueError:
        pass
    return NOTHING


def _read_choice(feature: Feature, text: str) -> str | Nothing:
    """Return the choice whose words an answer holds, beside no other choice and no denial."""
    said, phrases = normal(text), dict[str, str]()
    for value, phrase in feature.choices.items():
        spoken = [phrase.format_map(speaker.forms) for speaker in (ME, HOUSEHOLD)]
        mine = [words.replace("your ", "my ").replace("yours", "mine") for words in spoken]
        for words in (*mine, *spoken, value.replace("_", " ")):
            phrases[normal(words)] = value
    # Longest first: who says "adopted child" does not say "child".
    values, rest = set(), f" {said} "
    for phrase in sorted(phrases, key=len, reverse=True):
        if f" {phrase} " in rest:
            values.add(phrases[phrase])
            rest = rest.replace(f" {phrase} ", " ")
    if len(values) != 1 or {"not", "or", "but", "nor"} & set(_words(rest)):
        return NOTHING
    return values.pop()
