"""How features are drawn from their declaration and the limits alone."""

from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.boundaries import Boundaries
from benyfits_data.fuzz.composition import AgeTable
from benyfits_data.household.columns import Households
from benyfits_data.household.declaration import NONE_CODE, Feature
from benyfits_data.household.features import FEATURES

Codes = NDArray[Any]
Index = NDArray[np.intp]

FLAG_RATES = (10, 40, 96, 128, 192)
"""Of 256: how often a flag is not at its default, by the household's mood.

Low rates bring households that nothing disqualifies, high ones those that meet many conditions.
"""
MOODS = len(FLAG_RATES) ** 2
"""A household's mood says with which rate it begins, and how far apart its flags' rates lie."""
USUAL_SHARE = 0.5
"""How often a number is none, or its default where it must be told."""
_WIDE = 1000


@dataclass(frozen=True)
class Lanes:
    """Where a feature is drawn: the households so far, member and household of each lane."""

    households: Households
    rows: Index | None
    columns: Index

    def __len__(self) -> int:
        return len(self.columns)

    def shared(self, name: str) -> NDArray[Any]:
        """Return a household feature in each lane."""
        codes: Codes = self.households.shared[name][self.columns]
        return codes

    def own(self, name: str) -> NDArray[Any]:
        """Return a feature of the same member in each lane."""
        codes: Codes = self.households.member[name][self.rows, self.columns]
        return codes

    def applicant(self, name: str) -> NDArray[Any]:
        """Return a feature of the applicant in each lane."""
        codes: Codes = self.households.member[name][0, self.columns]
        return codes


class Chances:
    """What every draw is made of: rates of flags, numbers and amounts around the limits, ages.

    Args:
        boundaries: The limits to draw around.
        moods: The mood of each household, from 0 to `MOODS - 1`.
    """

    def __init__(self, boundaries: Boundaries, moods: NDArray[np.int64]) -> None:
        self.ages = AgeTable(boundaries.values.get("age", np.empty(0)))
        self.moods = moods
        self._amounts = _money_limits(boundaries)
        self._around = {
            name: _around(FEATURES[name], limits) for name, limits in boundaries.values.items()
        }

    def of_others(self, moods: NDArray[np.int64]) -> Self:
        """Return the same chances for households with other moods."""
        others = copy(self)
        others.moods = moods
        return others

    def rates(self, feature: Feature) -> NDArray[np.uint8]:
        """Return how often a flag leaves its default in each household, of 256."""
        first, apart = np.divmod(self.moods, len(FLAG_RATES))
        # A checksum of the name: new features do not shift the others.
        place = crc32(feature.name.encode()) % len(FLAG_RATES)
        rates: NDArray[np.uint8] = np.array(FLAG_RATES, np.uint8)[
            (first + apart * place) % len(FLAG_RATES)
        ]
        return rates

    def plain(self, feature: Feature, lanes: Lanes, rng: np.random.Generator) -> Codes:
        """Return codes drawn from the declaration and the limits alone."""
        n = len(lanes)
        if feature.kind == "flag":
            bytes_drawn = np.frombuffer(rng.bytes(n), np.uint8)
            flags: Codes = (bytes_drawn < self.rates(feature)[lanes.columns]) ^ bool(
                feature.default
            )
            return flags
        if feature.kind == "choice":
            first = NONE_CODE if feature.optional else 0
            return rng.integers(first, len(feature.choices), n)
        codes = self.number(feature, n, rng)
        usual = NONE_CODE if feature.optional else feature.encode(feature.default)
        codes[rng.random(n) < USUAL_SHARE] = usual
        return codes

    def number(self, feature: Feature, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return numbers, mostly around the limits, else spread over the whole domain."""
        low, high = float(feature.minimum or 0), float(feature.maximum or 0)
        if feature.kind == "decimal":
            spread = np.round(low + rng.random(n) * (high - low), 1)
        elif feature.kind == "number" and high > _WIDE:
            spread = np.floor(np.exp(rng.random(n) * np.log(high + 1)))
        else:
            spread = np.floor(low + rng.random(n) * (high - low + 1))
        around = self._around.get(feature.name)
        if around is not None and len(around):
            near = around[rng.integers(0, len(around), n)]
            spread = np.where(rng.random(n) < 0.75, near, spread)
        return spread

    def amount(
        self, low: float, high: float, n: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return amounts of money: spread evenly by order of magnitude, some beside a limit."""
        spread = np.floor(np.exp(rng.uniform(np.log(low), np.log(high), n)))
        if not len(self._amounts):
            return spread
        near = self._amounts[rng.integers(0, len(self._amounts), n)] + rng.integers(-1, 2, n)
        return np.where(rng.random(n) < 0.25, np.maximum(near, 1), spread)


def _money_limits(boundaries: Boundaries) -> NDArray[np.float64]:
    """Return all amounts, yearly dollars mostly, that some sum of money is compared with."""
    limits = {
        -constant / weight
        for balance in boundaries.balances
        for _, weight in balance.weights[:1]
        for constant in balance.constants
        if np.isfinite(constant)
    }
    largest = float(FEATURES["annual_work_income"].maximum or 0)
    return np.array(sorted(round(limit) for limit in limits if 1 <= limit < largest), float)


def _around(feature: Feature, limits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values below, at and above each limit that lie in the domain."""
    step = 0.1 if feature.kind == "decimal" else 1.0
    near = np.concatenate([limits - step, limits, limits + step])
    if feature.kind == "decimal":
        near = np.round(near, 1)
    else:
        near = np.unique(np.concatenate([np.floor(near), np.ceil(near)]))
    low, high = float(feature.minimum or 0), float(feature.maximum or 0)
    return np.unique(near[(near >= low) & (near <= high)])


def pick(chances: dict[int, float], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return `n` codes drawn with given weights."""
    weights = np.array(list(chances.values()))
    return rng.choice(np.array(list(chances)), size=n, p=weights / weights.sum())


def code_of(feature: str, value: str) -> int:
    """Return how a value of a feature is held in a column."""
    return int(FEATURES[feature].encode(value))


class Special(Protocol):
    """How one feature is drawn that hangs on others."""

    def __call__(self, chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
        """Return one code for each lane."""
