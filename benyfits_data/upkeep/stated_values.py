"""What the program folders and the shared tables state for one edition, value by value, as text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benyfits_data.editions.edition import programs_in_force
from benyfits_data.editions.program import Program
from benyfits_data.editions.thresholds import Amount, SizeTable, Threshold, statement_of
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
    years = [int(key) for key in table if key.isdecimal() and int(key) <= year]
    if not years:
        raise ProgramFolderError(
            f"{path} states no year up to {year}. Add one.", path=path, year=year
        )
    stated = table[str(max(years))]
    rows = {int(size): amount for size, amount in stated["by_size"].items()}
    return StatedValue(
        name=f"{name} {year}",
        unit=table["unit"],
        value=SizeTable(name, rows, stated.get(EACH)),
        since=max(years),
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
    used = shared_years_used(year) | {(name, year) for name in shared_names()}
    return [shared_value(*each) for each in sorted(used)] + [
        value for program in programs_in_force(year).values() for value in program_values(program)
    ]


def shared_years_used(year: int) -> set[tuple[str, int]]:
    """Return each shared table and year of which a program of an edition takes a percentage."""
    return {
        (value.stated["percent_of"], value.stated["year"])
        for program in programs_in_force(year).values()
        for value in program_values(program)
        if "percent_of" in value.stated
    }
