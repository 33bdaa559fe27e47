"""Where the clauses of a text come from: places of the source, and what was left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal

from benyfits_data.editions.register import Record, load_register
from benyfits_data.editions.toml_file import check_table, latest, malformed, read_as, read_toml
from benyfits_data.editions.workspace import registers


@dataclass(frozen=True)
class Claim:
    """A place of the source and the clauses that formalise it.

    Attributes:
        clauses: The clauses.
        place: Paragraph, list item or sentence.
        phrase: Some words of it; empty where none is quoted.
        source: Another document than the edition's, where the place is in one.
    """

    clauses: tuple[str, ...]
    place: str
    phrase: str = ""
    source: str = ""


@dataclass(frozen=True)
class Omission:
    """What the source says and no clause takes up.

    Attributes:
        place: Where it stands.
        says: What it says, in our own words.
        type: Why no clause takes it up.
    """

    place: str
    says: str
    type: Literal[
        "no fact in the household model",
        "about the process",
        "not a condition",
        "different reading",
    ]


@dataclass(frozen=True)
class Deviation:
    """A term that the text uses in another meaning than other programs do.

    Attributes:
        term: The term.
        means: What it means here.
        phrase: Words of the source that say so.
    """

    term: str
    means: str
    phrase: str


@dataclass(frozen=True)
class SourceText:
    """What the text of one edition was made of.

    Attributes:
        year: The edition that states it; earlier than the one asked for when inherited.
        list: The source's name.
        program_id: The city's id of the program; empty where none is known.
        copy: Whose copy was read, where it was not the publisher's.
        read: The day it was read; `None` where nobody says.
        is_unchanged: Whether it was read and says the same as that of the edition before.
        note: What a reader should know besides.
        claims: Its places and their clauses.
        omissions: What no clause takes up.
        terms: Terms that mean something else than in other programs.
    """

    year: int
    list: str
    program_id: str
    copy: str
    read: date | None
    is_unchanged: bool
    note: str
    claims: tuple[Claim, ...]
    omissions: tuple[Omission, ...]
    terms: tuple[Deviation, ...] = ()

    def trust(self, edition: int, n_open: int) -> str:
        """Return how far the text of an edition may be relied on.

        Args:
            edition: The edition, which may be later than the text's own.
            n_open: How many questions the source leaves open.
        """
        seen = (
            f"in a copy by {self.copy}, not at its publisher" if self.copy else "at its publisher"
        )
        parts = [
            f"Read {seen}, on {self.read}."
            if self.read
            else "When and where it was read is not noted: compare it with the publisher's page."
        ]
        if self.year < edition:
            parts.append(f"No newer text than that of {self.year} was read for {edition}.")
        if self.omissions:
            n = len(self.omissions)
            parts.append(f"{n} of its statements {'is' if n == 1 else 'are'} in no clause.")
        if n_open:
            parts.append(
                f"It leaves {n_open} question{'s' if n_open > 1 else ''} open; "
                "the answers in force are ours."
            )
        return " ".join(parts)


@dataclass(frozen=True)
class _Stated:
    """What `sources.toml` states for one year; what it leaves out comes from elsewhere."""

    list: str = ""
    program_id: str | None = None
    same_as: int | None = None
    copy: str | None = None
    read: date | None = None
    unchanged: bool = False
    note: str = ""
    places: Mapping[str, Any] = field(default_factory=dict)
    omission: tuple[Omission, ...] = ()
    term: tuple[Deviation, ...] = ()


def load_sources(path: Path, edition: int) -> SourceText | None:
    """Return what the text of an edition was made of; `None` without a file.

    A year that the file does not state has the source of the latest one before it.

    Raises:
        ProgramFolderError: The file is malformed.
    """
    texts = load_source_texts(path)
    year = latest(texts, edition)
    return texts[year] if year else None


def load_source_texts(path: Path) -> dict[int, SourceText]:
    """Return what the texts of a program were made of, by the years that its file states.

    Raises:
        ProgramFolderError: The file is malformed.
    """
    if not path.exists():
        return {}
    tables = read_toml(path)
    program_id = tables.pop("program_id", "")
    check_table(path, "the file", {"program_id": program_id}, {"program_id": str})
    texts: dict[int, SourceText] = {}
    for key, table in sorted(tables.items()):
        if not key.isdecimal():
            raise malformed(path, f"{key!r} is no edition. Write one table a year: [2024].")
        texts[int(key)] = _source_text(path, int(key), table, program_id, texts)
    return texts


def _source_text(
    path: Path, year: int, table: Any, program_id: str, earlier: Mapping[int, SourceText]
) -> SourceText:
    stated = read_as(_Stated, path, f"[{year}]", table)
    claims = tuple(_claim(path, year, *entry) for entry in stated.places.items())
    if stated.same_as is not None and stated.same_as not in earlier:
        known = ", ".join(map(str, earlier)) or "none"
        raise malformed(
            path,
            f"[{year}] has same_as = {stated.same_as}, which stands not before it ({known} do). "
            "Name an earlier year of the file.",
        )
    base = earlier.get(stated.same_as) if stated.same_as else None
    # Who states a list of its own states whose copy was read, and when, too.
    usual = Record(year, "draft") if stated.list else edition_list(year)
    name = stated.list or usual.list
    if not name:
        raise malformed(
            path, f"[{year}] lacks list, and editions.toml has none for {year}. Name the source."
        )
    if stated.program_id is not None:
        program_id = stated.program_id
    elif base:
        program_id = base.program_id
    return SourceText(
        year=year,
        list=name,
        program_id=program_id,
        copy=usual.copy if stated.copy is None else stated.copy,
        read=stated.read or usual.read,
        is_unchanged=stated.unchanged,
        note=stated.note,
        claims=(base.claims if base else ()) + claims,
        omissions=(base.omissions if base else ()) + stated.omission,
        terms=(base.terms if base else ()) + stated.term,
    )


def day_compared(text: SourceText) -> date | None:
    """Return the day on which values were compared with a text; `None` where nobody says."""
    usual = edition_list(text.year)
    return text.read or (usual.verified if text.list == usual.list else None)


def edition_list(year: int) -> Record:
    """Return the record of an edition, which holds the list that most of its texts come from."""
    return _records(registers()).get(year, Record(year, "draft"))


@cache
def _records(_files: tuple[Path, ...]) -> dict[int, Record]:
    return load_register()


def forget_lists() -> None:
    """Read the register anew from now on, after it changed."""
    _records.cache_clear()


def _claim(path: Path, year: int, clauses: str, stated: Any) -> Claim:
    ids = [each.strip() for each in clauses.split(",")]
    table = {"place": stated} if isinstance(stated, str) else stated
    whole = {"clauses": ids, **table} if isinstance(table, dict) else table
    return read_as(Claim, path, f"the place of clause {clauses} of {year}", whole)
