"""Reading the city's dataset "Benefits and Programs" (kvhd-5fmu) as downloaded.

The names of its fields are those of the Socrata API: the data dictionary of its predecessor
(2j8u-wtju), listed on splitgraph.com, has `program_code`, `program_name` and the like; public
programs that read kvhd-5fmu also name `language`, `program_acronym`, `plain_language_program_name`
and `plain_language_eligibility`, whose texts hold HTML. Downloads as a table head their columns
with these names, or with those people read, `Program Name`.
"""

import csv
import html
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benyfits_data.errors import DatasetFormatError

NAME, TEXT = "program_name", "plain_language_eligibility"
_ID = re.compile(r"\s*(P\d{3})(?:en)?\s*$")
"""The city's id of a program in English, in whatever column it stands."""
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
        row: Its row in the file; the header of a CSV is row 1.
        code: The city's code for it; may be empty.
        name: Its name.
        plain_name: What it does in a few words; may be empty.
        acronym: May be empty.
        eligibility: Who may get it, as plain text.
        id: The city's id of it, such as `P013`; empty where the row has none.
    """

    row: int
    code: str
    name: str
    plain_name: str
    acronym: str
    eligibility: str
    id: str = ""


def read_listing(path: Path) -> list[CityProgram]:
    """Return the English rows of a download, CSV or JSON.

    Raises:
        DatasetFormatError: The file is neither, lacks a column, or has no English rows.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetFormatError(f"{path} cannot be read: {error}.", path=path) from error
    if text.lstrip()[:1] in ("{", "["):
        rows = enumerate(_from_json(path, text), start=1)
    else:
        csv.field_size_limit(10_000_000)
        rows = enumerate(csv.DictReader(io.StringIO(text)), start=2)
    programs = []
    for number, row in rows:
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
                    next((it[1] for value in fields.values() if (it := _ID.match(value))), ""),
                )
            )
    if not programs:
        raise DatasetFormatError(f"{path} has no rows in English.", path=path)
    return programs


def _from_json(path: Path, text: str) -> list[dict[str, Any]]:
    """Return the rows of either JSON form: a list of objects, or columns and rows apart."""
    try:
        content = json.loads(text)
        if isinstance(content, dict):
            columns = [column["fieldName"] for column in content["meta"]["view"]["columns"]]
            content = [dict(zip(columns, row, strict=True)) for row in content["data"]]
        return [dict(row) for row in content]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DatasetFormatError(
            f"{path} is no download of the dataset: {str(error)[:80]}. Expected a list of objects, "
            "or `meta` and `data`.",
            path=path,
        ) from error


def strip_tags(text: str) -> str:
    """Return HTML as plain text: blocks on lines of their own, cells of tables between bars."""
    if _TAGS[0][0].search(text):
        text = " ".join(text.split())  # Lines of HTML are no lines of the page.
    for tag, instead in _TAGS:
        text = tag.sub(instead, text)
    text = html.unescape(text).replace("\xa0", " ").replace("\u200b", "")
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)
