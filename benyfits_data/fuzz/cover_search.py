"""Smallest covers of one program: exact, by reductions and branching on bit masks."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.covers import Cover


def essential_elements(classes: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return positions of elements that together imply all others.

    An element is implied if every class that covers some other element covers it too; of elements
    covered by the same classes the first stays.
    """
    sets = classes.T
    sizes = sets.sum(axis=1)
    order = np.argsort(sizes, kind="stable")
    kept: list[int] = []
    for element in order:
        if not any((sets[other] <= sets[element]).all() for other in kept):
            kept.append(int(element))
    return np.array(sorted(kept), np.intp)


class CoverSearch:
    """The smallest number of classes that cover what is left, for one program.

    Masks are integers: bit `i` stands for the `i`-th essential element.

    Args:
        cover: What the pool's classes cover.
    """

    def __init__(self, cover: Cover) -> None:
        self.essential = essential_elements(cover.classes)
        self.full = (1 << len(self.essential)) - 1
        self.mask_of_class = [
            sum(1 << int(bit) for bit in np.flatnonzero(row))
            for row in cover.classes[:, self.essential]
        ]
        self._masks = _maximal(self.mask_of_class)
        bits = sum(mask.bit_count() for mask in self._masks)
        self._is_partition = bits == self.full.bit_count()
        self.least = lru_cache(maxsize=None)(self._least)

    def _least(self, left: int) -> int:
        """Return how many classes cover all elements of the mask `left`."""
        if self._is_partition:
            return sum(1 for mask in self._masks if mask & left)
        if not left:
            return 0
        masks = _maximal({mask & left for mask in self._masks} - {0})
        elements = [1 << bit for bit in range(left.bit_length()) if left >> bit & 1]
        # What only one class covers must be taken.
        taken, rest = 0, left
        for element in elements:
            covering = [mask for mask in masks if mask & element]
            if len(covering) == 1 and rest & element:
                taken += 1
                rest &= ~covering[0]
        if taken:
            return taken + int(self.least(rest))
        bound = _independent(masks, elements)
        best = _greedily(masks, left)
        if best == bound:
            return best
        rarest = min(elements, key=lambda element: sum(1 for mask in masks if mask & element))
        for mask in sorted((mask for mask in masks if mask & rarest), key=int.bit_count)[::-1]:
            best = min(best, 1 + int(self.least(left & ~mask)))
            if best == bound:
                break
        return best


def _maximal(masks: Iterable[int]) -> list[int]:
    """Return the masks that no other contains, largest first."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda mask: (-mask.bit_count(), mask)):
        if not any(mask & other == mask for other in kept):
            kept.append(mask)
    return kept


def _greedily(masks: list[int], left: int) -> int:
    count = 0
    while left:
        left &= ~max(masks, key=lambda mask: (mask & left).bit_count())
        count += 1
    return count


def _independent(masks: list[int], elements: list[int]) -> int:
    """Return a number of elements of which no class covers two: a lower bound."""
    count, blocked = 0, 0
    order = sorted(elements, key=lambda element: sum(1 for mask in masks if mask & element))
    for element in order:
        if element & blocked:
            continue
        count += 1
        for mask in masks:
            if mask & element:
                blocked |= mask
    return count
