"""Hot-deck donors: people and homes of the synthetic city, whose facts are imputed to others."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.repair import Draw
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.circumstances import N_BANDS, N_MEMBER, Circumstances
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
        plausibility: How surprising households are.
        draw: Draws a feature anew from the city, where a copy is impossible.
    """

    households: Households
    plausibility: Plausibility
    draw: Draw

    def people_like(
        self, context: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[Place, Place]:
        """Return place and household of a person for each context of relation, age and sex.

        Half are of any relation: where one is rare at an age, the oddities of the few who have it
        would spread.
        """
        is_any = rng.random(len(context)) < 1 / 2
        alike = self._people[like(self._contexts[self._people], context, rng)]
        of_any = self._contexts[self._of_any_relation] % _ANY_RELATION
        alike_any = self._of_any_relation[like(of_any, context % _ANY_RELATION, rng)]
        person = np.where(is_any, alike_any, alike)
        rows, homes = self._around.places
        return rows[person], homes[person]

    def people_with(
        self,
        name: str,
        codes: NDArray[np.generic],
        context: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> tuple[Place, Place]:
        """Return place and household of a person with each value of a fact, of a like context."""
        rows, homes = self._around.places
        if name not in self._by_fact:
            keys = _keys(self.households.member[name][rows, homes], self._contexts)
            order = np.argsort(keys, kind="stable")
            self._by_fact[name] = order, keys[order]
        order, keys = self._by_fact[name]
        person = order[like(keys, _keys(codes, context), rng)]
        return rows[person], homes[person]

    def homes_like(self, context: NDArray[np.int64], rng: np.random.Generator) -> Place:
        """Return a household for each context of size, minors and the applicant's age."""
        return self._homes[like(self._around.households[self._homes], context, rng)]

    @cached_property
    def _by_fact(self) -> dict[str, tuple[Place, NDArray[np.int64]]]:
        """People in order of a fact and of their context, and the keys of that order."""
        return {}

    @cached_property
    def _around(self) -> Circumstances:
        return Circumstances(self.households)

    @cached_property
    def _contexts(self) -> NDArray[np.int64]:
        return self._around.members

    @cached_property
    def _people(self) -> Place:
        return np.argsort(self._contexts, kind="stable")

    @cached_property
    def _of_any_relation(self) -> Place:
        return np.argsort(self._contexts % _ANY_RELATION, kind="stable")

    @cached_property
    def _homes(self) -> Place:
        return np.argsort(self._around.households, kind="stable")


def _keys(codes: NDArray[np.generic], context: NDArray[np.int64]) -> NDArray[np.int64]:
    return codes.astype(np.int64) * N_MEMBER + context


def like(known: NDArray[np.int64], asked: NDArray[np.int64], rng: np.random.Generator) -> Place:
    """Return a place of each value among sorted ones, at random; the next where there is none."""
    first = np.searchsorted(known, asked, side="left")
    last = np.searchsorted(known, asked, side="right")
    place = first + np.floor(rng.random(len(asked)) * np.maximum(last - first, 1)).astype(np.intp)
    return np.asarray(np.minimum(place, len(known) - 1))


@cache
def default_donor_city() -> DonorCity:
    """Return the default city with its measure of plausibility; it takes some ten seconds."""
    city = reference_city()
    return DonorCity(city, city_plausibility(), HotDeck(city))
