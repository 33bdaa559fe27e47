"""Households drawn without regard to what is usual: what readers are compared on."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.household.schema import Feature
from benyfits_data.language.numpy_backend import possible
from benyfits_data.rng import stream


def draw_households(n: int, rng: np.random.Generator) -> Households:
    """Return `n` households of any facts in the domains; small numbers are frequent."""
    table = Households.of_defaults(n)
    table.size[:] = rng.integers(1, LARGEST_HOUSEHOLD + 1, n)
    for name, feature in HOUSEHOLD_FEATURES.items():
        table.shared[name] = _draw(feature, (n,), rng)
    for name, feature in CODED_MEMBER_FEATURES.items():
        table.member[name] = _draw(feature, (LARGEST_HOUSEHOLD, n), rng)
    return table


def draw_possible(n: int, seed: int, edition: int = 2024) -> Households:
    """Return `n` possible households: sampled ones in which some facts are drawn anew at random."""
    rng = stream(seed, "test", "possible")
    parts: list[Households] = []
    while sum(map(len, parts)) < n:
        table = sample_households(2 * n, load_edition(edition), seed + len(parts))
        wild = draw_households(len(table), rng)
        for name, column in table.shared.items():
            changed = rng.random(column.shape) < 0.02
            column[changed] = wild.shared[name][changed]
        for name, column in table.member.items():
            changed = rng.random(column.shape) < 0.004
            column[changed] = wild.member[name][changed]
        parts.append(table.take(possible(table)))
    return Households.concatenate(parts).take(slice(n))


def _draw(feature: Feature, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[Any]:
    if feature.kind == "flag":
        return rng.random(shape) < 0.5
    if feature.kind == "choice":
        values = rng.integers(0, len(feature.choices), shape)
    else:
        assert feature.minimum is not None
        assert feature.maximum is not None
        low, high = int(feature.minimum), int(feature.maximum)
        values = np.where(
            rng.random(shape) < 0.5,
            rng.integers(low, high + 1, shape),
            rng.integers(low, min(high, low + 100) + 1, shape),
        )
        if feature.kind == "decimal":
            values = rng.integers(low * 10, high * 10 + 1, shape) / 10
    if feature.optional:
        values = np.where(rng.random(shape) < 0.3, -1, values)
    return values.astype(feature.dtype)
