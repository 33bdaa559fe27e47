"""Amounts of money that come back: those that decide nothing are redrawn from the city."""

from collections.abc import Iterator

import numpy as np

from benyfits_data.fuzz.search.candidates import Candidates, Judge
from benyfits_data.fuzz.search.children import Variation
from benyfits_data.fuzz.search.set_limits import MONEY, homes_with_amounts
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend import possible

TRIES = 8
"""How many other amounts are tried for each."""
NEAR = 0.05
"""An amount is replaced by one of the city that is at most so far from it in order of size."""
_Place = tuple[str, int]
"""A feature, and the position of the member; -1 for the home."""


def redraw_amounts(chosen: Candidates, judge: Judge, variation: Variation) -> Candidates:
    """Return the households with amounts that stand in several of them redrawn from the city.

    An amount that decides something stays: whoever has another must fill the same slots, and
    surprise no more.

    Args:
        chosen: The households.
        judge: Says what they fill and cost.
        variation: Gives the city, and draws.
    """
    rng, city = variation.rng, variation.city.households
    known = {}
    for name in MONEY:
        values = city.shared[name] if name in city.shared else city.member[name][city.present]
        known[name] = np.unique(values[values > 0])
    for places in _turns(chosen.homes):
        homes = np.array(sorted(places))
        of = np.repeat(homes, TRIES)
        tried = chosen.homes.take(of)
        standing = set(homes_with_amounts(chosen.homes))
        is_new = np.zeros(len(of), np.bool_)
        for place, home in enumerate(homes.tolist()):
            name, row = places[home]
            copies = slice(place * TRIES, (place + 1) * TRIES)
            values = tried.shared[name] if row < 0 else tried.member[name][row]
            rank = np.searchsorted(known[name], values[copies][0])
            # Half of them within a tenth of it: two limits may leave a narrow range between them.
            away = NEAR * len(known[name]) * rng.uniform(-1, 1, TRIES) ** 3
            nearby = np.clip(rank + np.rint(away).astype(np.intp), 0, len(known[name]) - 1)
            values[copies] = known[name][nearby]
            is_new[copies] = [(name, amount) not in standing for amount in values[copies].tolist()]
        kept = np.flatnonzero(possible(tried) & is_new)
        others = judge.candidates(tried.take(kept))
        is_same = (others.fills == chosen.fills[:, of[kept]]).all(axis=0)
        is_same &= (others.cost <= chosen.cost[of[kept]]) & (
            others.percentile <= chosen.percentile[of[kept]]
        )
        replaced, first = np.unique(of[kept][is_same], return_index=True)
        at = np.arange(len(chosen))
        at[replaced] = len(chosen) + np.flatnonzero(is_same)[first]
        chosen = chosen.joined_by(others).take(at)
    return chosen


def _turns(homes: Households) -> Iterator[dict[int, _Place]]:
    """Give, again and again, a place of each household whose amount stands in another one too."""
    left: list[tuple[int, _Place]] = []
    for (name, amount), where in homes_with_amounts(homes).items():
        for home in sorted(where) if len(where) > 1 else ():
            if name in homes.shared:
                left.append((home, (name, -1)))
                continue
            rows = np.flatnonzero(homes.member[name][:, home] == amount)
            left += [(home, (name, row)) for row in rows.tolist()]
    while left:
        turn: dict[int, _Place] = {}
        rest = []
        for home, place in left:
            if turn.setdefault(home, place) != place:
                rest.append((home, place))
        yield turn
        left = rest
