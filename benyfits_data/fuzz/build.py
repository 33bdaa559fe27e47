"""Building the Diverse set: sample the edition, trace, ask the solver, select, write, check."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Literal

import numpy as np

from benyfits_data.dataset import Row
from benyfits_data.dataset.rows import make_rows
from benyfits_data.editions import Edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.corpus import Corpus, Objective, collect
from benyfits_data.fuzz.coverage import Coverage, programs_of, uncovered
from benyfits_data.fuzz.greedy import select_greedily
from benyfits_data.fuzz.parts import Runner, sample_traced
from benyfits_data.fuzz.sample import Tick
from benyfits_data.fuzz.search.donors import DonorCity
from benyfits_data.fuzz.search.selection import Selection, select_fewest
from benyfits_data.fuzz.verify import Evidence, Unreached, check_both_answers, verify_rows
from benyfits_data.language.source import Element
from benyfits_data.language.z3_backend import find_witnesses
from benyfits_data.plausibility import Plausibility
from benyfits_data.rng import stream

Method = Literal["greedy", "exact"]
"""The paper's; or the fewest pairs, proven."""
Step = Callable[[str], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Diverse:
    """A finished set.

    Attributes:
        name: The set's name: `diverse`, or `thorough`.
        rows: Its households.
        edition: Whose rules label it.
        seed: The seed it was built from.
        method: How its pairs were chosen.
        objective: What its pairs cover together.
        corpus: What was sampled, and whom the solver found.
        coverage: What these cover.
        unreached: What nobody of them runs.
        selection: The chosen pairs, and the certificate.
        evidence: What the reference tracer saw of it.
        seconds: How long each step took.
        plausibility: How surprising households are, if that is measured.
        counts: Of a thorough set, its conditions and mutants.
    """

    name: str
    rows: list[Row]
    edition: Edition
    seed: int
    method: Method
    objective: Objective
    corpus: Corpus
    coverage: list[Coverage]
    unreached: Unreached
    selection: Selection
    evidence: Evidence
    seconds: dict[str, float]
    plausibility: Plausibility | None = None
    counts: dict[str, Any] = field(default_factory=dict)


def build_diverse(
    edition: Edition,
    objective: Objective,
    *,
    households: int,
    seed: int,
    method: Method,
    city: Callable[[], DonorCity] | None = None,
    percentile: float = 50,
    name: str = "diverse",
    reach: Callable[[Corpus], Corpus] = lambda corpus: corpus,
    run: Runner | None = None,
    step: Step = nullcontext,
    tick: Tick = lambda done: None,
) -> Diverse:
    """Return the Diverse set of an edition.

    Args:
        edition: Whose checkers.
        objective: What the chosen pairs must cover.
        households: How many to sample.
        seed: Same seed, same set.
        method: How to choose pairs.
        city: Gives the city that the exact method takes believable households from; without one,
            it chooses of what was sampled, however absurd.
        percentile: At which percentile of the city the median household may stay.
        name: The set's name.
        reach: Joins households for what else is to be covered.
        run: Draws the parts of a sample that does not fit in memory.
        step: Wraps each step, for progress.
        tick: Called with how much more of a step is done.

    Raises:
        SelectionError: The set misses an element that is not proven dead, a label is wrong, or a
            program lacks eligible or ineligible pairs.
    """
    seconds = dict[str, float]()

    @contextmanager
    def timed(label: str) -> Iterator[None]:
        start = perf_counter()
        with step(label):
            yield
        seconds[label] = round(perf_counter() - start, 3)

    with timed("sample and trace"):
        corpus = sample_traced(households, edition, seed, tick, run)
    with timed("ask the solver"):
        corpus, unreached = ask_solver(corpus)
        corpus = reach(corpus)
        coverage = objective.coverage(corpus)
    with timed("read the city"):
        donors = city() if city else None
    with timed("select"):
        rng = stream(seed, "selection")
        selection = select(corpus, coverage, objective, method, rng, donors, percentile, tick)
    with timed("write rows"):
        rows = rows_of(edition, selection, seed, name)
    with timed("check"):
        evidence = verify_rows(rows, edition, unreached, lines_only=objective.lines_only)
        check_both_answers(rows, edition)
    return Diverse(
        name=name,
        rows=rows,
        edition=edition,
        seed=seed,
        method=method,
        objective=objective,
        corpus=corpus,
        coverage=coverage,
        unreached=unreached,
        selection=selection,
        evidence=evidence,
        seconds=seconds,
        plausibility=donors.plausibility if donors else None,
    )


def ask_solver(corpus: Corpus) -> tuple[Corpus, Unreached]:
    """Return all households, and one more for each line and branch that nobody runs.

    The solver finds them; what it proves that no possible household runs is dead.
    """
    witnesses, verdicts = find_witnesses(corpus.edition, corpus.missing())
    if len(witnesses):
        corpus = corpus.joined_by(collect(corpus.edition, [witnesses]))
    unreached: dict[Literal["dead", "unknown"], dict[str, list[Element]]]
    unreached = {"dead": {}, "unknown": {}}
    for one in verdicts:
        if one.status == "dead" or one.status == "unknown":
            unreached[one.status].setdefault(one.program, []).append(one.element)
    return corpus, unreached


def select(
    corpus: Corpus,
    coverage: list[Coverage],
    objective: Objective,
    method: Method,
    rng: np.random.Generator,
    city: DonorCity | None = None,
    percentile: float = 50,
    tick: Tick = lambda done: None,
) -> Selection:
    """Return chosen pairs that cover all that households cover.

    Args:
        corpus: The households.
        coverage: What they cover.
        objective: What the pairs must cover.
        method: How to choose pairs. Each trace takes a pair: the greedy method finds them all.
        rng: Draws what makes households believable.
        city: Lends facts to make households believable.
        percentile: At which percentile of it the median household may stay.
        tick: Called with 1 after each step of a believable selection.

    Raises:
        SelectionError: An element is missed, or the solver stopped without a solution.
    """
    if method == "greedy" or objective.name == "traces":
        chosen = programs_of(select_greedily(coverage))
        places = np.array([*chosen], np.intp)
        selection = Selection(corpus.households.take(places), [*chosen.values()])
        ran = [replace(one, class_of=one.class_of[places]) for one in coverage]
    else:
        selection = select_fewest(corpus, coverage, objective, rng, city, percentile, tick)
        ran = objective.coverage(collect(corpus.edition, [selection.homes]))
    if missed := uncovered(coverage, ran, selection.programs):
        raise SelectionError(
            f"The selection misses elements of {', '.join(missed)}. Report this as a bug.",
            missed=missed,
        )
    return selection


def rows_of(edition: Edition, selection: Selection, seed: int, name: str) -> list[Row]:
    """Return the chosen households as rows, named and described."""
    labels = collect(edition, [selection.homes]).answers.labels
    programs = list(labels)
    wanted = [[programs[position] for position in some] for some in selection.programs]
    return make_rows(name, edition, seed, selection.homes, wanted, labels)
