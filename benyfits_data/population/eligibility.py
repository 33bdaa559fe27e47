"""How many of the city's households each program would take, beside what agencies publish.

Who is eligible is not who takes part: what an agency counts is mostly take-up or places, and stands
apart as what it is.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import to_csv
from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.intervals import wilson
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.population.replicates import REPLICATES, measure_spread
from benyfits_data.population.synthesis import (
    build_city,
    default_sources,
    over_chunks,
    possible_households,
)
from benyfits_data.population.synthetic_city import City

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
    "take_up",
    "note",
)
GROUP_COLUMNS = (
    *("program", "title", "edition", "by", "group", "share_of_group", "share_low", "share_high"),
    *("eligible_households", "households_of_group"),
)
Grouping = Literal["borough", "age", "tenure"]
AGES = (35, 50, 65, 80)
"""Where one age group ends and the next begins."""


@dataclass(frozen=True)
class Eligibility:
    """Households of the city that are eligible for one program under one edition.

    They count if any member may receive it; `low` and `high` are the ends of the 95% interval.

    Attributes:
        groups: Households of each group, eligible and all, by grouping and group.
    """

    program: str
    title: str
    unit: str
    edition: int
    share: float
    low: float
    high: float
    groups: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)


Counts = Counter[tuple[str, int, str, str]]
"""Eligible households by program, edition, grouping and group; of no program, all of a group."""
_WHOLE = ("", "")
"""Grouping and group of the whole city."""


def label_chunk(
    years: Sequence[int], groupings: Sequence[Grouping], n: int, seed: int, chunk: int
) -> Counts:
    """Return how many households of one chunk are eligible, in all and by group."""
    city = build_city(n, seed, chunk)
    households = possible_households(city)[0]
    groups = {by: group_names(by, city, households) for by in groupings}
    counts: Counts = Counter()

    def count(program: str, year: int, is_eligible: NDArray[np.bool_]) -> None:
        counts[program, year, *_WHOLE] = int(is_eligible.sum())
        for by, names in groups.items():
            of_groups = zip(*np.unique(names[is_eligible], return_counts=True), strict=True)
            for group, number in of_groups:
                counts[program, year, by, str(group)] = int(number)

    count("", 0, np.ones(n, np.bool_))
    for year in years:
        for program, labels in label_and_trace(load_edition(year), households).labels.items():
            count(program, year, labels)
    return counts


def group_names(by: Grouping, city: City, households: Households) -> NDArray[np.str_]:
    """Return the group of every household, shape `(households,)`."""
    if by == "borough":
        names = np.array(city.households.levels("borough"), np.str_)
        codes = city.households["borough"]
    elif by == "tenure":
        names = np.array([str(choice) for choice in FEATURES["tenure"].choices], np.str_)
        codes = households.shared["tenure"]
    else:
        ends = (f"{low}-{high - 1}" for low, high in pairwise(AGES))
        names = np.array(["under 35", *ends, f"{AGES[-1]} and older"], np.str_)
        codes = np.searchsorted(AGES, city.households["householder_age"], side="right")
    return np.asarray(names[codes])


def measure_eligibility(
    n: int,
    seed: int,
    workers: int = 2,
    years: Sequence[int] = EDITIONS,
    replicates: int = REPLICATES,
    groupings: Sequence[Grouping] = (),
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
        groupings: What the households are grouped by besides.
        tick: Told how many households are counted, those of replicates among them.
    """
    counts: Counts = Counter()
    work = partial(label_chunk, tuple(years), tuple(groupings))
    for part in over_chunks(work, n, seed, workers, tick):
        counts.update(part)
    numbers = {key[2:]: number for key, number in counts.items() if not key[0]}
    spreads = measure_spread(seed, workers, years, replicates, tick=tick) if replicates else {}
    rows = []
    for name, year in sorted({key[:2] for key in counts if key[0]}):
        program, count = load_edition(year).program(name), counts[name, year, *_WHOLE]
        ends = widened(count, n, spreads.get((name, year), 0.0))
        groups = {
            (by, group): (counts[name, year, by, group], number)
            for (by, group), number in sorted(numbers.items())
            if by
        }
        rows.append(Eligibility(name, program.title, program.unit, year, count / n, *ends, groups))
    return rows


def widened(count: int, n: int, spread: float) -> tuple[float, float]:
    """Return the 95% interval of a share: what sampling leaves open, and half of what sources do.

    The two are independent; each half has the quantile of its own degrees of freedom (Zou and
    Donner, Statistics in Medicine 27, 2008).
    """
    share, (low, high) = count / n, wilson(count, n)
    below, above = np.hypot(share - low, spread), np.hypot(high - share, spread)
    return max(0.0, float(share - below)), min(1.0, float(share + above))


def eligibility_table(rows: Sequence[Eligibility]) -> str:
    """Return a CSV with one line for each program and edition."""
    sources = default_sources()
    households = sources.parameter("city_households")
    enrollments = {row.program: row for row in sources.enrollments}
    lines = []
    for row in rows:
        shares = row.share, row.low, row.high
        ours = f"{row.share:.5f}", *(round(share * households) for share in shares)
        beside: tuple[str, ...] = ("",) * 8
        if of := enrollments.get(row.program):
            # Persons, families or vouchers are not households: no share is taken of them.
            is_comparable = of.kind == "take-up" and of.unit == "households"
            take_up = f"{of.value / (row.share * households):.2f}" if is_comparable else ""
            figure = of.what, f"{of.value:.0f}", of.unit, of.year, " ".join(of.sources)
            beside = *figure, of.kind, take_up, of.note
        lines.append((row.program, row.title, row.unit, row.edition, *ours, *beside))
    return to_csv(COLUMNS, lines)


def groups_table(by: Grouping, rows: Sequence[Eligibility]) -> str:
    """Return a CSV: households eligible in each group, with the interval of sampling alone."""
    households = default_sources().parameter("city_households")
    lines = []
    for row in rows:
        groups = {group: counts for (of, group), counts in row.groups.items() if of == by}
        scale = households / sum(number for _, number in groups.values())
        for group, (count, number) in groups.items():
            shares = (f"{share:.5f}" for share in (count / number, *wilson(count, number)))
            sizes = round(count * scale), round(number * scale)
            lines.append((row.program, row.title, row.edition, by, group, *shares, *sizes))
    return to_csv(GROUP_COLUMNS, lines)
