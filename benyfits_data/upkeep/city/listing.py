"""Reading the city's dataset "Benefits and Programs" (kvhd-5fmu) as downloaded.

The names of its fields are those of the Socrata API: the data dictionary of its predecessor
(2j8u-wtju), listed on splitgraph.com, has `program_code`, `program_name` and the like; public
programs that read kvhd-5fmu also name `language`, `program_acronym`, `plain_language_program_name`
and `plain_language_eligibility`, whose texts hold HTML. Downloads as a table head their columns
with these names, or with those people read, `Program Name`.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from benyfits_data.errors import DatasetFormatError

NAME, TEXT = "program_name", "plain_language_eligibility"
_ENGLISH = {"", "en", "eng", "english"}
_BLOCKS = frozenset(
    ("p", "div", "ul", "ol", "li", "table", "tr", "br", "h1", "h2", "h3", "h4", "h5", "h6")
)


@dataclass(frozen=True)
class CityProgram:
    """A program as the city describes it.

    Attributes:
        row: Its row in the file; the header of a CSV is row 1.
        code: The city's code for it; may be empty.
        name: Its name.
        plain_name: What it does in a few words; may be empty.
        acronym: May be empty.
        eligibility: Who may get it, as plain text.
    """

    row: int
    code: str
    name: str
    plain_name: str
    acronym: str
    eligibility: str


def read_listing(path: Path) -> list[CityProgram]:
    """Return the English rows of a download, CSV or JSON.

    Raises:
        DatasetFormatError: The file is neither, lacks a column, or has no English rows.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetFormatError(f"{path} cannot be read: {error}.", path=path) from error
    rows = _from_json(path, text) if text.lstrip()[:1] in ("{", "[") else _from_csv(text)
    programs = []
    for number, row in rows:
        fields = {_field(key): _text(value) for key, value in row.items()}
        missing = [name for name in (NAME, TEXT) if name not in fields]
        if missing:
            raise DatasetFormatError(
                f"{path}: row {number} has no {' and no '.join(missing)}, but "
                f"{', '.join(sorted(fields))}. Download the dataset kvhd-5fmu as CSV or JSON.",
                path=path,
                row=number,
            )
        if fields.get("language", "").strip().lower() in _ENGLISH and fields[NAME].strip():
            programs.append(
                CityProgram(
                    number,
                    fields.get("program_code", ""),
                    strip_tags(fields[NAME]).strip(),
                    strip_tags(fields.get("plain_language_program_name", "")).strip(),
                    fields.get("program_acronym", "").strip(),
                    strip_tags(fields[TEXT]),
                )
            )
    if not programs:
        raise DatasetFormatError(f"{path} has no rows in English.", path=path)
    return programs


def _field(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")


def _text(value: Any) -> str:
    return "" if value is None or value == "NULL" else str(value)


def _from_csv(text: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
    csv.field_size_limit(10_000_000)
    reader = csv.DictReader(io.StringIO(text))
    return [
        (number, {key: value for key, value in row.items() if key is not None})
        for number, row in enumerate(reader, start=2)
    ]


def _from_json(path: Path, text: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """Return the rows of either JSON form: a list of objects, or columns and rows apart."""
    try:
        content = json.loads(text)
        if isinstance(content, dict):
            columns = [column["fieldName"] for column in content["meta"]["view"]["columns"]]
            content = [dict(zip(columns, row, strict=True)) for row in content["data"]]
        return [(number, dict(row)) for number, row in enumerate(content, start=1)]
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetFormatError(
            f"{path} is no download of the dataset: {error!r}. Expected a list of objects, or "
            "`meta` and `data`.",
            path=path,
        ) from error


class _Stripper(HTMLParser):
    """Collects the text of HTML: blocks on lines of their own, cells of tables between bars."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line or a cell."""
        if tag in _BLOCKS:
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        """End a line."""
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self.parts.append(data)


def strip_tags(text: str) -> str:
    """Return HTML as plain text; text without tags stays as it is."""
    stripper = _Stripper()
    stripper.feed(text)
    stripper.close()
    joined = "".join(stripper.parts).replace("\xa0", " ").replace("\u200b", "")
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in joined.splitlines())
    return "\n".join(line for line in lines if line)
