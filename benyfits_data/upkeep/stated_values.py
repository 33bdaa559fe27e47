"""What an edition states, value by value, as text: one table for spreadsheet programs."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from benyfits_data.dataset import to_csv
from benyfits_data.editions.edition import programs_in_force
from benyfits_data.editions.thresholds import (
    EVIDENCE,
    Amount,
    SizeTable,
    Threshold,
    read_threshold,
    statement_of,
)
from benyfits_data.editions.toml_file import latest, malformed, read_toml
from benyfits_data.editions.workspace import shared_names, shared_path
from benyfits_data.errors import SpreadsheetError
from benyfits_data.upkeep.csv_tables import read_csv

SHARED = "shared"
"""The name that stands for a program where a table belongs to many."""
EACH = "each_additional"
PERCENT_KEYS = {
    "percent_of": "table",
    "year": "year",
    "percent": "percent",
    "rounding": "rounding",
    "sizes": "sizes",
}
"""Keys of a value that is a percentage of a shared table, and what their values count."""


@dataclass(frozen=True)
class StatedValue(Threshold):
    """One threshold of a program, or one year of a shared table, as an edition holds it.

    The name of a shared table's year is that of both: `poverty_guideline 2026`.

    Attributes:
        program: The program, or `shared`.
        path: The file that states it.
        stated: What the file states: `value`, `by_size`, `percent_of` and the like, with sizes as
            numbers, without source, day and note.
    """

    program: str
    path: Path
    stated: Mapping[str, Any]

    def cells(self) -> dict[str, tuple[str, str]]:
        """Return value and unit of each key, as a spreadsheet prints them.

        A percentage prints how it is computed, not the amounts it comes to.
        """
        if not isinstance(self.value, SizeTable):
            return {"value": (print_value(self.value), self.unit)}
        if "percent_of" in self.stated:
            # Spreadsheet programs would take a range `1-8` for the eighth of January.
            return {
                key: (" to ".join(map(str, part)) if isinstance(part, list) else str(part), unit)
                for key, unit in PERCENT_KEYS.items()
                if (part := self.stated.get(key)) is not None
            }
        amounts: dict[object, Amount | None] = dict(sorted(self.value.rows.items()))
        amounts |= {EACH: self.value.each_additional}
        return {
            str(key): (str(amount), self.unit)
            for key, amount in amounts.items()
            if amount is not None
        }


def print_value(value: Any) -> str:
    """Return a number or day as a spreadsheet cell holds it."""
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, date) else str(value)


def shared_value(name: str, year: int) -> StatedValue:
    """Return one year of a shared table, or the latest year before it.

    Raises:
        ProgramFolderError: The table states nothing for that year or any before.
    """
    path = shared_path(f"{name}.toml")
    table = read_toml(path)
    since = latest((key for key in table if key.isdecimal()), year)
    if since is None:
        raise malformed(path, f"states no year up to {year}. Add one.")
    entry = replace(read_threshold(name, table, since), name=f"{name} {year}")
    stated = _without_evidence(table[str(since)])
    return StatedValue(**vars(entry), program=SHARED, path=path, stated=stated)


def _without_evidence(stated: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key: part for key, part in stated.items() if key not in EVIDENCE}
    if "by_size" in plain:
        plain["by_size"] = {int(size): amount for size, amount in plain["by_size"].items()}
    return plain


def stated_values(year: int) -> list[StatedValue]:
    """Return everything an edition states: shared tables first, then program by program.

    Of shared tables those are the years that its programs use, and the year itself; a year that a
    table does not state yet shows the amounts of the latest year before it.
    """
    values = _values_of_programs(year)
    used = _years_used(values) | {(name, year) for name in shared_names()}
    return [shared_value(*each) for each in sorted(used)] + values


def shared_years_used(year: int) -> set[tuple[str, int]]:
    """Return each shared table and year of which a program of an edition takes a percentage."""
    return _years_used(_values_of_programs(year))


def _values_of_programs(year: int) -> list[StatedValue]:
    """Return what program folders state for an edition, in order of each file."""
    values = []
    for program in programs_in_force(year).values():
        path = program.folder / "thresholds.toml"
        tables = read_toml(path)
        for entry in program.thresholds.entries.values():
            stated = _without_evidence(statement_of(tables[entry.name], entry.since))
            values.append(
                StatedValue(**vars(entry), program=program.name, path=path, stated=stated)
            )
    return values


def _years_used(values: Iterable[StatedValue]) -> set[tuple[str, int]]:
    percentages = (value.stated for value in values if "percent_of" in value.stated)
    return {(stated["percent_of"], stated["year"]) for stated in percentages}


class SpreadsheetRow(NamedTuple):
    """One row of the table, all as text; source, day and note may stand in one row of many.

    Attributes:
        row: Its row in the file, the header being row 1.
        edition: The year.
        program: The program, or `shared`.
        threshold: The threshold, or table and year.
        key: `value`, a size, `each_additional`, or a part of a percentage.
        value: The value as typed.
    """

    row: int
    edition: str
    program: str
    threshold: str
    key: str
    value: str
    unit: str
    source: str
    date_verified: str
    note: str


_FIELDS = SpreadsheetRow._fields[1:]
COLUMNS = tuple(name.replace("_", " ") for name in _FIELDS)


def export_table(year: int, values: Iterable[StatedValue]) -> str:
    """Return the values of an edition as CSV."""
    rows = (
        (year, of.program, of.name, key, *cell, of.source, of.verified, of.note)
        for of in values
        for key, cell in of.cells().items()
    )
    return to_csv(COLUMNS, rows)


def read_table(path: Path) -> list[SpreadsheetRow]:
    """Return the rows of a table, blank ones left out.

    Raises:
        SpreadsheetError: The file cannot be read or its header is not that of an export.
    """
    advice = "Start from `benyfits-data editions export`, and save it as CSV (UTF-8)."
    rows = read_csv(path, _FIELDS, SpreadsheetError, advice)
    return [SpreadsheetRow(number, *(cells[name] for name in _FIELDS)) for number, cells in rows]


_NUMBER = re.compile(r"-?\d{1,15}(\.\d+)?")
_AMERICAN_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


def parse_number(text: str) -> Amount:
    """Return a number; `$1,234`, `1,234.00` and `1234` are the same.

    Raises:
        ValueError: The text is no number; says what is expected.
    """
    plain = text.replace("$", "").replace(",", "").replace(" ", "")
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"{text!r} is no number; write digits only, such as 15060 or 2.5")
    number = float(plain)
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


def parse_cell(text: str, unit: str) -> Any:
    """Return a value of a unit as thresholds.toml states it.

    Raises:
        ValueError: The text is none; says what is expected.
    """
    if unit in ("table", "rounding"):
        return text
    if unit == "date":
        return parse_day(text)
    if unit == "switch":
        if text.lower() not in ("true", "false"):
            raise ValueError(f"{text!r} is no switch; write true or false")
        return text.lower() == "true"
    if unit == "sizes":
        span = re.fullmatch(r"(\d+)\s*(?:-|to)\s*(\d+)", text)
        if not span:
            raise ValueError(f"{text!r} is no range of sizes; write first and last, as 1 to 8")
        return [int(span[1]), int(span[2])]
    return parse_number(text)
