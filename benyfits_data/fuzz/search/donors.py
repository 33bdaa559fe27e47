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


class _Alike:
    """Looks up who is alike: `keys` say of each how it is, shape `(n,)`."""

    def __init__(self, keys: NDArray[np.int64]) -> None:
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def draw(self, asked: NDArray[np.int64], rng: np.random.Generator) -> Place:
        """Return somebody of each key at random; of the next key where there is nobody."""
        first = np.searchsorted(self._keys, asked, side="left")
        n = np.searchsorted(self._keys, asked, side="right") - first
        place = first + np.floor(rng.random(len(asked)) * np.maximum(n, 1)).astype(np.intp)
        return np.asarray(self._order[np.minimum(place, len(self._keys) - 1)])


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
        alike = self._alike.draw(context, rng)
        of_any = self._alike_of_any_relation.draw(context % _ANY_RELATION, rng)
        person, (rows, homes) = np.where(is_any, of_any, alike), self._around.places
        return rows[person], homes[person]

    def people_with(
        self,
        name: str,
        codes: NDArray[np.generic],
        context: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> tuple[Place, Place]:
        """Return place and household of a person with each value of a fact, of a like context."""
        if name not in self._with_fact:
            known = _keys(self._around.of_members(name), self._around.members)
            self._with_fact[name] = _Alike(known)
        person = self._with_fact[name].draw(_keys(codes, context), rng)
        rows, homes = self._around.places
        return rows[person], homes[person]

    def homes_like(self, context: NDArray[np.int64], rng: np.random.Generator) -> Place:
        """Return a household for each context of size, minors and the applicant's age."""
        return self._homes.draw(context, rng)

    @cached_property
    def _around(self) -> Circumstances:
        return Circumstances(self.households)

    @cached_property
    def _alike(self) -> _Alike:
        return _Alike(self._around.members)

    @cached_property
    def _alike_of_any_relation(self) -> _Alike:
        return _Alike(self._around.members % _ANY_RELATION)

    @cached_property
    def _with_fact(self) -> dict[str, _Alike]:
        """People by a fact and their context, for each fact that was asked for."""
        return {}

    @cached_property
    def _homes(self) -> _Alike:
        return _Alike(self._around.households)


def _keys(codes: NDArray[np.generic], context: NDArray[np.int64]) -> NDArray[np.int64]:
    return codes.astype(np.int64) * N_MEMBER + context


@cache
def default_donor_city() -> DonorCity:
    """Return the default city with its measure of plausibility; it takes some ten seconds."""
    city = reference_city()
    return DonorCity(city, city_plausibility(), HotDeck(city))
