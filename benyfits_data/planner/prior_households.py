"""Households that the order of questions is chosen by: few, and the same on every machine."""

from functools import lru_cache
from typing import Any

from numpy.typing import NDArray

from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.partial import Fact

SEED = 20
CITY, FUZZED = 3_000, 1_000
"""Households of the synthetic city, and fuzzed ones for whoever is like nobody in it. With a tenth
of the city 3% more questions are asked, with ten fuzzed ones 0.5%."""


@lru_cache(maxsize=4)
def draw_prior(edition: int) -> Households:
    """Return the prior of an edition."""
    from benyfits_data.fuzz.sample import sample_households
    from benyfits_data.population.synthesis import synthesize

    fuzzed = sample_households(FUZZED, load_edition(edition), SEED)
    return Households.concatenate([synthesize(CITY, SEED, workers=1), fuzzed])


def fact_column(prior: Households, fact: Fact | None) -> NDArray[Any]:
    """Return the coded values of a fact; `None` is the number of members."""
    if fact is None:
        return prior.size
    name, position = fact
    return prior.shared[name] if position is None else prior.member[name][position]
