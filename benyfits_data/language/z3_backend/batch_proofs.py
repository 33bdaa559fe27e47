"""Proofs of many programs, spread over processes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benyfits_data.editions import Edition, load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.source import Element, Source, place
from benyfits_data.language.z3_backend.proof_cache import DEFAULT_FOLDER, Store
from benyfits_data.language.z3_backend.proofs import Verdict, prove_elements
from benyfits_data.language.z3_backend.translate import load_z3
from benyfits_data.language.z3_backend.world import PATIENCE, whole_world
from benyfits_data.parallel import run_tasks

ADVICE = "Use fewer with --jobs."


@dataclass(frozen=True)
class Task:
    """One checker to prove.

    Attributes:
        edition: The year.
        program: The program's name.
        covered: Lines and branches that are known to run.
    """

    edition: int
    program: str
    covered: frozenset[Element] = frozenset()


def prove_many(
    tasks: Sequence[Task],
    jobs: int = 1,
    patience: float = PATIENCE,
    folder: Path = DEFAULT_FOLDER,
    tick: Callable[[int], object] = lambda done: None,
) -> Iterator[list[Verdict]]:
    """Yield the verdicts of each task, in order.

    Args:
        tasks: What to prove.
        jobs: Number of processes; 1 works in this one.
        patience: Seconds given to one question.
        folder: Where verdicts are kept.
        tick: Called with 1 whenever a task is done.

    Raises:
        MissingExtraError: The solver is not installed.
        ProofError: Readers disagree.
        WorkerDiedError: A process died.
    """
    load_z3()
    prove = partial(_prove, patience=patience, folder=folder)
    yield from run_tasks(prove, tasks, min(jobs, len(tasks)) or 1, tick=tick, advice=ADVICE)


def find_witnesses(
    edition: Edition,
    unreached: Mapping[str, Sequence[Element]],
    jobs: int = 1,
    patience: float = PATIENCE,
    folder: Path = DEFAULT_FOLDER,
) -> tuple[Households, list[Verdict]]:
    """Return households for what no household of a corpus runs, and what is known of each element.

    Args:
        edition: Whose checkers.
        unreached: The lines and branches, by program.
        jobs: Number of processes.
        patience: Seconds given to one question.
        folder: Where verdicts are kept.
    """
    tasks = [
        Task(
            edition.year,
            name,
            frozenset(Source.of(edition.program(name).checker).elements) - set(elements),
        )
        for name, elements in unreached.items()
        if elements
    ]
    verdicts = sorted(
        (
            verdict
            for found in prove_many(tasks, jobs, patience, folder)
            for verdict in found
            if verdict.status != "covered"
        ),
        key=lambda verdict: (verdict.program, place(verdict.element)),
    )
    witnesses = [verdict.household for verdict in verdicts if verdict.household is not None]
    return Households.from_households(witnesses), verdicts


def _prove(task: Task, patience: float, folder: Path) -> list[Verdict]:
    program = load_edition(task.edition).program(task.program)
    return prove_elements(program, whole_world(patience), task.covered, Store(folder))
