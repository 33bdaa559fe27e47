"""Columns of the linear and the integer program: households, what each can fill and costs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.corpus import Corpus, CoverageOf, collect
from benyfits_data.fuzz.exact.column_generation import contested_labels
from benyfits_data.fuzz.exact.set_cover import Slots
from benyfits_data.household.columns import Households
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

MIXED = 4
"""Relations are mixed with so many kinds, the applicant's among them: 14% of the city's homes."""
SHARE_BEYOND, SHARE_MIXED = 0.05, 0.15
"""Of the chosen households, so many may be beyond the 99th percentile, and of mixed relations."""
FAR = 4
"""How many times more what is beyond the 99th percentile costs where households are chosen."""
Index = NDArray[np.intp]


@dataclass(frozen=True)
class Columns:
    """Households as columns of a linear or integer program.

    Attributes:
        homes: The households.
        fills: Which slots each can fill, shape `(slots, n)`.
        cost: What each costs: 0 up to the city's median, 1,000 at the 99th percentile.
        over: Whether each is over a limit, less the share that may be, shape `(limits, n)`: the
            percentile of the median household, the 99th percentile, mixed relations.
    """

    homes: Households
    fills: NDArray[np.bool_]
    cost: NDArray[np.int64]
    over: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def dear(self) -> NDArray[np.int64]:
        """What each costs where households are chosen, shape `(n,)`."""
        return np.asarray(self.cost + FAR * np.maximum(self.cost - 1_000, 0))

    def take(self, places: Index) -> "Columns":
        """Return some of the columns."""
        homes, fills = self.homes.take(places), self.fills[:, places]
        return Columns(homes, fills, self.cost[places], self.over[:, places])

    def joined_by(self, other: "Columns") -> "Columns":
        """Return these columns and others."""
        return Columns(
            Households.concatenate([self.homes, other.homes]),
            np.concatenate([self.fills, other.fills], axis=1),
            np.append(self.cost, other.cost),
            np.concatenate([self.over, other.over], axis=1),
        )


class Pricer:
    """Says what households fill and cost.

    Args:
        corpus: What can be covered at all. Nobody whose label is contested fills a slot that
            somebody of it fills uncontested.
        covers: Tells what households cover.
        slots: What is to be filled.
        plausibility: How surprising households are.
        percentile: At which the median household may stay.
    """

    def __init__(
        self,
        corpus: Corpus,
        covers: CoverageOf,
        slots: Slots,
        plausibility: Plausibility,
        percentile: float,
    ) -> None:
        self._edition, self._covers, self._slots = corpus.edition, covers, slots
        self._plausibility, self._percentile = plausibility, percentile
        coverage = covers(corpus)
        self._reached = [one.reached for one in coverage]
        contested = contested_labels(corpus, coverage)[slots.programs]
        sure = slots.fillers(coverage) & ~contested
        self._has_sure = np.asarray(sure.any(axis=1, keepdims=True))

    def columns(self, *homes: Households) -> Columns:
        """Return the columns of households.

        Whoever covers what nobody of the corpus does fills nothing: it would have to be covered.
        """
        table = Households.concatenate(homes)
        corpus = collect(self._edition, [table])
        coverage = self._covers(corpus)
        contested = contested_labels(corpus, coverage)[self._slots.programs]
        fills = self._slots.fillers(coverage) & ~(contested & self._has_sure)
        for one, reached in zip(coverage, self._reached, strict=True):
            is_new = np.asarray((one.classes & ~reached).any(axis=1))
            fills[:, is_new[one.class_of]] = False
        surprise = self._plausibility.surprise(table)
        percentile = self._plausibility.percentile(table, surprise)
        scaled = np.maximum(self._plausibility.scaled_surprise(table, surprise), 0)
        over = [
            (percentile > self._percentile) - 1 / 2,
            (percentile > 99) - SHARE_BEYOND,
            (kinds_of_relations(table) >= MIXED) - SHARE_MIXED,
        ]
        return Columns(table, fills, scaled, np.stack(over))
