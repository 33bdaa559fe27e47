"""A filled-in spreadsheet compared with what is stated, and its changes written into TOML files.

They are written into a copy first, which the linter reads as it reads program folders. Comments
and order of the files stay; all files change or none does.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit
from tomlkit.items import InlineTable, Table

from benyfits_data.dataset import write_atomically
from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.program import load_program
from benyfits_data.editions.register import load_register
from benyfits_data.editions.workspace import base, path_in_force, staged_copy, trial_workspace
from benyfits_data.errors import BenyfitsError, SpreadsheetError
from benyfits_data.lint.value_rules import check_values, wrong_value
from benyfits_data.spelling import suggest
from benyfits_data.staged_writes import staged
from benyfits_data.upkeep.stated_values import (
    EACH,
    PERCENT_KEYS,
    SHARED,
    SpreadsheetRow,
    StatedValue,
    parse_cell,
    parse_day,
    shared_value,
    shared_years_used,
    stated_values,
)

Rows = Sequence[SpreadsheetRow]
Names = tuple[str, str]
"""A program, or `shared`, and a threshold."""


class ValueUpdate(NamedTuple):
    """What a spreadsheet says anew about one threshold.

    Attributes:
        old: The threshold as the edition holds it.
        new: As it is to be stated under the year `new.since`; its `value` is still the old one.
        row: The first of its rows.
    """

    old: StatedValue
    new: StatedValue
    row: int

    @property
    def is_new_value(self) -> bool:
        """Whether the value itself differs, not only its source, day or note."""
        return self.new.stated != self.old.stated

    def __str__(self) -> str:
        what = "new value" if self.is_new_value else "re-verified"
        return f"{self.old.program} {self.old.name}: {what}, verified {self.new.verified}"


def find_changes(lines: Rows, today: date) -> tuple[list[ValueUpdate], list[SpreadsheetError]]:
    """Return the changes in a spreadsheet, and everything that is wrong with it, row by row."""
    try:
        year = _edition(lines)
    except SpreadsheetError as error:
        return [], [error]
    known = {(value.program, value.name): value for value in stated_values(year)}
    groups: dict[Names, list[SpreadsheetRow]] = {}
    for line in lines:
        groups.setdefault((line.program, line.threshold), []).append(line)
    changes, faults = [], []
    for names, rows in groups.items():
        try:
            if names not in known:
                raise _fault(rows[0], _unknown(names, known))
            if change := _compare(known[names], rows, year, today):
                changes.append(change)
        except SpreadsheetError as error:
            faults.append(error)
    with trial_workspace():
        write_changes(changes)
        faults += _lint(changes, year)
    forget_editions()
    return changes, sorted(faults, key=lambda fault: int(fault.facts["row"]))


def left_behind(changes: Sequence[ValueUpdate], year: int) -> Iterator[str]:
    """Yield for each shared table that changes which values of an edition stay with another year.

    A value is computed from the year that it names: a new year of a table moves none by itself.
    """
    written = {(change.old.program, change.old.name): change.new.stated for change in changes}
    stated = {
        f"{value.program} {value.name}": written.get((value.program, value.name), value.stated)
        for value in stated_values(year)
    }
    for change in changes:
        if change.old.program != SHARED:
            continue
        table, _, table_year = change.old.name.rpartition(" ")
        users = [
            f"{name} ({value['year']})"
            for name, value in stated.items()
            if value.get("percent_of") == table and value["year"] < int(table_year)
        ]
        if users:
            yield (
                f"{change.old.name}: {len(users)} values are of an earlier year and stay so until "
                f"their row `year` says {table_year}: {', '.join(users)}"
            )


def _fault(place: SpreadsheetRow | ValueUpdate, says: str) -> SpreadsheetError:
    return SpreadsheetError(f"row {place.row}: {says}", row=place.row)


def _edition(lines: Rows) -> int:
    """Return the edition that all rows name, a draft."""
    if not lines:
        raise SpreadsheetError("row 1: no rows follow. Export the edition again", row=1)
    first = lines[0]
    for line in lines:
        if line.edition != first.edition:
            says = f"edition is {line.edition!r}, but row {first.row} says {first.edition!r}"
            raise _fault(line, says)
    drafts = [str(record.year) for record in load_register().values() if record.status == "draft"]
    if first.edition not in drafts:
        says = (
            f"edition {first.edition} is no draft (drafts: {', '.join(drafts) or 'none'}). A "
            "published edition stays as it is; `benyfits-data editions new` prepares another"
        )
        raise _fault(first, says)
    return int(first.edition)


def _unknown(names: Names, known: Mapping[Names, StatedValue]) -> str:
    program, threshold = names
    mine = [name for owner, name in known if owner == program]
    if not mine:
        hint = suggest(program, {owner for owner, _ in known}, "")
        hint = hint or "`benyfits-data programs list` names them"
        return f"no program with thresholds is named {program!r}. {hint}"
    return (
        f"{program} has no threshold {threshold!r}, only {', '.join(mine)}. "
        "A new threshold begins in its program folder, where text and checker read it"
    )


def _compare(old: StatedValue, rows: Rows, year: int, today: date) -> ValueUpdate | None:
    """Return what the rows of one threshold change; `None` if nothing.

    Raises:
        SpreadsheetError: A row is wrong.
    """
    stated, head = _statement(old, rows), rows[0]
    source, note = _common(rows, "source"), _common(rows, "note")
    if not source:
        raise _fault(head, f"{old.program} {old.name} has no source. Name it")
    try:
        verified = parse_day(_common(rows, "date_verified"))
    except ValueError as error:
        raise _fault(head, f"date verified: {error}") from None
    if verified < old.verified:
        says = f"date verified {verified} is earlier than {old.verified}, the last one"
        raise _fault(head, says)
    if verified > today:
        raise _fault(head, f"date verified {verified} is after today, {today}. Correct the day")
    table, _, table_year = old.name.rpartition(" ") if old.program == SHARED else ("", "", year)
    written = int(table_year)
    new = replace(old, stated=stated, since=written, source=source, verified=verified, note=note)
    change = ValueUpdate(old, new, head.row)
    is_same_evidence = (source, verified) == (old.source, old.verified)
    if not change.is_new_value and is_same_evidence and note == old.note:
        return None
    if change.is_new_value and is_same_evidence and old.since != written:
        says = (
            f"{old.program} {old.name} has a new value, but still the source and day of "
            f"the old one ({old.source}, {old.verified}). Say where the new one was read"
        )
        raise _fault(head, says)
    users = [
        str(record.year)
        for record in load_register().values()
        if table and record.status == "published"
        if (table, written) in shared_years_used(record.year)
    ]
    if users:
        says = (
            f"{old.name} is used by published edition {', '.join(users)} and cannot change. State "
            "a new year of the table and let programs use that"
        )
        raise _fault(head, says)
    return change


def _statement(old: StatedValue, rows: Rows) -> dict[str, Any]:
    """Return what the rows of a threshold state, as thresholds.toml does."""
    cells: dict[str, Any] = {}
    printed = old.cells()
    for row in rows:
        unit = PERCENT_KEYS.get(row.key, old.unit)
        is_table_key = row.key.isdecimal() or row.key == EACH or row.key in PERCENT_KEYS
        if row.key in cells:
            raise _fault(row, f"key {row.key!r} stood in a row above already")
        if row.key not in printed and not ("value" not in printed and is_table_key):
            raise _fault(row, f"key is {row.key!r}, expected one of {', '.join(printed)}")
        if row.unit != unit:
            raise _fault(row, f"unit is {row.unit!r}, expected {unit!r}. Convert the value")
        try:
            cells[row.key] = parse_cell(row.value, unit)
        except ValueError as error:
            raise _fault(row, f"{old.name}, {row.key}: {error}") from None
    if "value" in cells:
        return cells
    parts = {key: cells.pop(key) for key in PERCENT_KEYS if key in cells}
    if parts and cells:
        says = f"{old.program} {old.name} is a percentage and amounts. Delete one of the two"
        raise _fault(rows[0], says)
    missing = [key for key in printed if key not in cells and key not in PERCENT_KEYS]
    if missing and not parts:
        says = f"{old.program} {old.name} lacks the rows {', '.join(missing)}. Add them"
        raise _fault(rows[0], says)
    amounts = {"by_size": {int(key): cells[key] for key in cells if key != EACH}}
    return parts or amounts | ({EACH: cells[EACH]} if EACH in cells else {})


def _common(rows: Rows, column: str) -> str:
    """Return what the rows of a threshold say alike in a column, in which some may be blank."""
    filled = [(row, getattr(row, column)) for row in rows if getattr(row, column)]
    for row, text in filled:
        if text != filled[0][1]:
            says = (
                f"{column.replace('_', ' ')} is {text!r}, but row {filled[0][0].row} of the same "
                f"threshold says {filled[0][1]!r}. Write it once, or the same in all its rows"
            )
            raise _fault(row, says)
    return filled[0][1] if filled else ""


def _lint(changes: Sequence[ValueUpdate], year: int) -> Iterator[SpreadsheetError]:
    """Yield what the linter says of values just written: of tables, or else of programs."""
    by_program: dict[str, dict[str, ValueUpdate]] = {}
    for change in changes:
        by_program.setdefault(change.old.program, {})[change.old.name] = change
    of_tables = [
        _fault(change, f"{name} {says}. {instead.rstrip('.')}")
        for name, change in by_program.pop(SHARED, {}).items()
        for _, says, instead in wrong_value(
            shared_value(name.rpartition(" ")[0], change.new.since).value, change.old.unit
        )
    ]
    yield from of_tables
    # Percentages of a faulty table are faulty, too.
    for program, updates in () if of_tables else by_program.items():
        first = next(iter(updates.values()))
        try:
            folder = path_in_force(first.old.path.parent.name)
            for finding in check_values(load_program(folder, year)):
                change = updates.get(re.split(r"\W", finding.what)[0], first)
                yield _fault(
                    change, f"{program}: {finding.what}. {finding.write_instead.rstrip('.')}"
                )
        except BenyfitsError as error:
            yield _fault(first, str(error).rstrip("."))


def write_changes(changes: Sequence[ValueUpdate]) -> list[Path]:
    """Write changes into the files that hold the thresholds, and return these files."""
    by_file: dict[Path, list[ValueUpdate]] = {}
    for change in changes:
        path = path_in_force(f"{change.old.path.parent.name}/{change.old.path.name}")
        by_file.setdefault(path, []).append(change)
    with staged(base()) as stage:
        written = []
        for path, updates in by_file.items():
            place = staged_copy(path, stage)
            write_atomically(place, changed_text(path, updates))
            written.append(base() / place.relative_to(stage))
    forget_editions()
    return sorted(written)


def changed_text(path: Path, changes: Sequence[ValueUpdate]) -> str:
    """Return the text of a file with some thresholds stated anew."""
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    for new in (change.new for change in changes):
        home: Any = document if new.program == SHARED else document[new.name]
        table = tomlkit.table()
        for name, value in new.stated.items():
            table.add(name, _by_size(value) if name == "by_size" else value)
        table |= {"source": new.source, "verified": new.verified}
        if new.note:
            table["note"] = new.note
        table.add(tomlkit.nl())
        key = str(new.since)
        if isinstance(home.get(key), Table):
            home[key] = table
        else:
            home.pop(key, None)
            home.append(key, table)
    return tomlkit.dumps(document).rstrip("\n") + "\n"


def _by_size(rows: Mapping[int, Any]) -> InlineTable:
    # Parsed rather than built, for the spaces inside the braces that all the files have.
    inside = ", ".join(f"{size} = {rows[size]}" for size in sorted(rows))
    table = tomlkit.parse(f"by_size = {{ {inside} }}\n")["by_size"]
    assert isinstance(table, InlineTable)
    return table
