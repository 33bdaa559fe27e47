"""Who may live together: every composition of a household, weighted so that the margins hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from benyfits_data.population.conditions import parse_range
from benyfits_data.population.raking import exponential_tilting
from benyfits_data.population.sources import Sources

BOROUGHS = ("Bronx", "Brooklyn", "Manhattan", "Queens", "Staten Island")
TYPES = (
    "married with children",
    "married without children",
    "man with children",
    "man with relatives",
    "woman with children",
    "woman with relatives",
    "alone",
    "with nonrelatives",
)
ROLES = (
    "own minor",
    "adult child",
    "minor relative",
    "adult relative",
    "partner",
    "housemate",
    "foster child",
)
HOUSEHOLDER, SPOUSE = -2, -1
OWN_MINOR, ADULT_CHILD, MINOR_RELATIVE, ADULT_RELATIVE, PARTNER, HOUSEMATE, FOSTER = range(7)
MOST_AT_HOME = 10
"""Members of the largest household of the city; published tables end at seven and more."""
_LARGE = 7
_FAMILIES = {"married": (0, 1), "man": (2, 3), "woman": (4, 5)}
_CHILD_GROUPS = {"3-4": (3, 4), "5+": (5, MOST_AT_HOME)}
"""Own minors of a family, beside the one or two that most have."""


@dataclass(frozen=True)
class Compositions:
    """Every possible composition.

    Attributes:
        type: Code of the household type, shape `(n,)`.
        size: Number of members, shape `(n,)`.
        counts: Members in each of `ROLES`, shape `(n, 7)`; householder and spouse come on top.
        start: Unfitted weight, shape `(n,)`.
    """

    type: NDArray[np.int64]
    size: NDArray[np.int64]
    counts: NDArray[np.int64]
    start: NDArray[np.float64]

    @property
    def minors(self) -> NDArray[np.int64]:
        """Number of members under 18."""
        return np.asarray(self.counts[:, [OWN_MINOR, MINOR_RELATIVE, FOSTER]].sum(axis=1))


@lru_cache(maxsize=1)
def all_compositions(sources: Sources) -> Compositions:
    """Return every composition of one to ten members that a household type allows."""
    rows: list[tuple[int, int, tuple[int, ...], float]] = []
    chances = [sources.parameter("role_weight", name) for name in ROLES]
    for kind, name in enumerate(TYPES):
        core = 2 if name.startswith("married") else 1
        for counts in _counts(MOST_AT_HOME - core, len(ROLES)):
            size = core + sum(counts)
            if not _fits(name, counts):
                continue
            weight = float(factorial(sum(counts)))
            for count, chance in zip(counts, chances, strict=True):
                weight *= chance**count / factorial(count)
            rows.append((kind, size, counts, weight))
    kinds, sizes, compositions, weights = map(np.array, zip(*rows, strict=True))
    return Compositions(kinds, sizes, compositions, weights / weights.sum())


def _counts(most: int, roles: int) -> Iterator[tuple[int, ...]]:
    """Yield every number of members by role that adds up to at most `most`."""
    if roles == 0:
        yield ()
        return
    for first in range(most + 1):
        for others in _counts(most - first, roles - 1):
            yield first, *others


def _fits(name: str, counts: tuple[int, ...]) -> bool:
    kin = counts[OWN_MINOR] + counts[ADULT_CHILD] + counts[MINOR_RELATIVE] + counts[ADULT_RELATIVE]
    if counts[PARTNER] > 1 or counts[FOSTER] > 2:
        return False
    if name == "alone":
        return not any(counts)
    if name == "with nonrelatives":
        others = counts[PARTNER] + counts[HOUSEMATE] + counts[FOSTER]
        return kin == 0 and others > 0
    if name.startswith("married") and counts[PARTNER]:
        return False
    if name.endswith("with children"):
        return counts[OWN_MINOR] > 0
    if counts[OWN_MINOR]:
        return False
    return name.startswith("married") or kin > 0


@lru_cache(maxsize=8)
def fit_compositions(sources: Sources, borough: str, minors_share: float) -> NDArray[np.float64]:
    """Return the probability of every composition in one borough.

    Args:
        sources: The tables.
        borough: One of `BOROUGHS`.
        minors_share: Share of people under 18 there.

    Types and sizes follow their margins; relations, and children per family, follow the borough's
    tables, rescaled to what the sizes leave room for.
    """
    table = all_compositions(sources)
    given = f"borough {borough}"
    types, sizes = (sources.margin(name, given) for name in ("household_type", "household_size"))
    features: list[NDArray[np.float64]] = []
    targets: list[float] = []

    def demand(quantity: NDArray[np.int64] | NDArray[np.bool_], target: float) -> None:
        features.append(quantity.astype(float))
        targets.append(target)

    for kind, name in enumerate(TYPES[:-1]):
        demand(table.type == kind, types[name])
    # One person living alone is both a type and a size: the type counts.
    many = 1 - types["alone"]
    scale = many / sum(share for size, share in sizes.items() if size != "1")
    for size in range(2, _LARGE):
        demand(table.size == size, sizes[str(size)] * scale)
    large = (
        sizes[f"{_LARGE}-{MOST_AT_HOME}"] * scale * sources.parameter("mean_of_large_households")
    )
    demand(np.where(table.size >= _LARGE, table.size, 0), large)
    small = sum(size * sizes[str(size)] * scale for size in range(2, _LARGE))
    mean = types["alone"] + small + large
    relations = {
        key[1]: count
        for key, count in sources.joints["relation_borough"].cells.items()
        if key[0] == borough
    }
    spouses = types[TYPES[0]] + types[TYPES[1]]
    others = sum(
        relations[name]
        for name in ("Child", "Other relatives", "Unmarried partner", "Nonrelatives")
    )
    room = (mean - 1 - spouses) / others
    of_minors = sources.margin("relation", "age 0-17")
    own_share, kin, unrelated = of_minors.values()
    minors = mean * minors_share
    with_minor = sources.margin("household_minors", given)[f"1-{MOST_AT_HOME - 1}"]
    demand(table.minors > 0, with_minor)
    demand(table.counts[:, OWN_MINOR], own_share * minors)
    demand(table.counts[:, MINOR_RELATIVE], kin * minors)
    demand(table.counts[:, FOSTER], unrelated * minors)
    demand(table.counts[:, PARTNER], relations["Unmarried partner"] * room)
    demand(table.counts[:, ADULT_CHILD], relations["Child"] * room - own_share * minors)
    demand(table.counts[:, ADULT_RELATIVE], relations["Other relatives"] * room - kin * minors)
    children = sources.joints["family_children_poverty"].sum("borough", "family", "own_children")
    for family, kinds in _FAMILIES.items():
        parents = sum(children[(borough, family, group)] for group in ("1-2", *_CHILD_GROUPS))
        inside, n = np.isin(table.type, kinds), table.counts[:, OWN_MINOR]
        for group, (low, high) in _CHILD_GROUPS.items():
            share = children[(borough, family, group)] / parents * types[TYPES[kinds[0]]]
            demand(inside & (n >= low) & (n <= high), share)
    return exponential_tilting(
        table.start, np.stack(features, axis=1), np.array(targets), ridge=1e-4
    )


def age_bands(sources: Sources) -> list[tuple[int, int]]:
    """Return the age bands of the table of ages by sex and borough, in order."""
    bands: dict[tuple[int, int], None] = {}
    for key in sources.joints["age_sex_borough"].cells:
        ends = parse_range(key[2])
        if ends:
            bands[ends] = None
    return sorted(bands)
