"""Hypothesis strategies for households, derived from the feature declarations."""

from functools import cache

from hypothesis import strategies as st

from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from tests.language.draws import draw_possible

N_POSSIBLE = 300


def possible_households() -> st.SearchStrategy[Household]:
    """Households that violate no constraint: sampled ones in which some facts are drawn anew."""
    return st.integers(0, N_POSSIBLE - 1).map(lambda position: _pool().household(position))


@cache
def _pool() -> Households:
    return draw_possible(N_POSSIBLE, seed=11)
