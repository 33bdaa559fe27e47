"""A city in the making: households and people as frames of columns.

Who lives together comes before anything else: compositions of households by borough, the roles of
their members, and everybody's age and sex.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.constants import ADULT_AGE, LARGEST_HOUSEHOLD
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.population.conditions import Frame
from benyfits_data.population.household_structure import (
    BOROUGHS,
    HOUSEHOLDER,
    PARTNER,
    SPOUSE,
    TYPES,
    all_compositions,
    fit_compositions,
)
from benyfits_data.population.raking import systematic_rounding
from benyfits_data.population.role_ages import Bools, Ints, give_ages
from benyfits_data.population.sources import Sources
from benyfits_data.rng import stream

_BEHIND = 1_000
"""More than an age: members are listed by group first, then from the oldest."""


@dataclass
class City:
    """Households and people while their features are drawn, one after another.

    Attributes:
        sources: The tables.
        seed: Seed of the whole build.
        chunk: Number of the chunk.
        households: Columns of households.
        people: Columns of people, ordered by household; they see their household's columns.
        household: Household of everybody, ascending, shape `(people,)`.
        place: Position in the household, shape `(people,)`.
        role: `HOUSEHOLDER`, `SPOUSE` or one of `ROLES`, shape `(people,)`.
    """

    sources: Sources
    seed: int
    chunk: int
    households: Frame
    people: Frame
    household: NDArray[np.int64]
    place: NDArray[np.int8]
    role: NDArray[np.int8]

    @classmethod
    def of(cls, sources: Sources, shaped: Sources, n: int, seed: int, chunk: int) -> "City":
        """Return a city of which only compositions, ages and sexes are drawn.

        Args:
            sources: The tables that the rest is drawn from.
            shaped: The tables for sizes, kinds and ages.
            n: Number of households.
            seed: Seed of the whole build.
            chunk: Number of the chunk; each has its own random stream.
        """
        rng = stream(seed, "population", chunk, "structure")
        shares = shaped.margin("borough")
        numbers = systematic_rounding(np.array([shares[name] for name in BOROUGHS]) * n, rng)
        numbers[-1] += n - numbers.sum()
        parts = [
            _draw_borough(shaped, name, int(number), rng)
            for name, number in zip(BOROUGHS, numbers, strict=True)
            if number > 0
        ]
        kinds, households, roles, age, female = map(np.concatenate, zip(*parts, strict=True))
        offsets = (np.cumsum(numbers) - numbers)[numbers > 0]
        households += np.repeat(offsets, [len(part[1]) for part in parts])
        # Households are shuffled so that any run of them is a sample of the city.
        number = rng.permutation(n)
        households = number[households]
        order, back = np.argsort(households, kind="stable"), np.argsort(number)
        household, age = households[order], age[order].astype(np.int32)
        size = np.bincount(household, minlength=n)
        place = (np.arange(len(order)) - (np.cumsum(size) - size)[household]).astype(np.int8)
        borough = np.repeat(np.arange(len(BOROUGHS), dtype=np.int8), numbers)
        homes = Frame(n)
        people = Frame(len(order), homes, household)
        homes.put("borough", borough[back], BOROUGHS)
        homes.put("household_type", kinds[back].astype(np.int8), TYPES)
        homes.put("household_size", size.astype(np.int32))
        people.put("age", age)
        people.put("sex", (~female[order]).astype(np.int8), ("female", "male"))
        role = roles[order].astype(np.int8)
        city = cls(sources, seed, chunk, homes, people, household, place, role)
        homes.put("householder_age", age[role == HOUSEHOLDER])
        people.put("is_householder", role == HOUSEHOLDER)
        people.put("gap", (homes["householder_age"][household] - age).astype(np.int32))
        homes.put("household_minors", city.count(age < ADULT_AGE))
        adults = city.count(age >= ADULT_AGE)
        people.put("other_adults", (adults[household] - (age >= ADULT_AGE)).astype(np.int32))
        return city

    def rng(self, feature: str) -> np.random.Generator:
        """Return the random stream of one feature in this chunk."""
        return stream(self.seed, "population", self.chunk, feature)

    def frame(self, level: str) -> Frame:
        """Return the frame of a level: `household` or `member`."""
        return self.households if level == "household" else self.people

    def count(self, member: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return how many members of each household are marked, shape `(households,)`."""
        counts = np.bincount(self.household[member], minlength=self.households.size)
        return counts.astype(np.int32)

    def total(self, amount: NDArray[Any]) -> NDArray[np.float64]:
        """Return the sum of an amount over the members of each household."""
        weights = np.asarray(amount, float)
        return np.asarray(np.bincount(self.household, weights, self.households.size), float)

    def of_householder(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return the householders' entries of a column of people, shape `(households,)`."""
        return np.asarray(column[self.people["is_householder"]])

    def parameter_of_households(self, name: str, otherwise: float = 0.0) -> NDArray[np.float64]:
        """Return a parameter of each household, by the last of its conditions that holds."""
        values = np.full(self.households.size, otherwise)
        for given, value in self.sources.values_of(name).items():
            values[self.households.mask(given)] = value
        return values

    def empty_households(self) -> Households:
        """Return households of these sizes in which every feature has its default."""
        size = self.households["household_size"]
        places = max(LARGEST_HOUSEHOLD, int(size.max(initial=0)))
        table = Households.of_defaults(self.households.size, places)
        table.size = size.astype(np.int8)
        return table

    def to_households(self) -> Households:
        """Return the finished features as columns of the household model."""
        table = self.empty_households()
        for name, feature in HOUSEHOLD_FEATURES.items():
            table.shared[name] = self.households[name].astype(feature.dtype)
        for name, feature in MEMBER_FEATURES.items():
            if feature.kind == "text":
                continue
            column = self.people[name].astype(feature.dtype)
            table.member[name][self.place, self.household] = column
        return table


def _draw_borough(
    sources: Sources, borough: str, n: int, rng: np.random.Generator
) -> tuple[Ints, Ints, Ints, Ints, Bools]:
    """Return the households of one borough and their people, by household, householders first.

    That is the type of each household, shape `(n,)`; household, role, age and sex (whether female)
    of everybody, shape `(people,)` each.
    """
    table = all_compositions(sources)
    weights = fit_compositions(sources, borough)
    numbers = systematic_rounding(weights * n, rng)
    numbers[np.argmax(weights)] += n - numbers.sum()
    chosen = np.repeat(np.arange(len(weights)), np.maximum(numbers, 0))[:n]
    kinds, counts = table.type[chosen], table.counts[chosen]
    homes = np.arange(n)
    members = {HOUSEHOLDER: homes, SPOUSE: np.flatnonzero(kinds <= 1)}
    members |= {role: np.repeat(homes, number) for role, number in enumerate(counts.T)}
    households = np.concatenate(list(members.values()))
    roles = np.repeat(list(members), [len(part) for part in members.values()])
    age, female = give_ages(sources, borough, kinds, counts, households, roles, rng)
    # Householder, spouse or partner, then all others from the oldest.
    group = np.where(roles == HOUSEHOLDER, 0, np.where(np.isin(roles, (SPOUSE, PARTNER)), 1, 2))
    order = np.lexsort((group * _BEHIND - age, households))
    return kinds, households[order], roles[order], age[order], female[order]
