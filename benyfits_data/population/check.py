"""Whether the synthetic city is true: what it was fitted to, what it was not, every constraint.

What a draw adds up to within a condition is no published figure: it is the table's own expectation,
raked to the margins. That the finished city meets it says that nothing later undid the dependence.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import to_csv
from benyfits_data.household.constants import FULL_TIME_HOURS
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.language.numpy_backend import holds
from benyfits_data.population.conditions import LARGEST, Frame, parse_range
from benyfits_data.population.distributions import Distribution
from benyfits_data.population.incomes import ALL_YEAR
from benyfits_data.population.poverty import share_in_poverty
from benyfits_data.population.raking import fit_margins
from benyfits_data.population.sources import JointTable
from benyfits_data.population.synthesis import (
    build_city,
    default_distributions,
    default_sources,
    possible_households,
    sum_over_chunks,
)
from benyfits_data.population.synthetic_city import City

KINDS = {
    "margin": "published margins that draws are raked to",
    "poverty": "published shares in poverty that incomes are calibrated to",
    "draw": "what draws add up to, beside their own expectation in the first chunk: not published",
    "joint": "distances of published cross-tabulations, raked to the city's margins",
    "joint as published": "the same as published; of another place than the city not required",
    "rule": "shares of people who break a rule of what people are",
    "violation": "how often a constraint is broken",
    "unfitted": "published shares that nothing is fitted to",
    "unfitted, added last": "those of them that were added before the city was held to any",
    "as printed": "unfitted shares by their words alone, in the years of the figure",
    "group": "shares of rare people who must exist",
}
"""What is compared; the last four may be missed."""
_MAY_BE_MISSED = frozenset({"unfitted", "unfitted, added last", "as printed", "group"})
TOLERANCES = {"margin": 0.005, "draw": 0.001, "poverty": 0.015}
"""How far a share may be off, besides what chance may do."""
CONTRADICTED = {("receives_medicaid", "age 0-20"): 0.01}
"""Wider tolerances of margins that other figures contradict, by feature and condition. 59.3% of
those under 21 should have Medicaid, but 41.5% are without it by their insurance and income."""
BROKEN_AT_MOST = 0.001
"""Share of people, or households, that may break a rule of `people.csv`."""
ERRORS = 3
"""Standard errors of a simple random sample that every tolerance is widened by."""
ALLOTTED = 2
"""Whole people by which what is allotted in cells may be off, besides its standard errors."""
CHANGED = frozenset(
    {
        *("ac_age_years", "marital_status", "months_owned_property", "months_pregnant"),
        *("property_owner_widow", "receives_ssi"),
    }
)
"""Changed once drawn, or drawn by what is changed then; margins are compared all the same."""
OTHERWISE = "otherwise"
"""Those for whom no condition of a draw holds."""
_ENDS = 8
"""Most ends of ranges that numbers are counted from."""
COLUMNS = (
    *("kind", "what", "among", "expected", "city", "difference", "allowed", "within", "counted"),
    *("status", "sources", "note"),
)


def sampling_error(share: float, number: float) -> float:
    """Return how far a share of `n` people may be from the true share by chance."""
    spread = max(share * (1 - share), 1 / max(number, 1))
    return float(ERRORS * np.sqrt(spread / max(number, 1)))


@dataclass(frozen=True)
class Comparison:
    """One figure beside the city's.

    Attributes:
        kind: A key of `KINDS`.
        what: What is counted.
        among: Of whom, in the language of conditions.
        expected: The figure; of distances and of what should not be 0.
        achieved: The city's.
        counted: How many people or households it is a share of.
        allowed: How far apart they may be, sampling included; `None` where nothing is required.
    """

    kind: str
    what: str
    among: str
    expected: float
    achieved: float
    counted: int
    allowed: float | None
    status: str = ""
    sources: tuple[str, ...] = ()
    note: str = ""

    @property
    def difference(self) -> float:
        """The city's less the figure."""
        return self.achieved - self.expected

    @property
    def is_within(self) -> bool:
        """Whether it is as near as it should be."""
        return self.allowed is None or abs(self.difference) <= self.allowed

    def cells(self) -> tuple[object, ...]:
        """Return the row of a table with `COLUMNS`."""
        allowed = "" if self.allowed is None else f"{self.allowed:.5f}"
        figures = f"{self.expected:.5f}", f"{self.achieved:.5f}", f"{self.difference:+.5f}", allowed
        within = "yes" if self.is_within else "no"
        evidence = self.status, " ".join(self.sources), self.note
        return self.kind, self.what, self.among, *figures, within, self.counted, *evidence

    def __str__(self) -> str:
        among = f" | {self.among}" if self.among else ""
        figures = f"{self.achieved:.4f}, expected {self.expected:.4f}"
        return f"{self.kind} {self.what}{among}: {figures}"


@dataclass(frozen=True)
class CityCheck:
    """Everything that was compared.

    Attributes:
        households: Number of households.
        people: Number of members.
        repaired: Households that had to be changed to be possible.
        rows: Every figure beside the city's.
    """

    households: int
    people: int
    repaired: int
    rows: list[Comparison]

    def of(self, kind: str) -> list[Comparison]:
        """Return the comparisons of one kind."""
        return [row for row in self.rows if row.kind == kind]

    def problems(self) -> list[Comparison]:
        """Return what it is fitted to, or must hold, and misses."""
        return [row for row in self.rows if not row.is_within and row.kind not in _MAY_BE_MISSED]

    def misses(self) -> list[Comparison]:
        """Return the unfitted figures that are not within tolerance."""
        return [row for row in self.rows if not row.is_within and row.kind.startswith("unfitted")]

    def summary(self) -> list[tuple[str, int, float, float, float]]:
        """Return number, percent within, mean and largest difference of each kind of figure."""
        lines = []
        for kind in KINDS:
            if rows := self.of(kind):
                apart = [abs(row.difference) for row in rows]
                within = 100 * sum(row.is_within for row in rows) / len(rows)
                lines.append((kind, len(rows), within, sum(apart) / len(rows), max(apart)))
        return lines

    def to_csv(self) -> str:
        """Return all rows as CSV, of each kind the farthest first."""
        kinds = list(KINDS)
        ordered = sorted(self.rows, key=lambda row: (kinds.index(row.kind), -abs(row.difference)))
        return to_csv(COLUMNS, (row.cells() for row in ordered))


def check_city(
    n: int, seed: int, workers: int = 2, tick: Callable[[int], object] = lambda done: None
) -> CityCheck:
    """Return how a city of `n` households compares with every figure; `tick` as `over_chunks`."""
    return evaluate_tally(sum_over_chunks(tally_chunk, n, seed, workers, tick))


Tally = dict[tuple[str, ...], NDArray[np.float64]]
"""Counts by kind and what is counted; they add up over the chunks of a city."""


def tally_chunk(n: int, seed: int, chunk: int) -> Tally:
    """Return the counts of one chunk of the city."""
    return tally(build_city(n, seed, chunk))


def tally(city: City) -> Tally:
    """Return the counts of a finished city, by kind and what is counted.

    Those of `count_figures`; `violation`: how often; `total`: households, people, repaired
    households.
    """
    put_counted(city)
    sums = count_figures(city)
    table, repaired = possible_households(city)
    for name, constraint in CONSTRAINTS.items():
        kept = holds(constraint, table)
        broken = ~kept & table.present if kept.ndim == 2 else ~kept
        sums["violation", name] = np.array([broken.sum()], float)
    sums["total",] = np.array([city.households.size, city.people.size, repaired], float)
    return sums


def count_figures(city: City, column: str | None = None) -> Tally:
    """Return what stands beside figures, of all of them or of those that name one column.

    `margin`, `poverty` and `draw`: inside the category, in the group, expected; `joint`: cells;
    `unfitted`: inside, among, and the same by words alone; `people`: rules and rare people.

    Args:
        city: A finished city, with the columns of `tally`.
        column: Of people or households.
    """
    sums: Tally = {}

    def is_meant(*conditions: str) -> bool:
        return column is None or column in " ".join(conditions).split()

    for feature, distribution in default_distributions().items():
        frame = city.frame(distribution.level)
        groups = (*distribution.margins, *distribution.draws, *distribution.odds)
        if feature in frame and is_meant(feature, *(group.given for group in groups)):
            sums |= count_margins(frame, feature, distribution)
            if distribution.draws and not city.chunk and feature not in CHANGED:
                sums |= count_draws(frame, feature, distribution)
    for target in city.sources.poverty:
        if is_meant(target.given, "census_poverty", "family_poverty"):
            share, among = share_in_poverty(city, target)
            counts = np.array([share if among else 0.0, 1, target.share]) * among
            sums["poverty", f"{target.unit} in poverty", "", target.given, "yes"] = counts
    for name, joint in city.sources.joints.items():
        columns = (joint.columns.get(each, each) for each in joint.dimensions)
        if joint.level and is_meant(joint.among, *columns):
            sums["joint", name] = count_cells(city.frame(joint.level), joint)
    for row in city.sources.unfitted:
        if is_meant(row.condition, row.among):
            frame = city.frame(row.level)
            counts = words = _count(frame, row.condition, row.among)
            if row.words_condition:
                words = _count(frame, row.words_condition, row.words_among)
            sums["unfitted", row.what] = np.concatenate([counts, words])
    for rule in city.sources.people:
        if is_meant(rule.condition, rule.among):
            sums["people", rule.what] = _count(city.frame(rule.level), rule.condition, rule.among)
    return sums


def count_cells(frame: Frame, joint: JointTable) -> NDArray[np.float64]:
    """Return the city's counts in the cells of a table, one axis a dimension."""
    known, code = frame.mask(joint.among), np.zeros(frame.size, np.int64)
    for conditions in joint.axes:
        digit = np.full(frame.size, -1, np.int64)
        for position, condition in enumerate(conditions):
            digit[frame.mask(condition)] = position
        known = known & (digit >= 0)
        code = code * len(conditions) + np.maximum(digit, 0)
    shape = [len(conditions) for conditions in joint.axes]
    counts = np.bincount(code[known], minlength=int(np.prod(shape)))
    return counts.reshape(shape).astype(float)


def _count(frame: Frame, condition: str, among: str) -> NDArray[np.float64]:
    """Return for how many a condition holds among those for whom another does, and these."""
    inside = frame.mask(among)
    return np.array([(inside & frame.mask(condition)).sum(), inside.sum()], float)


def put_counted(city: City) -> None:
    """Put columns that figures name and nothing is drawn from."""
    people, households, pay = city.people, city.households, city.people["annual_work_income"]
    # The table of earnings has its own dollars, and asks for full time all year.
    earned = np.maximum(np.round(pay / city.sources.parameter("earnings_factor")), 1)
    people.put("earnings_of_table", earned.astype(np.int64))
    is_full = people["work_hours_per_week"] >= FULL_TIME_HOURS
    people.put("full_time", is_full & (people["consecutive_work_weeks"] >= ALL_YEAR))
    hours = people["work_hours_per_week"] * np.maximum(people["consecutive_work_weeks"], 0)
    people.put("hourly_cents", 100 * pay.astype(np.int64) // np.maximum(hours, 1))
    people.put("own_income", (pay + people["annual_investment_income"]).astype(np.int64))
    responsible = city.count(people["responsible_for_day_to_day"]) > 0
    people.put("someone_responsible", responsible[city.household])
    people.put("like_householder", people["sex"] == people["householder_sex"])
    households.put("owners", city.count(people["is_property_owner"]))
    older, children, grandchildren = (
        city.count(people.mask(f"relation {names}")) > 0
        for names in ("parent|grandparent", "child|adopted child|stepchild", "grandchild")
    )
    levels = 1 + older.astype(np.int32) + children + (children & grandchildren)
    households.put("generations", levels.astype(np.int32))


def count_margins(frame: Frame, feature: str, distribution: Distribution) -> Tally:
    """Return, by published margin, who has the category, who counts, who should have it."""
    sums: Tally = {}
    for group in distribution.margins:
        inside = frame.mask(group.given)
        number = inside.sum()
        for category, share in group.shares.items():
            counts = (inside & frame.mask(f"{feature} {category}")).sum(), number, share * number
            sums["margin", feature, group.table, group.given, category] = np.array(counts, float)
    return sums


def count_draws(frame: Frame, feature: str, distribution: Distribution) -> Tally:
    """Return, by condition and category, who has it, who counts, who was expected, the variance.

    Whole people are allotted to every cell, so that what rounding leaves open is all that chance
    may do, and of numbers where in its range each lies.

    Args:
        frame: Finished households or people.
        feature: A feature that is drawn.
        distribution: What it is drawn from.
    """
    sums: Tally = {}
    cell, fitted, _ = distribution.fit(frame)
    categories = countable(distribution.categories)
    has = {category: frame.mask(f"{feature} {category}") for category in categories}
    masks = {"all": frame.mask("all")}
    masks |= {group.given: frame.mask(group.given) for group in distribution.odds}
    left = masks["all"]
    for group in distribution.draws:
        # Of several conditions the first that holds counts.
        inside = frame.mask(group.given)
        masks[f"first {group.given}"] = left & inside
        left = left & ~inside
    masks[OTHERWISE] = left
    for condition, inside in masks.items():
        quota = np.bincount(cell[inside], minlength=len(fitted))[:, None] * fitted
        drawn = quota.sum(axis=0)
        for category, parts in categories.items():
            expected = sum(drawn[place] * part for place, part in parts)
            rest = quota[:, [place for place, _ in parts]] % 1
            # A category rounds what those before it have left, rounded too.
            rounding = 2 * (rest * (1 - rest)).sum()
            spread = sum(drawn[place] * part * (1 - part) for place, part in parts)
            counts = (has[category] & inside).sum(), inside.sum(), expected, rounding + spread
            sums["draw", feature, "", condition, category] = np.array(counts, float)
    return sums


def countable(categories: Sequence[str]) -> dict[str, list[tuple[int, float]]]:
    """Return categories that can be counted, and what part of each drawn one they take.

    Ranges of numbers become `none` and numbers from some of their ends on: the ranges of different
    groups overlap.
    """
    ranges = [None if category == "none" else parse_range(category) for category in categories]
    if all(ends is None for ends in ranges):
        return {category: [(place, 1.0)] for place, category in enumerate(categories)}
    counted = {
        "none": [(place, 1.0) for place, ends in enumerate(ranges) if ends is None],
        "0-0": [(place, _part(ends, 0, 0)) for place, ends in enumerate(ranges) if ends],
    }
    lows = sorted({ends[0] for ends in ranges if ends and ends[0] > 0})
    for low in lows[:: -(-len(lows) // _ENDS) or 1]:
        parts = [(place, _part(ends, low, LARGEST)) for place, ends in enumerate(ranges) if ends]
        counted[f"{low}+"] = parts
    return {category: parts for category, parts in counted.items() if parts}


def _part(ends: tuple[int, int], low: int, high: int) -> float:
    """Return what part of a range, drawn from evenly, lies between two numbers."""
    inside = min(ends[1], high) - max(ends[0], low) + 1
    return max(inside, 0) / (ends[1] - ends[0] + 1)


def evaluate_tally(whole: Tally) -> CityCheck:
    """Return the comparison that a tally amounts to; what was not counted is left out."""
    kinds: dict[str, Tally] = defaultdict(dict)
    for (kind, *key), counts in whole.items():
        kinds[kind][tuple(key)] = counts
    households, people, repaired = map(int, kinds["total"].get((), np.zeros(3)))
    rows = [
        *(row for kind in TOLERANCES for row in _of_targets(kind, kinds[kind])),
        *_of_tables(kinds["joint"]),
        *_of_unfitted(kinds["unfitted"]),
        *_of_people(kinds["people"]),
        *(
            Comparison("violation", name, "", 0.0, float(counts[0]), households, 0.0)
            for (name,), counts in kinds["violation"].items()
        ),
    ]
    return CityCheck(households, people, repaired, rows)


def _of_targets(kind: str, targets: Tally) -> Iterator[Comparison]:
    """Yield what is fitted: what should never or always be may not be otherwise at all."""
    sources = default_sources()
    poverty = {row.given: row for row in sources.poverty}
    for (feature, _, given, category), (has, number, wanted, *rest) in targets.items():
        if not number:
            continue
        target = float(wanted / number)
        tolerance = CONTRADICTED.get((feature, given), TOLERANCES[kind])
        allowed = min(tolerance, target, 1 - target)
        # People were allotted, not sampled, where the variance of the count is known.
        chance = (ALLOTTED + ERRORS * float(np.sqrt(rest[0]))) / number if rest else None
        allowed += sampling_error(target, number) if chance is None else chance
        row = poverty[given] if kind == "poverty" else sources.by_feature[feature][0]
        figures = target, float(has / number), int(number), allowed
        yield Comparison(kind, f"{feature} {category}", given, *figures, row.status, row.sources)


def _of_tables(joints: Tally) -> Iterator[Comparison]:
    for (name,), counts in joints.items():
        joint = default_sources().joints[name]
        target, number = joint.published, counts.sum()
        # What sampling alone is expected to make.
        noise = float(np.sqrt(counts / number / number).sum() / np.sqrt(2 * np.pi))
        for kind, apart, tolerance in (
            ("joint", distance(target, counts), joint.tolerance),
            ("joint as published", unraked_distance(target, counts), joint.unraked_tolerance),
        ):
            allowed = None if tolerance is None else tolerance + noise
            figures = 0.0, apart, int(number), allowed
            yield Comparison(kind, name, joint.among, *figures, "verified", (joint.source,))


def distance(target: NDArray[np.float64], achieved: NDArray[np.float64]) -> float:
    """Return the total variation distance, the target raked to the achieved one-way margins.

    So it measures how things go together, and not how many there are, which another year or the
    whole state tells wrongly.
    """
    reached = achieved / achieved.sum()
    axes = range(target.ndim)
    margins = [
        reached.sum(axis=tuple(other for other in axes if other != axis), keepdims=True)
        for axis in axes
    ]
    fitted = fit_margins(target / target.sum(), margins, 200)
    return float(np.abs(fitted - reached).sum() / 2)


def unraked_distance(target: NDArray[np.float64], achieved: NDArray[np.float64]) -> float:
    """Return the total variation distance of the two tables as they are."""
    return float(np.abs(target / target.sum() - achieved / achieved.sum()).sum() / 2)


def _of_unfitted(shares: Tally) -> Iterator[Comparison]:
    for row in default_sources().unfitted:
        inside, number, by_words, among = shares.get((row.what,), np.zeros(4))
        if not number:
            continue
        kind = "unfitted, added last" if row.is_last_added else "unfitted"
        for each, expected, share in (
            (kind, row.expected, inside / number),
            ("as printed", row.published, by_words / among),
        ):
            allowed = row.tolerance + sampling_error(expected, number)
            figures = expected, float(share), int(number), allowed
            yield Comparison(each, row.what, row.among, *figures, "", row.sources, row.note)


def _of_people(shares: Tally) -> Iterator[Comparison]:
    for row in default_sources().people:
        if (row.what,) in shares:
            inside, number = shares[row.what,]
            allowed = BROKEN_AT_MOST + sampling_error(BROKEN_AT_MOST, number)
            required = allowed if row.kind == "rule" else None
            figures = 0.0, float(inside / max(number, 1)), int(number), required
            evidence = row.status, row.sources, row.note
            yield Comparison(row.kind, row.what, row.among, *figures, *evidence)
