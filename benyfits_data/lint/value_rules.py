"""The linter of values: each has a unit that exists, a value that it can have, source and day."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

from benyfits_data.editions import Program, SizeTable
from benyfits_data.editions.toml_file import read_text, read_toml
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.findings import LintFinding

UNITS: dict[str, tuple[float, float] | None] = {
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
    "date": None,
    "people": (0, 100),
    "share": (0, 100),
    "switch": None,
}
"""Units of values, each with the least and the largest number that it can have."""
FRACTIONS = frozenset({"GPA", "share", "dollars", "dollars a year"})
"""Units whose numbers may have digits after the point."""
_ENDS = (("min", "max"), ("from", "until"))
"""Words of the names of thresholds that are the two ends of one range."""


def check_values(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with the values of a program in its edition."""
    path = program.folder / "thresholds.toml"
    for name, table in read_toml(path).items():
        line = line_of(path, rf"\[{name}\]")
        if table.get("unit") not in UNITS:
            says = f"{name} has the unit {table.get('unit')!r}"
            yield LintFinding(path, line, "V01", says, f"Use one of {', '.join(UNITS)}.")
        if not any(key.isdecimal() for key in table):
            yield LintFinding(path, line, "V02", f"{name} has no value")
    entries = program.thresholds.entries
    for name, entry in entries.items():
        where = line_of(path, rf"\[{name}\.{entry.since}\]")
        if not entry.source.strip():
            yield LintFinding(path, where, "V03", f"{name}.{entry.since} has no source")
        if type(entry.verified) is not date:
            yield LintFinding(path, where, "V04", f"{name}.{entry.since} has no date verified")
        line = line_of(path, rf"\[{name}\]")
        for code, says, instead in wrong_value(entry.value, entry.unit):
            yield LintFinding(path, line, code, f"{name} {says}", instead)
    for lower, upper in crossed_names({name: entry.value for name, entry in entries.items()}):
        low, high = entries[lower].value, entries[upper].value
        line = line_of(path, rf"\[{lower}\]")
        says = f"{lower}, {low}, is above {upper}, {high}"
        yield LintFinding(path, line, "V09", says)


def wrong_value(value: Any, unit: str) -> Iterator[tuple[str, str, str]]:
    """Yield the rule that a value of a unit breaks, what was found, and what to do."""
    if isinstance(value, SizeTable):
        yield from _wrong_table(value, unit)
    elif unit == "date":
        if type(value) is not date:
            yield "V05", f"is {value!r}", "Write a date as YYYY-MM-DD."
    elif unit == "switch":
        if not isinstance(value, bool):
            yield "V05", f"is {value!r}", "A switch is true or false."
    elif isinstance(value, bool) or not isinstance(value, int | float):
        yield "V05", f"is {value!r}", "Write a number."
    elif isinstance(value, float) and unit not in FRACTIONS:
        yield "V05", f"is {value!r}, counted in {unit}", "Write a whole number."
    else:
        yield from _outside_range((value,), unit)


def _wrong_table(table: SizeTable, unit: str) -> Iterator[tuple[str, str, str]]:
    for size, larger in pairwise(sorted(table.rows)):
        less, more = table.rows[size], table.rows[larger]
        if more < less:
            says = f"falls from {less:,} for size {size} to {more:,} for size {larger}"
            yield "V06", says, "Tables rise with size: correct one of the two."
    gaps = set(range(min(table.rows), max(table.rows))) - table.rows.keys()
    if gaps:
        yield "V07", f"lacks size {min(gaps)}", "Add a row for each size."
    if (table.each_additional or 0) < 0:
        yield "V06", "has a negative each_additional", "Correct it."
    if max(table.rows) < LARGEST_HOUSEHOLD and table.each_additional is None:
        says = f"stops at size {max(table.rows)}"
        yield "V07", says, f"Add rows to size {LARGEST_HOUSEHOLD}, or each_additional."
    if not unit.startswith("dollars"):
        yield "V05", f"is a table by size in {unit}", "Tables by size are in dollars."
    yield from _outside_range(table.rows.values(), unit)


def _outside_range(numbers: Iterable[int | float], unit: str) -> Iterator[tuple[str, str, str]]:
    low, high = UNITS.get(unit) or (-inf, inf)
    for number in numbers:
        if not low <= number <= high:
            says = f"is {number:,}, outside {low:,} to {high:,}, what {unit} can be"
            yield "V08", says, "Correct the value, or its unit."


def crossed_names(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the thresholds that are the lower end of a range but lie above its upper end."""
    for lower in values:
        for low, high in _ENDS:
            upper = lower.replace(low, high)
            if upper == lower or type(values.get(upper)) is not type(values[lower]):
                continue
            if not isinstance(values[lower], SizeTable) and values[lower] > values[upper]:
                yield lower, upper


def line_of(path: Path, pattern: str) -> int:
    """Return the first line that begins with a pattern, or 0."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if re.match(pattern, line.strip()):
            return number
    return 0
