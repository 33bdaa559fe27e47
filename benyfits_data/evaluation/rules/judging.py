"""Judges programs that somebody has: one, or a folder or table of them, in parallel."""

import csv
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from benyfits_data.editions import DEFAULT_EDITION, load_edition
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge, RuleVerdict
from benyfits_data.evaluation.rules.trial_households import TrialHouseholds
from benyfits_data.parallel import run_tasks

COLUMNS = ("name", "program", "source")
_ALONE = threading.Lock()
"""The solver takes one question at a time."""


@dataclass(frozen=True)
class JudgedProgram:
    """A program to be judged: what it is called, what it is to decide, and its text."""

    name: str
    program: str
    source: str


def judge_program(name: str, source: str, year: int = DEFAULT_EDITION) -> RuleVerdict:
    """Return the verdict on a program of an edition.

    Args:
        name: The benefit program.
        source: The text, which defines `check`.
        year: The edition.
    """
    with _ALONE:
        return judge_of(year).judge(name, source)


@cache
def judge_of(year: int) -> RuleJudge:
    """Return the judge of an edition, who keeps its households and formulas."""
    return RuleJudge(load_edition(year))


def judge_all(
    written: Sequence[JudgedProgram],
    year: int = DEFAULT_EDITION,
    workers: int | None = None,
    tick: Callable[[int], object] = lambda done: None,
) -> Iterator[RuleVerdict]:
    """Yield the verdict on each program, in their order.

    Args:
        written: The programs.
        year: The edition.
        workers: Processes; as many as processors unless given.
        tick: Called with 1 whenever one is judged.
    """
    work = partial(_judge_one, year, judge_of(year).households)
    count = min(workers or os.cpu_count() or 1, len(written))
    yield from run_tasks(work, written, count, tick=tick)


def _judge_one(year: int, trials: TrialHouseholds, written: JudgedProgram) -> RuleVerdict:
    judge = judge_of(year)
    judge.trials = judge.trials or trials
    return judge.judge(written.program, written.source)


def read_programs(path: Path, year: int = DEFAULT_EDITION) -> list[JudgedProgram]:
    """Return the programs of a folder or of a table.

    Args:
        path: A folder of `PROGRAM.py`, `PROGRAM.ANYTHING.py` or `PROGRAM/ANYTHING.py`; or a CSV
            file with the columns name, program and source.
        year: The edition whose programs they are to decide.

    Raises:
        EvaluationError: It holds no program, or lacks a column.
        UnknownProgramError: One is to decide a program that the edition does not have.
    """
    result = list(_of_folder(path) if path.is_dir() else _of_table(path))
    if not result:
        raise EvaluationError(
            f"{path} holds no program. Expected PROGRAM.py, PROGRAM.ANYTHING.py or "
            f"PROGRAM/ANYTHING.py, or a CSV file with the columns {', '.join(COLUMNS)}."
        )
    edition = load_edition(year)
    return [
        JudgedProgram(entry.name, edition.program(entry.program).name, entry.source)
        for entry in result
    ]


def _of_folder(folder: Path) -> Iterator[JudgedProgram]:
    for path in sorted(folder.rglob("*.py")):
        is_direct = path.parent == folder
        program = path.name.split(".")[0] if is_direct else path.parent.name
        name = str(path.relative_to(folder))
        yield JudgedProgram(name, program, path.read_text("utf-8", errors="replace"))


def _of_table(path: Path) -> Iterator[JudgedProgram]:
    csv.field_size_limit(10_000_000)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if missing := [name for name in COLUMNS if name not in (reader.fieldnames or ())]:
            raise EvaluationError(
                f"{path} lacks the column {missing[0]}. Expected {', '.join(COLUMNS)}."
            )
        for row in reader:
            yield JudgedProgram(*(row[name] or "" for name in COLUMNS))


def as_record(written: JudgedProgram, verdict: RuleVerdict, year: int) -> dict[str, Any]:
    """Return a verdict as the JSON file and the tables hold it."""
    program = load_edition(year).program(written.program)
    facts: Mapping[str, Any] = asdict(verdict)
    return {
        "name": written.name,
        "program": written.program,
        "edition": year,
        "clauses": len(program.clauses),
        "text": program.requirements(),
        "source": written.source,
        "counterexamples": 0,
        "verdict": {**facts, "is_proven": verdict.is_proven},
    }
