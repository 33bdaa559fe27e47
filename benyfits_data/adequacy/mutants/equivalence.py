"""Mutants that no possible household tells from the right checker, proven so."""

import ast
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benyfits_data.adequacy.mutants.detection import detect_mutants, difference_of
from benyfits_data.adequacy.mutants.operators import Mutant
from benyfits_data.editions import Edition
from benyfits_data.errors import ProofError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.source import Source
from benyfits_data.language.z3_backend import Answer, Store, World


@dataclass(frozen=True)
class MutantVerdict:
    """What is known about one mutant.

    Attributes:
        mutant: The wrong checker.
        status: `wrong`: some possible household is decided otherwise; `equivalent`: none is, so
            that it is no mistake; `unknown`: the solver gave up.
        household: One that is decided otherwise, where the mutant is wrong.
    """

    mutant: Mutant
    status: Literal["wrong", "equivalent", "unknown"]
    household: Household | None


def judge(
    edition: Edition, name: str, mutants: Sequence[Mutant], world: World, store: Store | None = None
) -> list[MutantVerdict]:
    """Return what the solver finds of some mutants of a program, in order.

    Raises:
        ProofError: A household found by the solver is not decided otherwise: readers disagree.
    """
    program = edition.program(name)
    source = Source.of(program.checker)
    kept = {} if store is None else store.read("mutants", source, program.thresholds)
    n_kept = len(kept)
    found = []
    for mutant in mutants:
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
