"""What the program folders and the shared tables state for one edition, value by value, as text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benyfits_data.editions.edition import programs_in_force
from benyfits_data.editions.program import Program
from benyfits_data.editions.thresholds import Amount, SizeTable, Value
from benyfits_data.editions.toml_file import read_toml
from benyfits_data.editions.workspace import shared_names, shared_path
from benyfits_data.errors import ProgramFolderError

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
class StatedValue:
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
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, date) else str(value)


def print_stated(value: Any) -> str:
    """Return one part of a percentage: a range of sizes as `1 to 8`, anything else as it is.

    Spreadsheet programs would take `1-8` for the eighth of January.
    """
    return " to ".join(map(str, value)) if isinstance(value, list) else str(value)


def program_values(program: Program) -> list[StatedValue]:
    """Return what a program folder states for a program's edition, in order of the file."""
    path = program.folder / "thresholds.toml"
    tables = read_toml(path)
    return [
        StatedValue(
            program=program.name,
            threshold=it.name,
            unit=it.unit,
            path=path,
            stated=tables[it.name][str(it.since)],
            value=it.value,
            since=it.since,
            source=it.source,
            verified=it.verified,
            note=it.note,
        )
        for it in map(program.thresholds.entry, program.thresholds.names())
    ]


def shared_values(year: int) -> list[StatedValue]:
    """Return the shared tables of an edition: the years its programs use, and the year itself.

    A year that a table does not state yet shows the amounts of the latest year before it.
    """
    used: dict[str, set[int]] = {name: {year} for name in shared_names()}
    for program in programs_in_force(year).values():
        for it in program_values(program):
            if "percent_of" in it.stated:
                used[it.stated["percent_of"]].add(it.stated["year"])
    return [
        shared_value(name, wanted)
        for name, years in sorted(used.items())
        for wanted in sorted(years)
    ]


def shared_value(name: str, year: int) -> StatedValue:
    """Return one year of a shared table, or the latest year before it.

    Raises:
        ProgramFolderError: The table states nothing for that year or any before.
    """
    path = shared_path(f"{name}.toml")
    table = read_toml(path)
    years = [int(key) for key in table if key.isdecimal() and int(key) <= year]
    if not years:
        raise ProgramFolderError(
            f"{path} states no year up to {year}. Add one.", path=path, year=year
        )
    since = max(years)
    stated = table[str(since)]
    rows = {int(size): amount for size, amount in stated["by_size"].items()}
    return StatedValue(
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


def stated_values(year: int) -> list[StatedValue]:
    """Return everything an edition states: shared tables first, then program by program."""
    return shared_values(year) + [
        it for program in programs_in_force(year).values() for it in program_values(program)
    ]


def shared_years_used(year: int) -> dict[tuple[str, int], list[str]]:
    """Return the programs of an edition that use each table and year."""
    users: dict[tuple[str, int], list[str]] = {}
    for program in programs_in_force(year).values():
        for it in program_values(program):
            if "percent_of" in it.stated:
                key = (it.stated["percent_of"], it.stated["year"])
                users.setdefault(key, []).append(program.name)
    return users
