"""Numbers in questions and answers: amounts, ages, limits, ranges, and what they are per."""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

_N = r"(?P<{0}>\$?\d+(?:\.\d+)?)"
_UNIT = (
    r"(?: (?P<{0}>years? old|years? of age|yrs? old|years?|months?|weeks?|days?|hours?|dollars|"
    r"college credits?|credits?|people|persons?|members?))?"
)
_PERIOD = (
    r"(?: (?:a|per|each|every) (?P<period>year|month|week|hour|day)|"
    r" (?P<adverb>annually|yearly|monthly|weekly))?"
)
_MORE = (
    r"more than|greater than|over|above|older than|in excess of|higher than|"
    r"exceeds?|exceeding|longer than|larger than|past"
)
_LESS = r"less than|fewer than|under|below|younger than|lower than|shorter than|smaller than"
_AT_LEAST = (
    r"at or (?:above|over)|at least|no less than|not less than|minimum of|"
    r"no fewer than|no younger than"
)
_AT_MOST = (
    r"at or (?:below|under)|at most|no more than|not more than|up to|"
    r"no older than|maximum of|or less than|not over"
)
_UPWARD = r"or (?:older|more|over|above|greater|higher|longer)"
_DOWNWARD = r"or (?:younger|less|under|fewer|below|lower)"
_LEAD = (
    r"(?:(?:who|that) (?:is|are) )?(?:(?:is|are) )?(?:(?:aged|ages|age|"
    r"between the ages of|the age of|of age|currently) )*"
)
_PATTERNS = tuple(
    (re.compile(pattern + r"(?=\s|$)"), form)
    for pattern, form in (
        (
            _LEAD
            + r"(?:between(?: the ages of)?|from|ages?|aged) (?:ages? )?"
            + _N.format("a")
            + r" (?:and|to|through) "
            + _N.format("b")
            + _UNIT.format("u")
            + _PERIOD,
            "range",
        ),
        (
            _LEAD
            + r"(?:the age of )?"
            + _N.format("a")
            + _UNIT.format("u")
            + _PERIOD
            + f" {_UPWARD}",
            ">=",
        ),
        (
            _LEAD
            + r"(?:the age of )?"
            + _N.format("a")
            + _UNIT.format("u")
            + _PERIOD
            + f" {_DOWNWARD}",
            "<=",
        ),
        (
            _LEAD
            + rf"(?P<word>{_AT_MOST}|{_AT_LEAST}|{_MORE}|{_LESS}) (?:the age of |age |ages? )?"
            + _N.format("a")
            + _UNIT.format("u")
            + _PERIOD
            + r"(?: of age)?",
            "word",
        ),
        (_LEAD + r"(?:exactly|equal to) " + _N.format("a") + _UNIT.format("u") + _PERIOD, "=="),
        (r"(?:(?:who|that) (?:is|are) )?(?:aged|age) " + _N.format("a") + r"(?: years)?", "=="),
        (_N.format("a") + r" (?P<u>years? old|years? of age)", "=="),
    )
)
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


SPANS = {"day": 1, "week": 7, "month": 365.25 / 12, "year": 365.25, "yr": 365.25}
"""Spans of time in days."""


@dataclass(frozen=True)
class Comparison:
    """A limit named in a question.

    Attributes:
        parts: Operators with their numbers, all of which must hold.
        unit: What is counted, as said: `years old`, `hours`; empty where it is not said.
        period: The time an amount is for: `year`, `month`, `week`, `hour`, or empty.
        is_money: Whether a dollar sign or the word stands there.
        end: The word after it.
        said: Its words.
    """

    parts: tuple[tuple[str, float], ...]
    unit: str
    period: str
    is_money: bool
    end: int
    said: str

    @property
    def is_of_age(self) -> bool:
        """Whether it may be a limit of age."""
        return (
            not self.is_money
            and not self.period
            and self.unit.startswith(("year", "yr", ""))
            and (self.unit == "" or self.unit.startswith(("year", "yr")))
            and all(number <= 120 for _, number in self.parts)
        )

    @property
    def is_range(self) -> bool:
        """Whether it has a lower limit and a higher upper one."""
        low = [number for sign, number in self.parts if sign.startswith(">")]
        high = [number for sign, number in self.parts if sign.startswith("<")]
        return len(low) == len(high) == 1 and low[0] < high[0]

    def holds(self, value: float) -> bool:
        """Return whether a value keeps the limit."""
        return all(_OPERATORS[sign](value, number) for sign, number in self.parts)

    def in_unit(self, unit: str | None) -> "Comparison":
        """Return a span of time in another unit: one year is 12 months."""
        own = next((it for it in SPANS if self.unit.startswith(it)), None)
        if own is None or unit not in SPANS or own == unit:
            return self
        parts = tuple((sign, number * SPANS[own] / SPANS[unit]) for sign, number in self.parts)
        return replace(self, parts=parts, unit=f"{unit}s")

    def bounds(self) -> tuple[int, int | None]:
        """Return the smallest whole number that keeps the limit, and the first too large one."""
        low, high = 0, None
        for sign, number in self.parts:
            whole = int(number)
            if sign in (">=", "=="):
                low = max(low, whole)
            if sign == ">":
                low = max(low, whole + 1)
            if sign == "<":
                high = whole if high is None else min(high, whole)
            if sign in ("<=", "=="):
                high = whole + 1 if high is None else min(high, whole + 1)
        return low, high


def find_comparison(words: Sequence[str], start: int) -> Comparison | None:
    """Return the limit that a question names from one of its words on, or `None`.

    Args:
        words: The question, as `words.plain` gives it.
        start: Where the words begin.
    """
    text = " ".join(words[start:])
    if (match := _EITHER_AGE.match(text)) and _leave_none_out(match):
        return _comparison(match, "range", start)
    if (match := _BOTH_LIMITS.match(text)) and (both := _comparison(match, "both", start)).is_range:
        return both
    for pattern, form in _PATTERNS:
        match = pattern.match(text)
        if match and not (form == "range" and _is_list(match)):
            return _comparison(match, form, start)
    return None


def _is_list(match: re.Match[str]) -> bool:
    """Whether two numbers are no range: "aged 6 and 9", where "aged 3 and 4" leaves none out."""
    is_joined = " and " in match.group(0) and "between" not in match.group(0)
    return is_joined and not _leave_none_out(match)


_EITHER_AGE = re.compile(
    _LEAD
    + _N.format("a")
    + r"(?: years? old)? (?:or|to|through) "
    + _N.format("b")
    + r" (?P<u>years? old|years? of age)(?=\s|$)"
)
"""Ages from one to another, or two that follow each other: "3 or 4 years old"."""
_BOTH_LIMITS = re.compile(
    _LEAD
    + rf"(?P<word>{_AT_MOST}|{_AT_LEAST}|{_MORE}|{_LESS}) "
    + _N.format("a")
    + _UNIT.format("v")
    + r",? (?:but|and|yet) (?:(?:is|are|still) )*"
    + rf"(?P<other>not yet|{_AT_MOST}|{_AT_LEAST}|{_MORE}|{_LESS}) (?:the age of )?"
    + _N.format("b")
    + _UNIT.format("u")
    + r"(?=\s|$)"
)
"""A lower and an upper limit: "over 18 but under 25"."""
_NUMBER = re.compile(_N.format("a") + _UNIT.format("u") + _PERIOD + r"(?=\s|$)")
_RANGE = re.compile(
    _N.format("a") + r" (?:to|or) " + _N.format("b") + _UNIT.format("u") + _PERIOD + r"(?=\s|$)"
)


def find_range(words: Sequence[str], start: int) -> Comparison | None:
    """Return the range that follows people ("teenagers 13 to 17", "kids 3 or 4"), or `None`."""
    match = _RANGE.match(" ".join(words[start:]))
    return _comparison(match, "range", start) if match and _leave_none_out(match) else None


def _leave_none_out(match: re.Match[str]) -> bool:
    """Whether two numbers are a range: "13 to 17", or "3 or 4", which leaves none between out."""
    said = match.group(0)
    is_range = re.search(r" (?:to|through) ", said) is not None
    return is_range or ("$" not in said and float(match["b"]) == float(match["a"]) + 1)


def find_number(words: Sequence[str], start: int) -> Comparison | None:
    """Return the number that an answer states from one of its words on, or `None`.

    Args:
        words: The answer, as `words.plain` gives it.
        start: Where the words begin.
    """
    text = " ".join(words[start:])
    for pattern, form in ((_RANGE, "range"), (_NUMBER, "==")):
        match = pattern.match(text)
        if match:
            return _comparison(match, form, start)
    return None


def numbers_in(words: Sequence[str]) -> list[tuple[int, Comparison]]:
    """Return the numbers and limits that words hold, each with its place."""
    told, place = [], 0
    while place < len(words):
        number = find_comparison(words, place) or find_number(words, place)
        if number is None:
            place += 1
            continue
        told.append((place, number))
        place = max(number.end, place + 1)
    return told


def _comparison(match: re.Match[str], form: str, start: int) -> Comparison:
    told = match.groupdict()
    first = float(told["a"].lstrip("$"))
    is_money = told["a"].startswith("$") or told.get("u") == "dollars"
    if form == "range":
        parts: tuple[tuple[str, float], ...] = ((">=", first), ("<=", float(told["b"].lstrip("$"))))
        is_money = is_money or told["b"].startswith("$")
    elif form == "both":
        upper = "<" if told["other"] == "not yet" else _sign(told["other"])
        parts = ((_sign(told["word"]), first), (upper, float(told["b"].lstrip("$"))))
    elif form == "word":
        parts = ((_sign(told["word"]), first),)
    else:
        parts = ((form, first),)
    adverbs = {"annually": "year", "yearly": "year", "monthly": "month", "weekly": "week"}
    period = told.get("period") or adverbs.get(told.get("adverb") or "", "")
    said = match.group(0)
    return Comparison(parts, told.get("u") or "", period, is_money, start + len(said.split()), said)


def _sign(word: str) -> str:
    for words, sign in ((_AT_MOST, "<="), (_AT_LEAST, ">="), (_MORE, ">"), (_LESS, "<")):
        if re.fullmatch(words, word):
            return sign
    raise AssertionError(word)
