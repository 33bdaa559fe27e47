"""The editions and the programs each holds, found by walking the rooms."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benyfits_data.editions.program import Program, load_program
from benyfits_data.editions.register import CHECKERS, Correction, Record, load_register
from benyfits_data.errors import UnknownEditionError, UnknownProgramError

ROOMS = CHECKERS


@dataclass(frozen=True)
class Edition:
    """All programs in force in one year.

    Attributes:
        year: The edition's year.
        programs: The programs by name, sorted.
        record: What the register says of it.
    """

    year: int
    programs: dict[str, Program]
    record: Record | None = None

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """Changes made after it was published, for the manifest of datasets built from it."""
        return self.record.corrections if self.record else ()

    def provenance(self) -> dict[str, Any]:
        """Return what a dataset's manifest says of the edition: status, digest, corrections."""
        return {
            "status": self.record.status if self.record else "draft",
            "digest": self.record.digest if self.record else "",
            "corrections": [correction.as_json() for correction in self.corrections],
        }

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


def room_paths(rooms: Path = ROOMS) -> list[Path]:
    """Return the folders of all rooms, sorted by name."""
    return sorted(path.parent for path in rooms.glob("*/requirements.md"))


def edition_years() -> tuple[int, ...]:
    """Return the years of all editions, published and draft, in order."""
    return tuple(load_register())


EDITIONS = tuple(record.year for record in load_register().values() if record.status == "published")
"""The published editions; a new year joins them when it is published."""


@cache
def load_edition(year: int) -> Edition:
    """Return the edition of a year: every program that has not ended, with its values.

    Raises:
        UnknownEditionError: The register does not list the year.
        RoomError: A room is malformed.
    """
    register = load_register()
    if year not in register:
        raise UnknownEditionError(
            f"There is no edition {year}; editions are {', '.join(map(str, register))}. "
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
        register[year],
    )


def program_names(year: int = EDITIONS[0]) -> list[str]:
    """Return the names of an edition's programs, sorted."""
    return list(load_edition(year).programs)
