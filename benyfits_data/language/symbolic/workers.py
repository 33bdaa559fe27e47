"""Proofs of many programs, spread over processes."""

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benyfits_data.editions import Edition, load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.source import Source
from benyfits_data.language.symbolic.proofs import Verdict, prove_lines
from benyfits_data.language.symbolic.store import DEFAULT_FOLDER, Store
from benyfits_data.language.symbolic.translation import load_z3
from benyfits_data.language.symbolic.world import PATIENCE, World


@dataclass(frozen=True)
class Task:
    """One checker to prove.

    Attributes:
        edition: The year.
        program: The program's name.
        covered: Lines that are known to run.
    """

    edition: int
    program: str
    covered: frozenset[int] = frozenset()


def prove_many(
    tasks: Sequence[Task],
    jobs: int = 1,
    patience: float = PATIENCE,
    folder: Path = DEFAULT_FOLDER,
) -> Iterator[list[Verdict]]:
    """Yield the verdicts of each task, as they come.

    Args:
        tasks: What to prove.
        jobs: Number of processes; 1 works in this one.
        patience: Seconds given to one question.
        folder: Where verdicts are kept.

    Raises:
        MissingExtraError: The solver is not installed.
        ProofError: Readers disagree.
    """
    load_z3()
    if jobs <= 1 or len(tasks) <= 1:
        for task in tasks:
            yield _prove(task, patience, folder)
        return
    # Z3 keeps state that a forked process would share half of.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=context) as pool:
        waiting = [pool.submit(_prove, task, patience, folder) for task in tasks]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def find_witnesses(
    edition: Edition,
    unreached: Mapping[str, Sequence[int]],
    jobs: int = 1,
    patience: float = PATIENCE,
    folder: Path = DEFAULT_FOLDER,
) -> tuple[Households, list[Verdict]]:
    """Return households for lines that no household of a pool runs, and what is known of each line.

    Args:
        edition: Whose checkers.
        unreached: The lines, by program.
        jobs: Number of processes.
        patience: Seconds given to one question.
        folder: Where verdicts are kept.
    """
    tasks = [
        Task(
            edition.year,
            name,
            frozenset(Source.of(edition.program(name).checker).body_lines) - set(lines),
        )
        for name, lines in unreached.items()
        if lines
    ]
    verdicts = sorted(
        (
            verdict
            for found in prove_many(tasks, jobs, patience, folder)
            for verdict in found
            if verdict.status != "covered"
        ),
        key=lambda verdict: (verdict.program, verdict.line),
    )
    witnesses = [verdict.household for verdict in verdicts if verdict.household is not None]
    return Households.from_households(witnesses), verdicts


def _prove(task: Task, patience: float, folder: Path) -> list[Verdict]:
    program = load_edition(task.edition).program(task.program)
    return prove_lines(program, _world(patience), task.covered, Store(folder))


@cache
def _world(patience: float) -> World:
    return World(patience)
