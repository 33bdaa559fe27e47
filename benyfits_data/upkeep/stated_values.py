"""What an edition states, value by value, as text: one table for spreadsheet programs."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from benyfits_data.dataset import to_csv
from benyfits_data.editions.edition import programs_in_force
from benyfits_data.editions.program import Program
from benyfits_data.editions.thresholds import Amount, SizeTable, Threshold, statement_of
from benyfits_data.editions.toml_file import latest, malformed, read_toml
from benyfits_data.editions.workspace import shared_names, shared_path
from benyfits_data.errors import SpreadsheetError

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
        stated: What the file states: `value`, `by_size`, `percent_of` and the like.
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


def program_values(program: Program) -> list[StatedValue]:
    """Return what a program folder states for a program's edition, in order of the file."""
    path = program.folder / "thresholds.toml"
    tables = read_toml(path)
    entries = map(program.thresholds.entry, program.thresholds.names())
    return [
        StatedValue(
            **vars(entry),
            program=program.name,
            path=path,
            stated=statement_of(tables[entry.name], entry.since),
        )
        for entry in entries
    ]


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
    stated = table[str(since)]
    rows = {int(size): amount for size, amount in stated["by_size"].items()}
    return StatedValue(
        name=f"{name} {year}",
        unit=table["unit"],
        value=SizeTable(name, rows, stated.get(EACH)),
        since=since,
        source=stated["source"],
        verified=stated["verified"],
        note=stated.get("note", ""),
        only_in_text="",
        program=SHARED,
        path=path,
        stated=stated,
    )


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
    programs = programs_in_force(year).values()
    return [value for program in programs for value in program_values(program)]


def _years_used(values: Iterable[StatedValue]) -> set[tuple[str, int]]:
    percentages = (value.stated for value in values if "percent_of" in value.stated)
    return {(stated["percent_of"], stated["year"]) for stated in percentages}


_NAMES = ("edition", "program", "threshold", "key", "value", "unit", "source")
COLUMNS = (*_NAMES, "date verified", "note")


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
    verified: str
    note: str


def export_table(year: int, values: Iterable[StatedValue]) -> str:
    """Return the values of an edition as CSV."""
    rows = (
        (
            year,
            stated.program,
            stated.name,
            key,
            value,
            unit,
            stated.source,
            stated.verified,
            stated.note,
        )
        for stated in values
        for key, (value, unit) in stated.cells().items()
    )
    return to_csv(COLUMNS, rows)


def read_table(path: Path) -> list[SpreadsheetRow]:
    """Return the rows of a table, blank ones left out.

    Commas and semicolons are understood as separators, as spreadsheet programs write either.

    Raises:
        SpreadsheetError: The file cannot be read or its header is not that of an export.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SpreadsheetError(
            f"{path} cannot be read as UTF-8 text: {error}. Save it as CSV (UTF-8).", path=path
        ) from error
    header, _, _ = text.partition("\n")
    rows = csv.reader(io.StringIO(text), delimiter=";" if ";" in header else ",")
    names = tuple(cell.strip().lower() for cell in next(rows, []))
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise SpreadsheetError(
            f"{path}: row 1 lacks the columns {', '.join(missing)}; found {', '.join(names)}. "
            "Start from `benyfits-data editions export`.",
            path=path,
            row=1,
        )
    positions = [names.index(name) for name in COLUMNS]
    lines = []
    # Records are counted, not lines: a cell may hold several lines of text.
    for number, cells in enumerate(rows, start=2):
        if any(cell.strip() for cell in cells):
            padded = [*cells, *[""] * len(names)]
            lines.append(
                SpreadsheetRow(number, *(padded[position].strip() for position in positions))
            )
    return lines


_NUMBER = re.compile(r"-?\d+(\.\d+)?")
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
