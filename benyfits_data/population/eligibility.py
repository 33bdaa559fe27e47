"""How many of the city's households each program would take, beside what agencies publish.

Who is eligible is not who takes part: what an agency counts is mostly take-up or places, and stands
apart as what it is.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from benyfits_data.dataset import to_csv
from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.editions.moved_thresholds import move_thresholds
from benyfits_data.intervals import wilson
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.population.replicates import REPLICATES, measure_spread
from benyfits_data.population.synthesis import (
    default_sources,
    households_of_chunk,
    over_chunks,
)

COLUMNS = (
    "program",
    "title",
    "unit",
    "edition",
    "share",
    "households",
    "households_low",
    "households_high",
    "published_what",
    "published",
    "published_unit",
    "published_year",
    "published_source",
    "published_kind",
    "ratio",
    "note",
)
MOVES = (0.05, -0.05)
"""How far thresholds are moved, as a share of every amount of money."""


@dataclass(frozen=True)
class Eligibility:
    """Households of the city that are eligible for one program under one edition.

    They count if any member may receive it; `low` and `high` are the ends of the 95% interval.

    Attributes:
        gain: Share that would become eligible, by how far every amount of its rules is moved.
        lose: Share that would lose it.
    """

    program: str
    title: str
    unit: str
    edition: int
    share: float
    low: float
    high: float
    gain: Mapping[float, float] = field(default_factory=dict)
    lose: Mapping[float, float] = field(default_factory=dict)


Counts = Counter[tuple[str, int, str, float]]
"""Households by program, edition, what is counted (`in`, `gain`, `lose`) and how far it moved."""


def label_chunk(years: Sequence[int], n: int, seed: int, chunk: int) -> Counts:
    """Return how many households of one chunk are eligible, would gain and would lose."""
    households = households_of_chunk(n, seed, chunk)
    counts: Counts = Counter()
    for year in years:
        edition = load_edition(year)
        labels = label_and_trace(edition, households).labels
        for name, own in labels.items():
            counts[name, year, "in", 0.0] = int(own.sum())
        for move in MOVES:
            moved = label_and_trace(move_thresholds(edition, share=move), households).labels
            for name, after in moved.items():
                counts[name, year, "gain", move] = int((after & ~labels[name]).sum())
                counts[name, year, "lose", move] = int((labels[name] & ~after).sum())
    return counts


def measure_eligibility(
    n: int,
    seed: int,
    workers: int = 2,
    years: Sequence[int] = EDITIONS,
    replicates: int = REPLICATES,
    tick: Callable[[int], object] = lambda done: None,
) -> list[Eligibility]:
    """Return the eligible households of every program under each edition that has it.

    The interval adds what sampling `n` households leaves open (Wilson) and what the sources do:
    the spread of replicate cities whose targets and assumptions are redrawn.

    Args:
        n: Households of the city.
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
        years: Editions.
        replicates: Cities with redrawn targets; of 0, intervals are those of sampling alone.
        tick: Told how many households are counted, those of replicates among them.
    """
    counts: Counts = Counter()
    for part in over_chunks(partial(label_chunk, tuple(years)), n, seed, workers, tick):
        counts.update(part)
    spreads = measure_spread(seed, workers, years, replicates, tick=tick) if replicates else {}
    found = []
    for (name, year, what, _), count in sorted(counts.items()):
        if what != "in":
            continue
        program, share = load_edition(year).program(name), count / n
        changes = (
            {move: counts[name, year, kind, move] / n for move in MOVES}
            for kind in ("gain", "lose")
        )
        ends = widened(count, n, spreads.get((name, year), 0.0))
        found.append(Eligibility(name, program.title, program.unit, year, share, *ends, *changes))
    return found


def widened(count: int, n: int, spread: float) -> tuple[float, float]:
    """Return the 95% interval of a share: what sampling leaves open, and half of what sources do.

    The two are independent; each half has the quantile of its own degrees of freedom (Zou and
    Donner, Statistics in Medicine 27, 2008).
    """
    share, (low, high) = count / n, wilson(count, n)
    below, above = np.hypot(share - low, spread), np.hypot(high - share, spread)
    return max(0.0, float(share - below)), min(1.0, float(share + above))


def eligibility_table(found: Sequence[Eligibility]) -> str:
    """Return a CSV with one line for each program and edition."""
    sources = default_sources()
    households = sources.parameter("city_households")
    published = {row.program: row for row in sources.enrollments}
    lines = []
    for row in found:
        shares = row.share, row.low, row.high
        ours = f"{row.share:.5f}", *(round(share * households) for share in shares)
        beside: tuple[str, ...] = ("",) * 8
        if told := published.get(row.program):
            value, cited = f"{told.value:.0f}", " ".join(told.sources)
            ratio = f"{row.share * households / told.value:.2f}"
            beside = told.what, value, told.unit, told.year, cited, told.kind, ratio, told.note
        lines.append((row.program, row.title, row.unit, row.edition, *ours, *beside))
    return to_csv(COLUMNS, lines)


def thresholds_table(found: Sequence[Eligibility]) -> str:
    """Return a CSV: households that would gain or lose if all amounts of a program moved by 5%."""
    households = default_sources().parameter("city_households")
    lines = [
        (row.program, row.edition, f"{100 * move:+.0f}", *(round(it * households) for it in both))
        for row in found
        for move in MOVES
        if any(both := (row.gain[move], row.lose[move]))
    ]
    columns = ("program", "edition", "amounts_percent", "households_gain", "households_lose")
    return to_csv(columns, lines)
