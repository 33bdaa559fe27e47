"""What a set of households keeps to, beside filling all slots."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD, OLDEST_AGE
from benyfits_data.household.features import FEATURES
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

HOUSEHOLDS, PAIRS_OF_HOUSEHOLD = 85, 5
"""Households at most, or one for so many pairs, as many as the paper's own set has. Where 60 had to
meet seven each, 34 of them had six members."""
MIXED = 4
"""Relations are mixed with so many kinds, the applicant's among them: 14% of the city's homes."""
TYPICAL_SIZE = 3
"""Members of a household, as many as most of the city's have at most."""
MIXED_SHARE, LARGE_SHARE, MEAN_SIZE = 0.12, 0.25, 3.9
"""How many may be mixed, how many of the largest size, and how large they may be on average."""
BEYOND_99, FARTHEST = 2, 99.5
"""How many may be beyond the 99th percentile of the city; nobody beyond the farthest."""
SAME_AGE = 3
"""How many applicants may be of one age: fewer families are variants of one another so."""
SAME_AMOUNT = 2
"""In how many households an amount of money may stand."""
MONEY = [name for name, feature in FEATURES.items() if feature.unit == "dollar"]
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Limit:
    """A limit on a set: what its households count adds up to so much at most.

    Attributes:
        says: What is limited, in words.
        counts: What each household counts, shape `(n,)`.
        most: The most that they may add up to.
    """

    says: str
    counts: NDArray[np.float64]
    most: float

    @property
    def holds(self) -> bool:
        """Whether all households together keep to it."""
        return bool(self.counts.sum() <= self.most + _ROUNDING)


def limit_on_number(n: int, n_slots: int) -> Limit:
    """Return the limit on how many of `n` households are chosen."""
    most = max(HOUSEHOLDS, n_slots // PAIRS_OF_HOUSEHOLD)
    return Limit(f"at most {most} households", np.ones(n), most)


def limits_on_people(
    homes: Households, beyond: NDArray[np.float64], percentile: float
) -> list[Limit]:
    """Return the limits that keep a set near to the city.

    Args:
        homes: The households.
        beyond: Their percentiles, shape `(n,)`.
        percentile: At which the median household may stay.
    """
    size = homes.size.astype(np.float64)
    is_large, is_mixed = size >= LARGEST_HOUSEHOLD, kinds_of_relations(homes) >= MIXED
    counted: list[tuple[str, NDArray[np.generic], float, float]] = [
        # With one household less in the worse half, the median is not of two on either side.
        (f"a median within {percentile:g}", beyond > percentile, 0.5, -0.5),
        (f"{BEYOND_99} beyond the 99th percentile", beyond > 99, 0, BEYOND_99),
        (f"none beyond the {FARTHEST:g}th percentile", beyond > FARTHEST, 0, 0),
        (f"{MIXED_SHARE:.0%} with mixed relations", is_mixed, MIXED_SHARE, 0),
        (f"{LARGE_SHARE:.0%} with {LARGEST_HOUSEHOLD} members", is_large, LARGE_SHARE, 0),
        (f"{MEAN_SIZE} members on average", size, MEAN_SIZE, 0),
    ]
    return [
        Limit(says, counts.astype(np.float64) - share, most)
        for says, counts, share, most in counted
    ]


def families(homes: Households) -> NDArray[np.intp]:
    """Return a number for the family of each: equal where relations and ages are, shape `(n,)`."""
    people = homes.member["relation"].astype(np.int64) * (OLDEST_AGE + 1) + homes.member["age"]
    # In whatever order the members stand.
    codes = np.sort(np.where(homes.present, people, -1), axis=0)
    return np.unique(codes, axis=1, return_inverse=True)[1].reshape(-1)


def limits_on_families(homes: Households) -> list[Limit]:
    """Return the limits by which no two households have the same relations and ages.

    And by which few applicants are of one age.
    """
    family, age = families(homes), homes.member["age"][0]
    several = np.flatnonzero(np.bincount(family) > 1)
    often = np.flatnonzero(np.bincount(age) > SAME_AGE)
    return [
        *(Limit("no two families alike", (family == one).astype(np.float64), 1) for one in several),
        *(
            Limit(f"{SAME_AGE} applicants of one age", (age == one).astype(np.float64), SAME_AGE)
            for one in often
        ),
    ]


def homes_with_amounts(homes: Households) -> dict[tuple[str, int], set[int]]:
    """Return in which households each amount of money stands, by its feature, but for 0."""
    standing: dict[tuple[str, int], set[int]] = {}
    for name in MONEY:
        values = homes.shared[name][None] if name in homes.shared else homes.member[name]
        for row, home in zip(*np.nonzero(values > 0), strict=True):
            standing.setdefault((name, int(values[row, home])), set()).add(int(home))
    return standing


def broken_limits(limits: list[Limit], homes: Households) -> list[str]:
    """Return in words which limits a set does not keep to, that on amounts among them."""
    broken = [limit.says for limit in limits if not limit.holds]
    often = [
        f"${amount:,} of {name} in {len(where)} households"
        for (name, amount), where in homes_with_amounts(homes).items()
        if len(where) > SAME_AMOUNT
    ]
    return [*dict.fromkeys(broken), *often]
