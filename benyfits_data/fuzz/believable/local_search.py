"""Local search for plausible households: what no assigned slot needs is imputed from the city.

A household keeps the lines and branches for which it was chosen and stays possible; everything
else may change. First unusual facts are imputed one by one from donors of the city, and those that
could change alone then change together (`impute_unusual`). Then copies are changed by random moves
(see `search_moves`), and of many copies the least surprising replaces the household
(`minimize_surprise`), until it is no more surprising than its goal, a percentile of the city.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.member_order import is_in_order, sort_members
from benyfits_data.fuzz.believable.search_moves import change
from benyfits_data.fuzz.corpus import CoverageReader
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.fuzz.exact.set_cover import Slots
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import repair_within
from benyfits_data.language.numpy_backend import label_and_trace, possible, violators
from benyfits_data.language.reading_labels import contested_mask
from benyfits_data.language.source import Element, features_read
from benyfits_data.plausibility.circumstances import Circumstances
from benyfits_data.plausibility.fact_surprise import HOUSEHOLD_FACTS, MEMBER_FACTS
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

UNUSUAL = 1_200
"""Surprise from which on a fact is imputed anew: one in three or four."""
MIXED = 4
"""Relations are mixed with so many kinds, the applicant's among them: 14% of the city's homes."""
DRAWS = 2
SUBSETS = 12
"""How often each unusual fact is drawn, and how many subsets of those that may change are tried."""
_SHARES = (1.0, 0.8, 0.6, 0.4, 0.2)

Need = tuple[int, str, tuple[int, ...]]
"""A household, a program of it, and the positions of the elements that it must cover there."""


class Needs:
    """What households must keep.

    Args:
        covers: Tells what households cover.
        homes: The households, who all cover what they need.
        needs: What each needs.
        coverage: Tells the elements by position.
    """

    def __init__(
        self,
        covers: CoverageReader,
        homes: Households,
        needs: Sequence[Need],
        coverage: Sequence[Coverage],
    ) -> None:
        self._covers, edition = covers, covers.edition
        self.needs = needs
        self._names = [own.program for own in coverage]
        self._elements = {own.program: own.elements for own in coverage}
        wanted = {name for _, name, _ in needs}
        self._masks = {
            own.program: np.zeros((len(homes), len(own.elements)), np.bool_)
            for own in coverage
            if own.program in wanted
        }
        self._asked = np.zeros((len(coverage), len(homes)), np.bool_)
        self.reads: list[set[str]] = [set() for _ in range(len(homes))]
        for home, name, elements in needs:
            self._masks[name][home, list(elements)] = True
            self._asked[self._names.index(name), home] = True
            self.reads[home] |= features_read(edition.program(name).checker)
        self._asked &= ~contested_mask(edition, homes, self._names)

    @classmethod
    def of_slots(
        cls,
        covers: CoverageReader,
        homes: Households,
        owner: NDArray[np.intp],
        slots: Slots,
        coverage: Sequence[Coverage],
    ) -> "Needs":
        """Return what households need that fill slots, each one the slots that it owns.

        Args:
            covers: Tells what households cover.
            homes: The households.
            owner: The household of each of some slots.
            slots: These slots.
            coverage: Names the programs.
        """
        needs = [
            (int(home), coverage[slot.program].program, slot.elements)
            for home, slot in zip(owner, slots.slots, strict=True)
        ]
        return cls(covers, homes, needs, coverage)

    def lost(
        self, copies: Households, of: NDArray[np.intp]
    ) -> Iterator[tuple[str, NDArray[np.intp], NDArray[np.bool_]]]:
        """Yield each program, the copies that need it, and what of it each of these loses.

        What is lost has shape `(copies that need it, elements)`.
        """
        asking = {
            name: np.flatnonzero(masks[of].any(axis=1)) for name, masks in self._masks.items()
        }
        for name, covered in self._covers.covered(copies, asking).items():
            masks, there = self._masks[name], asking[name]
            yield name, there, masks[of[there]] & ~covered[:, : masks.shape[1]]

    def met(
        self, copies: Households, of: NDArray[np.intp], *, contested: bool = True
    ) -> NDArray[np.bool_]:
        """Return which copies keep what the household needs that they are copies of.

        Args:
            copies: Copies of the households.
            of: The household of each.
            contested: Whether their labels must be contested no more than before.
        """
        met = np.ones(len(copies), np.bool_)
        for _, there, lost in self.lost(copies, of):
            met[there] &= ~lost.any(axis=1)
        if contested:
            still = np.flatnonzero(met)
            is_open = contested_mask(self._covers.edition, copies.take(still), self._names)
            met[still] = ~(is_open & self._asked[:, of[still]]).any(axis=0)
        return met

    def line(self, program: str, element: Element) -> int:
        """Return the line of an element."""
        return self._covers.line_of(program, element)

    def run(
        self, needed: Sequence[dict[str, tuple[str, int]]], homes: Households
    ) -> list[dict[str, tuple[str, int]]]:
        """Return what is needed for lines that households run: of a mutant they may run others."""
        batch = label_and_trace(self._covers.edition, homes)
        return [
            {
                fact: (program, line)
                for fact, (program, line) in own.items()
                if line in batch.trace(program, home)
            }
            for home, own in enumerate(needed)
        ]

    def elements(self, program: str, which: NDArray[np.bool_]) -> list[Element]:
        """Return some of the elements of a program."""
        return [self._elements[program][at] for at in np.flatnonzero(which)]


def impute_unusual(
    homes: Households,
    needs: Needs,
    city: DonorCity,
    goals: NDArray[np.float64],
    rng: np.random.Generator,
) -> Households:
    """Return households with unusual facts imputed from donors, where what they need allows it.

    Args:
        homes: The households.
        needs: What each must keep.
        city: Gives donors.
        goals: The percentile from which on a household is left as it is, shape `(n,)`.
        rng: Draws donors, and subsets of what may change.
    """
    current = homes.take(np.arange(len(homes)))
    surprise = city.belief.surprise(current)
    excess = city.belief.excess(current, surprise)
    active = np.flatnonzero(city.belief.percentile(current, surprise) > goals)
    of, row, fact = _unusual(current, active, city)
    made = current.take(of)
    codes = _draw_facts(made, row, fact, city, rng)
    fine = np.flatnonzero(city.belief.excess(made) < excess[of])
    fine = fine[possible(made.take(fine))]
    fine = fine[needs.met(made.take(fine), of[fine])]
    of, row, fact, codes = of[fine], row[fine], fact[fine], codes[fine]
    home = np.repeat(np.unique(of), SUBSETS)
    made = current.take(home)
    share = rng.choice(_SHARES, len(home))
    share[::SUBSETS] = 1
    for place, first in enumerate(np.searchsorted(home, of)):
        columns = np.arange(first, first + SUBSETS)
        columns = columns[rng.random(SUBSETS) < share[columns]]
        name = _FACTS[fact[place]]
        if row[place] < 0:
            made.shared[name][columns] = codes[place]
        else:
            made.member[name][row[place], columns] = codes[place]
    new = city.belief.excess(made)
    better = np.flatnonzero(new < excess[home])
    better = better[possible(made.take(better))]
    better = better[needs.met(made.take(better), home[better])]
    _take_best(current, made, home, new, better)
    return current


_FACTS = [*MEMBER_FACTS, *HOUSEHOLD_FACTS]
Index = NDArray[np.intp]


def _unusual(homes: Households, active: Index, city: DonorCity) -> tuple[Index, Index, Index]:
    """Return household, member (-1 for the home) and fact of all that is unusual, by household."""
    surprises = city.belief.surprises(homes)
    found = []
    for place, name in enumerate(_FACTS):
        if name in surprises.of_members:
            rows, at = np.nonzero(surprises.of_members[name][:, active] >= UNUSUAL)
        else:
            at = np.flatnonzero(surprises.of_households[name][active] >= UNUSUAL)
            rows = np.full(len(at), -1)
        found.append(np.stack([active[at], rows, np.full(len(at), place)]))
    every = np.concatenate(found, axis=1)
    every = np.repeat(every[:, np.argsort(every[0], kind="stable")], DRAWS, axis=1)
    return every[0], every[1], every[2]


def _draw_facts(
    made: Households, row: Index, fact: Index, city: DonorCity, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw one fact of each household from the city, in place; return the codes."""
    around = Circumstances(made)
    codes = np.zeros(len(made), np.int64)
    for place in np.unique(fact):
        name, here = _FACTS[place], np.flatnonzero(fact == place)
        if name in made.shared:
            homes = city.homes_like(around.households[here], rng)
            codes[here] = city.households.shared[name][homes]
            made.shared[name][here] = codes[here]
        else:
            rows, homes = city.people_like(around.members_by_place[row[here], here], rng)
            codes[here] = city.households.member[name][rows, homes]
            made.member[name][row[here], here] = codes[here]
    return codes


def _take_best(
    current: Households,
    made: Households,
    of: Index,
    surprise: NDArray[np.int64],
    among: Index,
) -> Index:
    """Replace each household by the least surprising of some of its copies; return which."""
    best = among[np.lexsort((surprise[among], of[among]))]
    replaced, first = np.unique(of[best], return_index=True)
    put(current, replaced, made.take(best[first]))
    return replaced


def minimize_surprise(
    homes: Households,
    needs: Needs,
    city: DonorCity,
    goals: NDArray[np.float64],
    rng: np.random.Generator,
    rounds: int,
    copies: int,
) -> Households:
    """Return households that keep what they need and reach their goals, if possible.

    Args:
        homes: The households.
        needs: What each must keep.
        city: Gives donors.
        goals: The percentile that each may stay at, shape `(n,)`.
        rng: Gives copies and moves.
        rounds: How often copies are made at most.
        copies: How many copies of each household are made in a round.
    """
    current = homes.take(np.arange(len(homes)))
    surprise = city.belief.surprise(current)
    for _ in range(rounds):
        excess = city.belief.excess(current, surprise)
        active = np.flatnonzero(city.belief.percentile(current, surprise) > goals)
        if not len(active):
            break
        of = np.repeat(active, copies)
        reads = [needs.reads[home] for home in active]
        made = change(current.take(active), copies, reads, city, rng)
        is_likely = city.belief.excess(made) < excess[of]
        likely = np.flatnonzero(is_likely & ~more_mixed(made, kinds_of_relations(current)[of]))
        made, of = made.take(likely), of[likely]
        kept = np.flatnonzero(repair_within(made, violators, city.draw, rng, FEATURES, passes=2))
        made, of = made.take(kept), of[kept]
        if not len(made):
            continue
        # A household whose lines need another order of members is tried in both.
        sort_members(made, is_in_order(current)[of] | (rng.random(len(made)) < 1 / 2))
        new = city.belief.excess(made)
        better = np.flatnonzero(new < excess[of])
        better = better[needs.met(made.take(better), of[better])]
        if len(changed := _take_best(current, made, of, new, better)):
            surprise[changed] = city.belief.surprise(current.take(changed))
    return current


def in_order(homes: Households, needs: Needs) -> Households:
    """Return households whose members are told in the city's order, where what they need allows it.

    Some checkers look at members one after the other, so that the order decides which lines run.
    """
    ordered, current = homes.take(np.arange(len(homes))), homes.take(np.arange(len(homes)))
    sort_members(ordered)
    kept = np.flatnonzero(needs.met(ordered, np.arange(len(homes)), contested=False))
    put(current, kept, ordered.take(kept))
    return current


def more_mixed(made: Households, before: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Return which households have mixed relations, and more kinds of them than before.

    Args:
        made: The households.
        before: How many kinds each had.
    """
    kinds = kinds_of_relations(made)
    return np.asarray((kinds >= MIXED) & (kinds > before))


def put(current: Households, where: NDArray[np.intp], new: Households) -> None:
    """Replace some households by others."""
    current.size[where] = new.size
    for name, column in new.shared.items():
        current.shared[name][where] = column
    for name, column in new.member.items():
        current.member[name][:, where] = column
