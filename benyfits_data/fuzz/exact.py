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
from scipy.optimize import linprog
from scipy.sparse import csr_array

from benyfits_data.fuzz.covers import MOST_PROGRAMS, Cover, Pair
from benyfits_data.fuzz.greedy import select_greedily
from benyfits_data.fuzz.matching import Matching, bits
from benyfits_data.fuzz.slots import Slot, fewest_slots, fillers

GENERATIONS = 24
"""How often to breed at most; the bound is usually reached after six to eight."""
CHILDREN = 4_000
_WORKING = 1_000
_OF_EACH_SLOT = 10
_CANDIDATES = 16
_SEARCHED = 6
_MOST_SLOTS = 1_000
"""Of more slots, such as one for each trace, the greedy selection is taken; the certificate says
how far from the bounds it is."""
_MANY = 100
"""Once so many households are chosen, paths are long: the likeliest candidate is taken."""
_COMMON = 1_000
"""Slots that so many households can fill are left out of the linear program."""
_UNIT = 1_000
_RARITY = 0.02
_EVERY_SLOT = 0.01

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
        household_bound: The proven bound on the number of households.
    """

    pairs: list[Pair]
    slots: list[Slot]
    pair_bound: int
    household_bound: int

    def certificate(self) -> dict[str, Any]:
        """Return `{pairs: {value, bound, gap}, households: {...}, solver, version}`."""
        return {
            "pairs": _gap(len(self.pairs), self.pair_bound),
            "households": _gap(len(households_of(self.pairs)), self.household_bound),
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

    Of more than a thousand slots the greedy selection is returned, which keeps neither promise
    where nobody else can take a pair; the bounds tell how far it is from the fewest.

    Args:
        covers: What the pool covers.
        breed: Breeds further households; only the pool is used without it.
        rng: Draws who is crossed with whom.
        generations: How often to breed at most.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    found = [fewest_slots(program, cover) for program, cover in enumerate(covers)]
    slots = [slot for some, _ in found for slot in some]
    bound = household_bound([len(some) for some, _ in found])
    proven = sum(least for _, least in found)
    if len(slots) > _MOST_SLOTS:
        return Choice(select_greedily(covers), slots, proven, bound)
    can = fillers(slots, covers)
    names = np.arange(can.shape[1])
    born = len(names)
    best: list[Pair] | None = None
    for generation in range(generations + 1):
        kept, prices, relaxed = _priced(can, slots)
        can, names = can[:, kept], names[kept]
        is_last = breed is None or rng is None or generation == generations
        if is_last or relaxed <= bound:
            pairs = _fill(can, slots, prices, names)
            if best is None or len(households_of(pairs)) < len(households_of(best)):
                best = pairs
            if len(households_of(best)) <= bound:
                break
        if breed is None or rng is None or is_last:
            break
        hosts, donors, programs = _crossings(can, slots, prices, rng)
        children = fillers(slots, breed(names[hosts], names[donors], programs))
        can = np.concatenate([can, children], axis=1)
        names = np.concatenate([names, born + np.arange(children.shape[1])])
        born += children.shape[1]
    assert best is not None
    return Choice(best, slots, proven, bound)


def household_bound(needs: Sequence[int]) -> int:
    """Return a number of households below which no selection can be.

    A household takes at most ten pairs, and at most one pair of each program.

    Args:
        needs: The smallest number of pairs of each program.
    """
    return max(-(-sum(needs) // MOST_PROGRAMS), max(needs, default=0))


def households_of(pairs: Sequence[Pair]) -> NDArray[np.intp]:
    """Return the households of some pairs, sorted."""
    return np.unique([household for household, _ in pairs]).astype(np.intp)


def covering_prices(can: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """Return what each slot is worth, and how many households fill all slots at least.

    Whoever is chosen, together they fill every slot: a linear program says how many that takes at
    least, and its dual values are the prices. Ten slots a household are no part of it.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.
    """
    prices = np.zeros(len(can))
    rare = np.flatnonzero(can.sum(axis=1) < _COMMON)
    if not len(rare):
        return prices, 1.0
    packed = np.ascontiguousarray(np.packbits(can[rare], axis=0).T)
    kinds = np.unique(packed.view(f"V{packed.shape[1]}")[:, 0], return_index=True)[1]
    result = linprog(
        np.ones(len(kinds)),
        A_ub=-csr_array(can[np.ix_(rare, kinds)].astype(float)),
        b_ub=-np.ones(len(rare)),
        bounds=(0, None),
        method="highs",
    )
    prices[rare] = -np.asarray(result.ineqlin.marginals)
    return prices, float(result.fun)


def _priced(
    can: NDArray[np.bool_], slots: Sequence[Slot]
) -> tuple[NDArray[np.intp], NDArray[np.int64], float]:
    """Return the households worth looking at, prices in thousandths, and the relaxed number."""
    prices, relaxed = covering_prices(can)
    rarity = np.log(can.shape[1] / can.sum(axis=1))
    # Whole numbers, so that sums are the same on every machine.
    whole = np.rint(_UNIT * (prices + _RARITY * rarity + _EVERY_SLOT)).astype(np.int64)
    worth = _worth(can, slots, whole)
    order = np.argsort(-worth, kind="stable")
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    kept = [order[:_WORKING]]
    for row in can:
        who = np.flatnonzero(row)
        kept.append(who[np.argsort(place[who])[:_OF_EACH_SLOT]])
    return np.unique(np.concatenate(kept)), whole, relaxed


def _worth(
    can: NDArray[np.bool_], slots: Sequence[Slot], prices: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return what the ten dearest programs of each household are worth, shape `(households,)`."""
    return _dearest(np.stack([_best_of(can, prices, own) for own in _by_program(slots)]))


def _by_program(slots: Sequence[Slot]) -> list[list[int]]:
    positions: dict[int, list[int]] = {}
    for position, slot in enumerate(slots):
        positions.setdefault(slot.program, []).append(position)
    return list(positions.values())


def _best_of(
    can: NDArray[np.bool_], prices: NDArray[np.int64], slots: Sequence[int]
) -> NDArray[np.int64]:
    """Return the price of the dearest of some slots that each household can fill, 0 if none."""
    best = np.zeros(can.shape[1], np.int64)
    for slot in slots:
        np.maximum(best, np.where(can[slot], prices[slot], 0), out=best)
    return best


def _dearest(worth: NDArray[np.int64]) -> NDArray[np.int64]:
    n = len(worth)
    if n <= MOST_PROGRAMS:
        return np.asarray(worth.sum(axis=0))
    return np.asarray(np.partition(worth, n - MOST_PROGRAMS, axis=0)[n - MOST_PROGRAMS :].sum(0))


def _fill(
    can: NDArray[np.bool_],
    slots: Sequence[Slot],
    prices: NDArray[np.int64],
    names: NDArray[np.intp],
) -> list[Pair]:
    """Return pairs that fill all slots: the household that fills the dearest open ones, again.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.
        slots: The slots.
        prices: What each is worth.
        names: Position of each household in the pool.
    """
    packed = np.packbits(can, axis=0, bitorder="little").T
    matching = Matching([int.from_bytes(row.tobytes(), "little") for row in packed], len(slots))
    groups = _by_program(slots)
    group_of = {slot: place for place, group in enumerate(groups) for slot in group}
    by_rarity = np.argsort(can.sum(axis=1), kind="stable").tolist()
    worth = np.stack([_best_of(can, prices, group) for group in groups])
    while matching.left:
        score = _dearest(worth)
        score[list(matching.held)] = -1
        rarest = next(slot for slot in by_rarity if matching.left >> slot & 1)
        who = np.flatnonzero(can[rarest])
        candidates = [
            *np.argsort(-score, kind="stable")[:_CANDIDATES].tolist(),
            *who[np.argsort(-score[who], kind="stable")[:_CANDIDATES]].tolist(),
        ]
        likely = sorted(candidates, key=matching.direct_gain, reverse=True)
        n_searched = _SEARCHED if len(matching.held) < _MANY else 1
        household = max(likely[:n_searched], key=matching.gain)
        before = matching.left
        matching.add(household)
        for group in {group_of[slot] for slot in bits(before & ~matching.left)}:
            still = [slot for slot in groups[group] if matching.left >> slot & 1]
            worth[group] = _best_of(can, prices, still)
    matching.thin_out()
    return sorted(
        {
            (int(names[household]), slots[slot].program)
            for household, filled in matching.held.items()
            for slot in bits(filled)
        }
    )


def _crossings(
    can: NDArray[np.bool_],
    slots: Sequence[Slot],
    prices: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return hosts, donors, and programs whose facts hosts shall take over from donors.

    Hosts and donors are the worthiest that fill some slot, drawn by the slot's price; the program
    is one that pays the donor and not yet the host.
    """
    worth = _worth(can, slots, prices)
    parents: list[int] = []
    weights: list[int] = []
    for row, price in zip(can, prices.tolist(), strict=True):
        who = np.flatnonzero(row)
        best = who[np.argsort(-worth[who], kind="stable")[:_OF_EACH_SLOT]].tolist()
        parents += best
        weights += [price] * len(best)
    share = np.array(weights) / sum(weights)
    hosts, donors = np.array(parents, np.intp)[rng.choice(len(parents), (2, CHILDREN), p=share)]
    # One more than nothing, for a donor may bring nothing that the host lacks.
    paid = np.where(can[:, donors] & ~can[:, hosts], prices[:, None], 0) * len(slots) + 1
    steps = paid.cumsum(axis=0)
    drawn = (rng.random(CHILDREN) * steps[-1] < steps).argmax(axis=0)
    program = np.array([slot.program for slot in slots], np.intp)
    return hosts, donors, program[drawn]


def _gap(value: int, bound: int) -> dict[str, float]:
    return {
        "value": value,
        "bound": bound,
        "gap": round((value - bound) / value, 4) if value else 0,
    }
