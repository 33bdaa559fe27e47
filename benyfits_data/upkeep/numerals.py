"""Numbers as people print them: dollars, ages, percentages, grades, times, days."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

_COUNTING = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen twenty"""
_CALENDAR = """January February March April May June July August September October November
    December"""
_WORDS = {word: number for number, word in enumerate(re.findall(r"\w+", _COUNTING), start=1)}
_MONTHS = {word: number for number, word in enumerate(re.findall(r"\w+", _CALENDAR), start=1)}
_DASHES = {ord(dash): "-" for dash in "\u2010\u2011\u2012\u2013\u2014"}
_NOISE = (
    r"https?://\S+|www\.\S+|\S+@\S+",  # addresses
    r"\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b|\b1?-?\d{3}-[A-Z]{3,}[-A-Z]*\b|\b\d{3}-\d{4}\b",  # phones
    r"\b(?:call|dial|text)\s+(?:\d{3}\b)",  # 311
    r"(?:^|(?<=\n))\s*\d{1,2}[.)]\s",  # numbers of a list
    r"\b(?:Section|Form|Title|Article|Part|Chapter|Schedule|Type|District|Phase)\s+\d+\w*",
    r"\b(?:[A-Za-z]{2,}|[A-JL-Za-jl-z])-\d+[A-Za-z]*\b",  # IT-201, W-2, COVID-19
    r"\b\d+-[A-Z]\b|\b\d+[A-Z]\b(?!\w)",  # 3-K
    r"\b\d{1,2}:\d{2}\b|\b\d{1,2}\s*[ap]\.?m\b\.?",  # times of day
    r"\b24/7\b",
    r"\b\d{5}(?:-\d{4})?\b(?=\s*(?:\n|$))(?<=NY \d{5})",  # postal codes
)
_NUMBER = r"(?:\d[\d,]*(?:\.\d+)*|" + "|".join(_WORDS) + r")"
_MONEY = re.compile(r"\$\s?(\d[\d,.]*\d|\d)\s*(million|thousand|k\b)?", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)", re.IGNORECASE)
_DATE = re.compile(rf"\b({'|'.join(_MONTHS)})\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b")
_SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")
_GRADE = re.compile(
    r"\bgrades?\s+(?P<a>\d{1,2}|K|k)(?:st|nd|rd|th)?(?:\s*(?:-|to|through|and|or)\s*"
    r"(?P<b>\d{1,2})(?:st|nd|rd|th)?)?(?!\w)"
    r"|\b(?P<c>\d{1,2})(?:st|nd|rd|th)?(?:\s*(?:-|to|through|and|or)\s*(?P<d>\d{1,2}))?"
    r"(?:st|nd|rd|th)\s+(?:grade|grader)s?"
    r"|\bK\s*-\s*(?P<e>\d{1,2})\b"
)
_KINDERGARTEN = re.compile(r"\bkindergarten\b", re.IGNORECASE)
_GPA = re.compile(r"\b(?:GPA|grade point average)\D{0,30}?(\d\.\d+)|(\d\.\d+)\s*GPA", re.IGNORECASE)
_SPAN = re.compile(
    rf"\b(?P<a>{_NUMBER})\+?"
    rf"(?:\s*(?:-|to|and\s+at\s+most|and|through)\s*(?P<b>{_NUMBER}))?(?:\s+|-)"
    r"(?:college\s+|full\s+|consecutive\s+|working\s+|calendar\s+)?(?P<unit>years?|yrs?|months?|weeks?|days?|hours?|credits?)\b",
    re.IGNORECASE,
)
_AGE = re.compile(
    rf"\b(?:ages?|aged)\s+(?:of\s+)?(?:birth\s+(?:to|through)\s+(?:age\s+)?)?"
    rf"(?:at\s+least\s+|between\s+|under\s+|over\s+)?(?P<a>{_NUMBER})\b"
    rf"(?:\s*(?:-|to|and|through|or)\s*(?:age\s+)?(?P<b>{_NUMBER})\b)?",
    re.IGNORECASE,
)
_BARE_AGE = re.compile(
    rf"\b(?:(?:under|over|below|above|turn|turned|turning)\s+|(?:be|is|are)\s+(?=\d))"
    rf"(?P<a>{_NUMBER})\b"
    rf"(?!\s*(?:members|people|persons|children|%|percent|hours|weeks|months|days|credits|of\b))"
    rf"|\bat\s+(?:least|most)\s+(?P<e>{_NUMBER})(?=,?\s+(?:and|but|or)\s+(?:at|under|no|not|less)\b)"
    rf"|\b(?P<b>{_NUMBER})\s*(?:\+|(?:and|or)\s+(?:older|younger|over|under|up|above|below)\b)"
    rf"|\b(?:between|from)\s+(?:the\s+ages\s+of\s+)?(?P<c>{_NUMBER})\s*(?:-|and|to)\s*(?P<d>{_NUMBER})\b"
    rf"(?!\s*(?:hours|weeks|months|days|credits|members|people))",
    re.IGNORECASE,
)
_CELL = re.compile(r"(?<![\d$/.])(\d{1,3}(?:,\d{3})+(?:\.\d\d)?)(?![\d/%])")
Reader = Callable[["re.Match[str]"], Iterable[tuple[str, float]]]


@dataclass(frozen=True)
class Numeral:
    """One number in a text.

    Attributes:
        kind: `dollars`, `percent`, `years`, `months`, `weeks`, `days`, `hours`, `credits`, `grade`,
            `GPA` or `date`.
        value: The number; of a date its ordinal day.
        says: The words around it.
    """

    kind: str
    value: float
    says: str


def find_numerals(text: str) -> list[Numeral]:
    """Return the numbers of a text that could be limits, in order of first mention.

    Telephone numbers, addresses, form names, list numbers and calendar years are left out.
    """
    text = text.translate(_DASHES)
    for noise in _NOISE:
        text = re.sub(noise, lambda match: " " * len(match[0]), text)
    first: dict[tuple[str, float], tuple[int, str]] = {}
    for kind, value, start, end in _scan(text):
        around = " ".join(text[max(0, start - 40) : end + 25].split())
        key = (kind, value)
        if key not in first or start < first[key][0]:
            first[key] = (start, around)
    ordered = sorted(first.items(), key=lambda item: item[1][0])
    return [Numeral(kind, value, says) for (kind, value), (_, says) in ordered]


def _scan(text: str) -> Iterator[tuple[str, float, int, int]]:
    # What one line of the table has read is blanked for those after it: dates before days, money
    # before ages.
    for patterns, read in _READERS:
        hits = [
            (kind, value, *match.span())
            for pattern in patterns
            for match in pattern.finditer(text)
            for kind, value in read(match)
        ]
        yield from hits
        for _, _, start, end in hits:
            text = text[:start] + " " * (end - start) + text[end:]


def _read_day(match: "re.Match[str]") -> Iterator[tuple[str, float]]:
    month, day, year = match.groups()
    with suppress(ValueError):  # No day of any calendar.
        yield "date", date(int(year), _MONTHS.get(month) or int(month), int(day)).toordinal()


def _read_money(match: "re.Match[str]") -> Iterator[tuple[str, float]]:
    factor = {"million": 1_000_000, "thousand": 1000, "k": 1000}.get((match[2] or "").lower(), 1)
    yield "dollars", parse_amount(match[1]) * factor


def parse_amount(text: str) -> float:
    """Return a printed amount; a point before three digits parts thousands, as in `73.869.56`."""
    whole, _, cents = text.rpartition(".")
    if whole and len(cents) != 3:
        return float(re.sub(r"[.,]", "", whole) + "." + re.sub(r"\D", "", cents))
    return float(re.sub(r"[.,]", "", text))


def _read_grades(match: "re.Match[str]") -> Iterator[tuple[str, float]]:
    if "k" in match[0].lower():  # `K-12` and `kindergarten` begin before grade 1.
        yield "grade", 0
    yield from (("grade", float(grade)) for grade in match.groups() if grade and grade.isdecimal())


def _read_spans(match: "re.Match[str]") -> Iterator[tuple[str, float]]:
    unit = match["unit"].lower().rstrip("s")
    for text in (match["a"], match["b"]):
        if (value := _value(text)) is not None:
            yield ("years" if unit == "yr" else unit + "s"), value


def _read_ages(match: "re.Match[str]") -> Iterator[tuple[str, float]]:
    for value in map(_value, match.groups()):
        if value is not None and value <= 120:
            yield "years", value


_READERS: tuple[tuple[tuple["re.Pattern[str]", ...], Reader], ...] = (
    ((_DATE, _SLASHED), _read_day),
    ((_MONEY,), _read_money),
    ((_PERCENT,), lambda match: [("percent", float(match[1]))]),
    ((_GPA,), lambda match: [("GPA", float(match[1] or match[2]))]),
    ((_GRADE, _KINDERGARTEN), _read_grades),
    ((_SPAN,), _read_spans),
    ((_AGE, _BARE_AGE), _read_ages),
    ((_CELL,), lambda match: [("dollars", parse_amount(match[1]))]),
)


def _value(text: str | None) -> float | None:
    if text is None:
        return None
    if text.lower() in _WORDS:
        return float(_WORDS[text.lower()])
    plain = text.replace(",", "").rstrip(".")
    return float(plain) if re.fullmatch(r"\d+(\.\d+)?", plain) else None
