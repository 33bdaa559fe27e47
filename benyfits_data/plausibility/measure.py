"""A measure of plausibility: how surprising a household is, and how many of the city are less so.

Surprise is the sum, over structure and all facts, of minus the logarithm of how likely each is in
the synthetic city. A percentile compares it with held-out households of the same size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.plausibility.circumstances import N_SIZES, Circumstances
from benyfits_data.plausibility.fact_surprise import HOUSEHOLD_FACTS, MEMBER_FACTS, FactSurprise
from benyfits_data.plausibility.probability_tables import UNIT
from benyfits_data.plausibility.structure_surprise import StructureSurprise

RARE = 300
"""A fact is rare when it is no likelier than one in so many."""


@dataclass(frozen=True)
class Weight:
    """What makes a household surprising.

    Attributes:
        what: The fact, or what of the structure.
        member: Position of the member, `None` for the household.
        value: The fact's value; `None` for what is no fact.
        one_in: Among how many such members or households one is like this.
        who: The member's relation and age, as "child of 13".
    """

    what: str
    member: int | None
    value: Any
    one_in: int
    who: str = "household"

    def __str__(self) -> str:
        """Return it in a few words."""
        fact = f"{self.what} {self.value}" if self.what in FEATURES else self.what
        return f"{self.who}: {fact}: 1 in {self.one_in:,}"


@dataclass(frozen=True)
class _Surprises:
    """Surprise of a table, by subject: of members, shape `(places, n)`, and of households."""

    of_members: dict[str, NDArray[np.int32]]
    of_households: dict[str, NDArray[np.int32]]


class Plausibility:
    """How surprising households are in a city.

    Args:
        city: Households of the city, to learn from.
        held_out: Other households of the city, to compare with.
    """

    def __init__(self, city: Households, held_out: Households) -> None:
        self._facts = FactSurprise(city)
        self._structure = StructureSurprise(city)
        surprise = self.surprise(held_out)
        sizes = Circumstances(held_out).sizes
        self._known = [np.sort(surprise[sizes == size]) for size in range(N_SIZES)]

    def surprise(self, table: Households) -> NDArray[np.int64]:
        """Return the surprise of each household, in thousandths, shape `(n,)`."""
        around = Circumstances(table)
        homes = around.places[1]
        of_members, total = np.zeros(len(homes), np.int64), np.zeros(len(table), np.int64)
        for name, values in self._facts.items(around):
            if name in table.shared:
                total += values
            else:
                of_members += values
        for each in self._structure.items(table).values():
            total += each.sum(axis=0, dtype=np.int64)
        # Whole numbers, far below those that a float rounds.
        return total + np.bincount(homes, of_members, len(table)).astype(np.int64)

    def surprises(self, table: Households) -> _Surprises:
        """Return the surprise of a table, by subject."""
        around = Circumstances(table)
        of_members = dict(self._structure.items(table))
        of_households = {}
        for name, values in self._facts.items(around):
            if name in table.shared:
                of_households[name] = values
            else:
                of_members[name] = np.zeros(table.present.shape, np.int32)
                of_members[name][around.places] = values
        return _Surprises(of_members, of_households)

    def percentile(
        self, table: Households, surprise: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """Return the percentage of the city's households of that size that surprise less.

        Args:
            table: The households.
            surprise: Their surprise, where it is known already.
        """
        surprise = self.surprise(table) if surprise is None else surprise
        sizes = Circumstances(table).sizes
        percentiles = np.zeros(len(table))
        for size, known in enumerate(self._known):
            here = sizes == size
            below = np.searchsorted(known, surprise[here], side="left")
            percentiles[here] = 100 * below / max(len(known), 1)
        return np.round(percentiles, 2)

    def scaled_surprise(
        self, table: Households, surprise: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """Return how surprising each household is, whatever its size.

        It is 0 at the median of the city's households of that size, 1,000 at the 99th percentile,
        and grows on beyond it.

        Args:
            table: The households.
            surprise: Their surprise, where it is known already.
        """
        surprise = self.surprise(table) if surprise is None else surprise
        middle, far = self.limits(50), self.limits(99)
        sizes = Circumstances(table).sizes
        beyond = UNIT * (surprise - middle[sizes])
        return np.asarray(beyond // np.maximum(far - middle, 1)[sizes])

    def limits(self, percentile: float) -> NDArray[np.int64]:
        """Return the surprise at a percentile of each size, from one member on, shape `(6,)`."""
        return np.array(
            [
                known[min(int(percentile / 100 * len(known)), len(known) - 1)] if len(known) else 0
                for known in self._known
            ]
        )

    def examples(self, name: str) -> list[int]:
        """Return one or two codes of a fact from each class that is distinguished."""
        return self._facts.examples(name)

    def rare(self, table: Households) -> list[tuple[int, int | None, str]]:
        """Return household, member (`None` for the home) and name of each rare fact, in order."""
        surprises, least = self.surprises(table), UNIT * np.log(RARE)
        rare: list[tuple[int, int | None, str]] = []
        for name in MEMBER_FACTS:
            rows, homes = np.nonzero(surprises.of_members[name] > least)
            rare += [(int(home), int(row), name) for row, home in zip(rows, homes, strict=True)]
        for name in HOUSEHOLD_FACTS:
            homes = np.flatnonzero(surprises.of_households[name] > least)
            rare += [(int(home), None, name) for home in homes]
        return sorted(rare, key=lambda fact: (fact[0], -1 if fact[1] is None else fact[1], fact[2]))

    def weights(self, table: Households, most: int = 5) -> list[list[Weight]]:
        """Return what weighs most in each household, heaviest first."""
        surprises = self.surprises(table)
        by_household: list[list[tuple[int, str, int | None]]] = [[] for _ in range(len(table))]
        for name, values in surprises.of_members.items():
            for row, home in zip(*np.nonzero(values), strict=True):
                by_household[home].append((int(values[row, home]), name, int(row)))
        for name, values in surprises.of_households.items():
            for home in np.flatnonzero(values):
                by_household[home].append((int(values[home]), name, None))
        return [
            [
                _weighed(table, home, *fact)
                for fact in sorted(weighed, key=lambda fact: (-fact[0], fact[1], fact[2] or 0))[
                    :most
                ]
            ]
            for home, weighed in enumerate(by_household)
        ]

    def described(self, table: Households, ids: Sequence[str]) -> dict[str, Any]:
        """Return what a manifest holds: quantiles, and each household's most surprising facts."""
        percentiles = self.percentile(table)
        return {
            "median": round(float(np.median(percentiles)), 2),
            "largest": float(percentiles.max(initial=0)),
            "within_99": int((percentiles <= 99).sum()),
            "within_99_9": int((percentiles <= 99.9).sum()),
            "households": {
                name: {"percentile": percentile, "weighs_most": [str(weight) for weight in weights]}
                for name, percentile, weights in zip(
                    ids, percentiles.tolist(), self.weights(table, 3), strict=True
                )
            },
        }


def _weighed(table: Households, home: int, surprise: int, name: str, row: int | None) -> Weight:
    value = None
    if name in table.shared:
        value = FEATURES[name].decode(table.shared[name][home])
    elif name in table.member:
        value = FEATURES[name].decode(table.member[name][row, home])
    one_in = round(float(np.exp(surprise / UNIT)))
    if row is None or name == "composition":
        return Weight(name, None, value, one_in)
    relation = FEATURES["relation"].decode(table.member["relation"][row, home])
    who = f"{'applicant' if relation == 'self' else relation} of {table.member['age'][row, home]}"
    return Weight(name, row, value, one_in, who)
