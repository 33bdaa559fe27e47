"""A city in the making: households and people as frames of columns, and what follows from them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.constants import ADULT_AGE, LARGEST_HOUSEHOLD
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.population.conditions import Frame
from benyfits_data.population.household_compositions import BOROUGHS, HOUSEHOLDER, TYPES
from benyfits_data.population.household_structures import Structure
from benyfits_data.population.sources import Sources
from benyfits_data.rng import stream


@dataclass
class City:
    """Households and people while their features are drawn, one after another.

    Attributes:
        sources: The tables.
        seed: Seed of the whole build.
        chunk: Number of the chunk.
        households: Columns of households.
        people: Columns of people, ordered by household; they see their household's columns.
        household: Household of everybody, shape `(people,)`.
        place: Position in the household, shape `(people,)`.
        role: Role in the structure, shape `(people,)`.
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
    def of(cls, sources: Sources, structure: Structure, seed: int, chunk: int) -> "City":
        """Return the city of a structure: ages, sexes and what the composition tells."""
        n = len(structure.size)
        households = Frame(n)
        people = Frame(len(structure.age), households, structure.household)
        households.put("borough", structure.borough, BOROUGHS)
        households.put("household_type", structure.type, TYPES)
        households.put("household_size", structure.size.astype(np.int32))
        people.put("age", structure.age)
        people.put("sex", (~structure.female).astype(np.int8), ("female", "male"))
        city = cls(
            sources,
            seed,
            chunk,
            households,
            people,
            structure.household,
            structure.place,
            structure.role,
        )
        age = structure.age
        first = structure.role == HOUSEHOLDER
        households.put("householder_age", age[first])
        people.put("is_householder", first)
        people.put("gap", (households["householder_age"][city.household] - age).astype(np.int32))
        households.put("household_minors", city.count(age < ADULT_AGE))
        adults = city.count(age >= ADULT_AGE)
        people.put("other_adults", (adults[city.household] - (age >= ADULT_AGE)).astype(np.int32))
        return city

    def rng(self, feature: str) -> np.random.Generator:
        """Return the random stream of one feature in this chunk."""
        return stream(self.seed, "population", self.chunk, feature)

    def frame(self, level: str) -> Frame:
        """Return the frame of a level: `household` or `member`."""
        return self.households if level == "household" else self.people

    def count(self, member: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return how many members of each household are marked, shape `(households,)`."""
        found = np.bincount(self.household[member], minlength=self.households.size)
        return found.astype(np.int32)

    def total(self, amount: NDArray[Any]) -> NDArray[np.float64]:
        """Return the sum of an amount over the members of each household."""
        weights = np.asarray(amount, float)
        return np.asarray(np.bincount(self.household, weights, self.households.size), float)

    def of_householder(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return the householders' entries of a column of people, shape `(households,)`."""
        return np.asarray(column[self.people["is_householder"]])

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
        own = self.people.own()
        for name, feature in MEMBER_FEATURES.items():
            if feature.kind == "text":
                continue
            table.member[name][self.place, self.household] = own[name].astype(feature.dtype)
        return table
