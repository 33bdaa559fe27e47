"""Whether the synthetic city is true: every margin, every joint table, every constraint."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.language.batch import holds
from benyfits_data.population.city import City
from benyfits_data.population.conditions import Frame, parse_range
from benyfits_data.population.correlations import Moments, moments
from benyfits_data.population.distributions import Distribution
from benyfits_data.population.joint_checks import distance, published, read_table, readings
from benyfits_data.population.synthesis import (
    build_city,
    default_distributions,
    default_sources,
    over_chunks,
    possible_households,
)

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
        settled: Households that had to be changed for that.
        moments: What correlations are computed from.
        joint_counts: The city's counts in the cells of each joint table.
    """

    households: int
    people: int
    margins: list[MarginResult]
    joints: list[JointResult]
    validations: list[ValidationResult]
    violations: dict[str, int]
    settled: int
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
        households: Number of households.
        people: Number of members.
        settled: Households changed to be possible.
        inside: Of each margin's group, how many have the category.
        group: Of each margin, how many the group has.
        expected: Of each draw without margins, how many are expected.
        joints: Counts of each joint table.
        validations: Of each published share, how many have it and among how many.
        violations: Broken constraints by name.
        moments: What correlations are computed from.
    """

    households: int
    people: int
    settled: int = 0
    inside: dict[tuple[str, str, str, str], float] = field(default_factory=dict)
    group: dict[tuple[str, str, str, str], float] = field(default_factory=dict)
    expected: dict[tuple[str, str, str, str], float] = field(default_factory=dict)
    joints: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    validations: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    violations: dict[str, int] = field(default_factory=dict)
    moments: Moments = field(default_factory=dict)

    def add(self, other: "Tally") -> None:
        """Add another chunk's counts."""
        self.households += other.households
        self.people += other.people
        self.settled += other.settled
        for name in (
            "inside",
            "group",
            "expected",
            "joints",
            "validations",
            "violations",
            "moments",
        ):
            mine, theirs = getattr(self, name), getattr(other, name)
            for key, value in theirs.items():
                mine[key] = mine[key] + value if key in mine else value


def tally_chunk(n: int, seed: int, chunk: int) -> Tally:
    """Return the counts of one chunk of the city."""
    return tally(build_city(n, seed, chunk))


def tally(city: City) -> Tally:
    """Return the counts of a finished city."""
    counts = Tally(city.households.size, city.people.size)
    for feature, distribution in default_distributions().items():
        if feature in _NOT_CODES:
            continue
        frame = city.households if distribution.level == "household" else city.people
        if feature not in frame:
            continue
        if distribution.margins:
            _count_margins(counts, frame, feature, distribution)
        elif distribution.draws:
            _count_draws(counts, frame, feature, distribution)
    for name, reading in readings(city.sources).items():
        counts.joints[name] = read_table(city, city.sources.joints[name], reading)
    for validation in city.sources.validations:
        frame = city.households if validation.level == "household" else city.people
        among = frame.mask(validation.among)
        found = among & frame.mask(validation.condition)
        counts.validations[validation.what] = np.array([found.sum(), among.sum()], float)
    table, counts.settled = possible_households(city)
    for name, constraint in CONSTRAINTS.items():
        kept = holds(constraint, table)
        broken = ~kept & table.present if kept.ndim == 2 else ~kept
        if broken.any():
            counts.violations[name] = int(broken.sum())
    counts.moments = moments(table)
    return counts


def _count_margins(counts: Tally, frame: Frame, feature: str, distribution: Distribution) -> None:
    for group in distribution.margins:
        inside = frame.mask(group.given)
        for category in group.shares:
            key = (feature, group.table, group.given, category)
            found = inside & frame.mask(f"{feature} {category}")
            counts.group[key] = float(inside.sum())
            counts.inside[key] = float(found.sum())


def _count_draws(counts: Tally, frame: Frame, feature: str, distribution: Distribution) -> None:
    """Features without a margin: the share that their conditional shares add up to."""
    cell, fitted = distribution.fit(frame)
    sizes = np.bincount(cell, minlength=len(fitted)).astype(float)
    drawn = sizes @ fitted
    for category, parts in _disjoint(distribution.categories).items():
        key = (feature, "", "all", category)
        counts.group[key] = float(frame.size)
        counts.inside[key] = float(frame.mask(f"{feature} {category}").sum())
        counts.expected[key] = float(sum(drawn[place] * part for place, part in parts))


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
    whole: Tally | None = None
    for part in over_chunks(tally_chunk, n, seed, workers):
        if whole is None:
            whole = part
        else:
            whole.add(part)
    assert whole is not None
    return evaluate_tally(whole)


def evaluate_tally(whole: Tally) -> CityCheck:
    """Return the comparison that a tally amounts to."""
    sources, distributions = default_sources(), default_distributions()
    margins = []
    for key, group in whole.group.items():
        feature, table, given, category = key
        rows = sources.by_feature[feature]
        if key in whole.expected:
            target = whole.expected[key] / group
        else:
            found = [
                m for m in distributions[feature].margins if (m.table, m.given) == (table, given)
            ]
            target = found[0].shares[category]
        if group:
            margins.append(
                MarginResult(
                    feature,
                    table,
                    given,
                    category,
                    target,
                    whole.inside[key] / group,
                    int(group),
                    rows[0].sources,
                    rows[0].status,
                )
            )
    joints = []
    for name, reading in readings(sources).items():
        joint = sources.joints[name]
        target_table = published(joint, reading)
        joints.append(
            JointResult(
                name, joint.source, target_table.size, distance(target_table, whole.joints[name])
            )
        )
    validations = [
        ValidationResult(
            validation.what,
            validation.published,
            float(np.divide(*whole.validations[validation.what])),
            validation.sources,
            validation.note,
        )
        for validation in sources.validations
    ]
    return CityCheck(
        households=whole.households,
        people=whole.people,
        margins=margins,
        joints=joints,
        validations=validations,
        violations=whole.violations,
        settled=whole.settled,
        moments=whole.moments,
        joint_counts=whole.joints,
    )
