"""The city's dataset "Benefits and Programs" (kvhd-5fmu) as downloaded, compared by its ids.

The names of its fields are those of the Socrata API: the data dictionary of its predecessor
(2j8u-wtju), listed on splitgraph.com, has `program_name` and the like; public programs that read
kvhd-5fmu also name `language` and `plain_language_eligibility`, whose texts hold HTML. Downloads as
a table head their columns with these names, or with those people read, `Program Name`.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import Literal, NamedTuple

from markupsafe import Markup

from benyfits_data.editions import Edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.upkeep.csv_tables import read_csv

NAME, TEXT = "program_name", "plain_language_eligibility"
_ID = re.compile(r"(P\d{3})(?:en)?")
"""The city's id of a program in English, in whatever column it stands."""
_ENGLISH = {"", "en", "eng", "english"}
_BLOCK = re.compile(r"</?(?:p|div|[uo]l|li|table|tr|br|h[1-6])\b[^>]*>", re.IGNORECASE)
_CELL = re.compile(r"<t[dh]\b[^>]*>", re.IGNORECASE)


class CityProgram(NamedTuple):
    """A program as the city describes it.

    Attributes:
        id: The city's id of it, such as `P013`.
        name: Its name.
        eligibility: Who may get it, as plain text.
    """

    id: str
    name: str
    eligibility: str

    @property
    def lines(self) -> list[str]:
        """Its name and the lines of its text."""
        return [self.name, *self.eligibility.splitlines()]


def read_listing(path: Path) -> list[CityProgram]:
    """Return the English rows of a download.

    Raises:
        DatasetFormatError: The file is no CSV, lacks a column, or has no English rows; or one of
            these has no id.
    """
    advice = "Download the dataset kvhd-5fmu as CSV, with all of its columns."
    programs = []
    for number, cells in read_csv(path, (NAME, TEXT), DatasetFormatError, advice):
        fields = {name: "" if cell == "NULL" else cell for name, cell in cells.items()}
        if fields.get("language", "").lower() not in _ENGLISH or not fields[NAME]:
            continue
        ids = [match[1] for value in fields.values() if (match := _ID.fullmatch(value))]
        if not ids:
            raise DatasetFormatError(
                f"{path}: row {number}, {fields[NAME]!r}, has no id such as P013 in any column. "
                f"{advice}",
                path=path,
                row=number,
            )
        programs.append(CityProgram(ids[0], strip_tags(fields[NAME]), strip_tags(fields[TEXT])))
    if not programs:
        raise DatasetFormatError(f"{path} has no rows in English.", path=path)
    return programs


def strip_tags(text: str) -> str:
    """Return HTML as plain text: blocks on lines of their own, cells of tables between bars."""
    # Lines of HTML are no lines of the page.
    blocks = _BLOCK.split(text) if _BLOCK.search(text) else text.splitlines()
    plain = (Markup(_CELL.sub(" | ", block)).striptags() for block in blocks)
    lines = (" ".join(line.replace("\u200b", "").split()) for line in plain)
    return "\n".join(line for line in lines if line)


class Finding(NamedTuple):
    """One thing for a maintainer to look at.

    Attributes:
        kind: `gone` and `new` are programs; `changed` is a line of one.
        program: Ours, or the city's name where we have none.
        says: What was found; a line that is gone after `-`, a new one after `+`.
    """

    kind: Literal["changed", "gone", "new"]
    program: str
    says: str


def check_listing(
    edition: Edition, listing: Sequence[CityProgram], before: Sequence[CityProgram] = ()
) -> list[Finding]:
    """Return what is new, gone and changed in the city's list: changed lines first.

    Programs of ours that never had an id of the city's are no part of its list.

    Args:
        edition: Ours, whose programs may be new or gone.
        listing: The city's list.
        before: An earlier download of it, whose lines are compared; none unless given.
    """
    ours = {
        program.sources.program_id: name
        for name, program in edition.items()
        if program.sources and program.sources.program_id
    }
    theirs, earlier = ({program.id: program for program in rows} for rows in (listing, before))
    findings = [
        Finding("changed", ours.get(id, program.name), says)
        for id, program in theirs.items()
        if id in earlier
        for says in _changed_lines(earlier[id].lines, program.lines)
    ]
    findings += [
        Finding("gone", name, f"the list has no {id}")
        for id, name in ours.items()
        if id not in theirs
    ]
    findings += [
        Finding(
            "new", program.name, f"{id}: {shorten(program.eligibility, 80, placeholder=' ...')}"
        )
        for id, program in theirs.items()
        if id not in ours
    ]
    return findings


def _changed_lines(old: Sequence[str], new: Sequence[str]) -> list[str]:
    gone = [f"- {line}" for line in old if line not in new]
    return gone + [f"+ {line}" for line in new if line not in old]
