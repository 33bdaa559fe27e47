"""The fewest households for the fewest pairs: each household takes up to ten pairs that help.

Every program needs a fixed number of pairs. A household helps a program if some smallest cover of
what is left contains its class. Rare help is taken first, and programs that need as many households
as are still to come go before all others. The result is compared with a bound by counting, so it is
proven smallest whenever the two meet.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.cover_search import CoverSearch
from benyfits_data.fuzz.covers import MOST_PROGRAMS, Cover, Pair

_URGENT = 1e6


def household_bound(needs: Sequence[int]) -> int:
    """Return a number of households below which no selection can be.

    A household takes at most ten pairs, and at most one pair of each program.

    Args:
        needs: The smallest number of pairs of each program.
    """
    return max(-(-sum(needs) // MOST_PROGRAMS), max(needs, default=0))


class Assignment:
    """Households chosen one by one, until every program is covered by its smallest number of pairs.

    Args:
        covers: What the pool covers.
        searches: The searches for smallest covers, one for each cover.
    """

    def __init__(self, covers: Sequence[Cover], searches: Sequence[CoverSearch]) -> None:
        self.covers = covers
        self.searches = searches
        self.left = [search.full for search in searches]
        self.need = [search.least(search.full) for search in searches]
        n = len(covers[0].class_of)
        self.sizes = [np.bincount(cover.class_of, minlength=len(cover.classes)) for cover in covers]
        self.weights = np.zeros((len(covers), n), np.float32)
        self.pairs: list[Pair] = []

    def run(self, noise: np.random.Generator | None = None) -> list[Pair]:
        """Return the pairs of a whole selection, sorted.

        Args:
            noise: Varies the order of choice between runs; `None` for none.
        """
        for program in range(len(self.covers)):
            self._weigh(program)
        while any(self.need):
            to_come = household_bound(self.need)
            urgent = np.array(self.need) >= to_come
            weights = self.weights + np.where(urgent[:, None] & (self.weights > 0), _URGENT, 0)
            top = -np.partition(-weights, MOST_PROGRAMS - 1, axis=0)[:MOST_PROGRAMS]
            score = top.sum(axis=0)
            # The rarest need of all is met first, by whoever helps most besides.
            score[self.weights.max(axis=0) < self.weights.max()] = 0
            if noise is not None:
                score = score * (1 + 0.1 * noise.random(len(score)))
            household = int(score.argmax())
            own = weights[:, household]
            for program in np.argsort(-own, kind="stable")[:MOST_PROGRAMS]:
                if own[program] > 0:
                    self._take(household, int(program))
        return sorted(self.pairs)

    def _take(self, household: int, program: int) -> None:
        self.pairs.append((household, program))
        search = self.searches[program]
        self.left[program] &= ~search.mask_of_class[self.covers[program].class_of[household]]
        self.need[program] -= 1
        self._weigh(program)

    def _weigh(self, program: int) -> None:
        """Give each class that helps a weight: the rarer what it brings, the more."""
        search, left, need = self.searches[program], self.left[program], self.need[program]
        weights = np.zeros(len(self.sizes[program]), np.float32)
        if need:
            helping: dict[int, bool] = {}
            members: dict[int, int] = {}
            brings = [mask & left for mask in search.mask_of_class]
            for mask, size in zip(brings, self.sizes[program], strict=True):
                if mask not in helping:
                    helping[mask] = bool(mask) and search.least(left & ~mask) == need - 1
                members[mask] = members.get(mask, 0) + int(size)
            counts = _households_by_element(members, helping)
            total = float(self.sizes[program].sum())
            for position, mask in enumerate(brings):
                if helping[mask]:
                    rarest = min(counts[bit] for bit in _bits(mask))
                    weights[position] = 1 + np.log(total / rarest)
        self.weights[program] = weights[self.covers[program].class_of]


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _households_by_element(members: dict[int, int], helping: dict[int, bool]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for mask, size in members.items():
        if helping[mask]:
            for bit in _bits(mask):
                counts[bit] = counts.get(bit, 0) + size
    return counts


def households_of(pairs: Sequence[Pair]) -> NDArray[np.intp]:
    """Return the households of some pairs, sorted."""
    return np.unique([household for household, _ in pairs])
