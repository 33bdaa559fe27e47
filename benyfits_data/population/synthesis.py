"""A synthetic New York City: structure first, then every feature in the order of the tables.

Every draw has its own random stream, named after seed, chunk and feature, so that a new feature
never moves another. A chunk is a small city of its own: its margins are exact up to rounding.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.population.city import City
from benyfits_data.population.distributions import Distribution, load_distributions
from benyfits_data.population.relations import KINDS, name_relations
from benyfits_data.population.rules import AFTERWARDS, RULES
from benyfits_data.population.sources import Sources, load_sources
from benyfits_data.population.structure import build_structure

CHUNK = 50_000
"""Households drawn at a time; part of what a seed means."""

_BUILT_WITH_STRUCTURE = frozenset(
    {"borough", "household_type", "household_size", "household_minors", "age", "sex", "relation"}
)
_OWN_CODE = frozenset({"name", "household_income", *KINDS})
Result = TypeVar("Result")


@lru_cache(maxsize=1)
def default_sources() -> Sources:
    """Return the project's sources, read once."""
    return load_sources()


@lru_cache(maxsize=1)
def default_distributions() -> dict[str, Distribution]:
    """Return the project's distributions, read once."""
    return load_distributions(default_sources())


def build_city(n: int, seed: int, chunk: int = 0) -> City:
    """Return `n` households with every feature, and the facts kept to draw them.

    Args:
        n: Number of households.
        seed: Seed of the whole build.
        chunk: Number of the chunk.
    """
    sources, distributions = default_sources(), default_distributions()
    city = City.of(sources, build_structure(sources, n, seed, chunk), seed, chunk)
    name_relations(city, {name: distributions[name] for name in KINDS})
    for feature, distribution in distributions.items():
        if feature in _BUILT_WITH_STRUCTURE or feature in _OWN_CODE:
            continue
        if distribution.is_rule:
            RULES[feature](city)
        else:
            frame = city.households if distribution.level == "household" else city.people
            score = _score(city, feature)
            distribution.draw(frame, city.rng(feature), score)
        if feature in AFTERWARDS:
            AFTERWARDS[feature](city)
    return city


def _score(city: City, feature: str) -> NDArray[np.float64] | None:
    """Return who comes first within a cell; members of a household stand close together."""
    weight = _SHARED.get(feature)
    if weight is None:
        return None
    rng = city.rng(feature + " of the household")
    shared = rng.normal(size=city.households.size)[city.household]
    return np.asarray(
        np.sqrt(weight) * shared + np.sqrt(1 - weight) * rng.normal(size=city.people.size)
    )


_SHARED = {
    "citizenship": 0.85,
    "proficient_in_english_reading_and_writing": 0.5,
    "receives_medicaid": 0.7,
    "health_insurance": 0.7,
    "education": 0.4,
    "school_type": 0.8,
    "eligible_for_instate_tuition": 0.6,
    "lived_together_last_6_months": 0.3,
}
"""Share of a score that members of one household have in common."""


def synthesize(n: int, seed: int) -> Households:
    """Return `n` households as columns of the household model."""
    return Households.concatenate(
        build_city(size, seed, chunk).to_households() for chunk, size in chunks(n)
    )


def chunks(n: int) -> Iterator[tuple[int, int]]:
    """Return number and size of the chunks that make up `n` households."""
    for chunk, start in enumerate(range(0, n, CHUNK)):
        yield chunk, min(CHUNK, n - start)


def over_chunks(
    work: Callable[[int, int, int], Result], n: int, seed: int, workers: int = 2
) -> Iterator[Result]:
    """Return what `work(size, seed, chunk)` returns for every chunk, in order.

    Args:
        work: A function of a module, so that other processes can run it.
        n: Number of households.
        seed: Seed of the whole build.
        workers: Processes; the results do not depend on their number.
    """
    if workers < 2 or n <= CHUNK:
        for chunk, size in chunks(n):
            yield work(size, seed, chunk)
        return
    with ProcessPoolExecutor(workers) as pool:
        futures = [pool.submit(work, size, seed, chunk) for chunk, size in chunks(n)]
        for future in futures:
            yield future.result()
