"""Handing over: who of the chosen households fills which slot.

What is unusual in a household is mostly needed by one or two of its slots. Without such a slot its
facts are drawn again and it becomes usual; another household takes the slot, as it is or as a child
that adopts what is unusual of all that the slot's program asks. So what is unusual gathers in some
households instead of being spread over all. A household that hands over its last slot is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.diverse.adoption import Adoption
from benyfits_data.diverse.believable import Needs, more_mixed, put, redraw
from benyfits_data.diverse.donor_city import DonorCity
from benyfits_data.fuzz.corpus import CoverageReader, collect
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage
from benyfits_data.fuzz.set_cover import Slots
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import contested_mask

OFFERED, TAKERS, CHILDREN = 120, 8, 10
"""How many slots are offered at once, to how many burdened households each (and to half as many
others), and how often each of these tries to adopt what the slot asks. A thorough set offers a
fourth of them, since to detect mutants takes long."""
_BURDENS = ((-15, 0.0), (10, 1.0))
"""What a household so far from the percentile asked for weighs: the less it is beyond it, the more
is gained by handing over."""
_LATEST = 93
_LATE_BURDENS = ((94, 1.4), (97.5, 1.9), (99, 2.6), (99.9, 4.0), (100, 10.0))
_RARE_NEED, _MOST_COUNTED = 0.6, 4
"""What each rare need weighs besides, of so many beyond those that are usual in homes of a size."""
_IN_ORDER = 0.8
"""How many who adopt are told in the city's order, since some lines run only in another."""
_MUCH, _TOO_MUCH = 0.9, 2.0
_LAST_SLOTS = (0.0, 1.5, 0.8, 0.5)
"""What handing over is worth besides, for a household of so many slots, while there are too many
households."""
_LEAST_GAIN = 0.05
Index = NDArray[np.intp]


@dataclass(frozen=True)
class HandingOver:
    """Hands slots over.

    Attributes:
        covers: Tells what households cover.
        coverage: Tells the elements by position.
        slots: What is to be filled.
        city: Measures belief, and lends facts.
        percentile: At which the median household may stay.
        enough: How many households are few enough.
        offered: How many slots are offered at once.
    """

    covers: CoverageReader
    coverage: list[Coverage]
    slots: Slots
    city: DonorCity
    percentile: float
    enough: int
    offered: int = OFFERED

    def hand_over(
        self, homes: Households, owner: Index, rng: np.random.Generator
    ) -> tuple[Households, Index]:
        """Return the households that are left, and who of them fills each slot.

        Args:
            homes: The households.
            owner: Who fills each slot.
            rng: Draws takers and facts.
        """
        homes, burden = homes.take(np.arange(len(homes))), self._burden(homes)
        sure = self._sure(homes)
        owner = self._with_room(owner, sure, burden)
        givers, given, lighter, gain = self._lightened(homes, owner, burden, rng)
        offer, takers = self._offers(owner, burden, givers, given, sure, rng)
        if not len(offer):
            return homes, owner
        made, of = self._taken(homes, owner, (givers[offer], given[offer], takers), sure, rng)
        gain = gain[offer[of]] + burden[takers[of]] - self._burden(made)
        touched: set[int] = set()
        for place in np.argsort(-gain, kind="stable").tolist():
            at = offer[of[place]]
            both = {int(givers[at]), int(takers[of[place]])}
            if gain[place] < _LEAST_GAIN or touched & both:
                continue
            touched |= both
            put(homes, givers[[at]], lighter.take(np.array([at])))
            put(homes, takers[of[[place]]], made.take(np.array([place])))
            owner[given[at]] = takers[of[place]]
        kept, owner = np.unique(owner, return_inverse=True)
        return homes.take(kept), owner

    def _burden(self, homes: Households) -> NDArray[np.float64]:
        """Return what each household weighs: much about the middle, little more up to the 94th.

        More rare needs than homes of its size have weigh besides, so that they are spread.
        """
        early = [(min(self.percentile + far, _LATEST), weight) for far, weight in _BURDENS]
        at, weights = zip(*early, *_LATE_BURDENS, strict=True)
        found = self.city.belief.percentile(homes)
        several = _RARE_NEED * np.minimum(self.city.rare_needs.beyond(homes), _MOST_COUNTED)
        return np.asarray(np.round(np.interp(found, at, weights) + several, 6))

    def relieve(self, homes: Households, owner: Index, load: Mapping[int, int]) -> bool:
        """Give a slot of each household with too many programs away; return whether all could.

        Args:
            homes: The households.
            owner: Who fills each slot; changed in place.
            load: How many programs each household would ask about.
        """
        return give_away(owner, load, self._sure(homes), self.slots.programs)

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

    def _with_room(
        self, owner: Index, sure: NDArray[np.bool_], burden: NDArray[np.float64]
    ) -> Index:
        """Return who fills each slot when usual households leave one to burdened ones who can."""
        owner, programs = owner.copy(), self.slots.programs
        for home in np.argsort(burden, kind="stable").tolist():
            for slot in np.flatnonzero(owner == home):
                load = np.bincount(owner, minlength=len(burden))
                if burden[home] > 1 / 2 or load[home] < MOST_PROGRAMS:
                    break
                room = sure[slot] & (load < MOST_PROGRAMS - 1) & (burden > _MUCH)
                room[owner[programs == programs[slot]]] = False
                if room.any():
                    owner[slot] = np.where(room, load, MOST_PROGRAMS).argmin()
        return owner

    def _lightened(
        self,
        homes: Households,
        owner: Index,
        burden: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> tuple[Index, Index, Households, NDArray[np.float64]]:
        """Return who gains most without which slot, each drawn again without it, and the gain."""
        load = np.bincount(owner, minlength=len(homes))
        too_many = len(homes) > self.enough
        given = np.flatnonzero((burden[owner] > 2 * _LEAST_GAIN) & (load[owner] > 1 - too_many))
        givers = owner[given]
        left = [
            [slot for slot in np.flatnonzero(owner == home).tolist() if slot != gone]
            for home, gone in zip(givers.tolist(), given.tolist(), strict=True)
        ]
        needs = self._needs(homes.take(givers), left)
        lighter = redraw(homes.take(givers), needs, self.city, np.zeros(len(givers)), rng)
        gain = burden[givers] - self._burden(lighter)
        if too_many:
            gain += np.array(_LAST_SLOTS)[np.where(load < len(_LAST_SLOTS), load, 0)][givers]
        best = np.argsort(-gain, kind="stable")[: self.offered]
        best = best[gain[best] > _LEAST_GAIN]
        return givers[best], given[best], lighter.take(best), gain[best]

    def _offers(
        self,
        owner: Index,
        burden: NDArray[np.float64],
        givers: Index,
        given: Index,
        sure: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> tuple[Index, Index]:
        """Return slots by position among those given, and to whom each is offered."""
        load = np.bincount(owner, minlength=len(burden))
        programs = self.slots.programs
        offers: list[tuple[int, int]] = []
        for at, (giver, slot) in enumerate(zip(givers, given, strict=True)):
            free = load < MOST_PROGRAMS
            free[owner[programs == programs[slot]]] = False
            free[giver] = False
            others = rng.permutation(np.flatnonzero(free & ~sure[slot] & (burden < _TOO_MUCH)))
            is_much = burden[others] > _MUCH
            able = np.flatnonzero(free & sure[slot])
            for some in (able, others[is_much][:TAKERS], others[~is_much][: TAKERS // 2]):
                offers += [(at, int(taker)) for taker in some]
        found = np.array(offers, np.intp).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def _taken(
        self,
        homes: Households,
        owner: Index,
        offers: tuple[Index, Index, Index],
        sure: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> tuple[Households, Index]:
        """Return the takers with the slot that they are offered, and which offer each takes."""
        givers, given, takers = offers
        owned = [
            [*np.flatnonzero(owner == taker).tolist(), slot]
            for taker, slot in zip(takers.tolist(), given.tolist(), strict=True)
        ]
        able = sure[given, takers]
        of = np.repeat(np.flatnonzero(~able), CHILDREN)
        born, kept = Adoption(self.covers.edition, self.city).adopt(
            homes.take(takers[of]),
            homes,
            givers[of],
            self.slots.programs[given[of]],
            rng,
            _IN_ORDER,
        )
        plain = np.flatnonzero(~more_mixed(born, homes.take(takers[of[kept]])))
        of = np.concatenate([np.flatnonzero(able), of[kept[plain]]])
        made = Households.concatenate([homes.take(takers[able]), born.take(plain)])
        met = self._needs(homes.take(takers), owned).met(made, of)
        is_open = self._is_open(made)[given[of], np.arange(len(made))]
        kept = np.flatnonzero(met & (~is_open | ~sure[given[of], givers[of]]))
        order = kept[np.lexsort((self.city.belief.excess(made.take(kept)), of[kept]))]
        _, first = np.unique(of[order], return_index=True)
        made, of = made.take(order[first]), of[order[first]]
        needs = self._needs(made, [owned[offer] for offer in of])
        return redraw(made, needs, self.city, np.zeros(len(made)), rng), of


def give_away(
    owner: Index, load: Mapping[int, int], sure: NDArray[np.bool_], programs: Index
) -> bool:
    """Give a slot of each household with too many programs to another; return whether all could.

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
