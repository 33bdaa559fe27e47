"""What an evaluation plays: households, what they are interested in, the texts agents read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benyfits_data.dataset import (
    digest,
    label_row,
    read_lines,
    read_manifest,
    read_partial_rows,
    read_rows,
)
from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError, EvaluationError
from benyfits_data.evaluation.agents.hiding import hide

PUBLISHED_SETS = {(56, 305): "published diverse", (25, 246): "published representative"}
"""Households and pairs of the two sets, as the authors' files hold them."""
PUBLISHED_EDITION = 2024
"""The year of the rules behind the published files."""


@dataclass(frozen=True)
class PlannedDialog:
    """One dialog to be played, about the household of one dataset row.

    Attributes:
        household: Its facts, `{"members": [...], ...}`.
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

    @property
    def likely_length(self) -> int:
        """How many questions it is likely to have, roughly; for comparisons."""
        return len(self.programs) * len(self.household["members"])


def load_rows(path: Path) -> list[PlannedDialog]:
    """Return the rows of one of our dataset files with the texts of their edition.

    Args:
        path: A JSON Lines file built by `benyfits-data diverse` or `representative`.

    Raises:
        EvaluationError: There is no such file, or it is empty.
        DatasetFormatError: A line is no row.
    """
    _open(path)
    rows = []
    for row in read_rows(path):
        edition = load_edition(row.edition)
        rows.append(
            PlannedDialog(
                id=row.id,
                edition=row.edition,
                household=row.household.facts(),
                profile=row.profile,
                programs=tuple(row.programs),
                labels={name: row.eligible[name] for name in row.programs},
                requirements={name: edition.program(name).requirements() for name in row.programs},
            )
        )
    return _check_some(rows, path)


def load_published(path: Path, requirements: Path, *, relabel: bool = False) -> list[PlannedDialog]:
    """Return the rows of one of the published files with the published texts.

    Facts that the published layout cannot tell are filled in; they matter to the reference user
    and to `relabel` only.

    Args:
        path: JSON Lines with `hh`, `hh_nl_desc`, `edge_case_programs` and a bool per program.
        requirements: JSON Lines with `program_name` and `plain_language_eligibility`.
        relabel: Whether to take our labels instead of the file's.

    Raises:
        EvaluationError: A file does not exist or is empty, or a program has no text.
        DatasetFormatError: A line is no row.
    """
    _open(path)
    if not requirements.exists():
        raise EvaluationError(f"{requirements} does not exist. Give the published texts.")
    texts = {
        str(content.get("program_name")): str(content.get("plain_language_eligibility"))
        for _, content in read_lines(requirements)
    }
    contents = dict(read_lines(path))
    rows = []
    for row in read_partial_rows(path, "published"):
        content = contents[row.line]
        told = label_row(row, PUBLISHED_EDITION) if relabel else row.labels
        programs = _programs(path, row.line, content)
        for program in programs:
            if program not in texts:
                raise EvaluationError(
                    f"{requirements} has no text of {program}, which {path}:{row.line} asks about. "
                    "Give the file that belongs to the dataset.",
                    program=program,
                )
            if program not in told:
                raise DatasetFormatError(
                    f"{path}:{row.line} has no label of {program}. Add it, or give --relabel.",
                    path=path,
                    line=row.line,
                )
        rows.append(
            PlannedDialog(
                id=row.id,
                edition=PUBLISHED_EDITION,
                household=row.household().facts(),
                profile=str(content.get("hh_nl_desc", "")),
                programs=programs,
                labels={program: told[program] for program in programs},
                requirements={program: texts[program] for program in programs},
            )
        )
    return _check_some(rows, path)


def recognise(path: Path, layout: str, rows: Sequence[PlannedDialog]) -> str | None:
    """Return which of the benchmark's sets a file is: by its digest, never by its name.

    A set of ours is known by the manifest beside it, which holds its digest. The files that the
    paper's authors published are known by their numbers of households and pairs.

    Args:
        path: The file.
        layout: `ours` or `published`.
        rows: Its rows.
    """
    if layout == "published":
        counts = (len(rows), sum(len(row.programs) for row in rows))
        return PUBLISHED_SETS.get(counts)
    manifest = read_manifest(path.parent, path.stem)
    if manifest is None or manifest["files"].get(path.name) != digest(path):
        return None
    return str(manifest["name"]) if manifest["name"] in ("diverse", "representative") else None


def _programs(path: Path, line: int, content: Mapping[str, Any]) -> tuple[str, ...]:
    programs = content.get("edge_case_programs")
    if isinstance(programs, str):
        # Some exports hold the list as text.
        programs = json.loads(programs.replace("'", '"'))
    if not isinstance(programs, list) or not programs:
        raise DatasetFormatError(
            f"{path}:{line} has edge_case_programs {programs!r}, expected a list of programs.",
            path=path,
            line=line,
        )
    return tuple(sorted(map(str, programs)))


def _open(path: Path) -> None:
    """Hide a dataset from agents of others; refuse one that is not there."""
    hide(path)
    if not path.exists():
        raise EvaluationError(
            f"{path} does not exist. Build it with `benyfits-data diverse` or "
            "`benyfits-data representative`, or name another file with --dataset.",
            path=str(path),
        )


def _check_some(rows: list[PlannedDialog], path: Path) -> list[PlannedDialog]:
    if not rows:
        raise EvaluationError(f"{path} holds no rows. Build it again.", path=str(path))
    return rows
