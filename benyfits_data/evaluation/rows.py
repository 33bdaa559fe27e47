"""What an evaluation plays: households, what they are interested in, the texts agents read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError, EvaluationError


@dataclass(frozen=True)
class PlayedRow:
    """One dialog to be played.

    Attributes:
        id: Identity of the dataset row.
        edition: Year of the rules.
        household: Facts of the household, `{"members": [...], ...}`.
        profile: What the user knows, in prose.
        programs: Programs the user is interested in, sorted.
        labels: The checker's verdict on each.
        requirements: The eligibility text of each.
    """

    id: str
    edition: int
    household: Mapping[str, Any]
    profile: str
    programs: tuple[str, ...]
    labels: Mapping[str, bool]
    requirements: Mapping[str, str]


def load_rows(path: Path) -> list[PlayedRow]:
    """Return the rows of one of our dataset files with the texts of their edition.

    Args:
        path: A JSON Lines file built by `benyfits-data diverse` or `representative`.

    Raises:
        EvaluationError: There is no such file, or it is empty.
        DatasetFormatError: A line is no row.
    """
    if not path.exists():
        raise EvaluationError(
            f"{path} does not exist. Build it with `benyfits-data diverse` or "
            "`benyfits-data representative`, or name another file with --dataset.",
            path=str(path),
        )
    rows = [
        _read(line, path, number)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if line.strip()
    ]
    if not rows:
        raise EvaluationError(f"{path} holds no rows. Build it again.", path=str(path))
    return rows


def _read(line: str, path: Path, number: int) -> PlayedRow:
    try:
        data = json.loads(line)
        edition = int(data["edition"])
        programs = tuple(data["programs"])
        texts = load_edition(edition).programs
        return PlayedRow(
            id=str(data["id"]),
            edition=edition,
            household=data["household"],
            profile=data["profile"],
            programs=programs,
            labels={program: bool(data["eligible"][program]) for program in programs},
            requirements={program: texts[program].requirements() for program in programs},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DatasetFormatError(
            f"{path} line {number} is no row of ours: {type(error).__name__}: {error}. "
            "Give --format published for the published files.",
            path=str(path),
            line=number,
        ) from error
