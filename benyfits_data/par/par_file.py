"""`NAME.par.jsonl` beside a dataset: the fewest questions of its rows.

A line goes with a household, the programs it asks about and the rules of the edition, whatever the
row is called: `of` is a digest of these, so that a set that was built anew, or after a correction,
never reads the floors of another.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import mean, median
from typing import Any, Protocol

from benyfits_data.dataset.json_lines import parse_object, shown, text_lines
from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.model import Household
from benyfits_data.par.certificate import FloorChecker
from benyfits_data.par.floors import floor
from benyfits_data.parallel import run_tasks
from benyfits_data.staged_writes import write_atomically

SUFFIX = ".par.jsonl"
_DIGITS = 16


class AskedRow(Protocol):
    """What par is computed of: a row of a dataset, or a dialog about one."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def edition(self) -> int:
        """Whose rules label it."""

    @property
    def household(self) -> Household:
        """The household."""

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs that it asks about."""


@dataclass(frozen=True)
class RowPar:
    """The fewest questions that force the labels of one row.

    Attributes:
        id: The row's name.
        of: The digest of what is asked, as `digest_of` returns it.
        questions: The questions.
    """

    id: str
    of: str
    questions: tuple[str, ...]

    @property
    def turns(self) -> int:
        """How many questions these are."""
        return len(self.questions)

    def as_json(self) -> str:
        """Return it as one line of JSON."""
        content = {"id": self.id, "of": self.of, "par": self.turns, "questions": self.questions}
        return json.dumps(content, ensure_ascii=False)


KnownPar = dict[str, RowPar]
"""Floors by digest of what is asked."""


def par_path(dataset: Path) -> Path:
    """Return where the floors of a dataset lie."""
    return dataset.with_name(dataset.stem + SUFFIX)


def digest_of(edition: int, programs: Iterable[str], facts: Mapping[str, Any]) -> str:
    """Return the digest of a household's facts, the programs it asks about, and the rules."""
    content = [edition, _rules_digest(edition), sorted(programs), facts]
    text = json.dumps(content, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


@cache
def _rules_digest(year: int) -> str:
    """Return the published digest of an edition's rules; of a draft, one of its program files."""
    edition = load_edition(year)
    if edition.record and edition.record.digest:
        return edition.record.digest
    hashed = hashlib.sha256()
    for program in edition.programs.values():
        for file in sorted(program.folder.iterdir()):
            if file.suffix in (".py", ".toml"):
                hashed.update(file.read_bytes())
    return hashed.hexdigest()


def row_digest(row: AskedRow) -> str:
    """Return the digest of a row's household, edition and programs."""
    return digest_of(row.edition, row.programs, row.household.facts())


def read_par(path: Path) -> KnownPar:
    """Return the floors in a file; none where there is no such file.

    Raises:
        DatasetFormatError: A line tells no floors; names the line.
    """
    return parse_par(text_lines(path), path) if path.exists() else {}


def parse_par(lines: Iterable[tuple[int, str]], path: Path) -> KnownPar:
    """Return the floors in numbered lines; arguments and errors are those of `read_par`."""
    parsed = (_parse_line(path, number, text) for number, text in lines)
    return {row.of: row for row in parsed}


def write_par(path: Path, rows: Iterable[RowPar]) -> None:
    """Write floors, one row a line, atomically."""
    write_atomically(path, "".join(row.as_json() + "\n" for row in rows))


def rows_without(rows: Iterable[AskedRow], known: Mapping[str, RowPar]) -> list[AskedRow]:
    """Return the rows whose floor is not known."""
    return [row for row in rows if row_digest(row) not in known]


def compute_par(
    rows: Sequence[AskedRow],
    workers: int | None = None,
    tick: Callable[[int], object] = lambda done: None,
    *,
    check: bool = False,
) -> KnownPar:
    """Return the fewest questions that force the labels that rows ask for.

    Args:
        rows: Rows of published editions, or of those of the workspace.
        workers: Processes; as many as processors unless given. They change no byte.
        tick: Called with 1 after each row.
        check: Whether a second function checks each floor.

    Raises:
        ProofError: A label could not be proven, or a check failed.
    """
    tasks = [(row.id, row.edition, tuple(row.programs), row.household) for row in rows]
    computed = run_tasks(partial(_compute, check), tasks, workers, tick=tick)
    return {row.of: row for row in computed}


def summarize_par(rows: Iterable[RowPar]) -> dict[str, float]:
    """Return number, mean, median and largest of some floors; nothing of none."""
    turns = [row.turns for row in rows]
    if not turns:
        return {}
    return {
        "rows": len(turns),
        "mean": round(mean(turns), 2),
        "median": median(turns),
        "max": max(turns),
    }


def _compute(check: bool, asked: tuple[str, int, tuple[str, ...], Household]) -> RowPar:
    row, year, programs, household = asked
    edition = load_edition(year)
    fewest = floor(edition, programs, household)
    if check:
        FloorChecker(edition).check(fewest, household, programs)
    return RowPar(row, digest_of(year, programs, household.facts()), fewest.questions)


def _parse_line(path: Path, number: int, text: str) -> RowPar:
    content = parse_object(text, path, number)
    row, of, turns = (content.get(key) for key in ("id", "of", "par"))
    questions = content.get("questions")
    if not (
        isinstance(row, str)
        and isinstance(of, str)
        and isinstance(questions, list)
        and all(isinstance(question, str) for question in questions)
        and turns == len(questions)
    ):
        raise DatasetFormatError(
            f"{path}:{number} is {shown(content)}, expected id, of, a number par and as many "
            "questions. Write the file anew: delete it, then `benyfits-data par FILE --write`.",
            path=path,
            line=number,
        )
    return RowPar(row, of, tuple(questions))
