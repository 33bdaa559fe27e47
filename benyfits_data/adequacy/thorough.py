"""The thorough set: a Diverse set that also notices deciding conditions and wrong checkers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.adequacy.independence import deciding_alone
from benyfits_data.adequacy.missing_proofs import MissingVerdict, prove_missing
from benyfits_data.adequacy.mutants import Mutant, is_told_apart
from benyfits_data.adequacy.noticed import PAIRS, ThoroughObjective, items, missing_of
from benyfits_data.dataset import Row
from benyfits_data.editions import Edition
from benyfits_data.errors import ProofError, SelectionError
from benyfits_data.fuzz.build import Diverse, build_diverse
from benyfits_data.fuzz.corpus import Corpus, collect
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.fuzz.sample import Tick
from benyfits_data.household.columns import Households
from benyfits_data.language.source import Deciding, Element, named


def build_thorough(
    edition: Edition, workers: int, *, tick: Tick = lambda done: None, **options: Any
) -> Diverse:
    """Return the thorough set of an edition.

    Args:
        edition: Whose checkers.
        workers: Processes that prove what nobody covers.
        tick: Called with how much more of a step is done.
        options: As `build_diverse` takes them.

    Raises:
        SelectionError: As `build_diverse`; or the set misses a condition or mutant.
        ProofError: Something was proven impossible, and a household shows it.
    """
    objective = ThoroughObjective(edition)
    verdicts: list[MissingVerdict] = []

    def reach(corpus: Corpus) -> Corpus:
        grown, new_verdicts = prove_rest(corpus, objective, workers, tick)
        verdicts.extend(new_verdicts)
        return grown

    built = build_diverse(edition, objective, name="thorough", reach=reach, tick=tick, **options)
    expected = {part.program: part.named(part.reached) for part in built.coverage}
    verify_thoroughly(built.rows, edition, objective.mutants, expected)
    return replace(built, counts=thorough_counts(objective, built.coverage, verdicts))


def prove_rest(
    corpus: Corpus,
    objective: ThoroughObjective,
    workers: int,
    tick: Callable[[int], object] = lambda done: None,
) -> tuple[Corpus, list[MissingVerdict]]:
    """Return the corpus, joined by the solver's households, and a verdict on all nobody covered.

    Args:
        corpus: What was sampled.
        objective: Tells what households cover, conditions and mutants too.
        workers: Processes that ask the solver.
        tick: Called with 1 whenever a program is done.
    """
    verdicts = prove_missing(corpus.edition, missing_of(objective.coverage(corpus)), workers, tick)
    households = [verdict.household for verdict in verdicts if verdict.household is not None]
    if households:
        corpus = corpus.joined_by(collect(corpus.edition, [Households.from_households(households)]))
    return corpus, verdicts


def verify_thoroughly(
    rows: Sequence[Row],
    edition: Edition,
    mutants: Mapping[str, Sequence[Mutant]],
    expected: Mapping[str, Sequence[Element]],
) -> None:
    """Check that CPython, run on the pairs alone, finds every expected condition and mutant.

    Args:
        rows: The set.
        edition: Gives the checkers.
        mutants: The mutants of each program.
        expected: What the corpus covers, by program; lines and branches are left out.

    Raises:
        SelectionError: A condition decides alone for nobody, or nobody detects a mutant.
    """
    for name, elements in expected.items():
        program = edition.program(name)
        households = [row.household for row in rows if name in row.programs]
        alone = frozenset[Deciding]().union(
            *(deciding_alone(program, household) for household in households)
        )
        for element in elements:
            if isinstance(element, Deciding):
                is_covered, what = element in alone, named(element)
            elif isinstance(element, int) and element < 0:
                mutant = mutants[name][-1 - element]
                is_covered = is_told_apart(mutant, program, households)
                what = f"the mutant {mutant.change} ({mutant.kind})"
            else:
                continue
            if not is_covered:
                raise SelectionError(
                    f"The chosen pairs of {name} miss {what}. The corpus covers it: report this "
                    "as a bug.",
                    program=name,
                    missed=element,
                )


def thorough_counts(
    objective: ThoroughObjective, coverage: Sequence[Coverage], verdicts: Sequence[MissingVerdict]
) -> dict[str, dict[str, int]]:
    """Return how many independence pairs and mutants there are, are covered and are impossible.

    Args:
        objective: Knows conditions and mutants.
        coverage: What the corpus covers, and a selection too: one without some of it is refused.
        verdicts: What is known of the rest.

    Raises:
        ProofError: Something was proven impossible, and a household shows it.
    """
    reached = {part.program: {*part.named(part.reached)} for part in coverage}
    known = {(verdict.program, verdict.element): verdict.status for verdict in verdicts}
    for verdict in verdicts:
        if verdict.status == "impossible" and verdict.element in reached[verdict.program]:
            raise ProofError(
                f"{verdict.program}, {verdict.element}: proven impossible, and a household shows "
                "it. The Z3 and NumPy readers disagree: report it.",
                program=verdict.program,
                element=verdict.element,
            )
    counts = {
        name: {"made": 0, "covered": 0, "impossible": 0, "shown": 0, "unknown": 0}
        for name in ("independence_pairs", "mutants")
    }
    for item in items(objective):
        if item.mutant or item.kind == PAIRS:
            of_kind = counts["mutants" if item.mutant else "independence_pairs"]
            of_kind["made"] += 1
            of_kind[item.status(reached[item.program], known)] += 1
    return counts
