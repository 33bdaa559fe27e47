"""What the rooms and the shared tables state for one edition, value by value, as text."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benyfits_data.editions.edition import room_paths
from benyfits_data.editions.program import Program, load_program
from benyfits_data.editions.register import CHECKERS
from benyfits_data.editions.thresholds import Amount, SizeTable, Value
from benyfits_data.errors import RoomError

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
class Statement:
    """One threshold of a program, or one year of a shared table, as an edition holds it.

    Attributes:
        program: The program, or `shared`.
        threshold: The threshold; of a shared table its name and year, `poverty_guideline 2026`.
        unit: What it counts.
        path: The file that states it.
        stated: What the file states: `value`, `by_size`, `percent_of` and the like.
        value: What that comes to.
        since: The year that states it; earlier than the edition when inherited.
        source: Where it was read.
        verified: When it was last compared with the source.
        note: Why this value.
    """

    program: str
    threshold: str
    unit: str
    path: Path
    stated: Mapping[str, Any]
    value: Value
    since: int
    source: str
    verified: date
    note: str

    def cells(self) -> dict[str, tuple[str, str]]:
        """Return value and unit of each key, as a spreadsheet prints them.

        A percentage prints how it is computed and then the amounts it comes to.
        """
        if not isinstance(self.value, SizeTable):
            return {"value": (print_value(self.value), self.unit)}
        cells = {
            key: (print_stated(self.stated[key]), unit)
            for key, unit in PERCENT_KEYS.items()
            if key in self.stated
        }
        amounts: dict[str, Amount] = {
            str(size): self.value.rows[size] for size in sorted(self.value.rows)
        }
        if self.value.each_additional is not None:
            amounts[EACH] = self.value.each_additional
        return cells | {key: (print_value(amount), self.unit) for key, amount in amounts.items()}


def print_value(value: Any) -> str:
    """Return a number or day as a spreadsheet cell holds it."""
    return value.isoformat() if isinstance(value, date) else str(value)


def print_stated(value: Any) -> str:
    """Return one part of a percentage: a range of sizes as `1 to 8`, anything else as it is.

    Spreadsheet programs would take `1-8` for the eighth of January.
    """
    return " to ".join(map(str, value)) if isinstance(value, list) else str(value)


def shared_names(checkers: Path = CHECKERS) -> list[str]:
    """Return the names of the shared tables."""
    return sorted(
        path.stem for path in (checkers / "shared").glob("*.toml") if path.stem != "editions"
    )


def programs_in_force(year: int, checkers: Path = CHECKERS) -> list[Program]:
    """Return the programs of a year that have not ended, sorted by name."""
    programs = (load_program(room, year) for room in room_paths(checkers))
    return sorted(
        (it for it in programs if it.last_edition is None or year <= it.last_edition),
        key=lambda program: program.name,
    )


def room_statements(program: Program) -> list[Statement]:
    """Return what a room states for a program's edition, in order of the file."""
    path = program.room / "thresholds.toml"
    tables = read_toml(path)
    statements = []
    for name in program.thresholds.names():
        entry = program.thresholds.entry(name)
        stated = tables[name][str(entry.since)]
        statements.append(
            Statement(
                program.name,
                name,
                entry.unit,
                path,
                stated,
                entry.value,
                entry.since,
                entry.source,
                entry.verified,
                entry.note,
            )
        )
    return statements


def shared_statements(year: int, checkers: Path = CHECKERS) -> list[Statement]:
    """Return the shared tables of an edition: the years its programs use, and the year itself.

    A year that a table does not state yet shows the amounts of the latest year before it.
    """
    used: dict[str, set[int]] = {name: {year} for name in shared_names(checkers)}
    for program in programs_in_force(year, checkers):
        for statement in room_statements(program):
            if "percent_of" in statement.stated:
                used[statement.stated["percent_of"]].add(statement.stated["year"])
    return [
        shared_statement(name, wanted, checkers)
        for name, years in sorted(used.items())
        for wanted in sorted(years)
    ]


def shared_statement(name: str, year: int, checkers: Path = CHECKERS) -> Statement:
    """Return one year of a shared table, or the latest year before it.

    Raises:
        RoomError: The table states nothing for that year or any before.
    """
    path = checkers / "shared" / f"{name}.toml"
    table = read_toml(path)
    years = [int(key) for key in table if key.isdecimal() and int(key) <= year]
    if not years:
        raise RoomError(f"{path} states no year up to {year}. Add one.", path=path, year=year)
    since = max(years)
    stated = table[str(since)]
    rows = {int(size): amount for size, amount in stated["by_size"].items()}
    return Statement(
        SHARED,
        f"{name} {year}",
        table["unit"],
        path,
        stated,
        SizeTable(name, rows, stated.get(EACH)),
        since,
        stated["source"],
        stated["verified"],
        stated.get("note", ""),
    )


def statements(year: int, checkers: Path = CHECKERS) -> list[Statement]:
    """Return everything an edition states: shared tables first, then program by program."""
    return shared_statements(year, checkers) + [
        statement
        for program in programs_in_force(year, checkers)
        for statement in room_statements(program)
    ]


def shared_years_used(year: int, checkers: Path = CHECKERS) -> dict[tuple[str, int], list[str]]:
    """Return the programs of an edition that use each table and year."""
    users: dict[tuple[str, int], list[str]] = {}
    for program in programs_in_force(year, checkers):
        for statement in room_statements(program):
            if "percent_of" in statement.stated:
                key = (statement.stated["percent_of"], statement.stated["year"])
                users.setdefault(key, []).append(program.name)
    return users


def read_toml(path: Path) -> dict[str, Any]:
    """Return a file's tables.

    Raises:
        RoomError: It is not valid TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise RoomError(f"{path}: not valid TOML: {error}. Correct that line.", path=path) from (
            error
        )
