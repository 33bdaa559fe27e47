"""The city's dataset "Benefits and Programs" (kvhd-5fmu) as downloaded, and its rows beside ours.

The names of its fields are those of the Socrata API: the data dictionary of its predecessor
(2j8u-wtju), listed on splitgraph.com, has `program_name` and the like; public programs that read
kvhd-5fmu also name `language`, `plain_language_program_name` and `plain_language_eligibility`,
whose texts hold HTML. Downloads as a table head their columns
with these names, or with those people read, `Program Name`.
"""

import csv
import html
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benyfits_data.editions import Edition, Program
from benyfits_data.errors import DatasetFormatError

NAME, TEXT = "program_name", "plain_language_eligibility"
_ID = re.compile(r"\s*(P\d{3})(?:en)?\s*$")
"""The city's id of a program in English, in whatever column it stands."""
_SMALL_WORDS = frozenset(
    ("the", "of", "and", "for", "a", "an", "in", "to", "nyc", "ny", "nys", "new", "york", "program")
)
_ENGLISH = {"", "en", "eng", "english"}
_TAGS = (
    (re.compile(r"</?(?:p|div|[uo]l|li|table|tr|br|h[1-6])\b[^>]*>", re.IGNORECASE), "\n"),
    (re.compile(r"<t[dh]\b[^>]*>", re.IGNORECASE), " | "),
    (re.compile(r"<!--.*?-->|</?[a-z][^>]*>", re.IGNORECASE | re.DOTALL), ""),
)
"""What stands for each tag in plain text."""


@dataclass(frozen=True)
class CityProgram:
    """A program as the city describes it.

    Attributes:
        row: Its row in the file; the header is row 1.
        name: Its name.
        plain_name: What it does in a few words; may be empty.
        eligibility: Who may get it, as plain text.
        id: The city's id of it, such as `P013`; empty where the row has none.
    """

    row: int
    name: str
    plain_name: str
    eligibility: str
    id: str = ""


def read_listing(path: Path) -> list[CityProgram]:
    """Return the English rows of a download.

    Raises:
        DatasetFormatError: The file is no CSV, lacks a column, or has no English rows.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetFormatError(f"{path} cannot be read: {error}.", path=path) from error
    csv.field_size_limit(10_000_000)
    programs = []
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        fields = {
            re.sub(r"[^a-z0-9]+", "_", key.strip().lower()).strip("_"): (
                "" if value is None or value == "NULL" else str(value)
            )
            for key, value in row.items()
            if key is not None  # Cells beyond the header.
        }
        missing = [name for name in (NAME, TEXT) if name not in fields]
        if missing:
            raise DatasetFormatError(
                f"{path}: row {number} has no {' and no '.join(missing)}, but "
                f"{', '.join(sorted(fields))}. Download the dataset kvhd-5fmu as CSV.",
                path=path,
                row=number,
            )
        if fields.get("language", "").strip().lower() in _ENGLISH and fields[NAME].strip():
            programs.append(
                CityProgram(
                    number,
                    strip_tags(fields[NAME]).strip(),
                    strip_tags(fields.get("plain_language_program_name", "")).strip(),
                    strip_tags(fields[TEXT]),
                    next(
                        (match[1] for value in fields.values() if (match := _ID.match(value))), ""
                    ),
                )
            )
    if not programs:
        raise DatasetFormatError(f"{path} has no rows in English.", path=path)
    return programs


def strip_tags(text: str) -> str:
    """Return HTML as plain text: blocks on lines of their own, cells of tables between bars."""
    if _TAGS[0][0].search(text):
        text = " ".join(text.split())  # Lines of HTML are no lines of the page.
    for tag, instead in _TAGS:
        text = tag.sub(instead, text)
    text = html.unescape(text).replace("\xa0", " ").replace("\u200b", "")
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


@dataclass(frozen=True)
class ProgramMatch:
    """A program of ours beside the row of the city's that has its id, or else its name."""

    program: Program
    city: CityProgram

    @property
    def is_renamed(self) -> bool:
        """Whether their names differ."""
        return not _names(self.program) & _names_of_city(self.city)


@dataclass(frozen=True)
class ProgramMatching:
    """All programs sorted out.

    Attributes:
        matches: Programs that both have; several of ours may be one row of the city's.
        new: The city's that we do not have.
        gone: Ours that the city no longer lists.
    """

    matches: tuple[ProgramMatch, ...]
    new: tuple[CityProgram, ...]
    gone: tuple[Program, ...]


def match_programs(edition: Edition, listing: Sequence[CityProgram]) -> ProgramMatching:
    """Return which programs are the same; of rows without an id, or of other ids, by name."""
    ids = {city.id: city for city in listing if city.id}
    rows = {name: city for city in listing for name in _names_of_city(city)}
    matches = []
    for program in edition.values():
        known = _id(program)
        named = (rows[name] for name in sorted(_names(program)) if name in rows)
        city = ids.get(known) or next(
            (row for row in named if not known or row.id in ("", known)), None
        )
        if city is not None:
            matches.append(ProgramMatch(program, city))
    taken, rows_taken = (
        {match.program.name for match in matches},
        {match.city.row for match in matches},
    )
    return ProgramMatching(
        tuple(sorted(matches, key=lambda match: match.program.name)),
        tuple(city for city in listing if city.row not in rows_taken),
        tuple(program for program in edition.values() if program.name not in taken),
    )


def _id(program: Program) -> str:
    return program.sources.program_id if program.sources else ""


def _names(program: Program) -> set[str]:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", program.name)
    return {_plain(program.title), _plain(words), _plain(_unbracketed(program.title))} - {""}


def _names_of_city(city: CityProgram) -> set[str]:
    return {_plain(city.name), _plain(_unbracketed(city.name))} - {""}


def _unbracketed(name: str) -> str:
    return re.sub(r"\s*\([^)]*\)", "", name)


def _plain(name: str) -> str:
    """Return the words of a name that tell something: possessives and plurals are no other name."""
    plain = name.lower().replace("\u2019", "'").replace("'s", "").replace("&", " and ")
    words = re.findall(r"[a-z0-9]+", plain)
    return "".join(word.rstrip("s") for word in words if word not in _SMALL_WORDS)
