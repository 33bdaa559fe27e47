"""All values of an edition as one table that any spreadsheet program opens."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from benyfits_data.dataset import to_csv
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


class SpreadsheetFault(NamedTuple):
    """One thing wrong with a spreadsheet: the row, and what was found, expected, to be done."""

    row: int
    says: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.says}"


def export_table(year: int, values: Iterable[StatedValue]) -> str:
    """Return the values of an edition as CSV."""
    rows = (
        (year, it.program, it.name, key, value, unit, it.source, it.verified, it.note)
        for it in values
        for key, (value, unit) in it.cells().items()
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
            lines.append(SpreadsheetRow(number, *(padded[it].strip() for it in positions)))
    return lines
