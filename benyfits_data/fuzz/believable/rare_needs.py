"""Rare needs: what hardly a home of the city has, and how many of these come together in one."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.plausibility.circumstances import N_SIZES, Circumstances

RARE = 0.02
"""A flag is a rare need if no more of the city's homes have it, or somebody in them."""
USUAL = 95.0
"""The percentile of the city's homes of a size up to which so many rare needs are usual."""


class RareNeeds:
    """What the city knows of rare needs.

    Args:
        city: Households of the city.
    """

    def __init__(self, city: Households) -> None:
        self._city = city

    def beyond(self, homes: Households) -> NDArray[np.intp]:
        """Return how many rare needs more than usual for its size each home has, shape `(n,)`.

        Each member counts who has one.
        """
        usual = self._usual[Circumstances(homes).sizes]
        return np.asarray(np.maximum(self._count(homes) - usual, 0))

    @cached_property
    def _rare(self) -> list[Feature]:
        flags = [
            feature
            for feature in (*CODED_MEMBER_FEATURES.values(), *HOUSEHOLD_FEATURES.values())
            if feature.kind == "flag"
        ]
        return [one for one in flags if (_owners(one, self._city) > 0).mean() <= RARE]

    @cached_property
    def _usual(self) -> NDArray[np.intp]:
        count, sizes = self._count(self._city), Circumstances(self._city).sizes
        of_size = [count[sizes == size] for size in range(N_SIZES)]
        return np.array(
            [int(np.percentile(own, USUAL)) if len(own) else 0 for own in of_size], np.intp
        )

    def _count(self, homes: Households) -> NDArray[np.intp]:
        counts = [_owners(one, homes) for one in self._rare]
        return np.asarray(np.sum(counts, axis=0, dtype=np.intp))


def _owners(feature: Feature, homes: Households) -> NDArray[np.intp]:
    """Return of how many in each home a flag is not as by default; the home counts as one."""
    default = feature.encode(feature.default)
    if feature.name in homes.shared:
        return np.asarray(homes.shared[feature.name] != default, np.intp)
    is_so = (homes.member[feature.name] != default) & homes.present
    return np.asarray(is_so.sum(axis=0, dtype=np.intp))
