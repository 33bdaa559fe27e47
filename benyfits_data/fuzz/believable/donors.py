"""Hot-deck donors: people and homes of the synthetic city, whose facts are imputed to others."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.repair import Draw
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.circumstances import N_BANDS, Circumstances
from benyfits_data.population.city_plausibility import city_plausibility, reference_city
from benyfits_data.population.synthesis import HotDeck

_ANY_RELATION = N_BANDS * 2
"""Contexts of age and sex: those of one relation are followed by those of the next."""
Place = NDArray[np.intp]


@dataclass(frozen=True)
class DonorCity:
    """A synthetic city as donor for imputation, and the measure of plausibility learned from it.

    Attributes:
        households: Households of the city, the donors.
        belief: How surprising households are.
        draw: Draws a feature anew from the city, where a copy is impossible.
    """

    households: Households
    belief: Plausibility
    draw: Draw

    def people_like(self, context: NDArray[np.int64], rng: np.random.Generator) -> "DonorPlaces":
        """Return a person of like age and sex for each context, half of them of like relation too.

        Where a relation is rare at an age, the oddities of the few who have it would spread.
        """
        known, rows, homes = self._people
        place = like(known, context, rng)
        found = rows[place], homes[place]
        known, rows, homes = self._of_any_relation
        place = like(known, context % _ANY_RELATION, rng)
        of_any = rng.random(len(context)) < 1 / 2
        return (
            np.where(of_any, rows[place], found[0]),
            np.where(of_any, homes[place], found[1]),
        )

    def homes_like(self, context: NDArray[np.int64], rng: np.random.Generator) -> Place:
        """Return a household for each context."""
        known, homes = self._homes
        return homes[like(known, context, rng)]

    @cached_property
    def _around(self) -> Circumstances:
        return Circumstances(self.households)

    @cached_property
    def _people(self) -> tuple[NDArray[np.int64], Place, Place]:
        return self._sorted_people(self._around.members)

    @cached_property
    def _of_any_relation(self) -> tuple[NDArray[np.int64], Place, Place]:
        return self._sorted_people(self._around.members % _ANY_RELATION)

    @cached_property
    def _homes(self) -> tuple[NDArray[np.int64], Place]:
        return _sorted(self._around.households)

    def _sorted_people(self, context: NDArray[np.int64]) -> tuple[NDArray[np.int64], Place, Place]:
        known, order = _sorted(context)
        rows, homes = self._around.places
        return known, rows[order], homes[order]


DonorPlaces = tuple[Place, Place]
"""Places and households of people."""


def like(known: NDArray[np.int64], asked: NDArray[np.int64], rng: np.random.Generator) -> Place:
    """Return a place of each value among sorted ones, at random; the next where there is none."""
    first = np.searchsorted(known, asked, side="left")
    last = np.searchsorted(known, asked, side="right")
    place = first + np.floor(rng.random(len(asked)) * np.maximum(last - first, 1)).astype(np.intp)
    return np.asarray(np.minimum(place, len(known) - 1))


def _sorted(context: NDArray[np.int64]) -> tuple[NDArray[np.int64], Place]:
    order = np.argsort(context, kind="stable")
    return context[order], order


@cache
def default_donor_city() -> DonorCity:
    """Return the default city with its measure of belief; it takes some ten seconds."""
    city = reference_city()
    return DonorCity(city, city_plausibility(), HotDeck(city))
