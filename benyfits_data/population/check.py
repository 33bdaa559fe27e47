"""Whether the synthetic city is true: what it was fitted to, what it was not, every constraint."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import to_csv
from benyfits_data.population.raking import fit_margins
from benyfits_data.population.synthesis import default_sources, sum_over_chunks
from benyfits_data.population.tallies import Tally, tally_chunk

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


Counts = dict[tuple[str, ...], NDArray[np.float64]]
"""Counts of one kind, by what is counted."""


def evaluate_tally(whole: Tally) -> CityCheck:
    """Return the comparison that a tally amounts to; what was not counted is left out."""
    kinds: dict[str, Counts] = defaultdict(dict)
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


def _of_targets(kind: str, targets: Counts) -> Iterator[Comparison]:
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


def _of_tables(joints: Counts) -> Iterator[Comparison]:
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


def _of_unfitted(shares: Counts) -> Iterator[Comparison]:
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


def _of_people(shares: Counts) -> Iterator[Comparison]:
    for row in default_sources().people:
        if (row.what,) in shares:
            inside, number = shares[row.what,]
            allowed = BROKEN_AT_MOST + sampling_error(BROKEN_AT_MOST, number)
            required = allowed if row.kind == "rule" else None
            figures = 0.0, float(inside / max(number, 1)), int(number), required
            evidence = row.status, row.sources, row.note
            yield Comparison(row.kind, row.what, row.among, *figures, *evidence)
