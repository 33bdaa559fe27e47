"""Set covers by integer programs: the fewest pairs of each program, the fewest households.

Programs share no elements, so the fewest pairs are found program by program. The result is a list
of slots: what each pair has to cover, whoever fills it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from benyfits_data import rounding
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage

PREFERENCE = 0.9
"""What preferring cheap classes may cost in all: less than a pair, so that pairs stay fewest."""
DEAREST = 20_000
"""The most that a household can cost; one whose label is contested costs as much."""
_TOLERANCE = 1e-4


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

    def fillers(self, coverage: Sequence[Coverage]) -> NDArray[np.bool_]:
        """Return which households can fill it, shape `(households,)`."""
        of_program = coverage[self.program]
        can = np.asarray(of_program.classes[:, self.elements].all(axis=1))
        return np.asarray(can[of_program.class_of])


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
        return np.stack([slot.fillers(coverage) for slot in self.slots])


def fewest_slots(coverage: Sequence[Coverage], cost: NDArray[np.int64] | None = None) -> Slots:
    """Return the slots of all programs, as few as cover them.

    Of several smallest covers the integer program takes the one without dear classes, and each
    element that several of its classes cover is asked of the first of them only: the less a slot
    asks, the more households can fill it.

    Args:
        coverage: What households cover.
        cost: What each costs for each program, shape `(programs, n)`: a class costs what the
            cheapest of it does. Nothing unless given.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    slots: list[Slot] = []
    bounds = 0
    for program, of_program in enumerate(coverage):
        essential = essential_elements(of_program.classes)
        costs = np.zeros_like(of_program.class_of) if cost is None else cost[program]
        chosen, bound = _smallest_cover(of_program, essential, costs)
        bounds += bound
        slots += [Slot(program, elements) for elements in _asked(of_program, essential, chosen)]
    return Slots(tuple(slots), bounds)


def _smallest_cover(
    coverage: Coverage, essential: NDArray[np.intp], cost: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], int]:
    """Return which elements each kind of the smallest cover covers, and the proven bound."""
    kinds, kind_of = np.unique(coverage.classes[:, essential], axis=0, return_inverse=True)
    least = np.full(len(kinds), DEAREST)
    np.minimum.at(least, kind_of.reshape(-1)[coverage.class_of], cost)
    # Squared, so that what is rare is spread over several pairs rather than asked of one.
    share = (least / DEAREST) ** 2 / max(len(essential), 1)
    costs = rounding.settled(1 + PREFERENCE * share, 9)
    result = milp(
        costs,
        constraints=LinearConstraint(csr_array(kinds.T.astype(float)), lb=1),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(costs)),
        options={"mip_rel_gap": 0},
    )
    if result.x is None:
        raise SelectionError(f"HiGHS found no set cover: {result.message} Use --method greedy.")
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
