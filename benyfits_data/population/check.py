"""Whether the synthetic city is true: every margin, every joint table, every constraint."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.language.numpy_backend import holds
from benyfits_data.population.conditions import Frame, parse_range
from benyfits_data.population.correlations import Moments, moments
from benyfits_data.population.cross_tabulations import (
    distance,
    published,
    read_table,
    table_mappings,
)
from benyfits_data.population.distributions import Distribution
from benyfits_data.population.source_rows import Validation
from benyfits_data.population.synthesis import (
    build_city,
    default_distributions,
    default_sources,
    over_chunks,
    possible_households,
)
from benyfits_data.population.synthetic_city import City

MARGIN_TOLERANCE = 0.005
JOINT_TOLERANCE = 0.02
_NOT_CODES = frozenset({"gpa"})


@dataclass(frozen=True)
class MarginResult:
    """One target beside the city: what share of `people`, for whom `given` holds, is `category`."""

    feature: str
    table: str
    given: str
    category: str
    target: float
    achieved: float
    people: int
    sources: tuple[str, ...]
    status: str

    @property
    def difference(self) -> float:
        """Achieved less target."""
        return self.achieved - self.target


@dataclass(frozen=True)
class CityCheck:
    """Everything that was compared.

    Attributes:
        households: Number of households.
        people: Number of members.
        repaired: Households that had to be changed to be possible.
        margins: Every margin.
        distances: The city's total variation distance from each joint table.
        validations: Published shares that nothing was fitted to, each with the city's.
        violations: Broken constraints by name; empty when every household is possible.
        moments: What correlations are computed from.
        joint_counts: The city's counts in the cells of each joint table.
    """

    households: int
    people: int
    repaired: int
    margins: list[MarginResult]
    distances: dict[str, float]
    validations: list[tuple[Validation, float]]
    violations: dict[str, int]
    moments: Moments
    joint_counts: dict[str, NDArray[np.float64]]

    def problems(self) -> list[str]:
        """Return what misses its target, in words."""
        found = [
            f"{m.feature} {m.category} | {m.given}: {m.achieved:.4f}, target {m.target:.4f}"
            for m in self.margins
            if abs(m.difference) > MARGIN_TOLERANCE
        ]
        found += [
            f"joint table {name}: distance {distance:.4f}"
            for name, distance in self.distances.items()
            if distance > JOINT_TOLERANCE
        ]
        return found + [
            f"{name}: violated {count} times" for name, count in self.violations.items()
        ]


Tally = dict[tuple[str, ...], NDArray[np.float64]]
"""Counts of one chunk or of many, by kind and what is counted. `margin`: inside the category, in
the group, expected; `joint`: cells; `validation`: inside, among; `violation`: how often; `moment`:
sums behind a correlation; `total`: households, people, repaired households."""


def tally_chunk(n: int, seed: int, chunk: int) -> Tally:
    """Return the counts of one chunk of the city."""
    return tally(build_city(n, seed, chunk))


def tally(city: City) -> Tally:
    """Return the counts of a finished city."""
    sums: Tally = {}
    for feature, distribution in default_distributions().items():
        frame = city.households if distribution.level == "household" else city.people
        if feature not in _NOT_CODES and feature in frame:
            sums |= _count_feature(frame, feature, distribution)
    for name, mapping in table_mappings(city.sources).items():
        sums["joint", name] = read_table(city, city.sources.joints[name], mapping)
    for validation in city.sources.validations:
        frame = city.households if validation.level == "household" else city.people
        among = frame.mask(validation.among)
        found = among & frame.mask(validation.condition)
        sums["validation", validation.what] = np.array([found.sum(), among.sum()], float)
    table, repaired = possible_households(city)
    for name, constraint in CONSTRAINTS.items():
        kept = holds(constraint, table)
        broken = ~kept & table.present if kept.ndim == 2 else ~kept
        if broken.any():
            sums["violation", name] = np.array([broken.sum()], float)
    sums |= {("moment", name): value for name, value in moments(table).items()}
    sums["total",] = np.array([city.households.size, city.people.size, repaired], float)
    return sums


def _count_feature(frame: Frame, feature: str, distribution: Distribution) -> Tally:
    """Return the counts of margins, or of a feature without them: what its draws add up to."""
    found: Tally = {}
    for group in distribution.margins:
        inside = frame.mask(group.given)
        for category, share in group.shares.items():
            has = inside & frame.mask(f"{feature} {category}")
            counts = has.sum(), inside.sum(), share * inside.sum()
            found["margin", feature, group.table, group.given, category] = np.array(counts, float)
    if distribution.draws and not distribution.margins:
        cell, fitted = distribution.fit(frame)
        drawn = np.bincount(cell, minlength=len(fitted)).astype(float) @ fitted
        for category, parts in _disjoint(distribution.categories).items():
            has = frame.mask(f"{feature} {category}")
            expected = sum(drawn[place] * part for place, part in parts)
            counts = has.sum(), frame.size, expected
            found["margin", feature, "", "all", category] = np.array(counts, float)
    return found


def _disjoint(categories: Sequence[str]) -> dict[str, list[tuple[int, float]]]:
    """Return categories that do not overlap, and what part of each drawn one they take.

    Ranges of numbers become `none`, `0` and `1+`: the ranges of different groups overlap.
    """
    ranges = [None if category == "none" else parse_range(category) for category in categories]
    if all(ends is None for ends in ranges):
        return {category: [(place, 1.0)] for place, category in enumerate(categories)}
    found: dict[str, list[tuple[int, float]]] = {}
    for place, ends in enumerate(ranges):
        if ends is None:
            found.setdefault("none", []).append((place, 1.0))
            continue
        zero = 1 / (ends[1] - ends[0] + 1) if ends[0] <= 0 else 0.0
        found.setdefault("0", []).append((place, zero))
        found.setdefault("1+", []).append((place, 1 - zero))
    return found


def check_city(n: int, seed: int, workers: int = 2) -> CityCheck:
    """Return how a city of `n` households compares with every figure."""
    whole: Tally = {}
    for part in over_chunks(tally_chunk, n, seed, workers):
        for key, counts in part.items():
            whole[key] = whole.get(key, 0.0) + counts
    return evaluate_tally(whole)


def evaluate_tally(whole: Tally) -> CityCheck:
    """Return the comparison that a tally amounts to."""
    sources = default_sources()
    kinds: dict[str, dict[str, NDArray[np.float64]]] = {"joint": {}, "validation": {}}
    kinds |= {"violation": {}, "moment": {}}
    margins = []
    for (kind, *key), counts in whole.items():
        if kind == "margin" and counts[1]:
            achieved, target = counts[0] / counts[1], counts[2] / counts[1]
            feature, table, given, category = key
            row = sources.by_feature[feature][0]
            facts = target, achieved, int(counts[1]), row.sources, row.status
            margins.append(MarginResult(feature, table, given, category, *facts))
        elif kind in kinds:
            kinds[kind][key[0]] = counts
    mappings = table_mappings(sources)
    households, people, repaired = whole["total",]
    return CityCheck(
        households=int(households),
        people=int(people),
        repaired=int(repaired),
        margins=margins,
        distances={
            name: distance(published(sources.joints[name], mappings[name]), found)
            for name, found in kinds["joint"].items()
        },
        validations=[
            (row, float(np.divide(*kinds["validation"][row.what]))) for row in sources.validations
        ],
        violations={name: int(count[0]) for name, count in kinds["violation"].items()},
        moments=kinds["moment"],
        joint_counts=kinds["joint"],
    )
