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
        self._filler: dict[int, int] = {}
        self.left = (1 << n_slots) - 1

    def copy(self) -> "Matching":
        """Return a matching that changes on its own."""
        other = Matching(self.can, 0)
        other.held, other.left = dict(self.held), self.left
        other._filler = dict(self._filler)
        return other

    def load(self, household: int) -> int:
        """Return how many slots a chosen household fills."""
        return self.held[household].bit_count()

    def add(self, household: int) -> int:
        """Choose a household; return how many more slots are filled."""
        before = self.left.bit_count()
        self.held.setdefault(household, 0)
        self._fill_up(household, set())
        return before - self.left.bit_count()

    def gain(self, household: int) -> int:
        """Return how many more slots would be filled with a household; nothing if it is chosen."""
        if household in self.held:
            return 0
        least = self.direct_gain(household)
        return least if least == MOST_PROGRAMS else self.copy().add(household)

    def direct_gain(self, household: int) -> int:
        """Return how many open slots a household could fill without pushing anybody."""
        return min((self.can[household] & self.left).bit_count(), MOST_PROGRAMS)

    def remove(self, household: int) -> None:
        """Leave a household out; the others fill what they can of its slots."""
        self.left |= self.held.pop(household)
        hopeless: set[int] = set()
        for other in self.held:
            self._fill_up(other, hopeless)

    def thin_out(self) -> None:
        """Leave out households, the idlest first, without which as many slots are filled."""
        for household in sorted(self.held, key=lambda one: (self.load(one), one)):
            filled = sum(mask.bit_count() for mask in self.held.values())
            if filled > MOST_PROGRAMS * (len(self.held) - 1):
                return
            without = self.copy()
            without.remove(household)
            if without.left == self.left:
                self.held, self._filler = without.held, without._filler

    def _fill_up(self, household: int, hopeless: set[int]) -> None:
        """Let a household fill what slots it can.

        Args:
            household: One that is chosen.
            hopeless: Households from which no path leads to an open slot; whom a search in vain
                came across joins them, for no later path can lead there either.
        """
        while self.left and household not in hopeless and self.load(household) < MOST_PROGRAMS:
            self._augment(household, hopeless)

    def _augment(self, household: int, hopeless: set[int]) -> None:
        """Fill one more slot, by a shortest path from a household, if there is one."""
        came: dict[int, tuple[int, int]] = {}
        seen = 0
        reached = [household]
        while reached:
            pushed: list[int] = []
            for filler in reached:
                new = self.can[filler] & ~seen
                if new & self.left:
                    slot = _lowest(new & self.left)
                    self.left ^= slot
                    self._pass_on(household, filler, slot, came)
                    return
                seen |= new
                while new:
                    slot = _lowest(new)
                    new ^= slot
                    other = self._filler[slot]
                    if other != household and other not in came and other not in hopeless:
                        came[other] = (filler, slot)
                        pushed.append(other)
            reached = pushed
        hopeless.add(household)
        hopeless.update(came)

    def _pass_on(
        self, household: int, filler: int, slot: int, came: dict[int, tuple[int, int]]
    ) -> None:
        """Let the last filler of a path take an open slot, and each before it the next one's."""
        while True:
            self.held[filler] ^= slot
            self._filler[slot] = filler
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
