"""Cells of a spreadsheet read back: numbers, days and ranges as people type them."""

import re
from datetime import date
from typing import Any

from benyfits_data.editions.thresholds import ROUNDINGS, Amount
from benyfits_data.editions.workspace import shared_names

WHOLE_UNITS = frozenset({"years", "months", "weeks", "days", "people", "grade", "credits"})
_RANGES: dict[str, tuple[float, float]] = {
    "years": (0, 120),
    "months": (0, 1200),
    "weeks": (0, 520),
    "days": (0, 3660),
    "hours a week": (0, 168),
    "dollars": (0, 10_000_000),
    "dollars a year": (0, 10_000_000),
    "dollars a month": (0, 1_000_000),
    "grade": (0, 12),
    "GPA": (0, 5),
    "credits": (0, 500),
    "people": (0, 100),
    "share": (0, 100),
}
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_AMERICAN_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


def parse_number(text: str, unit: str) -> Amount:
    """Return a number of a unit; `$1,234`, `1,234.00` and `1234` are the same.

    Raises:
        ValueError: The text is no number, or none that the unit can have; says what is expected.
    """
    plain = text.replace("$", "").replace(",", "").replace(" ", "")
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"{text!r} is no number; write digits only, such as 15060 or 2.5")
    number = float(plain)
    if unit in WHOLE_UNITS and number != int(number):
        raise ValueError(f"{text!r} is no whole number, as {unit} must be")
    low, high = _RANGES.get(unit, (float("-inf"), float("inf")))
    if not low <= number <= high:
        raise ValueError(f"{text!r} is outside {low:,.0f} to {high:,.0f}, what {unit} can be")
    return int(number) if number == int(number) else number


def parse_day(text: str) -> date:
    """Return a day written as 2027-01-31, or as 1/31/2027 as American spreadsheets save it.

    Raises:
        ValueError: The text is neither.
    """
    if american := _AMERICAN_DAY.fullmatch(text):
        month, day, year = map(int, american.groups())
    else:
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise ValueError(f"{text!r} is no day; write it as 2027-01-31") from None
    try:
        return date(year, month, day)
    except ValueError:
        raise ValueError(f"{text!r} is no day of any calendar; write it as 2027-01-31") from None


def parse_value(text: str, unit: str) -> Amount | bool | date:
    """Return a single value of a unit.

    Raises:
        ValueError: The text is none; says what is expected.
    """
    if unit == "date":
        return parse_day(text)
    if unit != "switch":
        return parse_number(text, unit)
    if text.lower() not in ("true", "false"):
        raise ValueError(f"{text!r} is no switch; write true or false")
    return text.lower() == "true"


def parse_part(key: str, text: str) -> Any:
    """Return one part of a percentage of a shared table, as thresholds.toml states it.

    Raises:
        ValueError: The text is none; says what is expected.
    """
    if key == "percent_of":
        if text not in shared_names():
            raise ValueError(f"{text!r} is no shared table; {', '.join(shared_names())} are")
        return text
    if key == "rounding":
        is_step = text.startswith("up ") and text.removeprefix("up ").isdecimal()
        if text not in (*ROUNDINGS, "cents") and not is_step:
            raise ValueError(f"{text!r} is no rounding; {', '.join(ROUNDINGS)}, cents, up 50 are")
        return text
    if key == "sizes":
        found = re.fullmatch(r"(\d+)\s*(?:-|to)\s*(\d+)", text)
        if not found or int(found[1]) > int(found[2]):
            raise ValueError(f"{text!r} is no range of sizes; write first and last, as 1 to 8")
        return [int(found[1]), int(found[2])]
    number = parse_number(text, key)
    if key == "year" and number != int(number):
        raise ValueError(f"{text!r} is no year")
    return number
