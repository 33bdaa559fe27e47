"""Who is eligible, by borough, by the householder's age, by tenure."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import to_csv
from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.intervals import wilson
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.population.synthesis import (
    build_city,
    default_sources,
    over_chunks,
    possible_households,
)
from benyfits_data.population.synthetic_city import City

Grouping = Literal["borough", "age", "tenure"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
AGES = (35, 50, 65, 80)
"""Where one age group ends and the next begins."""
COLUMNS = (
    *("program", "title", "edition", "by", "group", "share_of_group", "share_low", "share_high"),
    *("eligible_households", "households_of_group"),
)
Counts = Counter[tuple[str, int, str]]
"""Households by program, edition and group; of no program all of a group."""


def group_names(by: Grouping, city: City, households: Households) -> NDArray[np.str_]:
    """Return the group of every household, shape `(households,)`."""
    if by == "borough":
        names = np.array(city.households.levels("borough"), np.str_)
        codes = city.households["borough"]
    elif by == "tenure":
        names = np.array([str(it) for it in FEATURES["tenure"].choices], np.str_)
        codes = households.shared["tenure"]
    else:
        ends = (f"{low}-{high - 1}" for low, high in pairwise(AGES))
        names = np.array(["under 35", *ends, f"{AGES[-1]} and older"], np.str_)
        codes = np.searchsorted(AGES, city.households["householder_age"], side="right")
    found: NDArray[np.str_] = names[codes]
    return found


def count_chunk(years: Sequence[int], by: Grouping, n: int, seed: int, chunk: int) -> Counts:
    """Return how many households of one chunk are eligible, by program, edition and group."""
    city = build_city(n, seed, chunk)
    households = possible_households(city)[0]
    groups, codes = np.unique(group_names(by, city, households), return_inverse=True)

    def totals(which: NDArray[np.bool_]) -> dict[str, int]:
        counted = np.bincount(codes[which], minlength=len(groups)).tolist()
        return dict(zip(groups.tolist(), counted, strict=True))

    counts: Counts = Counter()
    for group, number in totals(np.ones(n, np.bool_)).items():
        counts["", 0, group] = number
    for year in years:
        for name, label in label_and_trace(load_edition(year), households).labels.items():
            for group, number in totals(label).items():
                counts[name, year, group] = number
    return counts


def groups_table(
    by: Grouping,
    n: int,
    seed: int,
    workers: int,
    years: Sequence[int],
    tick: Callable[[int], object] = lambda done: None,
) -> str:
    """Return a CSV: households eligible in each group, with the interval of sampling alone.

    Args:
        by: What the households are grouped by.
        n: Households of the city.
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
        years: Editions.
        tick: Told the households of each chunk that is done.
    """
    counts: Counts = Counter()
    for part in over_chunks(partial(count_chunk, tuple(years), by), n, seed, workers, tick):
        counts.update(part)
    scale = default_sources().parameter("city_households") / n
    lines = []
    for (name, year, group), number in sorted(counts.items()):
        if not name or not (of := counts["", 0, group]):
            continue
        shares = (f"{share:.5f}" for share in (number / of, *wilson(number, of)))
        title = load_edition(year).program(name).title
        lines.append(
            (name, title, year, by, group, *shares, round(number * scale), round(of * scale))
        )
    return to_csv(COLUMNS, lines)
