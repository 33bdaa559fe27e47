"""The measure of belief of the default synthetic city, fitted once in a process."""

from functools import cache

import numpy as np

from benyfits_data.household.columns import Households
from benyfits_data.plausibility import Plausibility
from benyfits_data.population.synthesis import synthesize

CITY = 50_000
"""Households that are learned from and compared with: one chunk of the synthetic city."""
SEED = 0
_HELD_OUT = 5, 2
"""Of every five households two are held out."""


def reference_city(n: int = CITY) -> Households:
    """Return the households from which belief is learned; the same for all seeds of a build."""
    return _city(n)


def city_plausibility(n: int = CITY) -> Plausibility:
    """Return how surprising households are in the city."""
    return _plausibility(n)


# Arguments by name, by place and left out are cached apart, so only these two are cached.
@cache
def _city(n: int) -> Households:
    return synthesize(n, SEED)


@cache
def _plausibility(n: int) -> Plausibility:
    city = _city(n)
    of, some = _HELD_OUT
    held_out = np.arange(n) % of < some
    return Plausibility(city.take(~held_out), city.take(held_out))
