"""The fewest pairs, and for these the fewest households, with bounds that prove it.

Programs share no elements, so the fewest pairs are found program by program, by an integer program
each: the slots. Households are then chosen to fill all slots, those that fill costly ones first;
the costs are dual values of the linear program that covers every slot. Where a pool's households
cannot fill ten slots each, others are bred that can: a household that fills a costly slot is
crossed with another that fills a second one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from benyfits_data.fuzz.covers import MOST_PROGRAMS, Cover, Pair
from benyfits_data.fuzz.filling import fewest_households, fill, fill_by_cover
from benyfits_data.fuzz.greedy import select_greedily
from benyfits_data.fuzz.pricing import (
    priced,
    worth_of,
    worthiest,
    worthiest_of_each_slot,
)
from benyfits_data.fuzz.slots import Slot, essential_elements, fewest_slots, fillers

GENERATIONS = 24
"""How often to breed at most; the bound is usually reached after four to seven."""
CHILDREN = 6_000
_SLACK = 8
"""Households are chosen once the linear program does with fewer than the bound by such a part."""
_COMMON = 1_000
"""Elements that so many households cover are left out of what bounds their number."""
_MOST_SLOTS = 1_000
"""For more slots nobody is bred, and augmenting paths are too long."""

Breed = Callable[[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]], Sequence[Cover]]
"""Returns what children of hosts and donors cover that take a program's facts from the donors.

Its arguments are positions of hosts and of donors among the households so far, and of programs; its
children come after all households so far.
"""


@dataclass(frozen=True)
class Choice:
    """Households that fill all slots.

    Attributes:
        pairs: Household and program by position, sorted.
        slots: The slots.
        pair_bound: The proven bound on the number of pairs.
        household_bound: A number of households below which no pool has a selection.
    """

    pairs: list[Pair]
    slots: list[Slot]
    pair_bound: int
    household_bound: int

    def certificate(self, covers: Sequence[Cover]) -> dict[str, Any]:
        """Return `{pairs: {value, bound, gap}, households: {...}, solver, version}`.

        Args:
            covers: What the pool covers in which the pairs lie.
        """
        n_households, bound = len(households_of(self.pairs)), self.household_bound
        if n_households > bound:
            bound = max(bound, covering_bound(covers))
        return {
            "pairs": _gap(len(self.pairs), self.pair_bound),
            "households": _gap(n_households, bound),
            "solver": "HiGHS (scipy.optimize.milp)",
            "version": scipy.__version__,
        }


def choose(
    covers: Sequence[Cover],
    breed: Breed | None = None,
    rng: np.random.Generator | None = None,
    generations: int = GENERATIONS,
) -> Choice:
    """Return the fewest pairs, in few households; no household takes more than ten programs.

    Of more than a thousand slots, such as one for each trace, nobody is bred for. Where a household
    is alone with more than ten slots, the greedy selection is returned, in which it has them all.

    Args:
        covers: What the pool covers.
        breed: Breeds further households; only the pool is used without it.
        rng: Draws who is crossed with whom.
        generations: How often to breed at most.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    found = fewest_slots(covers)
    slots = [slot for fewest in found for slot in fewest.slots]
    bound = household_bound([len(fewest.slots) for fewest in found])
    proven = sum(fewest.bound for fewest in found)
    can = fillers(slots, covers)
    names = np.arange(can.shape[1])
    if len(slots) > _MOST_SLOTS:
        pairs = fill_by_cover(can, slots, names) or select_greedily(covers)
        return Choice(pairs, slots, proven, bound)
    born = len(names)
    best: list[Pair] | None = None
    for generation in range(generations + 1):
        prices, relaxed = priced(can)
        kept = worthiest(can, slots, prices)
        can, names = can[:, kept], names[kept]
        is_last = breed is None or rng is None or generation == generations
        if is_last or relaxed <= bound - bound // _SLACK:
            found_pairs = [best, fill(can, slots, prices, names)]
            if is_last:
                found_pairs.append(fill_by_cover(can, slots, names))
            best = min(
                (pairs for pairs in found_pairs if pairs is not None),
                key=lambda pairs: len(households_of(pairs)),
                default=None,
            )
            if best is not None and len(households_of(best)) <= bound:
                break
        if breed is None or rng is None or is_last:
            break
        hosts, donors, programs = _crossings(can, slots, prices, rng)
        children = fillers(slots, breed(names[hosts], names[donors], programs))
        can = np.concatenate([can, children], axis=1)
        names = np.concatenate([names, born + np.arange(children.shape[1])])
        born += children.shape[1]
        kept = worthiest(can, slots, prices)
        can, names = can[:, kept], names[kept]
    return Choice(best or select_greedily(covers), slots, proven, bound)


def household_bound(needs: Sequence[int]) -> int:
    """Return a number of households below which no selection can be.

    A household takes at most ten pairs, and at most one pair of each program.

    Args:
        needs: The smallest number of pairs of each program.
    """
    return max(-(-sum(needs) // MOST_PROGRAMS), max(needs, default=0))


def covering_bound(covers: Sequence[Cover]) -> int:
    """Return a number of households below which no selection from this pool can be.

    Each element must be covered by somebody. That a household takes ten programs at most is left
    out, and so are elements that many households cover.

    Args:
        covers: What the pool covers.
    """
    rows = []
    for cover in covers:
        can = cover.classes[cover.class_of][:, essential_elements(cover.classes)].T
        rows.append(can[can.sum(axis=1) < _COMMON])
    every = np.concatenate(rows)
    return fewest_households(every)[1] if len(every) else 1


def households_of(pairs: Sequence[Pair]) -> NDArray[np.intp]:
    """Return the households of some pairs, sorted."""
    return np.unique([household for household, _ in pairs]).astype(np.intp)


def _crossings(
    can: NDArray[np.bool_],
    slots: Sequence[Slot],
    prices: NDArray[np.int32],
    rng: np.random.Generator,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return hosts, donors, and programs whose facts hosts shall take over from donors.

    Hosts and donors are the worthiest that fill some slot, drawn by the slot's price; the program
    is one that pays the donor and not yet the host.
    """
    best = worthiest_of_each_slot(can, worth_of(can, slots, prices))
    parents = np.concatenate(best)
    weights = np.repeat(prices, [len(some) for some in best])
    hosts, donors = parents[rng.choice(len(parents), (2, CHILDREN), p=weights / weights.sum())]
    of_household = np.ascontiguousarray(can.T)
    brought = of_household[donors] > of_household[hosts]
    # One more than nothing, for a donor may bring nothing that the host lacks.
    steps = brought * (prices * len(slots))
    steps += 1
    np.cumsum(steps, axis=1, out=steps)
    place = (rng.random(CHILDREN) * steps[:, -1]).astype(np.int32)
    drawn = (place[:, None] < steps).argmax(axis=1)
    program = np.array([slot.program for slot in slots], np.intp)
    return hosts, donors, program[drawn]


def _gap(value: int, bound: int) -> dict[str, float]:
    return {
        "value": value,
        "bound": bound,
        "gap": round((value - bound) / value, 4) if value else 0,
    }
