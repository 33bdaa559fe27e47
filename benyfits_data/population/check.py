"""Whether the synthetic city is true: every margin, every joint table, every constraint."""

from collections.abc import Iterator, Sequence
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
    """One target beside what the city has.

    Attributes:
        feature: What was drawn.
        table: Joint table that the margin belongs to, if any.
        given: Among whom.
        category: What share is meant.
        target: Wanted share.
        achieved: Share in the city.
        people: People or households that `given` holds for.
        sources: Ids of sources.
        status: Whether the target is verified, derived or assumed.
    """

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
class JointResult:
    """One joint table and the city's total variation distance from it."""

    table: str
    source: str
    cells: int
    distance: float


@dataclass(frozen=True)
class ValidationResult:
    """A published share that nothing was fitted to, beside the city's."""

    what: str
    published: float
    achieved: float
    sources: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class CityCheck:
    """Everything that was compared.

    Attributes:
        households: Number of households.
        people: Number of members.
        margins: Every margin.
        joints: Every joint table.
        validations: Published shares that nothing was fitted to.
        violations: Broken constraints by name; empty when every household is possible.
        repaired: Households that had to be changed for that.
        moments: What correlations are computed from.
        joint_counts: The city's counts in the cells of each joint table.
    """

    households: int
    people: int
    margins: list[MarginResult]
    joints: list[JointResult]
    validations: list[ValidationResult]
    violations: dict[str, int]
    repaired: int
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
            f"joint table {joint.table}: distance {joint.distance:.4f}"
            for joint in self.joints
            if joint.distance > JOINT_TOLERANCE
        ]
        return found + [
            f"{name}: violated {count} times" for name, count in self.violations.items()
        ]


@dataclass
class Tally:
    """Counts of one chunk or of many.

    Attributes:
        sums: By kind and key. `margin`: inside the category, in the group, and expected (or
            nothing where the target is the table's). `joint`: cells. `validation`: inside, among.
            `violation`: how often. `moment`: sums behind a correlation. `total`: households,
            people, repaired households.
    """

    sums: dict[tuple[str, ...], NDArray[np.float64]]

    def add(self, other: "Tally") -> None:
        """Add another chunk's counts."""
        for key, value in other.sums.items():
            self.sums[key] = self.sums[key] + value if key in self.sums else value

    def of(self, kind: str) -> Iterator[tuple[tuple[str, ...], NDArray[np.float64]]]:
        """Yield the counts of one kind, with the rest of their keys."""
        for key, value in self.sums.items():
            if key[0] == kind:
                yield key[1:], value


def tally_chunk(n: int, seed: int, chunk: int) -> Tally:
    """Return the counts of one chunk of the city."""
    return tally(build_city(n, seed, chunk))


def tally(city: City) -> Tally:
    """Return the counts of a finished city."""
    sums: dict[tuple[str, ...], NDArray[np.float64]] = {}
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
    return Tally(sums)


def _count_feature(
    frame: Frame, feature: str, distribution: Distribution
) -> dict[tuple[str, ...], NDArray[np.float64]]:
    """Return the counts of margins, or of a feature without them: what its draws add up to."""
    found: dict[tuple[str, ...], NDArray[np.float64]] = {}
    for group in distribution.margins:
        inside = frame.mask(group.given)
        for category in group.shares:
            has = inside & frame.mask(f"{feature} {category}")
            found["margin", feature, group.table, group.given, category] = np.array(
                [has.sum(), inside.sum()], float
            )
    if distribution.draws and not distribution.margins:
        cell, fitted = distribution.fit(frame)
        drawn = np.bincount(cell, minlength=len(fitted)).astype(float) @ fitted
        for category, parts in _disjoint(distribution.categories).items():
            has = frame.mask(f"{feature} {category}")
            expected = sum(drawn[place] * part for place, part in parts)
            found["margin", feature, "", "all", category] = np.array(
                [has.sum(), frame.size, expected], float
            )
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
    """Return how a city of `n` households compares with every figure.

    Args:
        n: Number of households.
        seed: Seed of the whole build.
        workers: Processes.
    """
    whole = Tally({})
    for part in over_chunks(tally_chunk, n, seed, workers):
        whole.add(part)
    return evaluate_tally(whole)


def evaluate_tally(whole: Tally) -> CityCheck:
    """Return the comparison that a tally amounts to."""
    sources, distributions = default_sources(), default_distributions()
    margins = []
    for (feature, table, given, category), counts in whole.of("margin"):
        inside, group = counts[:2]
        if not group:
            continue
        target = counts[2] / group if len(counts) == 3 else None
        for margin in distributions[feature].margins:
            if (margin.table, margin.given) == (table, given):
                target = margin.shares[category]
        assert target is not None
        row = sources.by_feature[feature][0]
        margins.append(
            MarginResult(
                feature,
                table,
                given,
                category,
                target,
                inside / group,
                int(group),
                row.sources,
                row.status,
            )
        )
    mappings = table_mappings(sources)
    joints = []
    for (name,), found in whole.of("joint"):
        target_table = published(sources.joints[name], mappings[name])
        joints.append(
            JointResult(
                name, sources.joints[name].source, target_table.size, distance(target_table, found)
            )
        )
    shares = {key[0]: counts[0] / counts[1] for key, counts in whole.of("validation")}
    households, people, repaired = whole.sums["total",]
    return CityCheck(
        households=int(households),
        people=int(people),
        margins=margins,
        joints=joints,
        validations=[
            ValidationResult(row.what, row.published, shares[row.what], row.sources, row.note)
            for row in sources.validations
        ],
        violations={key[0]: int(count[0]) for key, count in whole.of("violation")},
        repaired=int(repaired),
        moments={key[0]: value for key, value in whole.of("moment")},
        joint_counts={key[0]: value for key, value in whole.of("joint")},
    )
