"""Which of some households fills which slot: at most ten each, along augmenting paths.

Whoever takes a slot may push another household to a slot it can fill as well, and so on, until one
takes a slot that was open. So many slots are always filled as these households can fill at all.
"""

from collections.abc import Iterator, Sequence

from benyfits_data.fuzz.covers import MOST_PROGRAMS


class Matching:
    """Households chosen so far, and the slots they fill.

    Args:
        can: The slots that each household can fill, as a bit set.
        n_slots: How many slots there are.

    Attributes:
        filled: Who fills each slot.
        load: How many slots each chosen household fills.
        left: The slots that nobody fills, as a bit set.
    """

    def __init__(self, can: Sequence[int], n_slots: int) -> None:
        self.can = can
        self.filled: dict[int, int] = {}
        self.load: dict[int, int] = {}
        self.left = (1 << n_slots) - 1

    def copy(self) -> "Matching":
        """Return a matching that changes on its own."""
        other = Matching(self.can, 0)
        other.filled, other.load, other.left = dict(self.filled), dict(self.load), self.left
        return other

    def add(self, household: int) -> int:
        """Choose a household; return how many more slots are filled."""
        before = self.left
        self.load.setdefault(household, 0)
        while self.left and self.load[household] < MOST_PROGRAMS and self._augment(household):
            pass
        return before.bit_count() - self.left.bit_count()

    def gain(self, household: int) -> int:
        """Return how many more slots would be filled with a household."""
        most = min((self.can[household] & self.left).bit_count(), MOST_PROGRAMS)
        return most if most == MOST_PROGRAMS else self.copy().add(household)

    def remove(self, household: int) -> None:
        """Leave a household out; the others fill what they can of its slots."""
        for slot in [slot for slot, filler in self.filled.items() if filler == household]:
            del self.filled[slot]
            self.left |= 1 << slot
        del self.load[household]
        for other in self.load:
            self.add(other)

    def thin_out(self) -> None:
        """Leave out every household without which as many slots are filled, the idlest first."""
        again = True
        while again:
            again = False
            for household in sorted(self.load, key=lambda one: (self.load[one], one)):
                without = self.copy()
                without.remove(household)
                if without.left == self.left:
                    self.filled, self.load = without.filled, without.load
                    again = True
                    break

    def _augment(self, household: int) -> bool:
        """Fill one more slot, by a shortest path from a household; return whether there is one."""
        came: dict[int, tuple[int, int]] = {}
        seen = 0
        reached = [household]
        while reached:
            pushed: list[int] = []
            for filler in reached:
                new = self.can[filler] & ~seen
                if new & self.left:
                    slot = next(bits(new & self.left))
                    self.left &= ~(1 << slot)
                    self.filled[slot] = filler
                    while filler != household:
                        filler, slot = came[filler]
                        self.filled[slot] = filler
                    self.load[household] += 1
                    return True
                seen |= new
                for slot in bits(new):
                    other = self.filled[slot]
                    if other != household and other not in came:
                        came[other] = (filler, slot)
                        pushed.append(other)
            reached = pushed
        return False


def bits(mask: int) -> Iterator[int]:
    """Give the positions of the bits that are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
