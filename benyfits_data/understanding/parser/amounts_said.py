"""Ages and amounts as people tell them, put so that a number with its period is left.

"Every two weeks I get $900" is $23,400 a year, "I will be 40 in May" is 39 years.
"""

import re
from collections.abc import Callable
from functools import partial

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "spring|summer|fall|autumn|winter|days|weeks|months|month|week|year|birthday|time"
)
_SOON = (
    rf"(?:soon|shortly|(?:at|in|on|next|this|by|come|later) (?:(?:a few|a couple of|\d+|next|the|"
    rf"my|his|her|their|this) )*(?:{_MONTHS})(?: \d+)?)"
)
_TENS = {
    "teens": 10,
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
_PART_OF_TEN = {"early": (0, 4), "mid": (3, 7), "middle": (3, 7), "late": (6, 9), "": (0, 9)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_SCALED = re.compile(
    r"\b(?:(?P<n>\$?\d+) and (?:a|1) half|(?P<half>(?:a )?half a)|(?P<few>a few|several)|"
    r"(?P<pair>a couple(?: of)?)|(?P<one>a|an)) (?P<scale>hundred|thousand|million)\b"
)
_BAND = re.compile(
    rf"\b(?:somewhere )?(?:in|around|about) the (?P<part>low|lower|mid|middle|high|higher|upper) "
    rf"(?P<ten>{'|'.join(it for it in _TENS if it != 'teens')})"
    r"(?:,? (?:in )?thousands?)?\b(?: i mean)?"
)
"""Income in tens of thousands: "in the low thirties"."""
_THOUSANDS = re.compile(
    r"\bbetween \$?(?P<low>\d{1,3}) (?:and|to) \$?(?P<high>\d{1,3})(?:000| thousand)\b"
)
"""A range whose "thousand" stands for both ends: "between 30 and 35 thousand"."""
_ABOUT = re.compile(r"\b(?:about|around|roughly|approximately|nearly|almost|close to)\b")
_NEAR_BOUND = re.compile(
    r"\b(?:(?:a )?(?:little|bit|touch|hair)|just|slightly|somewhat|right|barely) "
    r"(?:(?P<under>under|below|less than|shy of)|over|above|more than) (?P<n>\$?\d{4,})\b"
)
"""An amount told from one side: "just under $39,000" is no more than that."""
_AND_CHANGE = re.compile(
    r"(?P<n>\$?\d*[1-9]0+)(?: dollars)?"
    r"(?:,? (?:and (?:change|some)|plus change)| (?:something(?! like)|odd))\b"
)
"""A round number and what comes after it: "three thousand and change"."""
_SHORT_UNITS = (
    (re.compile(r"\b(\d+) ?mos?\b"), r"\1 months"),
    (re.compile(r"\b(\d+) ?yrs?\b"), r"\1 years"),
    (re.compile(r"\b(\d+) ?wks?\b"), r"\1 weeks"),
    (re.compile(r"\b(\d+) ?h(?:rs?)?\b"), r"\1 hours"),
    (
        re.compile(r"\b(?:a )?couple(?: of)? (?=(?:year|month|week|day|hour)s?\b)"),
        "between 2 and 3 ",
    ),
    (re.compile(r"(?:^|\b(?:a|1) )month and (?:a|1) half\b"), "about 6 weeks"),
    (
        re.compile(
            r"(?P<lead>^|^(?:just )?about |\bonly |\bjust |\balmost |\bfor |"
            r"\bis (?:about )?|\bbeen (?:about )?|(?<=[a-z], )(?:just )?about )"
            r"(?:a|an|1)(?: (?:full|whole|solid))? (?P<unit>year|month|week|day)"
            r"(?=$|,| old| ago| now| exactly| about)"
        ),
        r"\g<lead>1 \g<unit>",
    ),
)
_DECADES = re.compile(r"\b(?P<n>\d+|a) decades?\b")
_GOING_ON = re.compile(r"\bgoing on (?P<n>\d+) (?P<unit>(?:year|month|week)s?)\b(?! old)")
_NOW_GOING_ON = re.compile(
    r"\b(?P<n>\d+),? (?:almost|nearly|soon|about to (?:be|turn)|going on) \d+$"
)
"""Of "9 going on 10" the first number is what holds."""
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_TEENS = "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth"
_TENTHS = {word: n for n, word in enumerate(f"{_TEENS} nineteenth".split(), 10)} | {
    "twentieth": 20,
    "thirtieth": 30,
    "fortieth": 40,
}
_IN_THE_NTH = re.compile(
    rf"\bin (?:my|her|the) (?P<n>(?:[234]0 )?(?:{'|'.join(_ORDINALS)})|{'|'.join(_TENTHS)}|"
    r"\d+ ?(?:st|nd|rd|th)) (?P<unit>week|month)\b"
)
_MONEY = r"(?P<n>\$?\d+(?:\.\d+)?)(?: dollars)?"
_PAY = r"(?P<n>\$\d+(?:\.\d+)?|\d{3,}(?:\.\d+)?|\d+(?= dollars))(?: dollars)?"
_PER_YEAR = (
    (
        r"(?:every (?:2|other|second) weeks?|bi ?weekly|fortnightly|(?:a|per|every) fortnight)",
        26,
    ),
    (r"(?:twice (?:a|per|each|every) month|2 times a month|semi ?monthly|every half month)", 24),
    (r"(?:(?:a|per|each|every) quarter|quarterly|every 3 months)", 4),
    (r"(?:every (?:6 months|half year)|twice a year)", 2),
)
"""How often in a year what people do not tell per week, month or year is paid."""
_PAID = tuple(
    (re.compile(pattern), times)
    for often, times in _PER_YEAR
    for pattern in (
        rf"{_PAY},? {often}(?=,| |$)",
        rf"{often},? (?P<who>(?:(?!\d)[\w ]){{0,30}}){_PAY}",
    )
)
_OVER_SPAN = re.compile(
    rf"{_MONEY}(?: hours)? (?:over|across|per|every|each) (?P<spans>\d+) "
    r"(?P<unit>year|month|week)s?\b"
)
"""An amount for several spans in one: "160 over four weeks"."""
_DAYS = re.compile(
    r"(?P<n>\d+)(?: hours)? (?:a|per|each) day,? "
    r"(?:(?:for |and |times )?(?P<days>\d) days(?: (?:a|per|each|every) week)?\b|"
    r"(?:from )?monday (?:to|through) friday|(?:on )?weekdays)"
)
_BY_THE_HOUR = re.compile(
    rf"{_MONEY} (?:a|an|per|each|every) hour,?(?: (?:for|times|and|at|working|i work|x|about))* "
    r"(?P<hours>\d+) hours(?: (?:a|per|each|every) week)?"
)


def in_usual_form(text: str) -> str:
    """Return a sentence in plain words with ages in years and pay per year.

    >>> in_usual_form("every 2 weeks i get $900")
    'i get between $23387 and $23413 a year'
    >>> in_usual_form("i am in my mid forties")
    'i am between 43 and 47 years old'
    """
    text = _IN_THE_NTH.sub(_nth, text)
    for short, unit in _SHORT_UNITS:
        text = short.sub(unit, text)
    text = _AND_CHANGE.sub(_and_change, text)
    text = _DECADES.sub(lambda it: f"{10 * int(it['n'].replace('a', '1'))} years", text)
    text = _GOING_ON.sub(r"almost \g<n> \g<unit>", _NOW_GOING_ON.sub(r"\g<n>", text))
    text = _THOUSANDS.sub(r"between \g<low>000 and \g<high>000", text)
    text = _NEAR_BOUND.sub(_one_side, text)
    text = _BAND.sub(_in_band, _SCALED.sub(_scaled, text))
    text = _BY_THE_HOUR.sub(lambda it: _yearly(it, 52 * int(it["hours"])), text)
    text = _DAYS.sub(lambda it: f"{int(it['n']) * int(it['days'] or 5)} hours a week", text)
    for pattern, times in _PAID:
        text = pattern.sub(partial(_yearly, times=times), text)
    text = _OVER_SPAN.sub(_of_one_span, text)
    for pattern, instead in _AGES:
        text = pattern.sub(instead, text)
    return text


def _nth(match: re.Match[str]) -> str:
    """Return "in my thirty-eighth week" as "38 weeks pregnant"."""
    said = match["n"]
    digits = re.match(r"\d+", said)
    ten = _TENTHS.get(said) or (int(digits[0]) if digits else 0)
    one = next((n for n, it in enumerate(_ORDINALS, 1) if said.endswith(it)), 0)
    return f"{ten + one} {match['unit']}s pregnant"


def _scaled(match: re.Match[str]) -> str:
    """Return "two and a half thousand" as 2500, "a few thousand" as a range."""
    scale = _SCALES[match["scale"]]
    if match["few"]:
        return f"between {2 * scale} and {7 * scale}"
    if match["pair"]:
        return f"about {2 * scale}"
    n = match["n"]
    sign = "$" if n and n.startswith("$") else ""
    times = float(n.lstrip("$")) + 0.5 if n else 0.5 if match["half"] else 1
    return f"{sign}{times * scale:.10g}"


def _and_change(match: re.Match[str]) -> str:
    """Return "3000 and change" as the numbers that begin so."""
    low = int(match["n"].lstrip("$"))
    digits = str(low)
    step = 10 ** (len(digits) - len(digits.rstrip("0")))
    sign = "$" if match["n"].startswith("$") else ""
    return f"between {sign}{low} and {sign}{low + step - 1}"


def _one_side(match: re.Match[str]) -> str:
    """Return "just under $39000" as the tenth below it, "just over" as the tenth above."""
    n = int(match["n"].lstrip("$"))
    low, high = (round(0.9 * n), n) if match["under"] else (n, round(1.1 * n))
    return f"between ${low} and ${high}"


def _in_band(match: re.Match[str]) -> str:
    ten = 1000 * _TENS[match["ten"]]
    low, high = {"l": (0, 4999), "m": (3000, 7999), "h": (6000, 9999), "u": (6000, 9999)}[
        match["part"][0]
    ]
    return f"between ${ten + low} and ${ten + high}"


def _yearly(match: re.Match[str], times: int) -> str:
    """Return an amount per year: a range, since dollars are whole, unless it is about."""
    amount = float(match["n"].lstrip("$"))
    who = match.groupdict().get("who") or ""
    if _ABOUT.search(match.string):
        return f"{who}${round(amount * times)} a year"
    low, high = round((amount - 0.5) * times), round((amount + 0.5) * times)
    return f"{who}between ${low} and ${high} a year"


def _of_one_span(match: re.Match[str]) -> str:
    """Return "160 over 4 weeks" as "40 a week"."""
    sign = "$" if match["n"].startswith("$") else ""
    amount = float(match["n"].lstrip("$")) / int(match["spans"])
    return f"{sign}{amount:.10g} a {match['unit']}"


def _next(match: re.Match[str]) -> str:
    return f"is {int(match['n']) - 1} years old"


def _decade(match: re.Match[str]) -> str:
    ten = _TENS.get(match["ten"]) or int(match["ten"].rstrip("s "))
    low, high = _PART_OF_TEN[match["part"] or match["bare"] or ""]
    if ten == 10:
        low, high = max(low, 3), 9
    return f"between {ten + low} and {ten + high} years old"


_AGES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(
            rf"\b(?:(?:will|shall) (?:be|turn|become)|(?:is |am |are )?turning|turns?|"
            rf"(?:is|am|are) going to (?:be|turn)) (?P<n>\d+)(?: years old)? {_SOON}"
        ),
        _next,
    ),
    (re.compile(r"\b(?:(?:is|am|are) )?(?:going on|about to turn) (?P<n>\d+)\b"), _next),
    (
        re.compile(
            r"(?:\b(?:somewhere )?in (?:my|his|her|their|your|the(?= early| mid| late)) "
            r"(?:(?P<part>early|mid|middle|late) )?"
            rf"|^(?P<bare>early|mid|middle|late) )(?P<ten>{'|'.join(_TENS)}|[2-9]0 ?s)\b"
        ),
        _decade,
    ),
    (re.compile(r"\b(?P<n>\d+) and (?:a|1) half(?: years old)?\b"), r"\g<n> years old"),
    (re.compile(r"\bpushing (?P<n>\d+)\b"), r"almost \g<n>"),
)
