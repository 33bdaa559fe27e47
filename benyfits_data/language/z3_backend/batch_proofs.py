"""Proofs of many programs, spread over processes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benyfits_data.editions import Edition, load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.source import Element, Source, place
from benyfits_data.language.z3_backend.proof_cache import DEFAULT_FOLDER, Store
from benyfits_data.language.z3_backend.proofs import Verdict, prove_elements
from benyfits_data.language.z3_backend.world import PATIENCE, World, whole_world
from benyfits_data.parallel import run_tasks

ADVICE = "Use fewer with --workers."


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
        ProofError: Readers disagree.
        WorkerDiedError: A process died.
    """
    prove = partial(_prove, patience=patience, folder=folder)
    yield from run_tasks(prove, tasks, min(jobs, len(tasks)) or 1, tick=tick, advice=ADVICE)


def find_witnesses(
    edition: Edition, unreached: Mapping[str, Sequence[Element]], patience: float = PATIENCE
) -> tuple[Households, list[Verdict]]:
    """Return households for what no household of a corpus runs, and a verdict on each asked for.

    What an earlier household runs is not asked for. The same elements give the same households,
    whatever the process asked before: a solver of its own is asked for them in turn, and none are
    looked up among those that are kept.

    Args:
        edition: Whose checkers.
        unreached: The lines and branches, by program.
        patience: Seconds given to one question.

    Raises:
        ProofError: Readers disagree.
    """
    world = World(patience)
    verdicts = []
    for name in sorted(unreached):
        program, ran = edition.program(name), set[Element]()
        elements = Source.of(program.checker).elements
        # The last first: who runs it runs much of what stands before it.
        for element in sorted(unreached[name], key=place, reverse=True):
            if element in ran:
                continue
            others = [one for one in elements if one != element]
            (verdict,) = (
                one for one in prove_elements(program, world, others) if one.element == element
            )
            verdicts.append(verdict)
            if verdict.household is not None:
                ran |= trace(program, verdict.household).elements
    witnesses = [one.household for one in verdicts if one.household is not None]
    return Households.from_households(witnesses), verdicts


def _prove(task: Task, patience: float, folder: Path) -> list[Verdict]:
    program = load_edition(task.edition).program(task.program)
    return prove_elements(program, whole_world(patience), task.covered, Store(folder))
