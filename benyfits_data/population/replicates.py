"""How far eligible shares move when the sources of the city do.

Replicate cities redraw every share within what its sources leave open: one that a source prints has
a margin of error, one that follows by arithmetic more, one that is assumed a range; `redraw_spread`
in `parameters.csv` says how far each moves, as the standard deviation of its logarithm. Sizes,
kinds, ages and sexes of households stay: they are counted best.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from benyfits_data.editions import load_edition
from benyfits_data.intervals import half_width
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.parallel import run_tasks
from benyfits_data.population.sources import Sources
from benyfits_data.population.synthesis import (
    BUILT_WITH_STRUCTURE,
    build_city,
    default_sources,
    possible_households,
)
from benyfits_data.rng import stream

REPLICATES = 12
"""Cities with other targets: the standard deviation is then known to some 21 percent."""
HOUSEHOLDS = 20_000
"""Of each of them. They draw from the same random streams: what sampling adds is mostly common."""

Shares = dict[tuple[str, int], float]
"""Eligible share of the households by program and edition."""


def measure_spread(
    seed: int,
    workers: int,
    years: Sequence[int],
    replicates: int = REPLICATES,
    tick: Callable[[int], object] = lambda done: None,
    programs: Sequence[str] | None = None,
) -> Shares:
    """Return half the 95% interval that the sources leave open, by program and edition.

    Args:
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
        years: Editions whose rules are asked.
        replicates: Number of cities, at least 2.
        tick: Called with the households of each city that is done.
        programs: The programs to ask; all unless given.
    """
    work = partial(_eligible_shares, tuple(years), seed, programs)
    shares = []
    for each in run_tasks(work, range(replicates), workers):
        shares.append(each)
        tick(HOUSEHOLDS)
    return {key: half_width([each[key] for each in shares]) for key in sorted(shares[0])}


def _eligible_shares(
    years: Sequence[int], seed: int, programs: Sequence[str] | None, replicate: int
) -> Shares:
    """Return the eligible shares in the city of redrawn sources."""
    sources = redrawn(default_sources(), seed, replicate)
    households = possible_households(build_city(HOUSEHOLDS, seed, sources=sources))[0]
    return {
        (name, year): float(labels.mean())
        for year in years
        for name, labels in label_and_trace(load_edition(year), households, programs).labels.items()
    }


def redrawn(sources: Sources, seed: int, replicate: int) -> Sources:
    """Return the sources with every share redrawn within what is open about it.

    Shares of one condition are moved and scaled to their sum again; what is 0 or 1 stays.
    """
    spreads = {row.given: row.value for row in sources.parameters if row.name == "redraw_spread"}
    rng = stream(seed, "population", "replicate", replicate)
    shares = list(sources.shares)
    conditions: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(shares):
        if row.share is not None:
            conditions.setdefault((row.feature, row.role, row.table, row.given), []).append(at)
    for (feature, role, *_), places in conditions.items():
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
