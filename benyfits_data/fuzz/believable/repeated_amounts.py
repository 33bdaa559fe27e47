"""Repeated amounts: what stands in more homes of a set than in the city becomes another amount.

Samplers set numbers to the limits of checkers, and families take them over from one another, so
that unrelated homes would tell the same dollar. An amount stays where a line needs it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.local_search import Needs, put
from benyfits_data.household.columns import Households
from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.language.numpy_backend import possible
from benyfits_data.plausibility.fact_surprise import STRUCTURAL

PASSES, COPIES = 6, 30
"""How often amounts are drawn again, one of each household at a time, and how many are tried."""
_NEAR = (0.02, 0.1, 1.0)
"""Amounts are drawn from so large a share of the city's, about the amount that they replace."""
Place = tuple[int, int | None]
"""A household, and a member of it (`None` for the home)."""


class Amounts:
    """What the city knows of one amount.

    Args:
        feature: Which.
        city: Households of the city.
    """

    def __init__(self, feature: Feature, city: Households) -> None:
        self.feature = feature
        column = _column(feature, city)
        at = city.present if column.ndim > 1 else slice(None)
        self._known = np.sort(column[at][is_told(feature, column[at])])

    def repeated(self, homes: Households) -> dict[int, list[Place]]:
        """Return the places of each amount that stands in more homes than in as many of the city.

        As many of an amount are usual as two standard deviations above what the city lets expect.
        """
        places: dict[int, list[Place]] = {}
        for place, code in _told(self.feature, homes):
            places.setdefault(code, []).append(place)
        n = sum(map(len, places.values()))
        return {
            code: own
            for code, own in places.items()
            if len({home for home, _ in own}) > self.usual(code, n)
        }

    def usual(self, code: int, n: int) -> int:
        """Return in how many homes an amount may stand, where `n` people or homes have one."""
        first, last = np.searchsorted(self._known, [code, code + 1])
        expected = n * (last - first) / max(len(self._known), 1)
        return max(1, int(expected + 2 * np.sqrt(expected)))

    def drawn(self, code: int, rng: np.random.Generator) -> NDArray[np.integer[Any]]:
        """Return other amounts of the city, those near to one first."""
        n = len(self._known)
        share = rng.choice(_NEAR, COPIES)
        at = np.searchsorted(self._known, code) + n * share * (rng.random(COPIES) - 1 / 2)
        return np.asarray(self._known[np.clip(at, 0, n - 1).astype(np.intp)])


def with_other_amounts(
    homes: Households, needs: Needs, city: DonorCity, rng: np.random.Generator
) -> Households:
    """Return households that repeat amounts no more than the city's, where what they need allows.

    None becomes more surprising.

    Args:
        homes: The households.
        needs: What each must keep.
        city: Gives amounts.
        rng: Draws them.
    """
    current = homes.take(np.arange(len(homes)))
    known = [
        own for own in (Amounts(feature, city.households) for feature in AMOUNTS) if len(own._known)
    ]
    for _ in range(PASSES):
        changes: list[tuple[Amounts, Place, int]] = []
        for own in known:
            for code, places in own.repeated(current).items():
                for place in places:
                    found = np.unique(own.drawn(code, rng))
                    changes += [(own, place, int(other)) for other in found if other != code]
        of = np.array([place[0] for _, place, _ in changes], np.intp)
        made = current.take(of)
        for column, (own, (_, row), code) in enumerate(changes):
            name = own.feature.name
            where = made.shared[name] if row is None else made.member[name][row]
            where[column] = code
        surprise = city.belief.surprise(current)
        fine = np.flatnonzero(city.belief.surprise(made) <= surprise[of])
        fine = fine[possible(made.take(fine))]
        fine = fine[needs.met(made.take(fine), of[fine])]
        taken: set[int] = set()
        for copy in rng.permutation(fine).tolist():
            own, (home, row), code = changes[copy]
            if home in taken or not _is_better(own, current, home, row, code):
                continue
            taken.add(home)
            put(current, of[[copy]], made.take(np.array([copy])))
        if not taken:
            break
    return current


def _is_better(own: Amounts, homes: Households, home: int, row: int | None, code: int) -> bool:
    """Say whether an amount still stands in too many homes, and another would not."""
    every = dict(_told(own.feature, homes))
    standing = Counter(value for _, value in {(at, value) for (at, _), value in every.items()})
    before, n = every[home, row], len(every)
    return standing[before] > own.usual(before, n) and standing[code] < own.usual(code, n)


AMOUNTS = [
    feature
    for feature in (*CODED_MEMBER_FEATURES.values(), *HOUSEHOLD_FEATURES.values())
    if feature.kind == "number" and feature.name not in STRUCTURAL
]


def is_told(feature: Feature, column: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Return which codes are amounts: neither nothing nor not known."""
    return np.asarray((column > 0) & (column != feature.encode(feature.default)))


def _column(feature: Feature, homes: Households) -> NDArray[np.integer[Any]]:
    shared = feature.name in homes.shared
    return homes.shared[feature.name] if shared else homes.member[feature.name]


def _told(feature: Feature, homes: Households) -> Iterator[tuple[Place, int]]:
    """Yield place and code of each amount."""
    column = _column(feature, homes)
    told = is_told(feature, column)
    if column.ndim == 1:
        for home in np.flatnonzero(told).tolist():
            yield (home, None), int(column[home])
        return
    for row, home in zip(*np.nonzero(told & homes.present), strict=True):
        yield (int(home), int(row)), int(column[row, home])
