"""The fewest households for the fewest pairs: each household takes up to ten pairs that help.

Every program needs a fixed number of pairs. A household helps a program if some smallest cover of
what is left contains its class. Rare help is taken first, and programs that need as many households
as are still to come go before all others. At last, households
whose pairs others can take are dissolved. The bound is the larger of a count and of a linear
program: whichever households are chosen, together they cover every element.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from benyfits_data.fuzz.cover_search import CoverSearch
from benyfits_data.fuzz.covers import MOST_PROGRAMS, Cover, Pair

_URGENT = 1e6
_EVERY_PAIR = 0.1
_RARITY = 0.02
_COMMON = 1000
"""Elements that so many households cover are left out of the linear program."""


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
        prices: What each essential element is worth, by program.
    """

    def __init__(
        self,
        covers: Sequence[Cover],
        searches: Sequence[CoverSearch],
        prices: Sequence[NDArray[np.float64]],
    ) -> None:
        self.prices = prices
        self.covers = covers
        self.searches = searches
        self.left = [search.full for search in searches]
        self.need = [search.least(search.full) for search in searches]
        n = len(covers[0].class_of)
        self.sizes = [np.bincount(cover.class_of, minlength=len(cover.classes)) for cover in covers]
        self.weights = np.zeros((len(covers), n), np.float32)
        self.pairs: list[Pair] = []

    def run(self) -> list[Pair]:
        """Return the pairs of a whole selection, sorted."""
        n = len(self.covers)
        cap = min(MOST_PROGRAMS, n)
        for program in range(n):
            self._weigh(program)
        while any(self.need):
            urgent = np.array(self.need) >= household_bound(self.need)
            weights = self.weights + np.where(urgent[:, None] & (self.weights > 0), _URGENT, 0)
            score = np.partition(weights, n - cap, axis=0)[n - cap :].sum(axis=0)
            household = int(score.argmax())
            own = weights[:, household]
            for program in np.argsort(-own, kind="stable")[:cap]:
                if own[program] > 0:
                    self._take(household, int(program))
        return dissolve(self.covers, self.pairs)

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
                    bits = _bits(mask)
                    rarity = np.log(total / min(counts[bit] for bit in bits))
                    worth = self.prices[program][bits].sum()
                    weights[position] = worth + _EVERY_PAIR + _RARITY * rarity
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


def element_prices(
    covers: Sequence[Cover], essential: Sequence[NDArray[np.intp]]
) -> tuple[list[NDArray[np.float64]], int]:
    """Return what each essential element is worth, and a bound on the number of households.

    The chosen households together cover every rare element of every program: a linear program says
    how many that takes at least, and its dual values are the prices.

    Args:
        covers: What the pool covers.
        essential: The essential elements of each program.
    """
    blocks = [cover.classes[:, kept] for cover, kept in zip(covers, essential, strict=True)]
    matrix = np.concatenate(
        [block[cover.class_of].T for block, cover in zip(blocks, covers, strict=True)]
    )
    rare = np.flatnonzero(matrix.sum(axis=1) < _COMMON)
    prices = np.zeros(len(matrix))
    bound = 1
    if len(rare):
        packed = np.ascontiguousarray(np.packbits(matrix[rare], axis=0).T)
        kinds = np.unique(packed.view(f"V{packed.shape[1]}")[:, 0], return_index=True)[1]
        result = linprog(
            np.ones(len(kinds)),
            A_ub=-csr_array(matrix[np.ix_(rare, kinds)].astype(float)),
            b_ub=-np.ones(len(rare)),
            bounds=(0, None),
            method="highs",
        )
        prices[rare] = -np.asarray(result.ineqlin.marginals)
        bound = int(np.ceil(result.fun - 1e-6))
    ends = np.cumsum([block.shape[1] for block in blocks])[:-1]
    return np.split(prices, ends), bound


def dissolve(covers: Sequence[Cover], pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs with fewer households where others can take all pairs of one, sorted."""
    of: dict[int, set[int]] = {}
    for household, program in pairs:
        of.setdefault(household, set()).add(program)
    again = True
    while again:
        again = False
        for household in sorted(of, key=lambda one: (len(of[one]), one)):
            moves = _moves(covers, of, household)
            if moves is not None:
                del of[household]
                for program, taker in moves.items():
                    of[taker].add(program)
                again = True
                break
    return sorted((household, program) for household, own in of.items() for program in own)


def _moves(
    covers: Sequence[Cover], of: dict[int, set[int]], household: int
) -> dict[int, int] | None:
    """Return who takes each program of a household; `None` if some nobody can take."""
    room = {other: MOST_PROGRAMS - len(own) for other, own in of.items() if other != household}
    takers: dict[int, list[int]] = {}
    for program in of[household]:
        cover = covers[program]
        others = [other for other, own in of.items() if program in own and other != household]
        rest = cover.classes[cover.class_of[others]].any(axis=0)
        takers[program] = [
            other
            for other in room
            if program not in of[other] and (rest | cover.classes[cover.class_of[other]]).all()
        ]
    moves = {}
    for program in sorted(takers, key=lambda one: (len(takers[one]), one)):
        free = [other for other in takers[program] if room[other]]
        if not free:
            return None
        taker = max(free, key=lambda other: (room[other], -other))
        room[taker] -= 1
        moves[program] = taker
    return moves


def households_of(pairs: Sequence[Pair]) -> NDArray[np.intp]:
    """Return the households of some pairs, sorted."""
    return np.unique([household for household, _ in pairs])
