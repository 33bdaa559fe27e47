"""What each slot is worth, and so each household: what few can fill is dear."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.covers import MOST_PROGRAMS, as_keys
from benyfits_data.fuzz.slots import Slot

OF_EACH_SLOT = 10
"""Of each slot's fillers, so many of the worthiest are looked at."""
_WORKING = 1_000
_COMMON = 200
"""Slots that so many households can fill are left out of the linear program: they are hardly ever
worth anything."""
_UNIT = 1_000
_RARITY = 0.02
_EVERY_SLOT = 0.01


def covering_prices(can: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """Return what each slot is worth, and how many households fill all slots at least.

    Prices may add up to the most at which nobody's slots are worth more than one household. That
    sum is the dual of a linear program: so many households, in parts, fill all slots. Ten slots a
    household are no part of it.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    prices = np.zeros(len(can))
    rare = np.flatnonzero(can.sum(axis=1) < _COMMON)
    if not len(rare):
        return prices, 1.0
    kinds = one_of_each(can[rare])
    result = milp(
        -np.ones(len(rare)),
        constraints=LinearConstraint(csr_array(can[np.ix_(rare, kinds)].T.astype(float)), ub=1),
        bounds=Bounds(0, 1),
        # Two thirds of the time went into simplifying what is solved at once as it is.
        options={"presolve": False},
    )
    if result.x is None:
        raise SelectionError(f"HiGHS found no prices: {result.message} Use --method greedy.")
    prices[rare] = result.x
    return prices, -float(result.fun)


def one_of_each(can: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the first household of each kind: equal columns serve a program alike."""
    return np.unique(as_keys(np.packbits(can, axis=0).T), return_index=True)[1]


def priced(can: NDArray[np.bool_]) -> tuple[NDArray[np.int32], float]:
    """Return prices in thousandths, the rarer a slot the dearer, and the relaxed number."""
    prices, relaxed = covering_prices(can)
    rarity = np.log(can.shape[1] / can.sum(axis=1))
    # Whole numbers, so that sums are the same on every machine.
    return np.rint(_UNIT * (prices + _RARITY * rarity + _EVERY_SLOT)).astype(np.int32), relaxed


def worthiest(
    can: NDArray[np.bool_], slots: Sequence[Slot], prices: NDArray[np.int32]
) -> NDArray[np.intp]:
    """Return the households worth looking at: the worthiest of all, and some of each slot."""
    worth = worth_of(can, slots, prices)
    best = np.argsort(-worth, kind="stable")[:_WORKING]
    return np.unique(np.concatenate([best, *worthiest_of_each_slot(can, worth)]))


def worthiest_of_each_slot(
    can: NDArray[np.bool_], worth: NDArray[np.int32]
) -> list[NDArray[np.intp]]:
    """Return the worthiest that can fill each slot, best first."""
    order = np.argsort(-worth, kind="stable")
    return [order[np.flatnonzero(row)[:OF_EACH_SLOT]] for row in can.take(order, axis=1)]


def worth_of(
    can: NDArray[np.bool_], slots: Sequence[Slot], prices: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return what the ten dearest programs of each household are worth, shape `(households,)`."""
    return dearest(np.stack([best_of(can, prices, own) for own in by_program(slots)]))


def by_program(slots: Sequence[Slot]) -> list[list[int]]:
    """Return the positions of each program's slots."""
    positions: dict[int, list[int]] = {}
    for position, slot in enumerate(slots):
        positions.setdefault(slot.program, []).append(position)
    return list(positions.values())


def best_of(
    can: NDArray[np.bool_], prices: NDArray[np.int32], slots: Sequence[int]
) -> NDArray[np.int32]:
    """Return the price of the dearest of some slots that each household can fill, 0 if none."""
    worth = can[slots] * prices[slots, None]
    return np.asarray(worth.max(axis=0, initial=0))


def dearest(worth: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return what the ten dearest programs are worth together, from shape `(programs, n)`."""
    n = len(worth)
    if n > MOST_PROGRAMS:
        worth = np.partition(worth, n - MOST_PROGRAMS, axis=0)[n - MOST_PROGRAMS :]
    return np.asarray(worth.sum(axis=0, dtype=worth.dtype))
