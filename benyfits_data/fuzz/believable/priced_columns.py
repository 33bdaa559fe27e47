"""Columns: households, the slots that each can fill, and what each costs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.corpus import Corpus, CoverageOf, collect
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.fuzz.exact.set_cover import Slots
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import contested_mask
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

MIXED = 4
"""Relations are mixed with so many kinds, the applicant's among them: 14% of the city's homes."""
SHARE_BEYOND, SHARE_MIXED = 0.05, 0.15
"""Of the chosen households, so many may be beyond the 99th percentile, and of mixed relations."""
PENALTY = 5_000
"""What a household costs that is over a limit: five times as much as one at the 99th percentile."""
FAR = 4
"""How many times more what is beyond the 99th percentile costs where households are chosen: with a
penalty beyond the 99.9th instead, three of 60 stayed there: no small step was worth anything."""
Index = NDArray[np.intp]


@dataclass(frozen=True)
class Columns:
    """The columns of a linear or integer program.

    Attributes:
        homes: The households.
        fills: Which slots each can fill, shape `(slots, n)`.
        cost: What each costs: 0 up to the city's median, 1,000 at the 99th percentile.
        excess: Whether each is beyond a limit less the share that may be, shape `(limits, n)`:
            the percentile of the median household, the 99th percentile, mixed relations.
    """

    homes: Households
    fills: NDArray[np.bool_]
    cost: NDArray[np.int64]
    excess: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def dear(self) -> NDArray[np.int64]:
        """What each costs where households are chosen, shape `(n,)`."""
        return np.asarray(self.cost + FAR * np.maximum(self.cost - 1_000, 0))

    def take(self, places: Index) -> "Columns":
        """Return some of the columns."""
        homes, fills = self.homes.take(places), self.fills[:, places]
        return Columns(homes, fills, self.cost[places], self.excess[:, places])

    def joined_by(self, other: "Columns") -> "Columns":
        """Return these columns and others."""
        return Columns(
            Households.concatenate([self.homes, other.homes]),
            np.concatenate([self.fills, other.fills], axis=1),
            np.append(self.cost, other.cost),
            np.concatenate([self.excess, other.excess], axis=1),
        )


@dataclass(frozen=True)
class Pricing:
    """Says what households fill and cost.

    Attributes:
        covers: Tells what households cover.
        slots: What is to be filled.
        reached: The elements of each program that somebody of the corpus covers.
        has_sure: Which slots somebody of the corpus fills with a label that is not contested, shape
            `(slots, 1)`: nobody fills them with one that is.
        plausibility: How surprising households are.
        percentile: At which the median household may stay.
    """

    covers: CoverageOf
    slots: Slots
    reached: tuple[NDArray[np.bool_], ...]
    has_sure: NDArray[np.bool_]
    plausibility: Plausibility
    percentile: float

    @classmethod
    def of_corpus(
        cls,
        corpus: Corpus,
        covers: CoverageOf,
        slots: Slots,
        plausibility: Plausibility,
        most: float,
    ) -> "Pricing":
        """Return the prices of a corpus, whose median chosen household may stay at a percentile."""
        coverage = covers(corpus)
        sure = slots.fillers(coverage) & ~_is_open(corpus, coverage)[slots.programs]
        reached = tuple(own.reached for own in coverage)
        has_sure = np.asarray(sure.any(axis=1, keepdims=True))
        return cls(covers, slots, reached, has_sure, plausibility, most)

    def columns(self, corpus: Corpus) -> Columns:
        """Return the columns of households; who covers what nobody of the corpus does fills none.

        Such an element would have to be covered too.
        """
        coverage = self.covers(corpus)
        is_open = _is_open(corpus, coverage)[self.slots.programs]
        fills = self.slots.fillers(coverage) & ~(is_open & self.has_sure)
        for own, reached in zip(coverage, self.reached, strict=True):
            is_new = np.asarray((own.classes & ~reached).any(axis=1))
            if is_new.any():
                fills[:, is_new[own.class_of]] = False
        return Columns(corpus.households, fills, *self._costs(corpus.households))

    def born(self, corpus: Corpus, homes: Households) -> Columns:
        """Return the columns of children."""
        return self.columns(collect(corpus.edition, [homes]))

    def _costs(self, homes: Households) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        surprise = self.plausibility.surprise(homes)
        percentile = self.plausibility.percentile(homes, surprise)
        cost = np.maximum(self.plausibility.scaled_surprise(homes, surprise), 0)
        beyond = [
            (percentile > self.percentile) - 1 / 2,
            (percentile > 99) - SHARE_BEYOND,
            (kinds_of_relations(homes) >= MIXED) - SHARE_MIXED,
        ]
        return cost, np.stack(beyond)


def _is_open(corpus: Corpus, coverage: Sequence[Coverage]) -> NDArray[np.bool_]:
    """Return which labels are contested, shape `(programs, n)`."""
    names = [own.program for own in coverage]
    return contested_mask(corpus.edition, corpus.households, names)
