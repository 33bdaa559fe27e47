"""Assigning slots to few households: a b-matching in which each fills at most ten.

Whoever takes a slot may push another household to a slot it can fill as well, and so on, until one
takes a slot that was open (an augmenting path). So the chosen households always fill as many slots
as they can fill at all.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Pair

_CANDIDATES = 48
"""Households whose worth is looked at together: with all, a build took 1.0 s longer."""


class Assignment:
    """Households chosen so far, and the slots they fill.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.

    Attributes:
        held: The slots that each chosen household fills, as a bit set.
        left: The slots that nobody fills, as a bit set.
    """

    def __init__(self, can: NDArray[np.bool_]) -> None:
        packed = np.packbits(can, axis=0, bitorder="little").T
        self._can = [int.from_bytes(row.tobytes(), "little") for row in packed]
        self._filler: dict[int, int] = {}
        self.held: dict[int, int] = {}
        self.left = (1 << len(can)) - 1

    def copy(self) -> "Assignment":
        """Return an assignment that changes on its own."""
        other = Assignment.__new__(Assignment)
        other._can, other._filler = self._can, dict(self._filler)
        other.held, other.left = dict(self.held), self.left
        return other

    def add(self, household: int) -> int:
        """Choose a household; return how many more slots are filled."""
        before = self.left.bit_count()
        self.held.setdefault(household, 0)
        while self.left and self.held[household].bit_count() < MOST_PROGRAMS:
            if not self._augment(household):
                break
        return before - self.left.bit_count()

    def gain(self, household: int) -> int:
        """Return how many more slots would be filled with a household; nothing if it is chosen."""
        return 0 if household in self.held else self.copy().add(household)

    def remove(self, household: int) -> None:
        """Leave a household out; the others fill what they can of its slots."""
        self.left |= self.held.pop(household)
        for other in self.held:
            self.add(other)

    def thin_out(self) -> None:
        """Leave out households, the idlest first, without which as many slots are filled."""
        for household in sorted(self.held, key=lambda one: (self.held[one].bit_count(), one)):
            filled = sum(map(int.bit_count, self.held.values()))
            if filled > MOST_PROGRAMS * (len(self.held) - 1):
                return
            without = self.copy()
            without.remove(household)
            if without.left == self.left:
                self.held, self._filler = without.held, without._filler

    def pairs(self) -> list[Pair]:
        """Return each filled slot with its household, as `(household, slot)`."""
        return [(one, slot) for one, filled in self.held.items() for slot in bits(filled)]

    def helpful(self) -> int | None:
        """Return a household that fills one more slot.

        If nobody alone does, several together do not either.
        """
        return next((one for one in range(len(self._can)) if self.gain(one)), None)

    def _augment(self, household: int) -> bool:
        """Fill one more slot, by a shortest path from a household, if there is one."""
        came = {household: (household, 0)}
        seen = 0
        reached = [household]
        for filler in reached:
            new = self._can[filler] & ~seen
            if slot := _lowest(new & self.left):
                self.left ^= slot
                # Each on the path takes the slot that the one after it leaves.
                while filler != household:
                    self.held[filler] ^= slot
                    self._filler[slot] = filler
                    before, slot = came[filler]
                    self.held[filler] ^= slot
                    filler = before
                self.held[household] ^= slot
                self._filler[slot] = household
                return True
            seen |= new
            while new:
                slot = _lowest(new)
                new ^= slot
                other = self._filler[slot]
                if other not in came:
                    came[other] = (filler, slot)
                    reached.append(other)
        return False


def fill(
    can: NDArray[np.bool_], programs: NDArray[np.intp], prices: NDArray[np.int32]
) -> Assignment | None:
    """Return who fills all slots: again and again the household that fills the costliest open ones.

    Returns `None` if these households cannot fill all: somebody is alone with more than ten.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.
        programs: The program of each slot, ascending.
        prices: What each slot costs.
    """
    assignment = Assignment(can)
    # What a household is worth only falls as slots are filled: of an old worth too low to be the
    # best, nobody needs to know the new one.
    worth = worth_of(can, programs, prices)
    while assignment.left:
        is_open = np.array([assignment.left >> slot & 1 for slot in range(len(can))], np.int32)
        worth[list(assignment.held)] = 0
        known = np.zeros(len(worth), np.bool_)
        while not known[worth.argmax()]:
            some = np.flatnonzero(~known)
            some = some[np.argsort(-worth[some], kind="stable")[:_CANDIDATES]]
            now = worth_of(can[:, some], programs, prices * is_open)
            worth[some] = np.minimum(worth[some], now)
            known[some] = True
        best = int(worth.argmax()) if worth.any() else assignment.helpful()
        if best is None:
            return None
        assignment.add(best)
    assignment.thin_out()
    return assignment


def fill_from(can: NDArray[np.bool_], first: NDArray[np.intp]) -> Assignment | None:
    """Return who fills all slots: some households, and others where ten slots each are too few.

    Args:
        can: Which households can fill which slots, shape `(slots, households)`.
        first: Households that can reach every slot.
    """
    assignment = Assignment(can)
    for household in first.tolist():
        assignment.add(household)
    while assignment.left:
        helpful = assignment.helpful()
        if helpful is None:
            return None
        assignment.add(helpful)
    return assignment


def worth_of(
    can: NDArray[np.bool_], programs: NDArray[np.intp], prices: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return what the ten costliest programs of each household are worth, shape `(households,)`.

    Of each program a household fills one slot, the costliest that it can.
    """
    starts = np.append(0, np.flatnonzero(np.diff(programs)) + 1)
    worth = np.maximum.reduceat(can * prices[:, None], starts, axis=0)
    if len(worth) > MOST_PROGRAMS:
        worth = np.partition(worth, -MOST_PROGRAMS, axis=0)[-MOST_PROGRAMS:]
    return np.asarray(worth.sum(axis=0, dtype=np.int32))


def bits(mask: int) -> Iterator[int]:
    """Give the positions of the bits that are set, lowest first."""
    while mask:
        yield _lowest(mask).bit_length() - 1
        mask &= mask - 1


def _lowest(mask: int) -> int:
    return mask & -mask
