"""A filled-in spreadsheet compared with what is stated, and its changes written into TOML files.

Comments and order of the files stay; all files change or none does.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Table

from benyfits_data.dataset import write_atomically
from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.register import load_register
from benyfits_data.editions.thresholds import SizeTable, Value
from benyfits_data.editions.workspace import base, staged_copy
from benyfits_data.lint.value_rules import crossed_names
from benyfits_data.spelling import suggest
from benyfits_data.staged_writes import staged
from benyfits_data.upkeep.spreadsheet import (
    SpreadsheetFault,
    SpreadsheetRow,
    Tables,
    parse_day,
    read_value,
)
from benyfits_data.upkeep.stated_values import SHARED, StatedValue, shared_years_used, stated_values


@dataclass(frozen=True)
class ValueUpdate:
    """What a spreadsheet says anew about one threshold.

    Attributes:
        old: The threshold as the edition holds it.
        year: The year under which the new statement is written.
        stated: What is to be written: `value`, `by_size` or the parts of a percentage.
        value: What that comes to.
        source: Where it was read.
        verified: When.
        note: Why this value.
    """

    old: StatedValue
    year: int
    stated: Mapping[str, Any]
    value: Value
    source: str
    verified: date
    note: str

    @property
    def is_new_value(self) -> bool:
        """Whether the value itself differs, not only its source, day or note."""
        return self.value != self.old.value

    def __str__(self) -> str:
        what = "new value" if self.is_new_value else "re-verified"
        return f"{self.old.program} {self.old.name}: {what}, verified {self.verified}"


def find_changes(
    lines: Sequence[SpreadsheetRow],
) -> tuple[list[ValueUpdate], list[SpreadsheetFault]]:
    """Return the changes in a spreadsheet, and everything that is wrong with it."""
    year, faults = _edition(lines)
    if year is None:
        return [], faults
    known = {(it.program, it.name): it for it in stated_values(year)}
    groups: dict[tuple[str, str], list[SpreadsheetRow]] = {}
    for line in lines:
        groups.setdefault((line.program, line.threshold), []).append(line)
    published = [it.year for it in load_register().values() if it.status == "published"]
    used = {past: shared_years_used(past) for past in published}
    tables: dict[tuple[str, int], SizeTable | None] = {}
    changes: list[ValueUpdate] = []
    # Shared tables first: percentages are computed from them as they will be.
    for name, rows in sorted(groups.items(), key=lambda group: group[0][0] != SHARED):
        if name not in known:
            faults.append(SpreadsheetFault(rows[0].row, _unknown(name, known)))
            continue
        n_faults = len(faults)
        change = _compare(known[name], rows, year, tables, faults)
        if name[0] == SHARED:
            table, _, table_year = name[1].rpartition(" ")
            key = table, int(table_year)
            if change and (users := [past for past in published if key in used[past]]):
                says = (
                    f"{name[1]} is used by published edition {', '.join(map(str, users))} and "
                    "cannot change. State a new year of the table and let programs use that"
                )
                faults.append(SpreadsheetFault(rows[0].row, says))
            if len(faults) > n_faults:
                tables[key] = change = None
            elif change and isinstance(change.value, SizeTable):
                tables[key] = change.value
        if change:
            changes.append(change)
    faults += _crossed(changes, known, groups)
    return changes, sorted(faults)


def left_behind(changes: Sequence[ValueUpdate], year: int) -> Iterator[str]:
    """Yield for each shared table that changes which values of an edition stay with another year.

    A value is computed from the year that it names: a new year of a table moves none by itself.
    """
    written = {(it.old.program, it.old.name): it.stated for it in changes}
    values = [
        (value, written.get((value.program, value.name), value.stated))
        for value in stated_values(year)
    ]
    for change in changes:
        table, _, table_year = change.old.name.rpartition(" ")
        if change.old.program != SHARED:
            continue
        users = [
            f"{value.program} {value.name} ({stated['year']})"
            for value, stated in values
            if stated.get("percent_of") == table and stated["year"] < int(table_year)
        ]
        if users:
            yield (
                f"{change.old.name}: {len(users)} values are of an earlier year and stay so until "
                f"their row `year` says {table_year}: {', '.join(users)}"
            )


def _edition(lines: Sequence[SpreadsheetRow]) -> tuple[int | None, list[SpreadsheetFault]]:
    if not lines:
        says = "there are no rows under the header. Export the edition again"
        return None, [SpreadsheetFault(1, says)]
    head, first = lines[0].row, lines[0].edition
    faults = [
        SpreadsheetFault(line.row, f"edition is {line.edition!r}, but row {head} says {first!r}")
        for line in lines
        if line.edition != first
    ]
    drafts = {
        str(record.year): record.year
        for record in load_register().values()
        if record.status == "draft"
    }
    if first not in drafts:
        says = (
            f"edition {first} is no draft (drafts: {', '.join(drafts) or 'none'}). A published "
            "edition stays as it is; `benyfits-data editions new` prepares another"
        )
        faults.append(SpreadsheetFault(head, says))
    return drafts.get(first), faults


def _unknown(name: tuple[str, str], known: Mapping[tuple[str, str], StatedValue]) -> str:
    program, threshold = name
    mine = [it for owner, it in known if owner == program]
    if not mine:
        hint = suggest(program, {owner for owner, _ in known}, "")
        hint = hint or "`benyfits-data programs list` names them"
        return f"no program with thresholds is named {program!r}. {hint}"
    return (
        f"{program} has no threshold {threshold!r}, only {', '.join(mine)}. "
        "A new threshold begins in its program folder, where text and checker read it"
    )


def _compare(
    old: StatedValue,
    rows: Sequence[SpreadsheetRow],
    year: int,
    tables: Tables,
    faults: list[SpreadsheetFault],
) -> ValueUpdate | None:
    """Return what the rows of one threshold change; add to the faults what is wrong with them."""
    before, head = len(faults), rows[0].row
    source = _common(rows, "source", faults)
    note = _common(rows, "note", faults)
    day = _common(rows, "verified", faults)
    verified = old.verified
    if not source:
        faults.append(SpreadsheetFault(head, f"{old.program} {old.name} has no source. Name it"))
    try:
        verified = parse_day(day)
    except ValueError as error:
        faults.append(SpreadsheetFault(head, f"date verified: {error}"))
    if verified < old.verified:
        says = f"date verified {verified} is earlier than {old.verified}, the last one"
        faults.append(SpreadsheetFault(head, says))
    parsed = read_value(old, rows, tables, faults)
    if parsed is None or len(faults) > before:
        return None
    stated, value = parsed
    written = int(old.name.rpartition(" ")[2]) if old.program == SHARED else year
    is_same_evidence = (source, verified) == (old.source, old.verified)
    # A percentage whose table changes follows it without a statement of its own.
    if stated == _plain(old.stated):
        if is_same_evidence and note == old.note:
            return None
    elif is_same_evidence and old.since != written:
        says = (
            f"{old.program} {old.name} has a new value, but still the source and day of "
            f"the old one ({old.source}, {old.verified}). Say where the new one was read"
        )
        faults.append(SpreadsheetFault(head, says))
        return None
    return ValueUpdate(old, written, stated, value, source, verified, note)


def _plain(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a statement says, without its evidence."""
    plain = {
        key: value for key, value in stated.items() if key not in ("source", "verified", "note")
    }
    if "by_size" in plain:
        plain["by_size"] = {int(size): amount for size, amount in plain["by_size"].items()}
    return plain


def _common(rows: Sequence[SpreadsheetRow], column: str, faults: list[SpreadsheetFault]) -> str:
    """Return what the rows of a threshold say alike in a column, in which some may be blank."""
    filled = [(row.row, getattr(row, column)) for row in rows if getattr(row, column)]
    label = "date verified" if column == "verified" else column
    for row, text in filled:
        if text != filled[0][1]:
            says = (
                f"{label} is {text!r}, but row {filled[0][0]} of the same threshold says "
                f"{filled[0][1]!r}. Write it once, or the same in all its rows"
            )
            faults.append(SpreadsheetFault(row, says))
    return filled[0][1] if filled else ""


def _crossed(
    changes: Sequence[ValueUpdate],
    known: Mapping[tuple[str, str], StatedValue],
    groups: Mapping[tuple[str, str], Sequence[SpreadsheetRow]],
) -> Iterator[SpreadsheetFault]:
    """Yield a fault for every lowest value that lies above its highest."""
    changed = {(change.old.program, change.old.name): change.value for change in changes}
    for program in sorted({program for program, _ in changed}):
        values = {
            name: changed.get((owner, name), entry.value)
            for (owner, name), entry in known.items()
            if owner == program
        }
        for lower, upper in crossed_names(values):
            if row := groups.get((program, lower), groups.get((program, upper))):
                low, high = values[lower], values[upper]
                says = f"{program}: {lower}, {low}, is above {upper}, {high}. Correct one of them"
                yield SpreadsheetFault(row[0].row, says)


def write_changes(changes: Sequence[ValueUpdate]) -> list[Path]:
    """Write changes into the files that hold the thresholds, and return these files."""
    by_file: dict[Path, list[ValueUpdate]] = {}
    for change in changes:
        by_file.setdefault(change.old.path, []).append(change)
    with staged(base()) as stage:
        written = []
        for path, its in by_file.items():
            text = changed_text(path, its)
            place = staged_copy(path, stage)
            write_atomically(place, text)
            written.append(base() / place.relative_to(stage))
    forget_editions()
    return sorted(written)


def changed_text(path: Path, changes: Sequence[ValueUpdate]) -> str:
    """Return the text of a file with some thresholds stated anew."""
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    for change in changes:
        home: Any = document
        if change.old.program != SHARED:
            home = document[change.old.name]
        key = str(change.year)
        if isinstance(home.get(key), Table):
            _update(home[key], change)
        else:
            home.pop(key, None)
            _insert(home, key, change)
    return tomlkit.dumps(document).rstrip("\n") + "\n"


def _update(table: Table, change: ValueUpdate) -> None:
    stated = _told(change)
    for key in [key for key in table if key not in stated]:
        del table[key]
    for key, value in stated.items():
        if key not in table or _unwrapped(table[key]) != _unwrapped(value):
            table[key] = value


def _unwrapped(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _insert(home: Any, key: str, change: ValueUpdate) -> None:
    table = tomlkit.table()
    for name, value in _told(change).items():
        table.add(name, value)
    table.add(tomlkit.nl())
    home.append(key, table)


def _told(change: ValueUpdate) -> dict[str, Any]:
    stated: dict[str, Any] = {}
    for key, value in change.stated.items():
        stated[key] = _by_size(value) if key == "by_size" else value
    stated |= {"source": change.source, "verified": change.verified}
    if change.note:
        stated["note"] = change.note
    return stated


def _by_size(rows: Mapping[int, Any]) -> InlineTable:
    # Parsed rather than built, for the spaces inside the braces that all the files have.
    inside = ", ".join(f"{size} = {rows[size]}" for size in sorted(rows))
    table = tomlkit.parse(f"by_size = {{ {inside} }}\n")["by_size"]
    assert isinstance(table, InlineTable)
    return table
