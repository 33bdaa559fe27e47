"""What a person types: yes and no, numbers, days, choices and names, read into values.

Only what is plain is read; whoever asked asks again, or has the person confirm it.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from benyfits_data.errors import FeatureValueError
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import MOST_MEMBERS, Household
from benyfits_data.profiles.verb_forms import HOUSEHOLD, ME
from benyfits_data.understanding.facts import MEMBERS_KEY

MOST_DIGITS = 40
"""Digits of a number that are kept: a float holds 17, and Python refuses to read 4,301."""
_NUMBERS = re.compile(
    r"(?<![\w.,])(?<![A-Za-z]-)(?P<minus>minus\s+|[-\u2212\u2013]\s?(?=[\d$.]))?\$?\s?(?P<number>\d{1,3}(?:[\u00a0\u202f'\u2019]\d{3})+(?:[.,]\d+)?|[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?(?![.\d])"
    r"|\d[\d,]*(?:\.\d+)?|\.\d+)"
    r"(?:\s?(?P<scale>k|m|thousand|hundred|million|billion)\b)?(?P<tail>\w*)",
    re.IGNORECASE,
)
_SCALES = {"k": 1e3, "m": 1e6, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_POINTS = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
"""Thousands as Germans write them: nobody here has a fact of three decimals."""
_YES_NO = re.compile(r"\W*(y|yes|yeah|yep|correct|true|n|no|nope|not|false)\b\W*", re.IGNORECASE)
_YES = ("y", "yes", "yeah", "yep", "correct", "true")
_NO_ANSWER = re.compile(
    r"\b(don'?t know|do not know|not sure|unsure|no idea|can(?:'?t|not) say|unknown|no information"
    r"|not (?:mentioned|specified|stated))\b",
    re.IGNORECASE,
)
_NO_VALUE = ("none", "never", "that does not apply")
_NO_NUMBER = re.compile(
    r"\W*n\W*|[^0-9]*(\b(no|not|nothing|none|never|neither|without)\b|n't\b)[^0-9]*", re.IGNORECASE
)
"""No grade, we have none, I don't work; none and never alone are read without being asked back."""
_NOBODY = re.compile(r"\W*(no|none|nobody|no one|neither|nothing|n)\W*", re.IGNORECASE)
_EVERYBODY = re.compile(
    r"\W*(all|everyone|everybody|both|all of us|we all do|both of us)\W*", re.IGNORECASE
)
_TIME = re.compile(r"\b(hour|day|week|month|year)s?\b")
_PERSON = re.compile(r"\bPerson (\d+)\b[^:]{0,60}:", re.IGNORECASE)
_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen""".split()  # noqa: SIM905 - one word a line
_TENS = """twenty thirty forty fifty sixty seventy eighty ninety""".split()  # noqa: SIM905
_SPELLED = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?:[ -]({'|'.join(_ONES[1:10])}))?|({'|'.join(_ONES)}))\b"
)


class Nothing:
    """Stands for an answer that holds no value, which differs from the value `None`."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()


@dataclass(frozen=True)
class TypedAnswer:
    """What an answer was taken to say.

    Attributes:
        value: The value.
        is_plain: Whether it says just that; otherwise the person is asked whether it was meant.
    """

    value: Any
    is_plain: bool


def read_value(key: str, answer: str) -> Any | Nothing:
    """Return the value of a fact that an answer gives, or `NOTHING` where it is not plain.

    Args:
        key: A feature's name, or `MEMBERS_KEY`.
        answer: What somebody said.
    """
    text = " ".join(answer.split())
    if key == MEMBERS_KEY:
        return _read_number(text, whole=True)
    feature = FEATURES[key]
    if feature.kind == "flag":
        first = _YES_NO.match(text)
        return first[1].lower() in _YES if first else NOTHING
    if feature.optional and text.lower().startswith(_NO_VALUE):
        return None
    if feature.kind == "date":
        day = read_day(text)
        return NOTHING if day is None else day
    if feature.kind == "choice":
        return _read_choice(key, text)
    if key == "current_grade" and "kindergarten" in text.lower():
        return 0
    if feature.kind == "text":
        match = re.search(r"name is (.+?)\.?$", text)
        return match.group(1) if match else NOTHING
    return _read_number(text, whole=feature.kind == "number")


def is_no_answer(answer: str) -> bool:
    """Return whether an answer says that there is none."""
    return not answer.strip() or bool(_NO_ANSWER.search(answer))


def split_people(answer: str) -> list[str]:
    """Return what an answer says of each person, in order; empty where it numbers nobody.

    Numbers have to count up from one.
    """
    pieces = _PERSON.split(answer)
    numbers, texts = pieces[1::2], pieces[2::2]
    if [int(number) for number in numbers] != list(range(1, len(numbers) + 1)):
        return []
    return [text.strip() for text in texts]


def read_numbers(text: str) -> set[float]:
    """Return the numbers in a text: `2k`, `$1.2 million`, `1,500`, `1,5`, `minus 5`.

    A number that runs into a word, such as `2nd` or `3x`, is none.
    """
    numbers = set()
    for match in _NUMBERS.finditer(text):
        digits = match["number"]
        if match["tail"] or len(digits) > MOST_DIGITS:
            continue
        if _POINTS.fullmatch(digits):
            digits = digits.replace(".", "").replace(",", ".")
        digits = re.sub("[\u00a0\u202f'\u2019]", "", digits)
        whole, dot, rest = digits.rstrip(",").partition(".")
        if "," in whole and not _GROUPED.fullmatch(whole):
            if dot or whole.count(",") > 1:
                continue
            # A decimal comma.
            whole, dot, rest = whole.partition(",")
        value = float(whole.replace(",", "") + "." + (rest or "0"))
        scale = _SCALES[match["scale"].lower()] if match["scale"] else 1
        numbers.add((-value if match["minus"] else value) * scale)
    return numbers


def read_day(words: str) -> date | None:
    """Return the day a text names, as in March 5, 2021 or 2021-03-05; `None` without one."""
    iso = re.search(r"(\d{4})-(\d{1,2})-(\d{1,2})", words)
    try:
        if iso:
            return date(*(int(part) for part in iso.groups()))
        spelt = re.search(r"([A-Z][a-z]+) (\d{1,2}),? (\d{4})", words)
        if spelt and spelt.group(1) in _MONTHS:
            return date(int(spelt.group(3)), _MONTHS[spelt.group(1)], int(spelt.group(2)))
    except ValueError:
        return None
    return None


_MONTHS = {f"{date(2000, month, 1):%B}": month for month in range(1, 13)}


def read_typed(key: str, text: str) -> TypedAnswer | None:
    """Return the value of a fact that somebody types, `None` where it is not understood.

    Args:
        key: A feature's name, or `MEMBERS_KEY`.
        text: What was typed.
    """
    if key == MEMBERS_KEY or FEATURES[key].kind in ("number", "decimal"):
        return _read_typed_number(key, text)
    feature = FEATURES[key]
    if feature.kind == "choice" and text.strip().isdigit():
        number, values = int(text) - 1, list(feature.choices)
        return TypedAnswer(values[number], is_plain=True) if 0 <= number < len(values) else None
    said = read_value(key, text)
    if isinstance(said, Nothing):
        return None
    is_bare = feature.kind == "flag" and _YES_NO.fullmatch(text)
    is_plain = bool(is_bare) or feature.kind == "date" or text.strip().lower() == str(said).lower()
    return _checked(key, said, is_plain=is_plain)


def _read_typed_number(key: str, text: str) -> TypedAnswer | None:
    counted = spell_out(text)
    if key != MEMBERS_KEY and FEATURES[key].optional and _NO_NUMBER.fullmatch(counted):
        return TypedAnswer(None, is_plain=text.lower().strip(" .!") in ("none", "never"))
    said = read_value(key, counted)
    if isinstance(said, Nothing):
        return None
    if key == MEMBERS_KEY:
        return TypedAnswer(said, is_plain=True) if 1 <= said <= MOST_MEMBERS else None
    units, unit = set(_TIME.findall(text.lower())), FEATURES[key].unit
    if unit in ("hour", "day", "week", "month", "year") and units and unit not in units:
        if said is None or units != {"year"} or unit != "month":
            return None
        said = 12 * said
    words = re.sub(r"[\d$,.\s]", "", text.lower())
    is_plain = words in ("", "dollars", "years", "never", "none", "k", unit, f"{unit}s")
    return _checked(key, said, is_plain=is_plain)


def _checked(key: str, value: Any, *, is_plain: bool) -> TypedAnswer | None:
    feature = FEATURES[key]
    if feature.kind == "decimal" and value is not None:
        value = float(value)
    try:
        return TypedAnswer(feature.parse(value), is_plain)
    except FeatureValueError:
        return None


def spell_out(text: str) -> str:
    """Return a text in small letters, its numbers in digits: 105 for one hundred and five."""

    def digits(match: re.Match[str]) -> str:
        tens, ones, small = match.groups()
        if small:
            return str(_ONES.index(small))
        return str(10 * (_TENS.index(tens) + 2) + (_ONES.index(ones) if ones else 0))

    text = _SPELLED.sub(digits, text.lower().replace("\u2019", "'"))
    text = re.sub(r"(?<!half )\ba (?=dozen\b|hundred\b|thousand\b|million\b)", "1 ", text)
    for word, size in (("hundred", 100), ("thousand", 1000)):
        parts = re.compile(rf"\b(\d{{1,3}}) {word}(?:,? and|,)? (\d{{1,3}})\b(?! hundred)")
        for match in parts.finditer(text):
            text = text.replace(match[0], str(int(match[1]) * size + int(match[2])))
    return re.sub(r"\b(\d{1,2}) dozen\b", lambda match: str(12 * int(match[1])), text)


def read_people(text: str, household: Household) -> TypedAnswer | None:
    """Return the positions of the members that an answer names, `None` where it is not understood.

    Args:
        text: Names or numbers with commas, nobody or everybody.
        household: The members by name.
    """
    members = list(enumerate(household.members))
    if _NOBODY.fullmatch(text):
        return TypedAnswer(set(), is_plain=True)
    if _EVERYBODY.fullmatch(text):
        return TypedAnswer({number for number, _ in members}, is_plain=True)
    meant: set[int] = set()
    is_plain = True
    for piece in filter(
        None, re.split(r"[,;&.!\s]+and[,;&.!\s]+|\s*[,;&.!]\s*", text.lower().strip())
    ):
        named = {
            number
            for number, member in members
            if piece in (str(number + 1), member.name.lower(), member.name.lower().split()[0])
            or (number == 0 and piece in ("me", "i", "myself", "you"))
        }
        if not named:
            return None
        is_plain &= len(named) == 1
        meant |= named
    return TypedAnswer(meant, is_plain) if meant else None


def _read_choice(key: str, text: str) -> str | Nothing:
    said = normal(text)
    named = []
    for value, phrase in FEATURES[key].choices.items():
        spoken = [phrase.format_map(speaker.forms) for speaker in (ME, HOUSEHOLD)]
        mine = [words.replace("your ", "my ").replace("yours", "mine") for words in spoken]
        for words in (*mine, *spoken, value.replace("_", " ")):
            plain = normal(words)
            if re.search(rf"\b{re.escape(plain)}\b", said):
                named.append((len(plain), value))
    return max(named)[1] if named else NOTHING


def _read_number(text: str, *, whole: bool) -> float | Nothing:
    values = read_numbers(text)
    if not values and re.search(r"\b(zero|none|nothing|no|less than a)\b", text, re.IGNORECASE):
        values = {0.0}
    if len(values) != 1:
        return NOTHING
    value = values.pop()
    return int(value) if whole and value.is_integer() else (NOTHING if whole else value)


def normal(text: str) -> str:
    """Return a text in small letters without marks, for comparison."""
    plain = re.sub(r"[^a-z0-9' ]+", " ", text.lower().replace("\u2019", "'"))
    return plain.strip().replace("  ", " ")
