"""How far eligible shares move when the sources of the city do.

Replicate cities redraw every share within what its sources leave open: one that a source prints has
a margin of error, one that follows by arithmetic more, one that is assumed a range; `redraw_spread`
in `parameters.csv` says how far each moves, as the standard deviation of its logarithm. Sizes,
kinds, ages and sexes of households stay: they are counted best.

Which guesses matter is told by moving one assumption by a fifth. An assumption is what nobody saw
in a source: the assumed shares of one feature, one parameter, or one assumed share of the poor. The
city is drawn again from the same random numbers with that one moved, so that most of a difference
is the assumption's; but incomes are allotted anew after whatever comes before them, so that small
moves of fewer than some 50,000 households are chance. Where it changes who lives together, other
people are drawn, and as much as chance alone is expected to do is told beside it.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from benyfits_data.dataset import to_csv
from benyfits_data.editions import load_edition
from benyfits_data.errors import BenyfitsError
from benyfits_data.intervals import half_width
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.parallel import run_tasks
from benyfits_data.population.sources import Parameter, Share, Sources
from benyfits_data.population.synthesis import (
    BUILT_WITH_STRUCTURE,
    build_city,
    default_sources,
    possible_households,
)
from benyfits_data.rng import stream
from benyfits_data.spelling import suggest

REPLICATES = 12
"""Cities with other targets: the standard deviation is then known to some 21 percent."""
HOUSEHOLDS = 20_000
"""Of each of them. They draw from the same random streams: what sampling adds is mostly common."""
MOVED = 6 / 5
"""A fifth more."""
_OF_METHODS = frozenset({"income_candidates", "redraw_spread"})
"""Parameters that steer how a city is computed and say nothing of New York."""


@dataclass(frozen=True, order=True)
class MovedAssumption:
    """What is moved: the assumed rows of a table of `sources/` that have one name."""

    table: str
    name: str


@dataclass(frozen=True)
class Sensitivity:
    """The eligible share of a program in the city, and with an assumption moved by a fifth.

    `chance` is the absolute difference that drawing other people is expected to make: 0 where the
    same people were drawn.
    """

    assumption: MovedAssumption
    program: str
    share: float
    moved: float
    chance: float = 0

    @property
    def beyond_chance(self) -> float:
        """How much farther it moved than chance is expected to move it."""
        return abs(self.moved - self.share) - self.chance


def assumptions_of(sources: Sources, names: Sequence[str] = ()) -> list[MovedAssumption]:
    """Return what of the sources is assumed and can be moved; with names, only those.

    Raises:
        BenyfitsError: No assumption has one of the names.
    """
    assumptions = {
        MovedAssumption("distributions", row.feature) for row in _assumed_shares(sources)
    }
    for row in sources.parameters:
        if row.status == "assumption" and row.name not in _OF_METHODS:
            assumptions.add(MovedAssumption("parameters", row.name))
    for target in sources.poverty:
        if target.status == "assumption":
            assumptions.add(MovedAssumption("poverty", target.given))
    known = {assumption.name for assumption in assumptions}
    for name in names:
        if name not in known:
            hint = suggest(name, known, "`benyfits-data sources assumptions` names them all.")
            raise BenyfitsError(f"No assumption is called {name!r}. {hint}", name=name)
    return sorted(one for one in assumptions if not names or one.name in names)


def _assumed_shares(sources: Sources) -> list[Share]:
    """Return assumed shares that can move: what is certain either way cannot."""
    return [
        row
        for row in sources.shares
        if row.status == "assumption" and row.share not in (0, 1, None)
    ]


def move(sources: Sources, assumption: MovedAssumption) -> Sources:
    """Return the sources with one assumption a fifth larger.

    Of a distribution, all categories but the commonest of each condition grow, and that one gives
    what they take; at most all of it.
    """
    meant = assumption.name, "assumption"
    if assumption.table == "parameters":
        parameters = (
            replace(row, value=_moved_value(row)) if (row.name, row.status) == meant else row
            for row in sources.parameters
        )
        return replace(sources, parameters=tuple(parameters))
    if assumption.table == "poverty":
        targets = (
            replace(row, share=min(row.share * MOVED, 1.0))
            if (row.given, row.status) == meant
            else row
            for row in sources.poverty
        )
        return replace(sources, poverty=tuple(targets))
    shares = list(sources.shares)
    assumed = {row.place for row in _assumed_shares(sources)}
    for (feature, role, *_), places in _conditions(sources).items():
        if feature != assumption.name or not any(shares[at].place in assumed for at in places):
            continue
        old = np.array([shares[at].share for at in places], float)
        if role == "odds":
            new = old * MOVED
        else:
            grows = np.arange(len(old)) != old.argmax()
            taken = old[grows].sum()
            factor = min(MOVED, old.sum() / taken) if taken > 0 else 1.0
            new = np.where(grows, old * factor, old.sum() - factor * taken)
        for at, share in zip(places, new.tolist(), strict=True):
            shares[at] = replace(shares[at], share=share)
    return replace(sources, shares=tuple(shares))


def _conditions(sources: Sources) -> dict[tuple[str, ...], list[int]]:
    """Return the places of the shares of each feature, role, table and condition."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(sources.shares):
        if row.share is not None:
            groups.setdefault((row.feature, row.role, row.table, row.given), []).append(at)
    return groups


def _moved_value(row: Parameter) -> float:
    """Return a parameter a fifth larger; a share or correlation goes half the way to 1 at most."""
    moved = row.value * MOVED
    is_part = row.value <= 1 and row.unit.split()[0] in ("share", "correlation")
    return min(moved, (1 + row.value) / 2) if is_part else moved


def redrawn(sources: Sources, seed: int, replicate: int) -> Sources:
    """Return the sources with every share redrawn within what is open about it.

    Shares of one condition are moved and scaled to their sum again; what is 0 or 1 stays.
    """
    spreads = {row.given: row.value for row in sources.parameters if row.name == "redraw_spread"}
    rng = stream(seed, "population", "replicate", replicate)
    shares = list(sources.shares)
    for (feature, role, *_), places in _conditions(sources).items():
        if feature in BUILT_WITH_STRUCTURE:
            continue
        old = np.array([shares[at].share for at in places], float)
        new = old * np.exp(rng.normal(0, spreads[shares[places[0]].status], len(old)))
        if role != "odds" and new.sum() > 0:
            new *= old.sum() / new.sum()
        for at, share in zip(places, new.tolist(), strict=True):
            shares[at] = replace(shares[at], share=share)
    poverty = tuple(
        replace(row, share=min(row.share * float(np.exp(rng.normal(0, spreads[row.status]))), 1.0))
        for row in sources.poverty
    )
    return replace(sources, shares=tuple(shares), poverty=poverty)


Shares = dict[tuple[str, int], float]
"""Eligible share of the households by program and edition."""


def _eligible_shares(
    years: Sequence[int],
    n: int,
    seed: int,
    is_shaped: bool,
    change: Callable[[Sources], Sources] | None,
) -> tuple[Shares, str]:
    """Return the eligible shares in the city of changed sources, and a digest of everybody's ages.

    Args:
        years: Editions.
        n: Households.
        seed: Seed of the build.
        is_shaped: Whether sizes, kinds and ages, which take seconds to fit, are of them, too.
        change: Changes the project's sources.
    """
    sources = change(default_sources()) if change else default_sources()
    shaped = sources if is_shaped else default_sources()
    households = possible_households(build_city(n, seed, sources=sources, shaped=shaped))[0]
    shares = {
        (name, year): float(labels.mean())
        for year in years
        for name, labels in label_and_trace(load_edition(year), households).labels.items()
    }
    ages = np.ascontiguousarray(households.member["age"])
    return shares, hashlib.sha256(ages.tobytes()).hexdigest()


def measure_spread(
    seed: int,
    workers: int,
    years: Sequence[int],
    replicates: int = REPLICATES,
    households: int = HOUSEHOLDS,
    tick: Callable[[int], object] = lambda done: None,
) -> Shares:
    """Return half the 95% interval that the sources leave open, by program and edition.

    Args:
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
        years: Editions whose rules are asked.
        replicates: Number of cities, at least 2.
        households: Households of each.
        tick: Called with the households of each city that is done.
    """
    work = partial(_eligible_shares, tuple(years), households, seed, False)
    changes = [partial(redrawn, seed=seed, replicate=number) for number in range(replicates)]
    shares = []
    for each, _ in run_tasks(work, changes, workers):
        shares.append(each)
        tick(households)
    return {key: half_width([each[key] for each in shares]) for key in sorted(shares[0])}


def measure_sensitivity(
    assumptions: Sequence[MovedAssumption],
    n: int,
    seed: int,
    workers: int,
    year: int,
    tick: Callable[[int], object] = lambda done: None,
) -> list[Sensitivity]:
    """Return how far each assumption moves each program's eligible share.

    Args:
        assumptions: What is moved, one at a time.
        n: Households of each city.
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
        year: Edition whose rules are asked.
        tick: Told of each city that is done.
    """
    changes = [None, *(partial(move, assumption=one) for one in assumptions)]
    work = partial(_eligible_shares, (year,), n, seed, True)
    cities = run_tasks(work, changes, workers, tick=tick)
    base, people = next(cities)
    return [
        Sensitivity(
            *(assumption, program, base[program, year], share),
            chance=expected_difference(base[program, year], n) if others != people else 0,
        )
        for assumption, (shares, others) in zip(assumptions, cities, strict=True)
        for (program, _), share in shares.items()
    ]


def expected_difference(share: float, n: int) -> float:
    """Return the expected absolute difference of a share between two samples of `n`."""
    return float(np.sqrt(2 * share * (1 - share) / n) * np.sqrt(2 / np.pi))


def ranked(
    moves: Sequence[Sensitivity],
) -> list[tuple[MovedAssumption, float, float, Sensitivity]]:
    """Return assumptions with the mean move, what chance is expected to do, and the largest move.

    Means are over all programs, in points; what moves them farthest beyond chance comes first.
    """
    by_assumption: dict[MovedAssumption, list[Sensitivity]] = {}
    for row in moves:
        by_assumption.setdefault(row.assumption, []).append(row)
    ranking = []
    for assumption, rows in by_assumption.items():
        mean = 100 * float(np.mean([abs(row.moved - row.share) for row in rows]))
        chance = 100 * float(np.mean([row.chance for row in rows]))
        ranking.append((assumption, mean, chance, max(rows, key=lambda row: row.beyond_chance)))
    return sorted(ranking, key=lambda entry: (entry[2] - entry[1], entry[0]))


def sensitivity_table(moves: Sequence[Sensitivity]) -> str:
    """Return a CSV with one line for each program that an assumption moves, largest moves first."""
    lines = []
    for row in sorted(moves, key=lambda row: -abs(row.moved - row.share)):
        if row.moved != row.share:
            shares = f"{row.share:.5f}", f"{row.moved:.5f}"
            points = f"{100 * (row.moved - row.share):+.3f}", f"{100 * row.chance:.3f}"
            lines.append((row.assumption.table, row.assumption.name, row.program, *shares, *points))
    columns = ("table", "assumption", "program", "share", "moved", "points", "points_by_chance")
    return to_csv(columns, lines)
