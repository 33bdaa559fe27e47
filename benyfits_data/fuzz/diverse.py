"""Building the Diverse set: sample, trace, select, check from scratch."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import Row
from benyfits_data.editions import Edition
from benyfits_data.fuzz.concentration import CoversOf, concentrate
from benyfits_data.fuzz.covers import Cover, Objective, mutant_covers, trace_covers
from benyfits_data.fuzz.last_lines import reach_last_lines
from benyfits_data.fuzz.pool import Pool, build_pool, collect, labels_of
from benyfits_data.fuzz.scale import Runner, Tick, in_this_process
from benyfits_data.fuzz.selection import Method, Selection, select
from benyfits_data.fuzz.verification import Evidence, check_both_answers, verify_rows
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.mutants import Detector, mutants_of
from benyfits_data.streams import stream

NAME = "diverse"

Namer = Callable[[Households, np.random.Generator], NDArray[np.object_]]
Renderer = Callable[[Household], str]
Witnesses = Callable[[Pool], Households]
"""Finds households for what nobody in a pool covers."""
Step = Callable[[str], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Diverse:
    """A finished Diverse set.

    Attributes:
        rows: Its households, in the order in which they were sampled.
        edition: Whose rules label it.
        seed: The seed it was built from.
        pool: What it was chosen from.
        method: How it was chosen.
        objective: What its pairs cover.
        selection: The chosen pairs by position in the pool, and the certificate.
        evidence: What the reference tracer saw of it.
        seconds: How long each step took.
    """

    rows: list[Row]
    edition: Edition
    seed: int
    pool: Pool
    method: Method
    objective: Objective
    selection: Selection
    evidence: Evidence
    seconds: dict[str, float]

    def growth(self) -> list[int]:
        """Return how many lines the first one, two, ... households cover, best first."""
        covers = self.pool.covers()
        missing = [np.ones(len(cover.elements), np.bool_) for cover in covers]
        of: dict[int, list[int]] = {}
        for household, program in self.selection.pairs:
            of.setdefault(household, []).append(program)
        reached, seen = [], 0
        while of:
            gains = {
                household: sum(
                    int((_own(covers[program], household) & missing[program]).sum())
                    for program in programs
                )
                for household, programs in of.items()
            }
            best = max(gains, key=lambda household: (gains[household], -household))
            for program in of.pop(best):
                missing[program] &= ~_own(covers[program], best)
            seen += gains[best]
            reached.append(seen)
        return reached


def _own(cover: Cover, household: int) -> NDArray[np.bool_]:
    return np.asarray(cover.classes[cover.class_of[household]])


def build_diverse(
    edition: Edition,
    *,
    households: int,
    seed: int,
    method: Method,
    objective: Objective,
    name: Namer,
    render: Renderer,
    step: Step | None = None,
    witnesses: Witnesses | None = None,
    run: Runner = in_this_process,
    tick: Tick = lambda done: None,
) -> Diverse:
    """Return the Diverse set of an edition.

    Args:
        edition: Whose checkers to cover.
        households: How many to sample.
        seed: Same seed, same set.
        method: How to choose pairs.
        objective: What the chosen pairs must cover.
        name: Names the members of the chosen households.
        render: Writes a household's profile.
        step: Wraps each step, for progress.
        witnesses: Finds households for what no sampled one covers; they join the pool.
        run: Draws the chunks of a pool that does not fit in memory.
        tick: Told how many more households are sampled, after each chunk.

    Raises:
        SelectionError: The set misses a line that the pool covers, a label is wrong, or a program
            lacks eligible or ineligible pairs.
    """
    seconds: dict[str, float] = {}

    @contextmanager
    def timed(label: str) -> Iterator[None]:
        start = perf_counter()
        with step(label) if step else _nothing():
            yield
        seconds[label] = round(perf_counter() - start, 3)

    with timed("sample and trace"):
        pool = reach_last_lines(build_pool(households, edition, seed, tick, run), seed)
    if witnesses is not None:
        with timed("prove"):
            found = witnesses(pool)
            if len(found):
                pool = pool.joined_by(collect(edition, 0, [found]))
    with timed("select"):
        pool, selection = choose_pairs(pool, seed, method, objective)
        line_covers = pool.covers()
    with timed("render"):
        rows = make_rows(pool, line_covers, selection, seed, name, render)
    with timed("verify"):
        expected = {cover.program: cover.elements for cover in line_covers}
        evidence = verify_rows(rows, edition, expected)
        check_both_answers(rows, edition)
    return Diverse(rows, edition, seed, pool, method, objective, selection, evidence, seconds)


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def choose_pairs(
    pool: Pool, seed: int, method: Method, objective: Objective
) -> tuple[Pool, Selection]:
    """Return the pool, joined by households bred for the selection, and the selection.

    An exact selection breeds households that answer for many programs; not for traces, since
    whoever is bred would bring new ones.

    Args:
        pool: What to choose from.
        seed: The seed of the build.
        method: How to choose pairs.
        objective: What the chosen pairs must cover.

    Raises:
        SelectionError: An element is missed, or the solver stopped without a solution.
    """
    covers_of = covers_under(objective, pool.edition)
    if method == "greedy" or objective == "traces":
        return pool, select(covers_of(pool), method)
    return concentrate(pool, seed, covers_of)


def covers_under(objective: Objective, edition: Edition) -> CoversOf:
    """Return what tells for some households what they cover under an objective."""
    if objective == "lines":
        return Pool.covers
    if objective == "traces":
        return lambda pool: trace_covers(pool.covers())
    detector = Detector(edition, mutants_of(edition))

    def covers_of(pool: Pool) -> list[Cover]:
        found = detector.detect(pool.households)
        return mutant_covers(pool.lines, pool.traces, found.bits, found.mutants)

    return covers_of


def make_rows(
    pool: Pool,
    covers: list[Cover],
    selection: Selection,
    seed: int,
    name: Namer,
    render: Renderer,
) -> list[Row]:
    """Return the chosen households as rows, named and described."""
    programs_of: dict[int, list[str]] = {}
    for position, program in selection.pairs:
        programs_of.setdefault(position, []).append(covers[program].program)
    positions = sorted(programs_of)
    table = pool.households.take(np.array(positions, np.intp))
    table.names = name(table, stream(seed, NAME, "names"))
    width = len(str(len(positions)))
    rows = []
    for place, (position, labels) in enumerate(
        zip(positions, labels_of(pool, positions), strict=True)
    ):
        household = table.household(place)
        programs = tuple(sorted(programs_of[position]))
        rows.append(
            Row(
                id=f"{NAME}-{pool.edition.year}-{place + 1:0{width}d}",
                edition=pool.edition.year,
                household=household,
                profile=render(household),
                programs=programs,
                eligible={program: labels[program] for program in programs},
                labels=labels,
            )
        )
    return rows
