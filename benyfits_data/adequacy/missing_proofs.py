"""Proofs of what no household of a corpus shows: that a mutant is wrong, a condition decides alone.

Each is shown by a household that the solver finds, or proven impossible: the mutant is equivalent
to its checker, the condition never decides alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from benyfits_data.adequacy.independence import (
    deciding_alone,
    deciding_formulas,
)
from benyfits_data.adequacy.mutants import judge, make_mutants
from benyfits_data.editions import Edition, Program, load_edition
from benyfits_data.errors import ProofError
from benyfits_data.household.model import Household
from benyfits_data.language.source import Deciding, Element, named
from benyfits_data.language.z3_backend import World, whole_world
from benyfits_data.language.z3_backend.proofs import ADVICE
from benyfits_data.parallel import run_tasks

Status = Literal["shown", "impossible", "unknown"]
_OF_ANSWERS: dict[str, Status] = {"found": "shown", "none": "impossible", "unknown": "unknown"}
_OF_MUTANTS: dict[str, Status] = {
    "wrong": "shown",
    "equivalent": "impossible",
    "unknown": "unknown",
}


@dataclass(frozen=True)
class MissingVerdict:
    """What is known about something that nobody of a corpus covers.

    Attributes:
        program: The program.
        element: A condition that decides alone; or a mutant, -1 for the first.
        status: `shown` by the household, `impossible`, or `unknown`: the solver gave up.
        household: The household that the solver found.
    """

    program: str
    element: Element
    status: Status
    household: Household | None


def prove_missing(
    edition: Edition,
    missing: Mapping[str, Sequence[Element]],
    jobs: int = 1,
    tick: Callable[[int], object] = lambda done: None,
) -> list[MissingVerdict]:
    """Return a verdict on each condition and mutant that nobody covers.

    Args:
        edition: Whose checkers.
        missing: Conditions that decide alone, and mutants as -1, -2, ..., by program.
        jobs: Number of processes.
        tick: Called with 1 whenever a program is done.

    Raises:
        ProofError: Readers disagree.
    """
    tasks = [(name, tuple(asked)) for name, asked in missing.items()]
    work = partial(_prove, edition.year)
    verdicts_by_task = run_tasks(work, tasks, min(jobs, len(tasks)) or 1, tick=tick, advice=ADVICE)
    verdicts = [verdict for of_task in verdicts_by_task for verdict in of_task]
    shown = [
        (verdict.program, verdict.element) for verdict in verdicts if verdict.status == "shown"
    ]
    households: dict[tuple[str, Element], Household | None] = {}
    if shown:
        # What a solver finds hangs on what it was asked before: these are asked of a new one, in a
        # process of its own, which one of two workers is.
        (households,) = run_tasks(partial(_show, edition.year), [shown], workers=2)
    return [
        replace(verdict, household=households.get((verdict.program, verdict.element)))
        for verdict in verdicts
    ]


def _show(
    year: int, asked: Sequence[tuple[str, Element]]
) -> dict[tuple[str, Element], Household | None]:
    """Return a household that shows each of some conditions and mutants."""
    households = {}
    for name, element in asked:
        (verdict,) = _judged(year, World(), name, [element])
        households[name, element] = verdict.household
    return households


def _prove(year: int, task: tuple[str, tuple[Element, ...]]) -> list[MissingVerdict]:
    return _judged(year, whole_world(), *task)


def _judged(year: int, world: World, name: str, missing: Sequence[Element]) -> list[MissingVerdict]:
    edition = load_edition(year)
    program = edition.program(name)
    asked = [element for element in missing if isinstance(element, Deciding)]
    missing_verdicts = list(prove_conditions(program, asked, world)) if asked else []
    mutants = [element for element in missing if isinstance(element, int)]
    if mutants:
        made = make_mutants(program)
        wrong = [made[-1 - mutant] for mutant in mutants]
        judged = judge(edition, name, wrong, world)
        for mutant, verdict in zip(mutants, judged, strict=True):
            status = _OF_MUTANTS[verdict.status]
            missing_verdicts.append(MissingVerdict(name, mutant, status, verdict.household))
    return missing_verdicts


def prove_conditions(
    program: Program, asked: Sequence[Deciding], world: World
) -> Iterator[MissingVerdict]:
    """Yield whether some conditions of a program can decide alone.

    Args:
        program: The program.
        asked: The conditions.
        world: The possible households.

    Raises:
        ProofError: A condition does not decide alone for the solver's household: readers disagree.
    """
    formulas = deciding_formulas(program, world.executor)
    for condition in asked:
        answer = world.find(formulas[condition])
        if answer.household is not None and condition not in deciding_alone(
            program, answer.household
        ):
            raise ProofError(
                f"{program.checker_path}: for the solver's household, {named(condition)} is false. "
                "The Z3 reader and CPython disagree: report it with this household.",
                program=program.name,
                element=condition,
                household=answer.household,
            )
        yield MissingVerdict(program.name, condition, _OF_ANSWERS[answer.status], answer.household)
