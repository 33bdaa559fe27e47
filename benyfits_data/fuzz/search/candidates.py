"""Candidates for a set: households, the slots that each can fill, and what each costs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.corpus import Corpus, Objective, collect
from benyfits_data.fuzz.coverage import Coverage, united
from benyfits_data.fuzz.search.set_limits import MIXED, TYPICAL_SIZE
from benyfits_data.fuzz.search.slots import Slots
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import contested_mask
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

MEMBER_COST, MIXED_COST = 100, 400
"""What each member beyond the third costs, and each kind of relations that makes a household mixed,
beside 1,000 for the surprise of the 99th percentile. Limits alone would hold back only the last
household, and children would not get smaller."""
FAR = 4
"""How many times more what is beyond the 99th percentile costs."""
Index = NDArray[np.intp]


@dataclass(frozen=True)
class TracedHouseholds:
    """Households, and what is known of them under an objective.

    Attributes:
        homes: The households.
        coverage: What they cover in each program.
        contested: Which labels are contested, shape `(programs, n)`.
    """

    homes: Households
    coverage: list[Coverage]
    contested: NDArray[np.bool_]

    @classmethod
    def of(cls, corpus: Corpus, coverage: list[Coverage]) -> "TracedHouseholds":
        """Return the households of a corpus of which is known what they cover."""
        programs = [one.program for one in coverage]
        contested = contested_mask(corpus.edition, corpus.households, programs)
        return cls(corpus.households, coverage, contested)

    @classmethod
    def read(cls, edition: Edition, objective: Objective, homes: Households) -> "TracedHouseholds":
        """Return households with what they cover."""
        corpus = collect(edition, [homes])
        return cls.of(corpus, objective.coverage(corpus))

    def joined_by(self, other: "TracedHouseholds") -> "TracedHouseholds":
        """Return these households, followed by others."""
        return TracedHouseholds(
            Households.concatenate([self.homes, other.homes]),
            united([self.coverage, other.coverage]),
            np.concatenate([self.contested, other.contested], axis=1),
        )


@dataclass(frozen=True)
class Candidates:
    """Households that may be chosen.

    Attributes:
        homes: The households.
        fills: Which slots each can fill, shape `(slots, n)`.
        cost: What each costs, shape `(n,)`: 0 up to the city's median, 1,000 at the 99th
            percentile, and from there on more steeply; more for members and mixed relations.
        percentile: How many of the city's households of its size surprise less, shape `(n,)`.
    """

    homes: Households
    fills: NDArray[np.bool_]
    cost: NDArray[np.int64]
    percentile: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.cost)

    def take(self, places: Index) -> "Candidates":
        """Return some of the candidates."""
        return Candidates(
            self.homes.take(places),
            self.fills[:, places],
            self.cost[places],
            self.percentile[places],
        )

    def joined_by(self, other: "Candidates") -> "Candidates":
        """Return these candidates, followed by others."""
        return Candidates(
            Households.concatenate([self.homes, other.homes]),
            np.concatenate([self.fills, other.fills], axis=1),
            np.append(self.cost, other.cost),
            np.append(self.percentile, other.percentile),
        )

    def cheapest_of_slots(self, most: int) -> "Candidates":
        """Return so many of the cheapest fillers of each slot."""
        order = np.argsort(self.cost, kind="stable")
        fills = self.fills.take(order, axis=1)
        best = [order[np.flatnonzero(row)[:most]] for row in fills]
        return self.take(np.unique(np.concatenate(best)))


class Judge:
    """Says what households fill and cost.

    Args:
        edition: Whose checkers.
        objective: What is to be covered.
        slots: What is to be filled.
        known: Who could be chosen at first. Whoever covers what none of them does fills nothing,
            and nobody whose label is contested fills a slot that one of them fills uncontested.
        plausibility: How surprising households are; without it all cost nothing.
    """

    def __init__(
        self,
        edition: Edition,
        objective: Objective,
        slots: Slots,
        known: TracedHouseholds,
        plausibility: Plausibility | None,
    ) -> None:
        self._edition, self._objective, self._slots = edition, objective, slots
        self._plausibility = plausibility
        self._reached = [one.reached for one in known.coverage]
        sure = slots.fillers(known.coverage) & ~known.contested[slots.programs]
        self._has_sure = np.asarray(sure.any(axis=1, keepdims=True))
        self._first = np.unique(slots.programs, return_index=True)[1]

    def candidates(self, *homes: Households) -> Candidates:
        """Return households as candidates."""
        table = Households.concatenate(homes)
        return self.judged(TracedHouseholds.read(self._edition, self._objective, table))

    def judged(self, traced: TracedHouseholds) -> Candidates:
        """Return traced households as candidates.

        One who fills two slots of a program fills nothing: fewer pairs would do with it.
        """
        fills = self._slots.fillers(traced.coverage)
        fills[:, (np.add.reduceat(fills, self._first, axis=0, dtype=int) > 1).any(axis=0)] = False
        fills &= ~(traced.contested[self._slots.programs] & self._has_sure)
        for one, reached in zip(traced.coverage, self._reached, strict=True):
            is_new = np.asarray((one.classes & ~reached).any(axis=1))
            fills[:, is_new[one.class_of]] = False
        return Candidates(traced.homes, fills, *self._measured(traced.homes))

    def _measured(self, homes: Households) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return cost and percentile of each."""
        if self._plausibility is None:
            return np.zeros(len(homes), np.int64), np.zeros(len(homes))
        surprise = self._plausibility.surprise(homes)
        scaled = np.maximum(self._plausibility.scaled_surprise(homes, surprise), 0)
        n_large = np.maximum(homes.size.astype(np.int64) - TYPICAL_SIZE, 0)
        n_mixed = np.maximum(kinds_of_relations(homes) - (MIXED - 1), 0)
        cost = scaled + FAR * np.maximum(scaled - 1_000, 0)
        cost += MEMBER_COST * n_large + MIXED_COST * n_mixed
        return cost, self._plausibility.percentile(homes, surprise)


def needlessly_contested(
    known: TracedHouseholds, chosen: TracedHouseholds, slots: Slots, filler: Index
) -> Index:
    """Return which slots are filled by a contested pair though somebody fills them uncontested.

    Args:
        known: Everybody who could fill a slot.
        chosen: Who was chosen.
        slots: What was to be filled.
        filler: Who of the chosen fills each slot.
    """
    sure = slots.fillers(known.coverage) & ~known.contested[slots.programs]
    return np.flatnonzero(chosen.contested[slots.programs, filler] & sure.any(axis=1))
