"""All values of an edition as one table for spreadsheet programs, and what its rows spell."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from benyfits_data.dataset import to_csv
from benyfits_data.editions.thresholds import ROUNDINGS, Amount, SizeTable, Value, percent_table
from benyfits_data.editions.workspace import shared_names
from benyfits_data.errors import ProgramFolderError, SpreadsheetError
from benyfits_data.lint.value_rules import wrong_value
from benyfits_data.upkeep.stated_values import EACH, PERCENT_KEYS, StatedValue, shared_value

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


def parse_value(text: str, unit: str) -> Amount | bool | date:
    """Return a single value of a unit.

    Raises:
        ValueError: The text is none; says what is expected.
    """
    if unit == "date":
        return parse_day(text)
    if unit != "switch":
        return parse_number(text)
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
    number = parse_number(text)
    if key == "year" and number != int(number):
        raise ValueError(f"{text!r} is no year")
    return number


Tables = Mapping[tuple[str, int], SizeTable | None]
"""Shared tables that a spreadsheet changes, by name and year; `None` for one whose rows are faulty,
which has been said already."""
Parsed = tuple[Mapping[str, Any], Value]
"""What a program's thresholds.toml will state, and what that comes to."""
_T = TypeVar("_T")


def read_value(
    old: StatedValue, rows: Sequence[SpreadsheetRow], tables: Tables, faults: list[SpreadsheetFault]
) -> Parsed | None:
    """Return what the rows of a threshold say; `None` if they are faulty.

    Args:
        old: The threshold as it stands.
        rows: Its rows.
        tables: Shared tables that the same spreadsheet changes.
        faults: Gets what is wrong.
    """
    known = len(faults)
    cells: dict[str, SpreadsheetRow] = {}
    is_table = isinstance(old.value, SizeTable)
    for row in rows:
        unit = PERCENT_KEYS.get(row.key, old.unit)
        if row.key in cells:
            says = f"key {row.key!r} stood in row {cells[row.key].row} already"
            faults.append(SpreadsheetFault(row.row, says))
        elif not (_is_table_key(row.key) if is_table else row.key == "value"):
            expected = f"a size, {EACH} or {', '.join(PERCENT_KEYS)}" if is_table else "'value'"
            says = f"key is {row.key!r}, expected {expected}"
            faults.append(SpreadsheetFault(row.row, says))
        elif row.unit != unit:
            says = f"unit is {row.unit!r}, expected {unit!r}. Convert the value"
            faults.append(SpreadsheetFault(row.row, says))
        cells.setdefault(row.key, row)
    if len(faults) > known:
        return None
    if not is_table:
        value = _parse(cells["value"], old.name, lambda it: parse_value(it, old.unit), faults)
        return None if value is None else _checked(old, rows, ({"value": value}, value), faults)
    amounts: dict[str, Amount] = {}
    for key, row in cells.items():
        if key not in PERCENT_KEYS:
            label = f"{old.name}, {key}"
            amount = _parse(row, label, parse_number, faults)
            if amount is not None:
                amounts[key] = amount
    read = _percentage if cells.keys() & PERCENT_KEYS.keys() else _by_size
    parsed = read(old, cells, amounts, tables, faults)
    if parsed is None or len(faults) > known:
        return None
    return _checked(old, rows, parsed, faults)


def _checked(
    old: StatedValue,
    rows: Sequence[SpreadsheetRow],
    parsed: Parsed,
    faults: list[SpreadsheetFault],
) -> Parsed | None:
    """Return what was read; `None`, and a fault for each, if it breaks rules of the linter."""
    broken = list(wrong_value(parsed[1], old.unit))
    for _, found, instead in broken:
        faults.append(SpreadsheetFault(rows[0].row, f"{old.name} {found}. {instead.rstrip('.')}"))
    return None if broken else parsed


def _is_table_key(key: str) -> bool:
    return key.isdecimal() or key == EACH or key in PERCENT_KEYS


def _parse(
    row: SpreadsheetRow, label: str, parse: Callable[[str], _T], faults: list[SpreadsheetFault]
) -> _T | None:
    try:
        return parse(row.value)
    except ValueError as error:
        faults.append(SpreadsheetFault(row.row, f"{label}: {error}"))
        return None


def _by_size(
    old: StatedValue,
    cells: Mapping[str, SpreadsheetRow],
    amounts: Mapping[str, Amount],
    _tables: Tables,
    faults: list[SpreadsheetFault],
) -> Parsed:
    assert isinstance(old.value, SizeTable)
    head = min(row.row for row in cells.values())
    sizes = sorted(int(key) for key in amounts if key != EACH)
    expected = [*old.value.rows, *sizes]
    missing = [size for size in range(min(expected), max(expected) + 1) if str(size) not in cells]
    if missing:
        listed = ", ".join(map(str, missing))
        says = f"{old.program} {old.name} lacks size {listed}. Add a row each"
        faults.append(SpreadsheetFault(head, says))
    if EACH not in cells and old.value.each_additional is not None:
        says = f"{old.program} {old.name} lacks the row {EACH}. Add it"
        faults.append(SpreadsheetFault(head, says))
    rows = {size: amounts[str(size)] for size in sizes}
    stated: dict[str, Any] = {"by_size": rows}
    if EACH in amounts:
        stated[EACH] = amounts[EACH]
    return stated, SizeTable(old.value.name, rows, amounts.get(EACH))


def _percentage(
    old: StatedValue,
    cells: Mapping[str, SpreadsheetRow],
    amounts: Mapping[str, Amount],
    tables: Tables,
    faults: list[SpreadsheetFault],
) -> Parsed | None:
    assert isinstance(old.value, SizeTable)
    stated: dict[str, Any] = {}
    known = len(faults)
    for key in PERCENT_KEYS:
        if key in cells:
            stated[key] = _parse(cells[key], key, partial(parse_part, key), faults)
        elif key in ("percent_of", "year", "percent"):
            says = f"a percentage needs the row {key}. Add it, or delete the others"
            faults.append(SpreadsheetFault(min(row.row for row in cells.values()), says))
    if len(faults) > known:
        return None
    table, year = stated["percent_of"], stated["year"]
    base = tables.get((table, year))
    if base is None:
        if (table, year) in tables:
            return stated, old.value
        try:
            base = _stated_table(table, year)
        except ProgramFolderError as error:
            faults.append(SpreadsheetFault(cells["year"].row, str(error)))
            return None
    value = percent_table(old.value.name, base, stated)
    for key, amount in amounts.items():
        now, before = (
            it.each_additional if key == EACH else it.rows.get(int(key))
            for it in (value, old.value)
        )
        # The amounts of before may stay: they are computed anew from the parts.
        if amount not in (now, before):
            gives = "no such row" if now is None else f"{now:,}"
            says = (
                f"{old.name}: {amount:,} for {key} is neither typed nor computed: "
                f"{stated['percent']}% of {table} of {year} gives {gives}. Change the "
                f"percentage, or delete the rows {', '.join(PERCENT_KEYS)} to state amounts"
            )
            faults.append(SpreadsheetFault(cells[key].row, says))
    return stated, value


def _stated_table(name: str, year: int) -> SizeTable:
    statement = shared_value(name, year)
    if statement.since != year:
        raise ProgramFolderError(
            f"{name} has no year {year}; its latest is {statement.since}. State it in the rows "
            f"'shared, {name} {year}' of this table",
            table=name,
            year=year,
        )
    assert isinstance(statement.value, SizeTable)
    return statement.value
