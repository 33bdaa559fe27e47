"""What an evaluation plays: households and programs, the texts agents read, the turns they have."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from benyfits_data.dataset import (
    Row,
    digest,
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
from benyfits_data.evaluation.run_options import (
    DECIDED,
    PLAIN,
    check_dataset,
    check_texts,
    read_factor,
)
from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.par.par_file import KnownPar, digest_of
from benyfits_data.profiles.render import Register, register_of, render_profile
from benyfits_data.recorded import NAMES

FEWEST = QUESTIONS_PER_PROGRAM
"""Questions of any dialog: where two would prove all labels, finding out which two takes some."""
PUBLISHED_SETS: Mapping[str, Mapping[str, int]] = {
    "published diverse": {
        "households": 56,
        "pairs": 305,
        "adults in foster care": 51,
        "minors who aged out of foster care": 34,
    },
    "published representative": {
        "households": 25,
        "pairs": 246,
        "programs that nobody may claim": 34,
        "programs that everybody may claim": 1,
    },
}
"""What the files that the paper's authors published hold: their size, and what no other set has."""


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
        weights: How much each program counts; those that are not there count 1.
        par: The fewest questions that force the labels; nothing where nobody knows them.
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
    weights: Mapping[str, float] = field(default_factory=dict)
    par: Sequence[str] | None = None


def load_rows(
    path: Path, texts: str = DECIDED, profiles: Register = "short", limit: int | None = None
) -> list[PlannedDialog]:
    """Return the rows of one of our dataset files with texts for agents to read.

    Args:
        path: A JSON Lines file built by `benyfits-data diverse` or `representative`.
        texts: `decided`, `plain`, or a file of texts; see `find_texts`.
        profiles: The register of the profiles; those of another one are written anew.
        limit: How many of the first rows; all unless given.

    Raises:
        EvaluationError: There is no such file, or it is empty, or the texts lack a program.
        DatasetFormatError: A line is no row.
    """
    check_dataset(path)
    rows = read_rows(path)
    _check_ids([row.id for row in rows], path)
    return plan_rows(rows[:limit], texts, profiles)


def count_rows(path: Path) -> int:
    """Return how many rows a dataset file of ours or of the published layout holds."""
    return sum(1 for _ in read_lines(path))


def plan_rows(
    read: Sequence[Row], texts: str = DECIDED, profiles: Register = "short"
) -> list[PlannedDialog]:
    """Return the dialogs about some rows of ours; arguments and errors are those of `load_rows`."""
    text_name, text_of = find_texts(texts)
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
            requirements={program: text_of(row.edition, program) for program in row.programs},
            texts=text_name,
            profiles=profiles,
            contested=tuple(program for program in row.programs if program in row.contested),
            weights=row.weights,
        )
        for row in read
    ]


def load_published(path: Path, texts: str) -> list[PlannedDialog]:
    """Return the rows of one of the published files with texts, mostly the published ones.

    Facts that the published layout cannot tell are filled in; they matter to the reference user
    only.

    Args:
        path: JSON Lines with `hh`, `hh_nl_desc`, `edge_case_programs` and a bool per program.
        texts: `decided`, `plain`, or a file of texts; see `find_texts`.

    Raises:
        EvaluationError: A file does not exist or is empty, or a program has no text.
        DatasetFormatError: A line is no row.
    """
    check_dataset(path)
    text_name, text_of = find_texts(texts)
    profiles = {number: str(content.get("hh_nl_desc", "")) for number, content in read_lines(path)}
    rows = []
    for row in read_partial_rows(path, "published"):
        programs = tuple(sorted(row.programs or ()))
        if not programs or row.eligible.keys() != {*programs}:
            raise DatasetFormatError(
                f"{path}:{row.line} has edge_case_programs {row.programs!r}, expected a list of "
                "programs, each with a label, true or false.",
                path=path,
                line=row.line,
            )
        rows.append(
            PlannedDialog(
                id=row.id,
                edition=PUBLISHED_EDITION,
                household=row.household().facts(),
                profile=profiles[row.line],
                programs=programs,
                labels=row.eligible,
                requirements={asked: text_of(PUBLISHED_EDITION, asked) for asked in programs},
                texts=text_name,
                profiles="full",
            )
        )
    _check_ids([row.id for row in rows], path)
    return rows


def recognise(path: Path, layout: str) -> str | None:
    """Return which of the benchmark's sets a file is: by what it holds, never by its name.

    A set of ours is known by the manifest beside it, which holds its digest; the files that the
    paper's authors published by `PUBLISHED_SETS`.

    Args:
        path: The file.
        layout: `ours` or `published`.
    """
    if layout == "published":
        counts = count_published(path)
        return next((name for name, set_ in PUBLISHED_SETS.items() if set_.items() <= counts), None)
    manifest = read_manifest(path.parent, path.stem)
    if manifest is None or manifest["files"].get(path.name) != digest(path):
        return None
    return str(manifest["name"]) if manifest["name"] in NAMES else None


def count_published(path: Path) -> AbstractSet[tuple[str, int]]:
    """Return how much of each thing that `PUBLISHED_SETS` names a published file holds."""
    rows = [*read_partial_rows(path, "published")]
    members = [facts for row in rows for facts in row.facts["members"]]
    adults = [facts for facts in members if facts.get("age", 0) >= ADULT_AGE]
    minors = [facts for facts in members if facts.get("age", 0) < ADULT_AGE]
    claims = Counter(name for row in rows for name, label in row.labels.items() if label)
    claimed_by = [claims[name] for name in {name for row in rows for name in row.labels}]
    return {
        "households": len(rows),
        "pairs": sum(len(row.programs or ()) for row in rows),
        "adults in foster care": sum(facts.get("in_foster_care", False) for facts in adults),
        "minors who aged out of foster care": sum(f.get("foster_age_out", False) for f in minors),
        "programs that nobody may claim": claimed_by.count(0),
        "programs that everybody may claim": claimed_by.count(len(rows)),
    }.items()


def _check_ids(ids: Sequence[str], path: Path) -> None:
    if not ids:
        raise EvaluationError(f"{path} holds no rows. Build it again.", path=str(path))
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise EvaluationError(
            f"{path} holds several rows of the id {twice[0]}, and a dialog is known by its row's "
            "id. Give every row one of its own.",
            path=str(path),
        )


def find_texts(named: str) -> tuple[str, Callable[[int, str], str]]:
    """Return what tables call the texts that `--texts` names, and what returns each of them.

    The second is called with an edition and a program's name.

    Args:
        named: `decided`: the requirement texts, complete and unambiguous; `plain`: what a public
            page would say; else a file of JSON Lines with `program_name` and
            `plain_language_eligibility`.

    Raises:
        EvaluationError: There is no such file; or, once a text is asked for, it lacks a program.
        ProgramFolderError: Once a text is asked for, the program has no plain text.
    """
    # A text is written once, however many rows ask about its program.
    if named == DECIDED:
        decided = cache(lambda year, name: load_edition(year).program(name).requirements())
        return named, decided
    if named == PLAIN:
        return named, cache(lambda year, name: load_edition(year).program(name).plain())
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

    return path.stem, of


def limit_of(row: PlannedDialog, max_turns: str) -> int:
    """Return how many questions a dialog may have.

    Args:
        row: The dialog; with the par that the limit needs.
        max_turns: `paper`, or `par:K` for K times its par, and `FEWEST` at least.
    """
    factor = read_factor(max_turns)
    if factor is None:
        return paper_limit(len(row.programs))
    return max(FEWEST, math.ceil(factor * len(row.par or ())))


def add_par(rows: Sequence[PlannedDialog], known: KnownPar) -> list[PlannedDialog]:
    """Return planned dialogs of our sets with what is known of their par."""
    digests = [digest_of(row.edition, row.programs, row.household) for row in rows]
    return [
        replace(row, par=known[of].questions) if of in known else row
        for row, of in zip(rows, digests, strict=True)
    ]


def check_par(rows: Sequence[PlannedDialog], option: str) -> None:
    """Return nothing where every row has its par.

    Raises:
        EvaluationError: Rows lack it; names the option that asks for it.
    """
    if missing := [row.id for row in rows if row.par is None]:
        raise EvaluationError(
            f"{option}: {len(missing)} of {len(rows)} rows have no par, the first is {missing[0]}. "
            "Add it: `benyfits-data par FILE --write`.",
            rows=missing,
        )


def describe_limit(rows: Sequence[PlannedDialog], max_turns: str) -> dict[str, Any]:
    """Return what a manifest says of how many questions there may be.

    Raises:
        EvaluationError: A limit goes by par, which rows lack; or `max_turns` is none.
    """
    if read_factor(max_turns) is None:
        return {"questions": QUESTIONS, "questions_per_program": QUESTIONS_PER_PROGRAM}
    check_par(rows, f"--max-turns {max_turns}")
    return {"max_turns": max_turns, "fewest": FEWEST}
