"""Households that fill all slots, as few as can be found."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.covers import MOST_PROGRAMS, Pair
from benyfits_data.fuzz.matching import Matching, bits
from benyfits_data.fuzz.pricing import best_of, by_program, dearest, one_of_each
from benyfits_data.fuzz.slots import Slot

_CANDIDATES = 16
_SEARCHED = 6
_MANY = 100
"""Once so many households are chosen, paths are long: the likeliest candidate is taken."""
_TOLERANCE = 1e-6
_NODES = 2_000
"""After so many branches the best cover found is taken: a limit of time would not repeat."""


def fill(
    can: NDArray[np.bool_],
    slots: Sequence[Slot],
    prices: NDArray[np.int32],
    names: NDArray[np.intp],
) -> list[Pair] | None:
    """Return pairs that fill all slots: the household that fills the dearest open ones, again.

    Returns `None` if these households cannot fill all: somebody is alone with more than ten.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.
        slots: The slots.
        prices: What each is worth.
        names: Position of each household in the pool.
    """
    matching = _matching(can)
    groups = by_program(slots)
    group_of = {slot: place for place, group in enumerate(groups) for slot in group}
    by_rarity = np.argsort(can.sum(axis=1), kind="stable").tolist()
    worth = np.stack([best_of(can, prices, group) for group in groups])
    while matching.left:
        score = dearest(worth)
        score[list(matching.held)] = -1
        rarest = next(slot for slot in by_rarity if matching.left >> slot & 1)
        who = np.flatnonzero(can[rarest])
        candidates = [
            *np.argsort(-score, kind="stable")[:_CANDIDATES].tolist(),
            *who[np.argsort(-score[who], kind="stable")[:_CANDIDATES]].tolist(),
        ]
        likely = sorted(candidates, key=matching.direct_gain, reverse=True)
        n_searched = _SEARCHED if len(matching.held) < _MANY else 1
        household, most = None, 0
        for one in likely[:n_searched]:
            gain = matching.gain(one)
            if gain > most:
                household, most = one, gain
            if most == MOST_PROGRAMS:
                break
        if household is None:
            household = _helpful(matching)
        if household is None:
            return None
        before = matching.left
        matching.add(household)
        for group in {group_of[slot] for slot in bits(before & ~matching.left)}:
            still = [slot for slot in groups[group] if matching.left >> slot & 1]
            worth[group] = best_of(can, prices, still)
    matching.thin_out()
    return _pairs(matching, slots, names)


def fill_by_cover(
    can: NDArray[np.bool_], slots: Sequence[Slot], names: NDArray[np.intp]
) -> list[Pair] | None:
    """Return pairs that fill all slots: those fewest households that can reach every slot.

    The best way where slots are so many, or so hard to fill, that ten a household are hardly any
    limit. Others join where it is one; `None` if these households cannot fill all.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.
        slots: The slots.
        names: Position of each household in the pool.
    """
    matching = _matching(can)
    for household in fewest_households(can)[0].tolist():
        matching.add(household)
    while matching.left:
        helpful = _helpful(matching)
        if helpful is None:
            return None
        matching.add(helpful)
    return _pairs(matching, slots, names)


def fewest_households(can: NDArray[np.bool_]) -> tuple[NDArray[np.intp], int]:
    """Return few households that can reach every row, and below which number nobody gets.

    Args:
        can: Which households can reach which rows, shape `(rows, households)`; each has one.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    kinds = one_of_each(can)
    result = milp(
        np.ones(len(kinds)),
        constraints=LinearConstraint(csr_array(can[:, kinds].astype(float)), lb=1),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(kinds)),
        options={"node_limit": _NODES},
    )
    if result.x is None:
        raise SelectionError(
            f"HiGHS found no households for all slots: {result.message} Use --method greedy."
        )
    return kinds[result.x > 1 / 2], int(np.ceil(result.mip_dual_bound - _TOLERANCE))


def _matching(can: NDArray[np.bool_]) -> Matching:
    packed = np.packbits(can, axis=0, bitorder="little").T
    return Matching([int.from_bytes(row.tobytes(), "little") for row in packed], len(can))


def _helpful(matching: Matching) -> int | None:
    """Return a household that fills one more slot.

    If nobody alone does, several together do not either.
    """
    return next((one for one in range(len(matching.can)) if matching.gain(one)), None)


def _pairs(matching: Matching, slots: Sequence[Slot], names: NDArray[np.intp]) -> list[Pair]:
    return sorted(
        {
            (int(names[household]), slots[slot].program)
            for household, filled in matching.held.items()
            for slot in bits(filled)
        }
    )
