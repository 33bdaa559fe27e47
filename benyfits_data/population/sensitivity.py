"""How far eligible shares move when an assumption moves by a fifth: which guesses matter.

An assumption is what nobody saw in a source: the assumed shares of one feature, one parameter, or
one assumed share of the poor. The city is drawn again from the same random numbers with that one
moved, so that most of a difference is the assumption's; but incomes are allotted anew after
whatever comes before them, so that small moves of fewer than some 50,000 households are chance.
Where it changes who lives together, other people are drawn, and as much as chance alone is expected
to do is told beside it.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from benyfits_data.dataset import to_csv
from benyfits_data.editions import load_edition
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.parallel import run_tasks
from benyfits_data.population.source_rows import Parameter, Share
from benyfits_data.population.sources import Sources
from benyfits_data.population.synthesis import build_city, default_sources, possible_households

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


def assumptions_of(sources: Sources) -> list[MovedAssumption]:
    """Return what of the sources is assumed and can be moved."""
    found = {MovedAssumption("distributions", row.feature) for row in _assumed_shares(sources)}
    for row in sources.parameters:
        if row.status == "assumption" and row.name not in _OF_METHODS:
            found.add(MovedAssumption("parameters", row.name))
    for target in sources.poverty:
        if target.status == "assumption":
            found.add(MovedAssumption("poverty", target.given))
    return sorted(found)


def named_assumptions(sources: Sources, names: Sequence[str]) -> list[MovedAssumption]:
    """Return the assumptions of these names; without names, all.

    Raises:
        BenyfitsError: No assumption has one of the names.
    """
    found = assumptions_of(sources)
    known = {it.name for it in found}
    for name in names:
        if name not in known:
            raise BenyfitsError(
                f"No assumption is called {name!r}. See `population sensitivity --households 100` "
                "or `sources assumptions` for their names.",
                name=name,
            )
    return [it for it in found if not names or it.name in names]


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
    if assumption.table == "parameters":
        rows = (
            replace(row, value=_moved_value(row))
            if row.name == assumption.name and row.status == "assumption"
            else row
            for row in sources.parameters
        )
        return replace(sources, parameters=tuple(rows))
    if assumption.table == "poverty":
        targets = (
            replace(row, share=min(row.share * MOVED, 1.0))
            if row.given == assumption.name and row.status == "assumption"
            else row
            for row in sources.poverty
        )
        return replace(sources, poverty=tuple(targets))
    groups: dict[tuple[str, ...], list[Share]] = {}
    for row in sources.shares:
        if row.feature == assumption.name and row.share is not None:
            groups.setdefault((row.role, row.table, row.given), []).append(row)
    moved: dict[str, float] = {}
    assumed = {row.place for row in _assumed_shares(sources)}
    for (role, *_), group in groups.items():
        old = np.array([row.share for row in group], float)
        if role == "odds":
            new = old * MOVED
        else:
            grows = np.arange(len(old)) != old.argmax()
            taken = old[grows].sum()
            factor = min(MOVED, old.sum() / taken) if taken > 0 else 1.0
            new = np.where(grows, old * factor, old.sum() - factor * taken)
        if any(row.place in assumed for row in group):
            moved |= {row.place: share for row, share in zip(group, new.tolist(), strict=True)}
    shares = tuple(replace(row, share=moved.get(row.place, row.share)) for row in sources.shares)
    return replace(sources, shares=shares)


def _moved_value(row: Parameter) -> float:
    """Return a parameter a fifth larger; a share or correlation goes half the way to 1 at most."""
    moved = row.value * MOVED
    is_part = row.value <= 1 and row.unit.split()[0] in ("share", "correlation")
    return min(moved, (1 + row.value) / 2) if is_part else moved


def eligible_shares(
    year: int, n: int, seed: int, assumption: MovedAssumption | None
) -> tuple[dict[str, float], str]:
    """Return every program's eligible share of `n` households, and a digest of who lives together.

    Args:
        year: Edition.
        n: Households.
        seed: Seed of the build.
        assumption: What is moved by a fifth; of nothing, the city is as it is.
    """
    sources = default_sources()
    if assumption is not None:
        sources = move(sources, assumption)
    households = possible_households(build_city(n, seed, sources=sources, shaped=sources))[0]
    labels = label_and_trace(load_edition(year), households).labels
    ages = np.ascontiguousarray(households.member["age"])
    digest = hashlib.sha256(ages.tobytes()).hexdigest()
    return {name: float(own.mean()) for name, own in labels.items()}, digest


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
    cities = run_tasks(
        partial(eligible_shares, year, n, seed), [None, *assumptions], workers, tick=tick
    )
    base, people = next(cities)
    return [
        Sensitivity(
            *(assumption, program, base[program], share),
            chance=expected_difference(base[program], n) if others != people else 0,
        )
        for assumption, (shares, others) in zip(assumptions, cities, strict=True)
        for program, share in shares.items()
    ]


def expected_difference(share: float, n: int) -> float:
    """Return the expected absolute difference of a share between two samples of `n`."""
    return float(np.sqrt(2 * share * (1 - share) / n) * np.sqrt(2 / np.pi))


def ranked(
    found: Sequence[Sensitivity],
) -> list[tuple[MovedAssumption, float, float, Sensitivity]]:
    """Return assumptions with the mean move, what chance is expected to do, and the largest move.

    Means are over all programs, in points; what moves them farthest beyond chance comes first.
    """
    by_assumption: dict[MovedAssumption, list[Sensitivity]] = {}
    for row in found:
        by_assumption.setdefault(row.assumption, []).append(row)
    told = []
    for assumption, rows in by_assumption.items():
        mean = 100 * float(np.mean([abs(row.moved - row.share) for row in rows]))
        chance = 100 * float(np.mean([row.chance for row in rows]))
        told.append((assumption, mean, chance, max(rows, key=lambda row: row.beyond_chance)))
    return sorted(told, key=lambda it: (it[2] - it[1], it[0]))


def sensitivity_table(found: Sequence[Sensitivity]) -> str:
    """Return a CSV with one line for each program that an assumption moves, largest moves first."""
    lines = []
    for row in sorted(found, key=lambda row: -abs(row.moved - row.share)):
        if row.moved != row.share:
            shares = f"{row.share:.5f}", f"{row.moved:.5f}"
            points = f"{100 * (row.moved - row.share):+.3f}", f"{100 * row.chance:.3f}"
            lines.append((row.assumption.table, row.assumption.name, row.program, *shares, *points))
    columns = ("table", "assumption", "program", "share", "moved", "points", "points_by_chance")
    return to_csv(columns, lines)
