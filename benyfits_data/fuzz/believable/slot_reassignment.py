"""Reassignment of slots: which of the chosen households fills which slot.

What is unusual in a household is mostly needed by one or two of its slots. A move takes such a slot
from one household, the source, whose facts are then imputed anew so that it becomes usual, and
gives it to another, the target: as it is, or as a child by crossover with the source. So what is
unusual gathers in some households instead of being spread over all. A household without slots is
left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.believable.crossover import PlausibleCrossover
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.local_search import Needs, impute_unusual, more_mixed, put
from benyfits_data.fuzz.corpus import CoverageReader, collect
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage
from benyfits_data.fuzz.exact.set_cover import Slots
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import contested_mask
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

MOVES, TARGETS, CHILDREN = 120, 8, 10
"""How many slots are tried at once, with how many costly targets each (and half as many others),
and how many children each of these gets by crossover. A thorough set tries a fourth of the slots,
since to detect mutants takes long."""
_COSTS = ((-15, 0.0), (10, 1.0))
"""What a household costs that is so far from the percentile asked for: the less it is beyond it,
the more is gained by a move."""
_TAIL = 93
_TAIL_COSTS = ((94, 1.4), (97.5, 1.9), (99, 2.6), (99.9, 4.0), (100, 10.0))
_RARE_NEED, _MOST_COUNTED = 0.6, 4
"""What each rare need costs besides, of so many beyond those that are usual in homes of a size."""
_IN_ORDER = 0.8
"""How many children have their members in the city's order, since some lines need another."""
_COSTLY, _TOO_COSTLY = 0.9, 2.0
_LAST_SLOTS = (0.0, 1.5, 0.8, 0.5)
"""What a move gains besides from a source of so many slots, while there are too many households."""
_LEAST_GAIN = 0.05
Index = NDArray[np.intp]


@dataclass(frozen=True)
class SlotReassignment:
    """Moves slots from one household to another.

    Attributes:
        covers: Tells what households cover.
        coverage: Tells the elements by position.
        slots: What is to be filled.
        city: Measures plausibility, and gives donors.
        percentile: At which the median household may stay.
        enough: How many households are few enough.
        n_moves: How many slots are tried at once.
    """

    covers: CoverageReader
    coverage: list[Coverage]
    slots: Slots
    city: DonorCity
    percentile: float
    enough: int
    n_moves: int = MOVES

    def reassign(
        self, homes: Households, owner: Index, rng: np.random.Generator
    ) -> tuple[Households, Index]:
        """Return the households that are left, and who of them fills each slot.

        Args:
            homes: The households.
            owner: Who fills each slot.
            rng: Draws targets and facts.
        """
        homes, cost = homes.take(np.arange(len(homes))), self._cost(homes)
        sure = self._sure(homes)
        owner = self._with_room(owner, sure, cost)
        sources, slots_moved, without, gain = self._without_slots(homes, owner, cost, rng)
        move, targets = self._moves(owner, cost, sources, slots_moved, sure, rng)
        if not len(move):
            return homes, owner
        made, of = self._with_slots(
            homes, owner, (sources[move], slots_moved[move], targets), sure, rng
        )
        gain = gain[move[of]] + cost[targets[of]] - self._cost(made)
        touched: set[int] = set()
        for place in np.argsort(-gain, kind="stable").tolist():
            at = move[of[place]]
            both = {int(sources[at]), int(targets[of[place]])}
            if gain[place] < _LEAST_GAIN or touched & both:
                continue
            touched |= both
            put(homes, sources[[at]], without.take(np.array([at])))
            put(homes, targets[of[[place]]], made.take(np.array([place])))
            owner[slots_moved[at]] = targets[of[place]]
        kept, owner = np.unique(owner, return_inverse=True)
        return homes.take(kept), owner

    def _cost(self, homes: Households) -> NDArray[np.float64]:
        """Return what each household costs: much more about the middle, little more up to the 94th.

        More rare needs than homes of its size have weigh besides, so that they are spread.
        """
        early = [(min(self.percentile + far, _TAIL), weight) for far, weight in _COSTS]
        at, weights = zip(*early, *_TAIL_COSTS, strict=True)
        found = self.city.belief.percentile(homes)
        several = _RARE_NEED * np.minimum(self.city.rare_needs.beyond(homes), _MOST_COUNTED)
        return np.asarray(np.round(np.interp(found, at, weights) + several, 6))

    def reduce_overload(self, homes: Households, owner: Index, load: Mapping[int, int]) -> bool:
        """Move a slot from each household with too many programs; return whether all could.

        Args:
            homes: The households.
            owner: Who fills each slot; changed in place.
            load: How many programs each household would ask about.
        """
        return move_overload(owner, load, self._sure(homes), self.slots.programs)

    def _sure(self, homes: Households) -> NDArray[np.bool_]:
        """Return who fills which slot with a label that is not contested, shape `(slots, n)`."""
        can = self.slots.fillers(self.covers(collect(self.covers.edition, [homes])))
        return np.asarray(can & ~self._is_open(homes))

    def _is_open(self, homes: Households) -> NDArray[np.bool_]:
        """Return whose label is contested in the program of each slot, shape `(slots, n)`."""
        names = [own.program for own in self.coverage]
        return contested_mask(self.covers.edition, homes, names)[self.slots.programs]

    def _needs(self, homes: Households, owned: list[list[int]]) -> Needs:
        """Return what households need that fill some slots each."""
        owner = np.repeat(np.arange(len(owned)), [len(own) for own in owned])
        wanted = Slots(tuple(self.slots.slots[slot] for own in owned for slot in own), 0)
        return Needs.of_slots(self.covers, homes, owner, wanted, self.coverage)

    def _with_room(self, owner: Index, sure: NDArray[np.bool_], cost: NDArray[np.float64]) -> Index:
        """Return who fills each slot once full usual households leave one to costly ones."""
        owner, programs = owner.copy(), self.slots.programs
        for home in np.argsort(cost, kind="stable").tolist():
            for slot in np.flatnonzero(owner == home):
                load = np.bincount(owner, minlength=len(cost))
                if cost[home] > 1 / 2 or load[home] < MOST_PROGRAMS:
                    break
                room = sure[slot] & (load < MOST_PROGRAMS - 1) & (cost > _COSTLY)
                room[owner[programs == programs[slot]]] = False
                if room.any():
                    owner[slot] = np.where(room, load, MOST_PROGRAMS).argmin()
        return owner

    def _without_slots(
        self,
        homes: Households,
        owner: Index,
        cost: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> tuple[Index, Index, Households, NDArray[np.float64]]:
        """Return the best sources and slots, each source without its slot, and the gain."""
        load = np.bincount(owner, minlength=len(homes))
        too_many = len(homes) > self.enough
        slots_moved = np.flatnonzero((cost[owner] > 2 * _LEAST_GAIN) & (load[owner] > 1 - too_many))
        sources = owner[slots_moved]
        left = [
            [slot for slot in np.flatnonzero(owner == home).tolist() if slot != gone]
            for home, gone in zip(sources.tolist(), slots_moved.tolist(), strict=True)
        ]
        needs = self._needs(homes.take(sources), left)
        without = impute_unusual(homes.take(sources), needs, self.city, np.zeros(len(sources)), rng)
        gain = cost[sources] - self._cost(without)
        if too_many:
            gain += np.array(_LAST_SLOTS)[np.where(load < len(_LAST_SLOTS), load, 0)][sources]
        best = np.argsort(-gain, kind="stable")[: self.n_moves]
        best = best[gain[best] > _LEAST_GAIN]
        return sources[best], slots_moved[best], without.take(best), gain[best]

    def _moves(
        self,
        owner: Index,
        cost: NDArray[np.float64],
        sources: Index,
        slots_moved: Index,
        sure: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> tuple[Index, Index]:
        """Return slots by position among those moved, and a target for each."""
        load = np.bincount(owner, minlength=len(cost))
        programs = self.slots.programs
        moves: list[tuple[int, int]] = []
        for at, (source, slot) in enumerate(zip(sources, slots_moved, strict=True)):
            free = load < MOST_PROGRAMS
            free[owner[programs == programs[slot]]] = False
            free[source] = False
            others = rng.permutation(np.flatnonzero(free & ~sure[slot] & (cost < _TOO_COSTLY)))
            is_much = cost[others] > _COSTLY
            able = np.flatnonzero(free & sure[slot])
            for some in (able, others[is_much][:TARGETS], others[~is_much][: TARGETS // 2]):
                moves += [(at, int(target)) for target in some]
        found = np.array(moves, np.intp).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def _with_slots(
        self,
        homes: Households,
        owner: Index,
        moves: tuple[Index, Index, Index],
        sure: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> tuple[Households, Index]:
        """Return the targets with the slot that they get, and the move of each."""
        sources, slots_moved, targets = moves
        owned = [
            [*np.flatnonzero(owner == target).tolist(), slot]
            for target, slot in zip(targets.tolist(), slots_moved.tolist(), strict=True)
        ]
        able = sure[slots_moved, targets]
        of = np.repeat(np.flatnonzero(~able), CHILDREN)
        children, kept = PlausibleCrossover(self.covers.edition, self.city).recombine(
            homes.take(targets[of]),
            homes,
            sources[of],
            self.slots.programs[slots_moved[of]],
            rng,
            _IN_ORDER,
        )
        plain = np.flatnonzero(~more_mixed(children, kinds_of_relations(homes)[targets[of[kept]]]))
        of = np.concatenate([np.flatnonzero(able), of[kept[plain]]])
        made = Households.concatenate([homes.take(targets[able]), children.take(plain)])
        met = self._needs(homes.take(targets), owned).met(made, of)
        is_open = self._is_open(made)[slots_moved[of], np.arange(len(made))]
        kept = np.flatnonzero(met & (~is_open | ~sure[slots_moved[of], sources[of]]))
        order = kept[np.lexsort((self.city.belief.excess(made.take(kept)), of[kept]))]
        _, first = np.unique(of[order], return_index=True)
        made, of = made.take(order[first]), of[order[first]]
        needs = self._needs(made, [owned[move] for move in of])
        return impute_unusual(made, needs, self.city, np.zeros(len(made)), rng), of


def move_overload(
    owner: Index, load: Mapping[int, int], sure: NDArray[np.bool_], programs: Index
) -> bool:
    """Move a slot from each household with too many programs to another; return whether all could.

    Args:
        owner: Who fills each slot; changed in place.
        load: How many programs each household would ask about.
        sure: Who can fill which slot, shape `(slots, households)`.
        programs: The program of each slot.
    """
    for home in [home for home, n in load.items() if n > MOST_PROGRAMS]:
        moves = [
            (load[other], slot, other)
            for slot in np.flatnonzero(owner == home).tolist()
            for other in np.flatnonzero(sure[slot]).tolist()
            if load[other] < MOST_PROGRAMS - 1 and other not in owner[programs == programs[slot]]
        ]
        if not moves:
            return False
        _, slot, other = min(moves)
        owner[slot] = other
    return True
