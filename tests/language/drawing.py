"""Households drawn without regard to constraints: what readers are compared on."""

import numpy as np

from benyfits_data.household.columns import CODED_MEMBER_FEATURES, Households
from benyfits_data.household.declaration import Feature
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD


def draw_households(n: int, rng: np.random.Generator) -> Households:
    """Return `n` households of any facts in the domains; small numbers are frequent."""
    table = Households.of_defaults(n)
    table.size[:] = rng.integers(1, LARGEST_HOUSEHOLD + 1, n)
    for name, feature in HOUSEHOLD_FEATURES.items():
        table.shared[name] = _draw(feature, (n,), rng)
    for name, feature in CODED_MEMBER_FEATURES.items():
        table.member[name] = _draw(feature, (LARGEST_HOUSEHOLD, n), rng)
    return table


def _draw(feature: Feature, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
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
