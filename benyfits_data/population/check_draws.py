"""Whether drawn features still follow the tables they were drawn from, condition by condition.

What a draw adds up to within a condition is no published figure: it is the table's own expectation,
raked to the margins. That the finished city meets it says that nothing later undid the dependence.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from benyfits_data.population.conditions import LARGEST, Frame, parse_range
from benyfits_data.population.distributions import Distribution

CHANGED = frozenset(
    {
        "ac_age_years",
        "marital_status",
        "months_owned_property",
        "property_owner_widow",
        "receives_ssi",
    }
)
"""Changed once drawn, or drawn by what is changed then; margins are compared all the same."""
OTHERWISE = "otherwise"
"""Those for whom no condition of a draw holds."""
_ENDS = 8
"""Most ends of ranges that numbers are counted from."""
Tally = dict[tuple[str, ...], NDArray[np.float64]]


def sum_of(parts: Iterable[Tally]) -> Tally:
    """Return the counts of several parts of a city together."""
    whole: Tally = {}
    for part in parts:
        for key, counts in part.items():
            whole[key] = whole.get(key, 0.0) + counts
    return whole


def count_draws(frame: Frame, feature: str, distribution: Distribution) -> Tally:
    """Return, by condition and category, who has it, who counts, who was expected, the variance.

    Whole people are allotted to every cell, so that what rounding leaves open is all that chance
    may do, and of numbers where in its range each lies.

    Args:
        frame: Finished households or people.
        feature: A feature that is drawn.
        distribution: What it is drawn from.
    """
    found: Tally = {}
    cell, fitted = distribution.fit(frame)
    categories = countable(distribution.categories)
    has = {category: frame.mask(f"{feature} {category}") for category in categories}
    masks = {"all": frame.mask("all")}
    masks |= {group.given: frame.mask(group.given) for group in distribution.odds}
    left = masks["all"]
    for group in distribution.draws:
        # Of several conditions the first that holds counts.
        inside = frame.mask(group.given)
        masks[f"first {group.given}"] = left & inside
        left = left & ~inside
    masks[OTHERWISE] = left
    for condition, inside in masks.items():
        quota = np.bincount(cell[inside], minlength=len(fitted))[:, None] * fitted
        drawn = quota.sum(axis=0)
        for category, parts in categories.items():
            expected = sum(drawn[place] * part for place, part in parts)
            rest = quota[:, [place for place, _ in parts]] % 1
            # A category rounds what those before it have left, rounded too.
            rounding = 2 * (rest * (1 - rest)).sum()
            spread = sum(drawn[place] * part * (1 - part) for place, part in parts)
            counts = (has[category] & inside).sum(), inside.sum(), expected, rounding + spread
            found["draw", feature, "", condition, category] = np.array(counts, float)
    return found


def countable(categories: Sequence[str]) -> dict[str, list[tuple[int, float]]]:
    """Return categories that can be counted, and what part of each drawn one they take.

    Ranges of numbers become `none` and numbers from some of their ends on: the ranges of different
    groups overlap.
    """
    ranges = [None if category == "none" else parse_range(category) for category in categories]
    if all(ends is None for ends in ranges):
        return {category: [(place, 1.0)] for place, category in enumerate(categories)}
    found = {
        "none": [(place, 1.0) for place, ends in enumerate(ranges) if ends is None],
        "0-0": [(place, _part(ends, 0, 0)) for place, ends in enumerate(ranges) if ends],
    }
    lows = sorted({ends[0] for ends in ranges if ends and ends[0] > 0})
    for low in lows[:: -(-len(lows) // _ENDS) or 1]:
        parts = [(place, _part(ends, low, LARGEST)) for place, ends in enumerate(ranges) if ends]
        found[f"{low}+"] = parts
    return {category: parts for category, parts in found.items() if parts}


def _part(ends: tuple[int, int], low: int, high: int) -> float:
    """Return what part of a range, drawn from evenly, lies between two numbers."""
    inside = min(ends[1], high) - max(ends[0], low) + 1
    return max(inside, 0) / (ends[1] - ends[0] + 1)
