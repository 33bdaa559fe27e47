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
        held: The slots that each chosen household fills, as a bit set.
        left: The slots that nobody fills, as a bit set.
    """

    def __init__(self, can: Sequence[int], n_slots: int) -> None:
        self.can = can
        self.held: dict[int, int] = {}
        self.left = (1 << n_slots) - 1

    def copy(self) -> "Matching":
        """Return a matching that changes on its own."""
        other = Matching(self.can, 0)
        other.held, other.left = dict(self.held), self.left
        return other

    def load(self, household: int) -> int:
        """Return how many slots a chosen household fills."""
        return self.held[household].bit_count()

    def add(self, household: int) -> int:
        """Choose a household; return how many more slots are filled."""
        before = self.left.bit_count()
        self.held.setdefault(household, 0)
        while self.left and self.load(household) < MOST_PROGRAMS and self._augment(household):
            pass
        return before - self.left.bit_count()

    def gain(self, household: int) -> int:
        """Return how many more slots would be filled with a household."""
        most = min((self.can[household] & self.left).bit_count(), MOST_PROGRAMS)
        return most if most == MOST_PROGRAMS else self.copy().add(household)

    def remove(self, household: int) -> None:
        """Leave a household out; the others fill what they can of its slots."""
        self.left |= self.held.pop(household)
        for other in self.held:
            self.add(other)

    def thin_out(self) -> None:
        """Leave out households, the idlest first, without which as many slots are filled."""
        for household in sorted(self.held, key=lambda one: (self.load(one), one)):
            filled = sum(mask.bit_count() for mask in self.held.values())
            if filled > MOST_PROGRAMS * (len(self.held) - 1):
                return
            without = self.copy()
            without.remove(household)
            if without.left == self.left:
                self.held = without.held

    def _augment(self, household: int) -> bool:
        """Fill one more slot, by a shortest path from a household; return whether there is one."""
        came: dict[int, tuple[int, int]] = {}
        seen = 0
        unseen = [other for other in self.held if other != household]
        reached = [household]
        while reached:
            pushed: list[int] = []
            for filler in reached:
                new = self.can[filler] & ~seen
                if new & self.left:
                    slot = _lowest(new & self.left)
                    self.left ^= slot
                    self._pass_on(household, filler, slot, came)
                    return True
                seen |= new
                stay = []
                for other in unseen:
                    shared = new & self.held[other]
                    if shared:
                        came[other] = (filler, _lowest(shared))
                        pushed.append(other)
                    else:
                        stay.append(other)
                unseen = stay
            reached = pushed
        return False

    def _pass_on(
        self, household: int, filler: int, slot: int, came: dict[int, tuple[int, int]]
    ) -> None:
        """Let the last filler of a path take an open slot, and each before it the next one's."""
        while True:
            self.held[filler] ^= slot
            if filler == household:
                return
            before, slot = came[filler]
            self.held[filler] ^= slot
            filler = before


def _lowest(mask: int) -> int:
    return mask & -mask


def bits(mask: int) -> Iterator[int]:
    """Give the positions of the bits that are set, lowest first."""
    while mask:
        yield _lowest(mask).bit_length() - 1
        mask &= mask - 1
