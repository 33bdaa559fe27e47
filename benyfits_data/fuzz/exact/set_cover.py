"""Set covers by integer programs: the fewest pairs of each program, the fewest households.

Programs share no elements, so the fewest pairs are found program by program. The result is a list
of slots: what each pair has to cover, whoever fills it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp
from scipy.sparse import csr_array

from benyfits_data import rounding
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage, as_keys

PREFERENCE = 0.9
"""What preferring common classes may cost in all: less than a pair, so that pairs stay fewest."""
DEAREST = 20_000
"""The most that a household can cost; one whose label is contested costs as much."""
_TOLERANCE = 1e-4
_CONTESTED = 0.001
"""What a household with a contested label counts: so common classes are those of sure labels."""
_COMMON = 1_000
"""Slots and elements that so many households cover are left out of linear programs: they are worth
hardly anything."""
_NODES = 2_000
"""After so many branches the best cover found is taken: a limit of time would not repeat."""


@dataclass(frozen=True)
class Slot:
    """One pair of the fewest that cover a program.

    Attributes:
        program: Position of the program among those covered.
        elements: Positions of the elements that the household must cover there; the slots of a
            program share no element.
    """

    program: int
    elements: tuple[int, ...]


@dataclass(frozen=True)
class Slots:
    """The fewest pairs that cover all programs.

    Attributes:
        slots: What each has to cover, in order of the programs.
        pair_bound: The proven bound on their number.
    """

    slots: tuple[Slot, ...]
    pair_bound: int

    @property
    def programs(self) -> NDArray[np.intp]:
        """The program of each slot, ascending."""
        return np.array([slot.program for slot in self.slots], np.intp)

    @property
    def household_bound(self) -> int:
        """A number of households below which no selection can be.

        A household takes at most ten pairs, and at most one pair of each program.
        """
        n_slots = np.bincount(self.programs)
        return max(-(-len(self.slots) // MOST_PROGRAMS), int(n_slots.max(initial=0)))

    def fillers(self, coverage: Sequence[Coverage]) -> NDArray[np.bool_]:
        """Return which households can fill which slots, shape `(slots, households)`."""
        rows = []
        for slot in self.slots:
            of_program = coverage[slot.program]
            can = np.asarray(of_program.classes[:, slot.elements].all(axis=1))
            rows.append(can[of_program.class_of])
        return np.stack(rows)


def fewest_slots(
    coverage: Sequence[Coverage],
    is_open: NDArray[np.bool_] | None = None,
    cost: NDArray[np.int64] | None = None,
) -> Slots:
    """Return the slots of all programs, as few as cover them.

    Of several smallest covers the integer program takes one of common classes, and each element
    that several of its classes cover is asked of the first of them only: the less a slot asks, the
    more households can fill it.

    Args:
        coverage: What the households of a corpus cover.
        is_open: Whose labels are contested, shape `(programs, households)`; nobody's unless given.
        cost: What each household costs for each program, shape `(programs, n)`: a class costs what
            the cheapest of it does, and of several smallest covers the one without dear classes is
            taken; unless given, the one of common classes.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    slots: list[Slot] = []
    bounds = 0
    for program, of_program in enumerate(coverage):
        essential = essential_elements(of_program.classes)
        weights = None if is_open is None else np.where(is_open[program], _CONTESTED, 1.0)
        some = None if cost is None else cost[program]
        chosen, bound = _smallest_cover(of_program, essential, weights, some)
        bounds += bound
        slots += [Slot(program, elements) for elements in _asked(of_program, essential, chosen)]
    return Slots(tuple(slots), bounds)


def _smallest_cover(
    coverage: Coverage,
    essential: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
    cost: NDArray[np.int64] | None,
) -> tuple[NDArray[np.bool_], int]:
    """Return which elements each kind of the smallest cover covers, and the proven bound."""
    kinds, kind_of = np.unique(coverage.classes[:, essential], axis=0, return_inverse=True)
    sizes = np.bincount(coverage.class_of, weights, minlength=len(coverage.classes))
    counts = np.bincount(kind_of.reshape(-1), weights=sizes)
    rarity = np.log1p(counts.sum() / counts)
    costs = rounding.settled(1 + PREFERENCE * rarity / rarity.sum())
    if cost is not None:
        least = np.full(len(kinds), DEAREST)
        np.minimum.at(least, kind_of.reshape(-1)[coverage.class_of], cost)
        # Squared, so that what is rare is spread over several pairs rather than asked of one.
        share = (least / DEAREST) ** 2 / max(len(essential), 1)
        costs = rounding.settled(1 + PREFERENCE * share, 9)
    covering = csr_array(kinds.T.astype(float))
    result = _minimised(costs, covering, {"mip_rel_gap": 0})
    bound = result.mip_dual_bound - PREFERENCE - _TOLERANCE
    return kinds[result.x > 1 / 2], int(np.ceil(bound))


def _asked(
    coverage: Coverage, essential: NDArray[np.intp], chosen: NDArray[np.bool_]
) -> list[tuple[int, ...]]:
    """Return the elements that each slot asks for: some essential ones, and what these imply.

    Whoever covers an essential element covers what it implies, in the corpus; households that are
    made later by crossover may not.
    """
    if not len(essential):
        return []
    reasons = essential[_implied(coverage.classes)[essential].argmax(axis=0)]
    # Who is alone with an element is asked for it first, then whoever is asked for least.
    slot_of: dict[int, int] = {}
    load = np.zeros(len(chosen), np.intp)
    for place in np.argsort(chosen.sum(axis=0), kind="stable"):
        slot = int(np.where(chosen[:, place], load, len(essential)).argmin())
        slot_of[int(essential[place])] = slot
        load[slot] += 1
    asked: list[list[int]] = [[] for _ in chosen]
    for element in np.flatnonzero(coverage.reached).tolist():
        reason = element if element in slot_of else int(reasons[element])
        asked[slot_of[reason]].append(element)
    return [tuple(elements) for elements in asked]


def essential_elements(classes: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return positions of elements that together imply all others; unreached ones are left out.

    An element is implied if every class that covers some other element covers it too; of elements
    covered by the same classes the first stays.
    """
    implied = _implied(classes)
    counts = classes.sum(axis=0)
    kept: list[int] = []
    for element in np.argsort(counts, kind="stable").tolist():
        if counts[element] and not implied[kept, element].any():
            kept.append(element)
    return np.array(sorted(kept), np.intp)


def _implied(classes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether every class that covers one element covers another, shape `(one, another)`."""
    sets = np.packbits(classes, axis=0).T
    implied = [~(columns & ~sets).any(axis=1) for columns in sets]
    return np.array(implied, np.bool_).reshape(len(sets), len(sets))


def fewest_households(can: NDArray[np.bool_]) -> tuple[NDArray[np.intp], int]:
    """Return few households that can reach every row, and below which number nobody gets.

    Args:
        can: Which households can reach which rows, shape `(rows, households)`; each has one.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    kinds = one_of_each(can)
    covering = csr_array(can[:, kinds].astype(float))
    result = _minimised(np.ones(len(kinds)), covering, {"node_limit": _NODES})
    return kinds[result.x > 1 / 2], int(np.ceil(result.mip_dual_bound - _TOLERANCE))


def covering_bound(coverage: Sequence[Coverage]) -> int:
    """Return a number of households below which no selection from this corpus can be.

    Each element must be covered by somebody. That a household takes ten programs at most is left
    out, and so are elements that many households cover. Households count in parts, as a linear
    program does: for the branches of 2024 the bound is 38 and takes 0.2 s, where whole ones give
    39 in 38 s, and 47 are chosen.
    """
    rows = []
    for of_program in coverage:
        can = of_program.classes[of_program.class_of][:, essential_elements(of_program.classes)].T
        rows.append(can[can.sum(axis=1) < _COMMON])
    return int(np.ceil(covering_prices(np.concatenate(rows))[1] - _TOLERANCE))


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


def _minimised(
    costs: NDArray[np.float64], covering: csr_array, options: dict[str, float]
) -> OptimizeResult:
    result = milp(
        costs,
        constraints=LinearConstraint(covering, lb=1),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(costs)),
        options=options,
    )
    if result.x is None:
        raise SelectionError(f"HiGHS found no set cover: {result.message} Use --method greedy.")
    return result
