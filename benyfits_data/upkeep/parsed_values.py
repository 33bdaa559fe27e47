"""The value that the rows of one threshold spell out: a number, a table, or a percentage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benyfits_data.editions.thresholds import ROUNDINGS, Amount, SizeTable, Value, percent_table
from benyfits_data.editions.workspace import shared_names
from benyfits_data.errors import ProgramFolderError
from benyfits_data.upkeep.cell_values import parse_day, parse_number, parse_sizes, parse_switch
from benyfits_data.upkeep.spreadsheet import SpreadsheetRow
from benyfits_data.upkeep.stated_values import (
    EACH,
    PERCENT_KEYS,
    StatedValue,
    shared_value,
)


@dataclass(frozen=True)
class ParsedValue:
    """What rows say.

    Attributes:
        stated: As a program's thresholds.toml states it.
        value: What it comes to.
        faults: Row and what is wrong with it; value and stated mean nothing then.
    """

    stated: Mapping[str, Any]
    value: Value
    faults: tuple[tuple[int, str], ...]


def read_value(
    old: StatedValue,
    rows: Sequence[SpreadsheetRow],
    tables: Mapping[tuple[str, int], SizeTable | None],
) -> ParsedValue:
    """Return what the rows of a threshold say.

    Args:
        old: The threshold as it stands.
        rows: Its rows.
        tables: Shared tables that the same spreadsheet changes, by name and year; `None` for one
            whose rows are faulty, which has been said already.
    """
    faults: list[tuple[int, str]] = []
    cells: dict[str, SpreadsheetRow] = {}
    is_table = isinstance(old.value, SizeTable)
    for row in rows:
        if row.key in cells:
            faults.append((row.row, f"key {row.key!r} stood in row {cells[row.key].row} already"))
        elif not _is_key(row.key, is_table):
            expected = f"a size, {EACH} or {', '.join(PERCENT_KEYS)}" if is_table else "'value'"
            faults.append((row.row, f"key is {row.key!r}, expected {expected}"))
        else:
            cells[row.key] = row
            unit = PERCENT_KEYS.get(row.key, old.unit)
            if row.unit != unit:
                faults.append(
                    (row.row, f"unit is {row.unit!r}, expected {unit!r}. Convert the value")
                )
    if faults:
        return ParsedValue({}, old.value, tuple(faults))
    if not is_table:
        return _scalar(old, cells)
    amounts = _amounts(old, cells, faults)
    if any(key in cells for key in PERCENT_KEYS):
        return _percentage(old, cells, amounts, tables, faults)
    return _by_size(old, cells, amounts, faults)


def _is_key(key: str, is_table: bool) -> bool:
    return (key.isdecimal() or key == EACH or key in PERCENT_KEYS) if is_table else key == "value"


def _scalar(old: StatedValue, cells: Mapping[str, SpreadsheetRow]) -> ParsedValue:
    row = cells["value"]
    try:
        if old.unit == "date":
            value: Value = parse_day(row.value)
        elif old.unit == "switch":
            value = parse_switch(row.value)
        else:
            value = parse_number(row.value, old.unit)
    except ValueError as error:
        return ParsedValue({}, old.value, ((row.row, f"{old.threshold}: {error}"),))
    return ParsedValue({"value": value}, value, ())


def _amounts(
    old: StatedValue, cells: Mapping[str, SpreadsheetRow], faults: list[tuple[int, str]]
) -> dict[str, Amount]:
    amounts: dict[str, Amount] = {}
    for key, row in cells.items():
        if key not in PERCENT_KEYS:
            try:
                amounts[key] = parse_number(row.value, old.unit)
            except ValueError as error:
                faults.append((row.row, f"{old.threshold}, {key}: {error}"))
    return amounts


def _by_size(
    old: StatedValue,
    cells: Mapping[str, SpreadsheetRow],
    amounts: Mapping[str, Amount],
    faults: list[tuple[int, str]],
) -> ParsedValue:
    assert isinstance(old.value, SizeTable)
    head = min(row.row for row in cells.values())
    sizes = sorted(int(key) for key in amounts if key != EACH)
    expected = [*old.value.rows, *sizes]
    missing = [size for size in range(min(expected), max(expected) + 1) if str(size) not in cells]
    if missing:
        listed = ", ".join(map(str, missing))
        faults.append((head, f"{old.program} {old.threshold} lacks size {listed}. Add a row each"))
    if EACH not in cells and old.value.each_additional is not None:
        faults.append((head, f"{old.program} {old.threshold} lacks the row {EACH}. Add it"))
    for size, following in pairwise(sizes):
        if amounts[str(following)] < amounts[str(size)]:
            faults.append(
                (
                    cells[str(following)].row,
                    f"{old.threshold}: {amounts[str(following)]:,} for size {following} is less "
                    f"than {amounts[str(size)]:,} for size {size}. Tables rise with size",
                )
            )
    if faults:
        return ParsedValue({}, old.value, tuple(faults))
    rows = {size: amounts[str(size)] for size in sizes}
    stated: dict[str, Any] = {"by_size": rows}
    if EACH in amounts:
        stated[EACH] = amounts[EACH]
    return ParsedValue(stated, SizeTable(old.value.name, rows, amounts.get(EACH)), ())


def _percentage(
    old: StatedValue,
    cells: Mapping[str, SpreadsheetRow],
    amounts: Mapping[str, Amount],
    tables: Mapping[tuple[str, int], SizeTable | None],
    faults: list[tuple[int, str]],
) -> ParsedValue:
    assert isinstance(old.value, SizeTable)
    stated = _parts(cells, faults)
    if faults:
        return ParsedValue({}, old.value, tuple(faults))
    table, year = stated["percent_of"], stated["year"]
    if (table, year) in tables and tables[table, year] is None:
        return ParsedValue(stated, old.value, ())
    try:
        base = tables.get((table, year)) or _stated_table(table, year)
    except ProgramFolderError as error:
        return ParsedValue({}, old.value, ((cells["year"].row, str(error)),))
    value = percent_table(old.value.name, base, stated)
    for key, amount in amounts.items():
        now, before = (_amount(it, key) for it in (value, old.value))
        # The amounts of before may stay: they are computed anew from the parts.
        if amount not in (now, before):
            faults.append(
                (
                    cells[key].row,
                    f"{old.threshold}: {amount:,} for {key} is neither typed nor computed: "
                    f"{stated['percent']}% of {table} of {year} gives {_say(now)}. Change the "
                    f"percentage, or delete the rows {', '.join(PERCENT_KEYS)} to state amounts",
                )
            )
    return ParsedValue(stated, value, tuple(faults))


def _parts(cells: Mapping[str, SpreadsheetRow], faults: list[tuple[int, str]]) -> dict[str, Any]:
    head = min(row.row for row in cells.values())
    faults += [
        (head, f"a percentage needs the row {key}. Add it, or delete the others")
        for key in ("percent_of", "year", "percent")
        if key not in cells
    ]
    stated: dict[str, Any] = {}
    for key in PERCENT_KEYS:
        if key not in cells:
            continue
        text = cells[key].value
        try:
            stated[key] = _part(key, text)
        except ValueError as error:
            faults.append((cells[key].row, f"{key}: {error}"))
    return stated


def _part(key: str, text: str) -> Any:
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
        return parse_sizes(text)
    number = parse_number(text, key)
    if key == "year" and number != int(number):
        raise ValueError(f"{text!r} is no year")
    return number


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


def _say(amount: Amount | None) -> str:
    return "no such row" if amount is None else f"{amount:,}"


def _amount(table: Value, key: str) -> Amount | None:
    assert isinstance(table, SizeTable)
    return table.each_additional if key == EACH else table.rows.get(int(key))
