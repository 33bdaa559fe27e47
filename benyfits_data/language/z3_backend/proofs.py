"""What can be proven about checkers and constraints, and the households that show it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benyfits_data.editions import Edition, Program, Thresholds, load_edition
from benyfits_data.errors import ProofError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import Constraint
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.ir import TRUE
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.source import Element, Source, named, place
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend.world import World, whole_world
from benyfits_data.parallel import run_tasks

Status = Literal["covered", "reachable", "dead", "unknown"]
_STATUSES: dict[str, Status] = {"found": "reachable", "none": "dead", "unknown": "unknown"}


@dataclass(frozen=True)
class Verdict:
    """What is known about one line or branch of one checker.

    Attributes:
        program: The program.
        edition: The year.
        element: The line or branch, by lines of the checker's file.
        status: `covered` by the corpus; `reachable` by the household; `dead`: no possible household
            runs it; `unknown`: the solver gave up.
        household: A household that runs it, confirmed by running it.
        seconds: Time the solver spent.
    """

    program: str
    edition: int
    element: Element
    status: Status
    household: Household | None
    seconds: float


@dataclass(frozen=True)
class ConstraintVerdict:
    """Whether a constraint demands what no other constraints demand together.

    Attributes:
        name: The constraint.
        status: `needed`: the household breaks it and no other; `implied` by the others; `unknown`.
        household: A household that breaks this constraint only.
        seconds: Time the solver spent.
    """

    name: str
    status: Literal["needed", "implied", "unknown"]
    household: Household | None
    seconds: float


def covered_elements(edition: Edition, households: Households) -> dict[str, frozenset[Element]]:
    """Return the lines and branches of each program that at least one of the households runs."""
    batch = label_and_trace(edition, households)
    return {
        name: batch.elements_of(name, np.bitwise_or.reduce(traces, axis=0))
        for name, traces in batch.traces.items()
    }


def prove_elements(
    program: Program, world: World, covered: Iterable[Element] = ()
) -> list[Verdict]:
    """Return a verdict on every line and branch of a program's checker.

    Args:
        program: The program.
        world: The possible households.
        covered: Elements that are known to run and need no proof.

    Raises:
        ProofError: A household found by the solver does not run the element: readers disagree.
    """
    known, verdicts = set(covered), list[Verdict]()
    arguments = HouseholdArgument(), program.thresholds
    for element in Source.of(program.checker).elements:
        if element in known:
            verdicts.append(Verdict(program.name, program.edition, element, "covered", None, 0.0))
            continue
        answer = world.find(world.executor.call(program.checker, arguments).elements[element])
        if answer.household is not None:
            _confirm(program, element, answer.household)
        answered = (_STATUSES[answer.status], answer.household, answer.seconds)
        verdicts.append(Verdict(program.name, program.edition, element, *answered))
    return verdicts


def _confirm(program: Program, element: Element, household: Household) -> None:
    ran = trace(program, household).elements
    if element not in ran:
        raise ProofError(
            f"{program.checker_path}: the solver's household does not run {named(element)} in "
            f"edition {program.edition}; it runs {sorted(ran, key=place)}. The Z3 reader and "
            "CPython disagree: report it with this household.",
            program=program.name,
            element=element,
            household=household,
        )


def prove_constraint(constraint: Constraint, world: World) -> ConstraintVerdict:
    """Return whether a household can break this constraint and no other.

    Raises:
        ProofError: The household found breaks other constraints: readers disagree.
    """
    answer = world.find(world.executor.broken(constraint), without=[constraint.name])
    if answer.household is None:
        status: Literal["implied", "unknown"] = "implied" if answer.status == "none" else "unknown"
        return ConstraintVerdict(constraint.name, status, None, answer.seconds)
    broken = {violation.constraint for violation in answer.household.violations()}
    if broken != {constraint.name}:
        raise ProofError(
            f"The solver's household should break {constraint.name} only, but breaks "
            f"{', '.join(sorted(broken)) or 'nothing'}. The Z3 reader and CPython disagree: "
            "report it with this household.",
            constraint=constraint.name,
            household=answer.household,
        )
    return ConstraintVerdict(constraint.name, "needed", answer.household, answer.seconds)


def prove_constraints(world: World) -> list[ConstraintVerdict]:
    """Return a verdict on every constraint.

    Raises:
        ProofError: The constraints contradict one another: no household is possible.
    """
    if world.find(TRUE).status == "none":
        raise ProofError(
            f"The {len(world.constraints)} constraints contradict one another: no household meets "
            "them all. Relax the one that was added last."
        )
    return [prove_constraint(constraint, world) for constraint in world.constraints.values()]


def difference(
    first: tuple[Source, Thresholds], second: tuple[Source, Thresholds], world: World
) -> Household | None:
    """Return a possible household that two checkers decide differently; `None` if none exists.

    Raises:
        ProofError: The solver gave up.
    """
    builder = world.executor.builder
    first_value, second_value = (
        world.executor.execute(source, [HouseholdArgument(), thresholds]).value
        for source, thresholds in (first, second)
    )
    answer = world.find(builder.negate(builder.equal(first_value, second_value)))
    if answer.status == "unknown":
        raise ProofError(
            f"Whether {first[0].name} and {second[0].name} agree is unknown after "
            f"{answer.seconds:.0f} s. Raise EFFORT in z3_backend/world.py.",
            seconds=answer.seconds,
        )
    return answer.household


def program_difference(first: Program, second: Program) -> Household | None:
    """Return a possible household that two programs (or editions of one) decide differently.

    Raises:
        ProofError: The solver gave up.
    """
    return difference(
        (Source.of(first.checker), first.thresholds),
        (Source.of(second.checker), second.thresholds),
        whole_world(),
    )


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
    tick: Callable[[int], object] = lambda done: None,
) -> Iterator[list[Verdict]]:
    """Yield the verdicts of each task, in order.

    Args:
        tasks: What to prove.
        jobs: Number of processes; 1 works in this one.
        tick: Called with 1 whenever a task is done.

    Raises:
        ProofError: Readers disagree.
        WorkerDiedError: A process died.
    """
    yield from run_tasks(_prove, tasks, min(jobs, len(tasks)) or 1, tick=tick, advice=ADVICE)


def find_witnesses(
    edition: Edition, unreached: Mapping[str, Sequence[Element]]
) -> tuple[Households, list[Verdict]]:
    """Return households that run what no household of a corpus runs, and a verdict on each try.

    An element that one of these households runs already is not tried. The same elements always
    give the same households: the solver is new.

    Args:
        edition: Whose checkers.
        unreached: The lines and branches, by program.

    Raises:
        ProofError: Readers disagree.
    """
    world = World()
    verdicts = []
    for name in sorted(unreached):
        program, ran = edition.program(name), set[Element]()
        elements = Source.of(program.checker).elements
        # The last first: who runs it runs much of what stands before it.
        for element in sorted(unreached[name], key=place, reverse=True):
            if element in ran:
                continue
            others = [other for other in elements if other != element]
            (verdict,) = (
                candidate
                for candidate in prove_elements(program, world, others)
                if candidate.element == element
            )
            verdicts.append(verdict)
            if verdict.household is not None:
                ran |= trace(program, verdict.household).elements
    witnesses = [
        past_verdict.household for past_verdict in verdicts if past_verdict.household is not None
    ]
    return Households.from_households(witnesses), verdicts


def _prove(task: Task) -> list[Verdict]:
    program = load_edition(task.edition).program(task.program)
    return prove_elements(program, whole_world(), task.covered)
