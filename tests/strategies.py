"""Hypothesis strategies for households, derived from the feature declarations."""

from datetime import date
from functools import cache
from typing import Any

from hypothesis import strategies as st

from benyfits_data.household.columns import Households
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household, Member
from benyfits_data.household.schema import Feature
from tests.language.draws import draw_possible

N_POSSIBLE = 300


def values(feature: Feature) -> st.SearchStrategy[Any]:
    """Any value of a feature's domain; numbers lean towards small and round ones."""
    if feature.kind == "flag":
        return st.booleans()
    if feature.kind == "choice":
        known: st.SearchStrategy[Any] = st.sampled_from(list(feature.choices))
    elif feature.kind == "text":
        known = st.sampled_from(["Alex", "Maria", "Wei", "Amina"])
    else:
        assert feature.minimum is not None
        assert feature.maximum is not None
        low, high = int(feature.minimum), int(feature.maximum)
        if feature.kind == "number":
            known = st.integers(low, min(high, 100)) | st.integers(low, high)
        elif feature.kind == "decimal":
            known = st.integers(low * 10, high * 10).map(lambda tenths: tenths / 10)
        else:
            known = st.dates(date.fromordinal(low), date.fromordinal(high))
    return known | st.none() if feature.optional else known


@st.composite
def any_households(draw: st.DrawFn) -> Household:
    """Households with values from the domains, possible or not."""
    size = draw(st.integers(1, LARGEST_HOUSEHOLD))
    members = tuple(
        Member(**{name: draw(values(feature)) for name, feature in MEMBER_FEATURES.items()})
        for _ in range(size)
    )
    shared = {name: draw(values(feature)) for name, feature in HOUSEHOLD_FEATURES.items()}
    return Household(members=members, constrained=False, **shared)


def possible_households() -> st.SearchStrategy[Household]:
    """Households that violate no constraint: sampled ones in which some facts are drawn anew."""
    return st.integers(0, N_POSSIBLE - 1).map(lambda position: _pool().household(position))


@cache
def _pool() -> Households:
    return draw_possible(N_POSSIBLE, seed=11)
