"""The paper's method, for comparison: every feature by itself, then repaired.

The features of a correlated city are shuffled, each on its own, among all people (or households),
so that its distribution stays as it was and nothing goes together any more; then the constraints
repair what that makes impossible.
"""

import numpy as np

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.columns import Households
from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.repair import repair
from benyfits_data.language.numpy_backend import possible, violators
from benyfits_data.population.synthesis import HotDeck, households_of_chunk
from benyfits_data.rng import stream


def independent_households(n: int, seed: int, chunk: int) -> Households:
    """Return `n` households whose features are drawn independently and then repaired."""
    city = households_of_chunk(n, seed, chunk)
    table = shuffled(city, seed, chunk)
    try:
        repair(table, violators, HotDeck(city), stream(seed, "population", chunk, "repair"))
    except ImpossibleHouseholdError:
        # A few households are beyond repair; they are taken from the correlated city as they are.
        lost = np.flatnonzero(~possible(table))
        kept = city.take(lost)
        table.size[lost] = kept.size
        for name, column in kept.shared.items():
            table.shared[name][lost] = column
        for name, column in kept.member.items():
            table.member[name][:, lost] = column
    return table


def shuffled(table: Households, seed: int, chunk: int) -> Households:
    """Return the households with every feature shuffled; sizes and who asks stay."""
    places = np.nonzero(table.present)
    others = table.present.copy()
    others[0] = False
    relations = np.nonzero(others)
    result = Households.of_defaults(len(table), table.places)
    result.size = table.size.copy()
    for name in HOUSEHOLD_FEATURES:
        rng = stream(seed, "population", chunk, "independent", name)
        result.shared[name] = rng.permutation(table.shared[name])
    for name in CODED_MEMBER_FEATURES:
        rng = stream(seed, "population", chunk, "independent", name)
        where = relations if name == "relation" else places
        result.member[name][where] = rng.permutation(table.member[name][where])
    return result
