"""Rows of a dataset: one household a line, as JSON."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benyfits_data.dataset.files import write_atomically
from benyfits_data.errors import BenyfitsError, DatasetFormatError
from benyfits_data.household.model import Household

KEYS = ("id", "edition", "household", "profile", "programs", "eligible", "labels")


@dataclass(frozen=True)
class Row:
    """One household of a dataset.

    Attributes:
        id: Its name in the dataset.
        edition: The year whose rules label it.
        household: Who lives there, and all facts.
        profile: The same in prose.
        programs: Programs that the household is interested in, sorted.
        eligible: Whether it is eligible, for each of these.
        labels: Whether it is eligible, for every program of the edition.
    """

    id: str
    edition: int
    household: Household
    profile: str
    programs: tuple[str, ...]
    eligible: dict[str, bool]
    labels: dict[str, bool]

    def as_json(self) -> str:
        """Return the row as one line of JSON, keys in their fixed order."""
        content = {
            "id": self.id,
            "edition": self.edition,
            "household": self.household.facts(),
            "profile": self.profile,
            "programs": list(self.programs),
            "eligible": self.eligible,
            "labels": self.labels,
        }
        return json.dumps(content, ensure_ascii=False)


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write a dataset, one row a line, atomically."""
    write_atomically(path, "".join(row.as_json() + "\n" for row in rows))


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a dataset of ours.

    Raises:
        DatasetFormatError: The file cannot be read, or a line is no row; names the line.
    """
    return [_row(path, number, content) for number, content in read_lines(path)]


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the objects of a JSON Lines file with their line numbers; blank lines are left out.

    Raises:
        DatasetFormatError: The file cannot be read, or a line is no JSON object.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetFormatError(
            f"{path} cannot be read: {error}. Give a file of JSON Lines in UTF-8.", path=path
        ) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except json.JSONDecodeError as error:
            raise DatasetFormatError(
                f"{path}:{number} is not JSON: {error.msg} at column {error.colno}. Expected one "
                "JSON object a line.",
                path=path,
                line=number,
            ) from error
        if not isinstance(content, dict):
            raise DatasetFormatError(
                f"{path}:{number} is a JSON {type(content).__name__}, expected an object.",
                path=path,
                line=number,
            )
        yield number, content


def _row(path: Path, number: int, content: dict[str, Any]) -> Row:
    missing = [key for key in KEYS if key not in content]
    if missing:
        raise DatasetFormatError(
            f"{path}:{number} lacks {', '.join(missing)}, expected {', '.join(KEYS)}. "
            "`benyfits-data label` takes partial rows.",
            path=path,
            line=number,
        )
    try:
        return Row(
            id=_typed(content, "id", str),
            edition=_typed(content, "edition", int),
            household=Household.from_facts(_typed(content, "household", dict)),
            profile=_typed(content, "profile", str),
            programs=tuple(_typed(content, "programs", list)),
            eligible=_flags(content, "eligible"),
            labels=_flags(content, "labels"),
        )
    except (BenyfitsError, TypeError, AttributeError) as error:
        raise DatasetFormatError(f"{path}:{number}: {error}", path=path, line=number) from error


def _typed(content: dict[str, Any], key: str, kind: type) -> Any:
    if not isinstance(content[key], kind):
        raise TypeError(f"{key} is {content[key]!r}, expected {kind.__name__}.")
    return content[key]


def _flags(content: dict[str, Any], key: str) -> dict[str, bool]:
    flags = _typed(content, key, dict)
    for program, flag in flags.items():
        if not isinstance(flag, bool):
            raise TypeError(f"{key} of {program} is {flag!r}, expected true or false.")
    return dict(flags)
