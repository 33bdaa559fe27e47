"""The editions and the programs each holds, found by walking the rooms."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benyfits_data.editions.program import Program, load_program
from benyfits_data.editions.thresholds import value_years
from benyfits_data.errors import UnknownEditionError, UnknownProgramError

ROOMS = Path(__file__).parent.parent / "checkers"


@dataclass(frozen=True)
class Edition:
    """All programs in force in one year.

    Attributes:
        year: The edition's year.
        programs: The programs by name, sorted.
    """

    year: int
    programs: dict[str, Program]

    def program(self, name: str) -> Program:
        """Return a program by name.

        Raises:
            UnknownProgramError: No room has this name.
        """
        if name not in self.programs:
            near = [known for known in self.programs if name.lower() in known.lower()]
            hint = f"Did you mean {', '.join(near)}?" if near else "`benyfits-data programs list`"
            raise UnknownProgramError(
                f"{name!r} is no program of edition {self.year}. {hint}",
                program=name,
                edition=self.year,
            )
        return self.programs[name]

    def __hash__(self) -> int:
        return hash(self.year)


def room_paths() -> list[Path]:
    """Return the folders of all rooms, sorted by name."""
    return sorted(path.parent for path in ROOMS.glob("*/requirements.md"))


@cache
def edition_years() -> tuple[int, ...]:
    """Return the years for which any room states a value, in order."""
    return tuple(
        sorted(
            {
                year
                for room in room_paths()
                for years in value_years(room / "thresholds.toml").values()
                for year in years
            }
        )
    )


EDITIONS = (2024, 2026)
"""The published editions; a new year joins them when it is published."""


@cache
def load_edition(year: int) -> Edition:
    """Return the edition of a year: every program that has not ended, with its values.

    Raises:
        UnknownEditionError: No room knows the year.
        RoomError: A room is malformed.
    """
    if year not in EDITIONS and year not in edition_years():
        raise UnknownEditionError(
            f"There is no edition {year}; editions are {', '.join(map(str, edition_years()))}. "
            f"`benyfits-data editions new {year}` prepares one.",
            edition=year,
        )
    programs = (load_program(room, year) for room in room_paths())
    return Edition(
        year,
        {
            program.name: program
            for program in sorted(programs, key=lambda program: program.name)
            if program.last_edition is None or year <= program.last_edition
        },
    )


def program_names(year: int = EDITIONS[0]) -> list[str]:
    """Return the names of an edition's programs, sorted."""
    return list(load_edition(year).programs)
