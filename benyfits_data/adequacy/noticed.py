"""What a set can notice: lines, branches, independence pairs and mutants, each possible or not."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.adequacy.independence import IndependenceReader
from benyfits_data.adequacy.missing_proofs import Status, prove_missing
from benyfits_data.adequacy.mutants import Detector, Mutant, mutants_of
from benyfits_data.editions import Edition
from benyfits_data.fuzz.corpus import Corpus, Objective, collect
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.household.columns import Households
from benyfits_data.language.source import Deciding, Element, Source
from benyfits_data.language.z3_backend import find_witnesses


class ThoroughObjective(Objective):
    """Tells what households cover; made once, since reading mutants takes long.

    Args:
        edition: Whose checkers.

    Attributes:
        mutants: The mutants of each program.
    """

    def __init__(self, edition: Edition) -> None:
        super().__init__("thorough")
        self.edition = edition
        self.mutants = mutants_of(edition)
        self._detector = Detector(edition, self.mutants)
        self._independence = IndependenceReader(edition)

    def coverage(self, corpus: Corpus) -> list[Coverage]:
        """Return what the households of a corpus cover: -1 is a program's first mutant."""
        coverages = []
        for name, made in self.mutants.items():
            parts: list[tuple[Sequence[Element], NDArray[np.uint64]]]
            parts = [(corpus.answers.elements[name], corpus.answers.traces[name])]
            if made:  # One program asks nothing.
                alone = self._independence.read_program(name, corpus.households)
                parts.append((self._independence.conditions[name], alone))
                detected = self._detector.bits(name, corpus.households)
                parts.append((range(-1, -1 - len(made), -1), detected))
            coverages.append(Coverage.of(name, *parts))
        return coverages


PAIRS = "independence pairs"
Known = dict[tuple[str, Element], Status]
"""Whether something can be covered, by program and element."""


@dataclass(frozen=True)
class Noticeable:
    """Something that a set may notice.

    Attributes:
        kind: `lines`, `branches`, `independence pairs`, or the mistake that a mutant makes.
        program: The program.
        elements: What must be covered for it: both halves of an independence pair, else one.
        mutant: The mutant, if it is one.
    """

    kind: str
    program: str
    elements: tuple[Element, ...]
    mutant: Mutant | None = None

    def status(
        self, covered: Set[Element], known: Mapping[tuple[str, Element], Status]
    ) -> Status | Literal["covered"]:
        """Return whether it is covered, or else impossible, known to be possible, or unknown."""
        statuses = {
            "covered" if element in covered else known.get((self.program, element), "unknown")
            for element in self.elements
        }
        order: tuple[Status | Literal["covered"], ...]
        order = ("impossible", "unknown", "shown", "covered")
        return next(status for status in order if status in statuses)


def items(objective: ThoroughObjective) -> list[Noticeable]:
    """Return all that sets may notice, by program: elements first, then mutants."""
    listed = []
    for name, mutants in objective.mutants.items():
        program = objective.edition.program(name)
        source = Source.of(program.checker)
        listed += [Noticeable("lines", name, (line,)) for line in source.body_lines]
        listed += [Noticeable("branches", name, (branch,)) for branch in source.branches]
        for line in source.decisions:
            listed.append(Noticeable(PAIRS, name, (Deciding(line, True), Deciding(line, False))))
        for position, mutant in enumerate(mutants):
            listed.append(Noticeable(mutant.kind, name, (-1 - position,), mutant))
    return listed


def missing_of(coverage: Sequence[Coverage]) -> dict[str, list[Element]]:
    """Return the conditions and mutants that nobody covers, by program."""
    seen = {
        part.program: [element for element in part.named(~part.reached) if _is_thorough(element)]
        for part in coverage
    }
    return {name: elements for name, elements in seen.items() if elements}


def _is_thorough(element: Element) -> bool:
    """Return whether an element is a condition that decides alone, or a mutant."""
    return isinstance(element, Deciding) or (isinstance(element, int) and element < 0)


def judge_all(
    corpus: Corpus,
    objective: ThoroughObjective,
    workers: int,
    tick: Callable[[int], object] = lambda done: None,
) -> Known:
    """Return whether each element can be covered: some household does, or the solver says so.

    Args:
        corpus: Any households.
        objective: Knows conditions and mutants.
        workers: Processes that ask the solver.
        tick: Called with 1 whenever a program is done.
    """
    coverage = objective.coverage(corpus)
    known: Known = {
        (part.program, element): "shown"
        for part in coverage
        for element in part.named(part.reached)
    }
    households, verdicts = find_witnesses(corpus.edition, corpus.missing())
    for part in (
        objective.coverage(collect(corpus.edition, [households])) if len(households) else ()
    ):
        known.update({(part.program, element): "shown" for element in part.named(part.reached)})
    for verdict in verdicts:
        if verdict.status == "dead":
            known[verdict.program, verdict.element] = "impossible"
    for missing_verdict in prove_missing(corpus.edition, missing_of(coverage), workers, tick):
        known[missing_verdict.program, missing_verdict.element] = missing_verdict.status
    return known


def covered_by(
    objective: ThoroughObjective, households: Households, asked: Mapping[str, NDArray[np.bool_]]
) -> dict[str, set[Element]]:
    """Return what pairs of households and programs cover, by program.

    Args:
        objective: Tells what households cover.
        households: The households.
        asked: Which of them are asked about each program, shape `(n,)`.
    """
    covered = {}
    for part in objective.coverage(collect(objective.edition, [households])):
        which = np.flatnonzero(asked[part.program]).tolist()
        covered[part.program] = {*part.named(part.of_households(which))} if which else set()
    return covered
