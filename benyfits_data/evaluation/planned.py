"""What an evaluation plays: households and programs, the texts agents read, the turns they have."""

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benyfits_data.dataset import (
    Row,
    digest,
    label_row,
    read_lines,
    read_manifest,
    read_partial_rows,
    read_rows,
)
from benyfits_data.dataset.published import PUBLISHED_EDITION
from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError, EvaluationError
from benyfits_data.evaluation.conversation import (
    QUESTIONS,
    QUESTIONS_PER_PROGRAM,
    paper_limit,
)
from benyfits_data.evaluation.hiding import hide
from benyfits_data.evaluation.recorded import NAMES
from benyfits_data.evaluation.run_options import (
    DECIDED,
    PAPER,
    PLAIN,
    check_dataset,
    check_row_ids,
    check_texts,
    read_factor,
)
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import labels_under_readings
from benyfits_data.profiles.render import Register, register_of, render_profile

FEWEST = QUESTIONS_PER_PROGRAM
"""Questions of any dialog: where two would prove all labels, finding out which two takes some."""
PUBLISHED_SETS = {(56, 305): "published diverse", (25, 246): "published representative"}
"""Households and pairs of the two sets, as the authors' files hold them."""


@dataclass(frozen=True)
class PlannedDialog:
    """One dialog to be played, about the household of one dataset row.

    Attributes:
        household: Its facts, `{"members": [...], ...}`.
        profile: What the user knows, in prose.
        programs: Programs the user is interested in, sorted.
        labels: The checker's verdict on each.
        requirements: The eligibility text of each.
        texts: What these texts are: `decided`, `plain`, or the name of a file.
        profiles: The register of the profile.
        contested: The programs whose label is contested.
        flips: For each program whose label hangs on readings, the options under which it would be
            the other one, as `reading=option`.
        weights: How many pairs of the city each program stands for; empty in sets that are no
            sample.
        par: The fewest questions that force the labels, by track; empty where nobody knows them.
    """

    id: str
    edition: int
    household: Mapping[str, Any]
    profile: str
    programs: tuple[str, ...]
    labels: Mapping[str, bool]
    requirements: Mapping[str, str]
    texts: str = DECIDED
    profiles: Register = "short"
    contested: tuple[str, ...] = ()
    flips: Mapping[str, Sequence[str]] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    par: Mapping[str, Sequence[str]] = field(default_factory=dict)


def load_rows(
    path: Path, texts: str = DECIDED, profiles: Register = "short"
) -> list[PlannedDialog]:
    """Return the rows of one of our dataset files with texts for agents to read.

    Args:
        path: A JSON Lines file built by `benyfits-data diverse` or `representative`.
        texts: `decided`, `plain`, or a file of texts; see `find_texts`.
        profiles: The register of the profiles; those of another one are written anew.

    Raises:
        EvaluationError: There is no such file, or it is empty, or the texts lack a program.
        DatasetFormatError: A line is no row.
    """
    _open(path)
    return _check_some(plan_rows(read_rows(path), texts, profiles), path)


def pick_rows(rows: Sequence[PlannedDialog], ids: Sequence[str]) -> list[PlannedDialog]:
    """Return the rows of some ids, in the order of the dataset.

    Raises:
        EvaluationError: There is no such row.
    """
    check_row_ids([row.id for row in rows], ids)
    return [row for row in rows if row.id in ids]


def plan_rows(
    read: Sequence[Row], texts: str = DECIDED, profiles: Register = "short"
) -> list[PlannedDialog]:
    """Return the dialogs about some rows of ours; arguments and errors are those of `load_rows`."""
    chosen = find_texts(texts)
    return [
        PlannedDialog(
            id=row.id,
            edition=row.edition,
            household=row.household.facts(),
            profile=(
                row.profile
                if register_of(row.profile) == profiles
                else render_profile(row.household, profiles)
            ),
            programs=tuple(row.programs),
            labels={program: row.eligible[program] for program in row.programs},
            requirements={program: chosen.of(row.edition, program) for program in row.programs},
            texts=chosen.name,
            profiles=profiles,
            contested=tuple(program for program in row.programs if program in row.contested),
            flips=flips,
            weights=row.weights,
        )
        for row, flips in zip(read, _flips(read), strict=True)
    ]


def _flips(rows: Sequence[Row]) -> list[dict[str, list[str]]]:
    """Return for each row the options of readings that would change a label it asks about."""
    flips: list[dict[str, list[str]]] = [{} for _ in rows]
    for year in {row.edition for row in rows}:
        edition = load_edition(year)
        places = [place for place, row in enumerate(rows) if row.edition == year]
        names = {name for place in places for name in rows[place].programs}
        asked = [name for name in edition if name in names and edition[name].readings]
        table = Households.from_households([rows[place].household for place in places])
        for name, options in labels_under_readings(edition, table, asked).options.items():
            for (reading, option), labels in options.items():
                for label, place in zip(labels.tolist(), places, strict=True):
                    if rows[place].eligible.get(name, label) is not label:
                        flips[place].setdefault(name, []).append(f"{reading}={option}")
    return flips


def load_published(path: Path, texts: str, *, relabel: bool = False) -> list[PlannedDialog]:
    """Return the rows of one of the published files with texts, mostly the published ones.

    Facts that the published layout cannot tell are filled in; they matter to the reference user
    and to `relabel` only.

    Args:
        path: JSON Lines with `hh`, `hh_nl_desc`, `edge_case_programs` and a bool per program.
        texts: `decided`, `plain`, or a file of texts; see `find_texts`.
        relabel: Whether to take our labels instead of the file's.

    Raises:
        EvaluationError: A file does not exist or is empty, or a program has no text.
        DatasetFormatError: A line is no row.
    """
    _open(path)
    words = find_texts(texts)
    contents = dict(read_lines(path))
    rows = []
    for row in read_partial_rows(path, "published"):
        content = contents[row.line]
        labels = label_row(row, PUBLISHED_EDITION) if relabel else row.labels
        programs = _programs(path, row.line, content)
        for program in programs:
            if program not in labels:
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
                labels={program: labels[program] for program in programs},
                requirements={asked: words.of(PUBLISHED_EDITION, asked) for asked in programs},
                texts=words.name,
                profiles="full",
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
    return str(manifest["name"]) if manifest["name"] in NAMES else None


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
    check_dataset(path)


def _check_some(rows: list[PlannedDialog], path: Path) -> list[PlannedDialog]:
    if not rows:
        raise EvaluationError(f"{path} holds no rows. Build it again.", path=str(path))
    twice = [name for name, count in Counter(row.id for row in rows).items() if count > 1]
    if twice:
        raise EvaluationError(
            f"{path} holds several rows of the id {twice[0]}, and a dialog is known by its row's "
            "id. Give every row one of its own.",
            path=str(path),
        )
    return rows


@dataclass(frozen=True)
class Texts:
    """Texts of programs.

    Attributes:
        name: What tables call them: `decided`, `plain`, or the file's name without its ending.
        of: Returns the text of a program in an edition.
    """

    name: str
    of: Callable[[int, str], str]


def find_texts(named: str) -> Texts:
    """Return the texts that `--texts` names.

    Args:
        named: `decided`: the requirement texts, complete and unambiguous; `plain`: what a public
            page would say; else a file of JSON Lines with `program_name` and
            `plain_language_eligibility`.

    Raises:
        EvaluationError: There is no such file; or, once a text is asked for, it lacks a program.
        ProgramFolderError: Once a text is asked for, the program has no plain text.
    """
    if named == DECIDED:
        return Texts(named, lambda year, name: load_edition(year).program(name).requirements())
    if named == PLAIN:
        return Texts(named, lambda year, name: load_edition(year).program(name).plain())
    check_texts(named)
    path = Path(named)
    texts = {
        str(content.get("program_name")): str(content.get("plain_language_eligibility"))
        for _, content in read_lines(path)
    }

    def of(year: int, name: str) -> str:
        if name not in texts:
            raise EvaluationError(
                f"{path} has no text of {name}, which the dataset asks about. "
                "Give the file that belongs to the dataset.",
                program=name,
            )
        return texts[name]

    return Texts(path.stem, of)


def limit_of(row: PlannedDialog, max_turns: str, track: str | None) -> int:
    """Return how many questions a dialog may have.

    Args:
        row: The dialog; with the par that the limit needs.
        max_turns: `paper`, or `par:K` for K times its par, and `FEWEST` at least.
        track: What one question may ask; a single fact unless given.
    """
    factor = read_factor(max_turns)
    if factor is None:
        return paper_limit(len(row.programs))
    return max(FEWEST, math.ceil(factor * len(row.par[track or "one"])))


def require_par(rows: Sequence[PlannedDialog], max_turns: str, track: str | None) -> None:
    """Return nothing where every row has the par that a limit needs.

    Raises:
        EvaluationError: Rows lack it, or `max_turns` is none.
    """
    if read_factor(max_turns) is not None:
        check_par(rows, track or "one", f"--max-turns {max_turns}")


def check_par(rows: Sequence[PlannedDialog], track: str, option: str) -> None:
    """Return nothing where every row has its par.

    Raises:
        EvaluationError: Rows lack it; names the option that asks for it.
    """
    if missing := [row.id for row in rows if track not in row.par]:
        raise EvaluationError(
            f"{option}: {len(missing)} of {len(rows)} rows have no par of the track {track}, the "
            f"first is {missing[0]}. Add it: `benyfits-data par FILE --track {track} --write`.",
            rows=missing,
        )


def describe_limit(
    rows: Sequence[PlannedDialog], max_turns: str, track: str | None
) -> dict[str, Any]:
    """Return what a manifest says of the limit; arguments and errors are those of `require_par`."""
    require_par(rows, max_turns, track)
    if max_turns == PAPER:
        return {"questions": QUESTIONS, "questions_per_program": QUESTIONS_PER_PROGRAM}
    return {"max_turns": max_turns, "fewest": FEWEST}
