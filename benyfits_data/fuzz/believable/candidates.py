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
ODD = 400
"""What each kind of relations costs that makes a household mixed. With a limit of 15% instead, 17
to 22% of the households were: one kind less of five gained nothing."""
FAR = 4
"""How many times more what is beyond the 99th percentile costs."""
Index = NDArray[np.intp]


@dataclass(frozen=True)
class Columns:
    """Households as columns of a linear or integer program.

    Attributes:
        homes: The households.
        fills: Which slots each can fill, shape `(slots, n)`.
        cost: What each costs: 0 up to the city's median, 1,000 at the 99th percentile, and from
            there on more steeply; more where relations are mixed.
        is_over: Whether each is above the percentile of the median household, shape `(n,)`.
    """

    homes: Households
    fills: NDArray[np.bool_]
    cost: NDArray[np.int64]
    is_over: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.cost)

    def take(self, places: Index) -> "Columns":
        """Return some of the columns."""
        homes, fills = self.homes.take(places), self.fills[:, places]
        return Columns(homes, fills, self.cost[places], self.is_over[places])

    def joined_by(self, other: "Columns") -> "Columns":
        """Return these columns, followed by others."""
        return Columns(
            Households.concatenate([self.homes, other.homes]),
            np.concatenate([self.fills, other.fills], axis=1),
            np.append(self.cost, other.cost),
            np.append(self.is_over, other.is_over),
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
        self._first = np.unique(slots.programs, return_index=True)[1]

    def columns(self, *homes: Households) -> Columns:
        """Return the columns of households.

        Whoever covers what nobody of the corpus does fills nothing: it would have to be covered.
        Nor does one who fills two slots of a program: fewer pairs would do with it.
        """
        table = Households.concatenate(homes)
        corpus = collect(self._edition, [table])
        coverage = self._covers(corpus)
        contested = contested_labels(corpus, coverage)[self._slots.programs]
        fills = self._slots.fillers(coverage)
        fills[:, (np.add.reduceat(fills, self._first, axis=0, dtype=int) > 1).any(axis=0)] = False
        fills &= ~(contested & self._has_sure)
        for one, reached in zip(coverage, self._reached, strict=True):
            is_new = np.asarray((one.classes & ~reached).any(axis=1))
            fills[:, is_new[one.class_of]] = False
        surprise = self._plausibility.surprise(table)
        percentile = self._plausibility.percentile(table, surprise)
        scaled = np.maximum(self._plausibility.scaled_surprise(table, surprise), 0)
        n_mixed = np.maximum(kinds_of_relations(table) - (MIXED - 1), 0)
        cost = scaled + FAR * np.maximum(scaled - 1_000, 0) + ODD * n_mixed
        return Columns(table, fills, cost, percentile > self._percentile)
