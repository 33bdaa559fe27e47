"""The measure of belief of the default synthetic city, fitted once in a process.

A build that has other work to do first lets another process begin with the city, and both then
learn half of the facts each (`begin_city`).
"""

from collections.abc import Collection
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.parallel import Actor
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.fact_surprise import FACTS, FactSurprise
from benyfits_data.population.synthesis import synthesize

CITY = 50_000
"""Households that are learned from and compared with: one chunk of the synthetic city."""
SEED = 0
_HELD_OUT = 5, 2
"""Of every five households two are held out."""
_elsewhere: dict[int, Actor[Households]] = {}
"""Cities that another process has begun to make, by number of households."""


def begin_city(n: int = CITY) -> None:
    """Let another process begin to make a city, unless this one has made one."""
    if n not in _elsewhere and not _city.cache_info().currsize:
        _elsewhere[n] = Actor(partial(synthesize, n, SEED))


def reference_city(n: int = CITY) -> Households:
    """Return the households from which belief is learned; the same for all seeds of a build."""
    return _city(n)


def city_plausibility(n: int = CITY) -> Plausibility:
    """Return how surprising households are in the city."""
    return _plausibility(n)


# Arguments by name, by place and left out are cached apart, so only these are cached.
@cache
def _city(n: int) -> Households:
    return _elsewhere[n].call(_itself)() if n in _elsewhere else synthesize(n, SEED)


@cache
def _plausibility(n: int) -> Plausibility:
    city = _city(n)
    is_held_out = _is_held_out(n)
    learned = city.take(~is_held_out)
    if n in _elsewhere:
        rest = _elsewhere[n].call(_learn, FACTS[1::2])
        facts = FactSurprise(learned, FACTS[::2]).joined_by(rest())
        # Its households would stay in memory while later steps run.
        _elsewhere.pop(n).close()
    else:
        facts = FactSurprise(learned)
    return Plausibility(learned, city.take(is_held_out), facts)


def _itself(city: Households) -> Households:
    return city


def _learn(city: Households, names: Collection[str]) -> FactSurprise:
    return FactSurprise(city.take(~_is_held_out(len(city))), names)


def _is_held_out(n: int) -> NDArray[np.bool_]:
    of, some = _HELD_OUT
    return np.asarray(np.arange(n) % of < some)
