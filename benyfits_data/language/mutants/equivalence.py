"""Mutants that no possible household tells from the right checker, proven so."""

import ast
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from benyfits_data.editions import Edition, load_edition
from benyfits_data.errors import ProofError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.mutants.detection import detect_mutants, difference_of
from benyfits_data.language.mutants.operators import Mutant, make_mutants
from benyfits_data.language.source import Source
from benyfits_data.language.z3_backend import PATIENCE, Answer, Store, World, whole_world
from benyfits_data.language.z3_backend.batch_proofs import ADVICE
from benyfits_data.language.z3_backend.proof_cache import DEFAULT_FOLDER
from benyfits_data.language.z3_backend.translate import load_z3
from benyfits_data.parallel import run_tasks


@dataclass(frozen=True)
class MutantVerdict:
    """What is known about one mutant.

    Attributes:
        mutant: The wrong checker.
        status: `wrong`: some possible household is decided otherwise; `equivalent`: none is, so
            that it is no mistake; `unknown`: the solver gave up.
        household: One that is decided otherwise, where the solver had to find it; `None` where a
            household of the pool was.
    """

    mutant: Mutant
    status: Literal["wrong", "equivalent", "unknown"]
    household: Household | None


def judge_many(
    edition: Edition,
    pool: Households,
    programs: Sequence[str] | None = None,
    jobs: int = 1,
    patience: float = PATIENCE,
    folder: Path = DEFAULT_FOLDER,
    tick: Callable[[int], object] = lambda done: None,
) -> Iterator[list[MutantVerdict]]:
    """Yield the mutants of each program with what is known of them, in order of the programs.

    Args:
        edition: Whose checkers.
        pool: Possible households; only mutants that none of them detects need a proof.
        programs: The programs; all unless given.
        jobs: Number of processes.
        patience: Seconds given to one question.
        folder: Where proofs are kept.
        tick: Called with 1 whenever a program is done.

    Raises:
        MissingExtraError: The solver is not installed.
        ProofError: Readers disagree.
    """
    load_z3()
    names = list(edition.programs) if programs is None else list(programs)
    work = partial(_judge_named, edition.year, pool, patience, folder)
    yield from run_tasks(work, names, min(jobs, len(names)) or 1, tick=tick, advice=ADVICE)


def judge(
    edition: Edition, name: str, pool: Households, world: World, store: Store | None = None
) -> list[MutantVerdict]:
    """Return the mutants of a program with what is known of them, in order.

    Raises:
        ProofError: A household found by the solver is not decided otherwise: readers disagree.
    """
    program = edition.program(name)
    source = Source.of(program.checker)
    mutants = make_mutants(program)
    detected = detect_mutants(edition, pool, {name: mutants}).detected(name)
    kept = {} if store is None else store.read("mutants", source, program.thresholds)
    n_kept = len(kept)
    found = []
    for mutant, is_detected in zip(mutants, detected, strict=True):
        if is_detected:
            found.append(MutantVerdict(mutant, "wrong", None))
            continue
        question = _digest(mutant)
        answer = kept.get(question)
        if answer is None:
            answer = world.find(difference_of(mutant, program, world.executor))
            if answer.status != "unknown":
                kept[question] = answer
        found.append(_judged(edition, mutant, answer))
    if store is not None and len(kept) > n_kept:
        store.write("mutants", source, program.thresholds, kept)
    return found


def _judged(edition: Edition, mutant: Mutant, answer: Answer) -> MutantVerdict:
    if answer.status == "unknown":
        return MutantVerdict(mutant, "unknown", None)
    if answer.household is None:
        return MutantVerdict(mutant, "equivalent", None)
    alone = Households.from_households([answer.household])
    if not detect_mutants(edition, alone, {mutant.program: [mutant]}).detected(mutant.program)[0]:
        raise ProofError(
            f"{mutant.program}, {mutant.kind} at line {mutant.line} ({mutant.change}): the "
            "solver's household is decided as before. The Z3 and NumPy readers disagree: "
            "report it.",
            mutant=mutant,
            household=answer.household,
        )
    return MutantVerdict(mutant, "wrong", answer.household)


def _digest(mutant: Mutant) -> str:
    values = [getattr(mutant.thresholds, name) for name in mutant.thresholds.names()]
    told = f"{ast.dump(mutant.source.node)}\n{values!r}"
    return hashlib.sha256(told.encode()).hexdigest()[:24]


def _judge_named(
    year: int, pool: Households, patience: float, folder: Path, name: str
) -> list[MutantVerdict]:
    return judge(load_edition(year), name, pool, whole_world(patience), Store(folder))


def witnesses(judged: Sequence[MutantVerdict]) -> Households:
    """Return the households that the solver found to tell mutants apart."""
    return Households.from_households(
        [one.household for one in judged if one.household is not None]
    )
