"""Surprise of who lives together: composition, ages, and gaps between the generations."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.plausibility.circumstances import GROUP_OF, N_BANDS, N_GROUPS, RELATIONS, band
from benyfits_data.plausibility.probability_tables import surprise

_N = len(RELATIONS)
_BASE = 11
_YEARS = 3
_ZERO = 37
_GAPS = 2 * _ZERO + 1
"""Gaps of ages are compared in steps of three years, up to 111 either way."""
_COUPLE = [RELATIONS.index("spouse"), RELATIONS.index("domestic partner")]
_PRIOR = 5.0
"""Observations that gaps of ages of all relations weigh beside those of one: ten times as many make
households that nothing was learned from no more surprising (59,792, 59,796)."""
_RARE = 0.05
"""How often what the city never has is taken to be seen, so that it surprises and is not
impossible: with 1, households that nothing was learned from surprise as much (59,806, 59,796)."""

Items = dict[str, NDArray[np.int32]]
"""Surprise by what it is about, each of shape `(places, n)`: that of a member, or the applicant's
place for what is about the household."""


class StructureSurprise:
    """What the city knows of compositions and ages.

    Args:
        city: Households of the city.
    """

    def __init__(self, city: Households) -> None:
        relation, age, present = _columns(city)
        n = len(city)
        self._n = n
        self._keys, self._counts = np.unique(_composition(city), return_counts=True)
        size = np.bincount(city.size, minlength=_BASE)[:_BASE] + _RARE
        self._size = np.log(size / size.sum())
        others = np.full((_BASE, _N), _RARE)
        gaps = np.zeros((_N, N_BANDS, _GAPS))
        pairs = np.zeros((_N, _N, _GAPS))
        first = band(age[0])
        for row in range(1, len(age)):
            here = present[row]
            np.add.at(others, (city.size[here], relation[row, here]), 1)
            gap = _gap(age[row] - age[0])
            np.add.at(gaps, (relation[row, here], first[here], gap[here]), 1)
        for earlier, other, here in _pairs(present):
            a, b, gap = _ordered(relation, age, earlier, other, here)
            np.add.at(pairs, (a, b, gap), 1)
        self._others = np.log(others / others.sum(axis=1, keepdims=True))
        heads = np.full((2**N_GROUPS, N_BANDS), _RARE)
        np.add.at(heads, (_kind(relation, present), first), 1)
        self._heads = surprise(heads / heads.sum(axis=1, keepdims=True))
        spread = gaps.sum(axis=1, keepdims=True) + _RARE
        spread = _PRIOR * spread / spread.sum(axis=-1, keepdims=True)
        self._gaps = surprise((gaps + spread) / (gaps.sum(axis=-1, keepdims=True) + _PRIOR))
        # Neighbours lend to one another; what was never seen together tells nothing.
        near = pairs.copy()
        near[:, :, 1:] += pairs[:, :, :-1] / 2
        near[:, :, :-1] += pairs[:, :, 1:] / 2
        near += 0.5
        self._pairs = surprise(near / near.max(axis=-1, keepdims=True))
        couples = _same_sex(city, relation, present)
        share = (couples[0] + 1) / (couples[1] + 2)
        self._sexes = surprise(np.array([1 - share, share]))

    def items(self, table: Households) -> Items:
        """Return the surprise of a table's structures, by subject."""
        relation, age, present = _columns(table)
        made = _composition(table)
        place = np.minimum(np.searchsorted(self._keys, made), len(self._keys) - 1)
        seen = np.where(self._keys[place] == made, self._counts[place], 0)
        size = np.minimum(table.size, _BASE - 1)
        alone = self._size[size]
        surprises = {
            name: np.zeros(age.shape, np.int32)
            for name in ("composition", "age", "age gap", "gap between members", "sexes")
        }
        first = band(age[0])
        surprises["age"][0] = self._heads[_kind(relation, present), first]
        for row in range(1, len(age)):
            here = present[row]
            alone = alone + np.where(here, self._others[size, relation[row]], 0)
            gap = self._gaps[relation[row], first, _gap(age[row] - age[0])]
            surprises["age gap"][row] = np.where(here, gap, 0)
            partner = here & np.isin(relation[row], _COUPLE)
            same = (table.member["sex"][row] == table.member["sex"][0]).astype(np.intp)
            surprises["sexes"][row] = np.where(partner, self._sexes[same], 0)
        for earlier, other, here in _pairs(present):
            a, b, gap = _ordered(relation, age, earlier, other, here)
            surprises["gap between members"][other, here] += self._pairs[a, b, gap]
        share = (seen + _PRIOR * np.exp(alone)) / (self._n + _PRIOR)
        surprises["composition"][0] = surprise(share)
        return surprises


def kinds_of_relations(table: Households) -> NDArray[np.intp]:
    """Return how many relations to the applicant, and the applicant's own, each household has."""
    relation, _, present = _columns(table)
    kinds = [(present & (relation == code)).any(axis=0) for code in range(_N)]
    return np.asarray(np.sum(kinds, axis=0, dtype=np.intp))


def _columns(
    table: Households,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    return (
        table.member["relation"].astype(np.intp),
        table.member["age"].astype(np.intp),
        table.present,
    )


def _composition(table: Households) -> NDArray[np.int64]:
    """Return one number for the relations of each household, whatever their order."""
    powers = np.array([_BASE**code for code in range(_N)], np.int64)
    return np.asarray(np.where(table.present, powers[table.member["relation"]], 0).sum(axis=0))


def _kind(relation: NDArray[np.intp], present: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return which groups of relations live in each household, as a bit set."""
    bits = np.where(present, 1 << GROUP_OF[relation], 0)
    return np.asarray(np.bitwise_or.reduce(bits, axis=0))


def _gap(years: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.clip((years + _YEARS * _ZERO) // _YEARS, 0, _GAPS - 1)


def _pairs(present: NDArray[np.bool_]) -> Iterator[tuple[int, int, NDArray[np.intp]]]:
    for earlier in range(1, len(present)):
        for other in range(earlier + 1, len(present)):
            here = np.flatnonzero(present[other])
            if len(here):
                yield earlier, other, here


def _ordered(
    relation: NDArray[np.intp],
    age: NDArray[np.intp],
    earlier: int,
    other: int,
    here: NDArray[np.intp],
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return both relations, the first in order first, and the gap between their ages."""
    a, b = relation[earlier, here], relation[other, here]
    years = age[earlier, here] - age[other, here]
    years = np.where(a == b, np.abs(years), np.where(a < b, years, -years))
    return np.minimum(a, b), np.maximum(a, b), _gap(years)


def _same_sex(
    city: Households, relation: NDArray[np.intp], present: NDArray[np.bool_]
) -> tuple[int, int]:
    """Return how many couples are of one sex, and how many there are."""
    partner = np.isin(relation, _COUPLE) & present
    same = partner & (city.member["sex"] == city.member["sex"][0])
    return int(same.sum()), int(partner.sum())
