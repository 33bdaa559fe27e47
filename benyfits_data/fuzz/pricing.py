"""What each slot is worth, and so each household: what few can fill is dear."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from benyfits_data.fuzz.covers import MOST_PROGRAMS, as_keys
from benyfits_data.fuzz.slots import Slot

OF_EACH_SLOT = 10
"""Of each slot's fillers, so many of the worthiest are looked at."""
_WORKING = 1_000
COMMON = 1_000
"""Slots that so many households can fill are left out of the linear program."""
_UNIT = 1_000
_RARITY = 0.02
_EVERY_SLOT = 0.01


def covering_prices(can: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """Return what each slot is worth, and how many households fill all slots at least.

    Whoever is chosen, together they fill every slot: a linear program says how many that takes at
    least, and its dual values are the prices. Ten slots a household are no part of it.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.
    """
    prices = np.zeros(len(can))
    rare = np.flatnonzero(can.sum(axis=1) < COMMON)
    if not len(rare):
        return prices, 1.0
    kinds = one_of_each(can[rare])
    result = linprog(
        np.ones(len(kinds)),
        A_ub=-csr_array(can[np.ix_(rare, kinds)].astype(float)),
        b_ub=-np.ones(len(rare)),
        bounds=(0, None),
        method="highs",
    )
    prices[rare] = -np.asarray(result.ineqlin.marginals)
    return prices, float(result.fun)


def one_of_each(can: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the first household of each kind: equal columns serve a program alike."""
    return np.unique(as_keys(np.packbits(can, axis=0).T), return_index=True)[1]


def priced(can: NDArray[np.bool_]) -> tuple[NDArray[np.int64], float]:
    """Return prices in thousandths, the rarer a slot the dearer, and the relaxed number."""
    prices, relaxed = covering_prices(can)
    rarity = np.log(can.shape[1] / can.sum(axis=1))
    # Whole numbers, so that sums are the same on every machine.
    return np.rint(_UNIT * (prices + _RARITY * rarity + _EVERY_SLOT)).astype(np.int64), relaxed


def worthiest(
    can: NDArray[np.bool_], slots: Sequence[Slot], prices: NDArray[np.int64]
) -> NDArray[np.intp]:
    """Return the households worth looking at: the worthiest of all, and some of each slot."""
    worth = worth_of(can, slots, prices)
    order = np.argsort(-worth, kind="stable")
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    kept = [order[:_WORKING]]
    for row in can:
        who = np.flatnonzero(row)
        kept.append(who[np.argsort(place[who])[:OF_EACH_SLOT]])
    return np.unique(np.concatenate(kept))


def worth_of(
    can: NDArray[np.bool_], slots: Sequence[Slot], prices: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return what the ten dearest programs of each household are worth, shape `(households,)`."""
    return dearest(np.stack([best_of(can, prices, own) for own in by_program(slots)]))


def by_program(slots: Sequence[Slot]) -> list[list[int]]:
    """Return the positions of each program's slots."""
    positions: dict[int, list[int]] = {}
    for position, slot in enumerate(slots):
        positions.setdefault(slot.program, []).append(position)
    return list(positions.values())


def best_of(
    can: NDArray[np.bool_], prices: NDArray[np.int64], slots: Sequence[int]
) -> NDArray[np.int64]:
    """Return the price of the dearest of some slots that each household can fill, 0 if none."""
    best = np.zeros(can.shape[1], np.int64)
    for slot in slots:
        np.maximum(best, np.where(can[slot], prices[slot], 0), out=best)
    return best


def dearest(worth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what the ten dearest programs are worth together, from shape `(programs, n)`."""
    n = len(worth)
    if n <= MOST_PROGRAMS:
        return np.asarray(worth.sum(axis=0))
    return np.asarray(np.partition(worth, n - MOST_PROGRAMS, axis=0)[n - MOST_PROGRAMS :].sum(0))
