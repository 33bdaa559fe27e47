"""Households before anything else: composition, relations, ages and sexes, all together."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from benyfits_data.population.ages import minors_share
from benyfits_data.population.household_compositions import (
    BOROUGHS,
    HOUSEHOLDER,
    PARTNER,
    SPOUSE,
    all_compositions,
    fit_compositions,
    margin_of,
)
from benyfits_data.population.raking import systematic_rounding
from benyfits_data.population.role_ages import role_ages
from benyfits_data.population.sources import Sources
from benyfits_data.rng import stream


@dataclass(frozen=True)
class Structure:
    """People in households, householders first.

    Attributes:
        borough: Code of the borough of every household, shape `(households,)`.
        type: Code of its type, shape `(households,)`.
        size: Its members, shape `(households,)`.
        household: Household of every member, ascending, shape `(people,)`.
        place: Position in the household, shape `(people,)`.
        role: `HOUSEHOLDER`, `SPOUSE` or a role of `composition`, shape `(people,)`.
        age: In years, shape `(people,)`.
        female: Whether female, shape `(people,)`.
    """

    borough: NDArray[np.int8]
    type: NDArray[np.int8]
    size: NDArray[np.int8]
    household: NDArray[np.int64]
    place: NDArray[np.int8]
    role: NDArray[np.int8]
    age: NDArray[np.int32]
    female: NDArray[np.bool_]


def build_structure(sources: Sources, n: int, seed: int, chunk: int) -> Structure:
    """Return `n` households with their members' roles, ages and sexes.

    Args:
        sources: The tables.
        n: Number of households.
        seed: Seed of the whole build.
        chunk: Number of the chunk; each has its own random stream.
    """
    rng = stream(seed, "population", chunk, "structure")
    shares = margin_of(sources, "borough", "all")
    numbers = systematic_rounding(np.array([shares[name] for name in BOROUGHS]) * n, rng)
    numbers[-1] += n - numbers.sum()
    parts = [
        _build_borough(sources, code, int(number), rng)
        for code, number in enumerate(numbers)
        if number > 0
    ]
    merged = _merge(parts)
    # Households are shuffled so that any run of them is a sample of the city.
    return _shuffle(merged, rng)


def _build_borough(sources: Sources, borough: int, n: int, rng: np.random.Generator) -> Structure:
    name = BOROUGHS[borough]
    table = all_compositions(sources)
    weights = fit_compositions(sources, name, minors_share(sources, name))
    numbers = systematic_rounding(weights * n, rng)
    numbers[np.argmax(weights)] += n - numbers.sum()
    chosen = np.repeat(np.arange(len(weights)), np.maximum(numbers, 0))[:n]
    kinds, sizes, counts = table.type[chosen], table.size[chosen], table.counts[chosen]
    households, roles = _people(kinds, counts)
    age, female = role_ages(sources, name, kinds, counts, households, roles, rng)
    order = np.lexsort((_listing(roles, age), households))
    households, roles = households[order], roles[order]
    starts = np.cumsum(sizes) - sizes
    return Structure(
        borough=np.full(n, borough, np.int8),
        type=kinds.astype(np.int8),
        size=sizes.astype(np.int8),
        household=households,
        place=(np.arange(len(households)) - starts[households]).astype(np.int8),
        role=roles.astype(np.int8),
        age=age[order].astype(np.int32),
        female=female[order],
    )


def _listing(roles: NDArray[np.int64], age: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the order of members: householder, spouse or partner, then by age from the oldest."""
    group = np.where(
        roles == HOUSEHOLDER, 0, np.where((roles == SPOUSE) | (roles == PARTNER), 1, 2)
    )
    return np.asarray(group * 1000 - age)


def _people(
    kinds: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n = len(kinds)
    couples = np.flatnonzero(kinds <= 1)
    households = [np.arange(n), couples]
    roles = [np.full(n, HOUSEHOLDER), np.full(len(couples), SPOUSE)]
    for role in range(counts.shape[1]):
        found = np.repeat(np.arange(n), counts[:, role])
        households.append(found)
        roles.append(np.full(len(found), role))
    return np.concatenate(households), np.concatenate(roles)


def _merge(parts: list[Structure]) -> Structure:
    offsets = np.cumsum([0, *[len(part.size) for part in parts[:-1]]])
    columns = {
        column.name: np.concatenate([getattr(part, column.name) for part in parts])
        for column in fields(Structure)
    }
    people = [len(part.household) for part in parts]
    columns["household"] += np.repeat(offsets, people)
    return Structure(**columns)


def _shuffle(structure: Structure, rng: np.random.Generator) -> Structure:
    new = rng.permutation(len(structure.size))
    household = new[structure.household]
    order, back = np.argsort(household, kind="stable"), np.argsort(new)
    columns = {
        column.name: getattr(structure, column.name)[
            back if column.name in ("borough", "type", "size") else order
        ]
        for column in fields(Structure)
    }
    return Structure(**columns | {"household": household[order]})
