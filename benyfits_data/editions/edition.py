"""The editions and the programs each holds, found by walking the program folders."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benyfits_data.editions.program import Program, load_program
from benyfits_data.editions.register import Correction, Record, load_register
from benyfits_data.editions.source_texts import forget_lists
from benyfits_data.editions.workspace import program_folders, workspace
from benyfits_data.errors import ProgramFolderError, UnknownEditionError, UnknownProgramError
from benyfits_data.spelling import fold, suggest


@dataclass(frozen=True, eq=False, repr=False)
class Edition(Mapping[str, Program]):
    """All programs in force in one year: a mapping of their names to programs.

    Names are found as people type them: `FairFaresNYC`, `fair_fares_nyc` and `Fair Fares NYC` are
    one program.

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
        """Return a program by name, title or folder name, however it is spaced and capitalised.

        Raises:
            UnknownProgramError: No program has this name; the nearest ones are suggested.
        """
        if name in self.programs:
            return self.programs[name]
        spellings = self._spellings()
        spelled = spellings.get(fold(name))
        if spelled is None:
            hint = suggest(name, spellings, "`benyfits-data programs list` names them all.")
            raise UnknownProgramError(
                f"{name!r} is no program of edition {self.year}. {hint}",
                program=name,
                edition=self.year,
            )
        return self.programs[spelled]

    def _spellings(self) -> dict[str, str]:
        """Return the program that each folded name, title or folder name stands for."""
        return {
            fold(spelling): name
            for name, program in self.programs.items()
            for spelling in (program.folder.name, program.title, name)
        }

    def __getitem__(self, name: str) -> Program:
        """Return a program, as `program` does; an unknown name is also a `KeyError`."""
        return self.program(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.programs)

    def __len__(self) -> int:
        return len(self.programs)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.programs or fold(name) in self._spellings())

    def __repr__(self) -> str:
        return f"<Edition {self.year}: {len(self.programs)} programs>"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return hash(self.year)


def edition_years() -> tuple[int, ...]:
    """Return the years of all editions, published and draft, in order."""
    return tuple(load_register())


EDITIONS = tuple(record.year for record in load_register().values() if record.status == "published")
"""The published editions; a new year joins them when it is published."""

DEFAULT_EDITION = EDITIONS[-1]
"""The newest published edition: what every command, build and function uses unless told."""


def load_edition(year: int) -> Edition:
    """Return the edition of a year: every program in force in it, with its values.

    Raises:
        UnknownEditionError: The register does not list the year.
        ProgramFolderError: A program folder is malformed, or two have one name.
    """
    return _load(year, workspace())


@cache
def _load(year: int, _workspace: Path | None) -> Edition:
    check_edition(year)
    return Edition(year, programs_in_force(year), load_register()[year])


def check_edition(year: int) -> None:
    """Raise unless the register lists an edition; none of its programs is loaded.

    Raises:
        UnknownEditionError: The register does not list the year.
    """
    register = load_register()
    if year not in register:
        raise UnknownEditionError(
            f"There is no edition {year}; editions are {', '.join(map(str, register))}. "
            f"`benyfits-data editions new {year}` prepares one.",
            edition=year,
        )


def forget_editions() -> None:
    """Load editions anew from now on, after their files changed."""
    _load.cache_clear()
    forget_lists()


def programs_in_force(year: int) -> dict[str, Program]:
    """Return the programs that began by a year and have not ended before it, sorted by name.

    Raises:
        ProgramFolderError: A program folder is malformed, or two have one name.
    """
    by_name: dict[str, Program] = {}
    for folder in program_folders():
        program = load_program(folder, year)
        if program.name in by_name:
            raise ProgramFolderError(
                f"{folder}/requirements.md has the name {program.name!r} of "
                f"{by_name[program.name].folder}. Names are unique: rename one of them.",
                path=folder / "requirements.md",
            )
        by_name[program.name] = program
    return {name: by_name[name] for name in sorted(by_name) if by_name[name].is_in_force}
