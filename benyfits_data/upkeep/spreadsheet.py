"""All values of an edition as one table for spreadsheet programs, and what its cells spell."""

import csv
import io
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from benyfits_data.dataset import to_csv
from benyfits_data.editions.thresholds import Amount
from benyfits_data.errors import SpreadsheetError
from benyfits_data.upkeep.stated_values import StatedValue

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
