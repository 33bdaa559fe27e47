"""Whether the synthetic city is true: what it was fitted to, what it was not, every constraint."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.language.numpy_backend import holds
from benyfits_data.population.check_draws import CHANGED, Tally, count_draws, sum_of
from benyfits_data.population.conditions import Frame
from benyfits_data.population.cross_tabulations import (
    TableMapping,
    distance,
    published,
    read_table,
    table_mappings,
    unraked_distance,
)
from benyfits_data.population.distributions import Distribution
from benyfits_data.population.poverty import share_in_poverty
from benyfits_data.population.rare_people import PeopleResult, count_people, people_results
from benyfits_data.population.source_rows import Unfitted
from benyfits_data.population.synthesis import (
    build_city,
    default_distributions,
    default_sources,
    over_chunks,
    possible_households,
)
from benyfits_data.population.synthetic_city import City

MARGIN_TOLERANCE = 0.005
DRAW_TOLERANCE = 0.001
POVERTY_TOLERANCE = 0.015
BROKEN_AT_MOST = 0.001
"""Share of people, or households, that may break a rule of `people.csv`."""
ERRORS = 3
"""Standard errors of a simple random sample that every tolerance is widened by."""
ALLOTTED = 2
"""Whole people by which what is allotted in cells may be off, besides its standard errors."""


def sampling_error(share: float, number: float, errors: float = ERRORS) -> float:
    """Return how far a share of `n` people may be from the true share by chance."""
    spread = max(share * (1 - share), 1 / max(number, 1))
    return float(errors * np.sqrt(spread / max(number, 1)))


@dataclass(frozen=True)
class MarginResult:
    """One target beside the city: what share of `people`, for whom `given` holds, is `category`.

    `variance` is that of the count where people were allotted, not sampled.
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
    variance: float | None = None

    @property
    def difference(self) -> float:
        """Achieved less target."""
        return self.achieved - self.target

    def exceeds(self, tolerance: float) -> bool:
        """Return whether it is off by more than a tolerance and what chance may do.

        What should never or always be may not be otherwise at all.
        """
        allowed = min(tolerance, self.target, 1 - self.target)
        if self.variance is None:
            allowed += sampling_error(self.target, self.people)
        else:
            allowed += (ALLOTTED + ERRORS * float(np.sqrt(self.variance))) / self.people
        return abs(self.difference) > allowed

    def __str__(self) -> str:
        told = f"{self.feature} {self.category} | {self.given}"
        return f"{told}: {self.achieved:.4f}, target {self.target:.4f}"


@dataclass(frozen=True)
class UnfittedResult:
    """One published share that nothing is fitted to, beside the city's, of so many."""

    row: Unfitted
    achieved: float
    counted: int
    by_words: float | None = None
    """The city's share by the words alone, where the row counts something else."""

    @property
    def difference(self) -> float:
        """The city's less the published share, in the city's years."""
        return self.achieved - self.row.expected

    @property
    def is_within(self) -> bool:
        """Whether the city's is within the row's tolerance and what sampling explains."""
        return self._allows(self.achieved, self.row.expected)

    @property
    def is_as_printed(self) -> bool:
        """Whether it counts what the words alone say, in the years of the figure."""
        return self.by_words is None and self.row.carried is None

    @property
    def is_within_as_printed(self) -> bool:
        """Whether the city's share by the words alone is, of the share as it is printed."""
        share = self.achieved if self.by_words is None else self.by_words
        return self._allows(share, self.row.published)

    def _allows(self, share: float, expected: float) -> bool:
        allowed = self.row.tolerance + sampling_error(expected, self.counted)
        return abs(share - expected) <= allowed


def breaks(found: PeopleResult) -> bool:
    """Return whether more people break a rule than may, sampling aside."""
    allowed = BROKEN_AT_MOST + sampling_error(BROKEN_AT_MOST, found.among)
    return found.row.kind == "rule" and found.share > allowed


@dataclass(frozen=True)
class JointResult:
    """A published table beside the city's: total variation distances and what they may be.

    Attributes:
        raked: With the published table raked to the city's margins: how things go together.
        unraked: As published; what the years, or the state, differ in is in it.
        mapping: How it is read off the city, and what both distances may be.
        counts: The city's counts in its cells.
    """

    raked: float
    unraked: float
    mapping: TableMapping
    counts: NDArray[np.float64]

    @property
    def noise(self) -> float:
        """The distance that sampling alone is expected to make."""
        shares = self.counts / self.counts.sum()
        return float(np.sqrt(shares / self.counts.sum()).sum() / np.sqrt(2 * np.pi))

    @property
    def exceeds(self) -> bool:
        """Whether one of the distances is more than it may be."""
        allowed = self.mapping.unraked_tolerance
        is_far = allowed is not None and self.unraked > allowed + self.noise
        return is_far or self.raked > self.mapping.tolerance + self.noise


@dataclass(frozen=True)
class CityCheck:
    """Everything that was compared.

    Attributes:
        households: Number of households.
        people: Number of members.
        repaired: Households that had to be changed to be possible.
        margins: Every published margin that draws are raked to.
        poverty: Every published share in poverty that incomes are calibrated to.
        draws: What draws add up to, by condition, beside their own expectation in the first chunk:
            no published figures.
        joints: The published cross-tabulations.
        unfitted: Published shares that nothing is fitted to.
        rules: How many people break rules of what people are, and rare people who must exist.
        violations: Broken constraints by name; empty when every household is possible.
    """

    households: int
    people: int
    repaired: int
    margins: list[MarginResult]
    poverty: list[MarginResult]
    draws: list[MarginResult]
    joints: dict[str, JointResult]
    unfitted: list[UnfittedResult]
    rules: list[PeopleResult]
    violations: dict[str, int]

    @property
    def distances(self) -> dict[str, float]:
        """The distance of each joint table, raked to the city's margins."""
        return {name: found.raked for name, found in self.joints.items()}

    @property
    def joint_counts(self) -> dict[str, NDArray[np.float64]]:
        """The city's counts in the cells of each joint table."""
        return {name: found.counts for name, found in self.joints.items()}

    def problems(self) -> list[str]:
        """Return what it is fitted to, or must hold, and misses, in words."""
        found = [str(row) for row in self.margins if row.exceeds(MARGIN_TOLERANCE)]
        found += [str(row) for row in self.poverty if row.exceeds(POVERTY_TOLERANCE)]
        found += [f"drawn {row}" for row in self.draws if row.exceeds(DRAW_TOLERANCE)]
        found += [
            f"joint table {name}: distance {it.raked:.4f} raked, {it.unraked:.4f} unraked"
            for name, it in self.joints.items()
            if it.exceeds
        ]
        found += [
            f"{it.row.what}: {it.found} of {it.among}, expected at most {BROKEN_AT_MOST:.1%}"
            for it in self.rules
            if breaks(it)
        ]
        return found + [
            f"{name}: violated {count} times" for name, count in self.violations.items()
        ]

    def misses(self) -> list[str]:
        """Return the unfitted figures that are not within tolerance, in words."""
        return [
            f"{it.row.what}: {it.achieved:.4f}, published {it.row.expected:.4f}"
            for it in self.unfitted
            if not it.is_within
        ]


def tally_chunk(n: int, seed: int, chunk: int) -> Tally:
    """Return the counts of one chunk of the city."""
    return tally(build_city(n, seed, chunk))


def tally(city: City) -> Tally:
    """Return the counts of a finished city, by kind and what is counted.

    `margin`, `poverty` and `draw`: inside the category, in the group, expected; `joint`: cells;
    `unfitted`: inside, among; `words`: the same by words alone; `people`: rules and rare people;
    `violation`: how often; `total`: households, people, repaired households.
    """
    sums: Tally = {}
    _put_earnings(city)
    for feature, distribution in default_distributions().items():
        frame = city.households if distribution.level == "household" else city.people
        if feature in frame:
            sums |= count_margins(frame, feature, distribution)
            if distribution.draws and not city.chunk and feature not in CHANGED:
                sums |= count_draws(frame, feature, distribution)
    for target in city.sources.poverty:
        share, among = share_in_poverty(city, target)
        counts = np.array([share if among else 0.0, 1, target.share]) * among
        sums["poverty", f"{target.unit} in poverty", "", target.given, "yes"] = counts
    for name, mapping in table_mappings(city.sources).items():
        sums["joint", name] = read_table(city, city.sources.joints[name], mapping)
    for row in city.sources.unfitted:
        frame = city.households if row.level == "household" else city.people
        among_mask = frame.mask(row.among)
        found = among_mask & frame.mask(row.condition)
        sums["unfitted", row.what] = np.array([found.sum(), among_mask.sum()], float)
        if row.words_condition:
            among_mask = frame.mask(row.words_among)
            found = among_mask & frame.mask(row.words_condition)
            sums["words", row.what] = np.array([found.sum(), among_mask.sum()], float)
    sums |= count_people(city)
    table, repaired = possible_households(city)
    for name, constraint in CONSTRAINTS.items():
        kept = holds(constraint, table)
        broken = ~kept & table.present if kept.ndim == 2 else ~kept
        if broken.any():
            sums["violation", name] = np.array([broken.sum()], float)
    sums["total",] = np.array([city.households.size, city.people.size, repaired], float)
    return sums


def _put_earnings(city: City) -> None:
    """Put what the table of earnings counts: in its own dollars, full time all year or not."""
    people = city.people
    factor = city.sources.parameter("earnings_factor")
    earned = np.maximum(np.round(people["annual_work_income"] / factor), 1)
    people.put("earnings_of_table", earned.astype(np.int64))
    is_full = (people["work_hours_per_week"] >= 35) & (people["consecutive_work_weeks"] >= 50)
    people.put("full_time", is_full)


def count_margins(frame: Frame, feature: str, distribution: Distribution) -> Tally:
    """Return, by published margin, who has the category, who counts, who should have it."""
    found: Tally = {}
    for group in distribution.margins:
        inside = frame.mask(group.given)
        for category, share in group.shares.items():
            has = inside & frame.mask(f"{feature} {category}")
            counts = has.sum(), inside.sum(), share * inside.sum()
            found["margin", feature, group.table, group.given, category] = np.array(counts, float)
    return found


def check_city(
    n: int, seed: int, workers: int = 2, tick: Callable[[int], object] = lambda done: None
) -> CityCheck:
    """Return how a city of `n` households compares with every figure; `tick` as `over_chunks`."""
    return evaluate_tally(sum_of(over_chunks(tally_chunk, n, seed, workers, tick)))


def evaluate_tally(whole: Tally) -> CityCheck:
    """Return the comparison that a tally amounts to."""
    sources = default_sources()
    kinds: dict[str, dict[tuple[str, ...], NDArray[np.float64]]] = defaultdict(dict)
    for (kind, *key), counts in whole.items():
        kinds[kind][tuple(key)] = counts
    mappings = table_mappings(sources)
    joints = {}
    for (name,), counts in kinds["joint"].items():
        target = published(sources.joints[name], mappings[name])
        apart = distance(target, counts), unraked_distance(target, counts)
        joints[name] = JointResult(*apart, mappings[name], counts)
    cited = {name: (rows[0].sources, rows[0].status) for name, rows in sources.by_feature.items()}
    poverty = {row.given: (row.sources, row.status) for row in sources.poverty}
    households, people, repaired = kinds["total"][()]
    return CityCheck(
        households=int(households),
        people=int(people),
        repaired=int(repaired),
        margins=[_result(key, it, cited[key[0]]) for key, it in kinds["margin"].items() if it[1]],
        poverty=[
            _result(key, it, poverty[key[2]]) for key, it in kinds["poverty"].items() if it[1]
        ],
        draws=[_result(key, it, cited[key[0]]) for key, it in kinds["draw"].items() if it[1]],
        joints=joints,
        unfitted=[
            _unfitted(row, counts, kinds["words"].get((row.what,)))
            for row in sources.unfitted
            if (counts := kinds["unfitted"].get((row.what,), np.zeros(2)))[1]
        ],
        rules=people_results(sources.people, whole),
        violations={name: int(count[0]) for (name,), count in kinds["violation"].items()},
    )


def _unfitted(
    row: Unfitted, counts: NDArray[np.float64], words: NDArray[np.float64] | None
) -> UnfittedResult:
    by_words = None if words is None else float(words[0] / words[1])
    return UnfittedResult(row, float(counts[0] / counts[1]), int(counts[1]), by_words)


def _result(
    key: tuple[str, ...], counts: NDArray[np.float64], cited: tuple[tuple[str, ...], str]
) -> MarginResult:
    feature, table, given, category = key
    achieved, target = counts[0] / counts[1], counts[2] / counts[1]
    variance = float(counts[3]) if len(counts) > 3 else None
    place = feature, table, given, category
    return MarginResult(*place, target, achieved, int(counts[1]), *cited, variance)
