"""Replicate cities: what is drawn from redrawn within what its sources leave open.

A share that a source prints has a margin of error, one that follows by arithmetic more, one that is
assumed a range; `redraw_spread` in `parameters.csv` says how far each moves, as the standard
deviation of its logarithm. Sizes, kinds, ages and sexes of households stay: they are counted best.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from benyfits_data.editions import load_edition
from benyfits_data.intervals import half_width
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.parallel import run_tasks
from benyfits_data.population.source_rows import Share
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
Counts = Counter[tuple[str, int]]


def redrawn(sources: Sources, seed: int, replicate: int) -> Sources:
    """Return the sources with every share redrawn within what is open about it.

    Shares of one condition are moved and scaled to their sum again; what is 0 or 1 stays.
    """
    spreads = {row.given: row.value for row in sources.parameters if row.name == "redraw_spread"}
    rng = stream(seed, "population", "replicate", replicate)
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, row in enumerate(sources.shares):
        if row.share is not None and row.feature not in BUILT_WITH_STRUCTURE:
            groups.setdefault((row.feature, row.role, row.table, row.given), []).append(place)
    shares: list[Share] = list(sources.shares)
    for (_, role, *_), places in groups.items():
        old = np.array([shares[place].share for place in places], float)
        spread = spreads[shares[places[0]].status]
        new = old * np.exp(rng.normal(0, spread, len(old)))
        if role != "odds" and new.sum() > 0:
            new *= old.sum() / new.sum()
        for place, share in zip(places, new.tolist(), strict=True):
            shares[place] = replace(shares[place], share=share)
    poverty = tuple(
        replace(row, share=min(row.share * float(np.exp(rng.normal(0, spreads[row.status]))), 1.0))
        for row in sources.poverty
    )
    return replace(sources, shares=tuple(shares), poverty=poverty)


def label_replicate(years: Sequence[int], n: int, seed: int, replicate: int) -> Counts:
    """Return how many households of one replicate are eligible, by program and edition."""
    city = build_city(n, seed, sources=redrawn(default_sources(), seed, replicate))
    households = possible_households(city)[0]
    return Counter(
        {
            (name, year): int(labels.sum())
            for year in years
            for name, labels in label_and_trace(load_edition(year), households).labels.items()
        }
    )


def measure_spread(
    seed: int,
    workers: int,
    years: Sequence[int],
    replicates: int = REPLICATES,
    households: int = HOUSEHOLDS,
    tick: Callable[[int], object] = lambda done: None,
) -> dict[tuple[str, int], float]:
    """Return half the 95% interval that the sources leave open, by program and edition.

    Args:
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
        years: Editions whose rules are asked.
        replicates: Number of cities, at least 2.
        households: Households of each.
        tick: Told the households of each city that is done.
    """
    work = partial(label_replicate, tuple(years), households, seed)
    counts = []
    for each in run_tasks(work, range(replicates), workers):
        counts.append(each)
        tick(households)
    return {
        key: half_width([each[key] / households for each in counts])
        for key in sorted({key for each in counts for key in each})
    }
