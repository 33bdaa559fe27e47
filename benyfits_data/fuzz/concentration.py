"""Concentrating a selection: households are bred that answer for ten programs each.

Of all that are bred, those that were chosen join the pool, and the selection is made of that pool.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.covers import Cover, Pair
from benyfits_data.fuzz.crossing import Crosser
from benyfits_data.fuzz.draws import draws_of
from benyfits_data.fuzz.exact import Choice, choose
from benyfits_data.fuzz.greedy import uncovered
from benyfits_data.fuzz.pool import Pool, collect
from benyfits_data.fuzz.selection import Selection, checked
from benyfits_data.fuzz.slots import fewest_slots
from benyfits_data.household.columns import Households
from benyfits_data.streams import stream

CoversOf = Callable[[Pool], list[Cover]]
"""Tells what the households of a pool cover."""


def concentrate(pool: Pool, seed: int, covers_of: CoversOf) -> tuple[Pool, Selection]:
    """Return the pool with the chosen among the bred households, and the selection.

    Args:
        pool: What was sampled; the pairs must cover all that its households cover.
        seed: The seed of the build.
        covers_of: Tells what households cover.

    Raises:
        SelectionError: An element is missed, or the solver stopped without a solution.
    """
    covers = covers_of(pool)
    for attempt in range(len(covers)):
        nursery = _Nursery(pool, seed, attempt, covers_of)
        crossings = stream(seed, "concentrate", attempt, "crossings")
        choice = choose(covers, nursery.breed, crossings)
        grown, pairs = nursery.join(choice.pairs)
        grown_covers = covers_of(grown)
        if not uncovered(grown_covers, pairs) and not _can_be_fewer(covers, grown_covers, choice):
            break
        # Those who joined brought a new element, or a smaller cover of a program: again, with them.
        pool, covers = grown, grown_covers
    selection = Selection(pairs, replace(choice, pairs=pairs).certificate(grown_covers))
    return grown, checked(grown_covers, selection)


def _can_be_fewer(before: Sequence[Cover], after: Sequence[Cover], choice: Choice) -> bool:
    """Return whether programs that households of a larger class joined need fewer pairs now."""
    needed = np.bincount([slot.program for slot in choice.slots], minlength=len(before))
    changed = [
        program
        for program, (old, new) in enumerate(zip(before, after, strict=True))
        if _has_larger_classes(old, new)
    ]
    found = fewest_slots(after, changed)
    return any(
        len(fewest.slots) < needed[program] for program, fewest in zip(changed, found, strict=True)
    )


def _has_larger_classes(old: Cover, new: Cover) -> bool:
    """Return whether a household that joined covers what no single one covered before."""
    if old.elements != new.elements:
        return True
    joined = new.classes[np.unique(new.class_of[len(old.class_of) :])]
    return any(not (old.classes >= own).all(axis=1).any() for own in joined)


class _Nursery:
    """All households so far: those of the pool, then the children in the order of their birth."""

    def __init__(self, pool: Pool, seed: int, attempt: int, covers_of: CoversOf) -> None:
        self.pool = pool
        self.seed = seed
        self.attempt = attempt
        self.covers_of = covers_of
        self.litters: list[Pool] = []
        draws = draws_of(pool.edition, stream(seed, "concentrate", attempt, "moods"))
        self.crosser = Crosser(pool.edition, draws)

    def breed(
        self, hosts: NDArray[np.intp], donors: NDArray[np.intp], programs: NDArray[np.intp]
    ) -> Sequence[Cover]:
        """Return what the children cover; see `fuzz.exact.Breed`."""
        rng = stream(self.seed, "concentrate", self.attempt, "children", len(self.litters))
        copies, own = self._parents(hosts)
        others, of_child = self._parents(donors)
        born = self.crosser.cross(copies.take(own), others, of_child, programs, rng)
        children = collect(self.pool.edition, 0, [born])
        self.litters.append(children)
        return self.covers_of(children)

    def join(self, pairs: Sequence[Pair]) -> tuple[Pool, list[Pair]]:
        """Return the pool with the children of some pairs, and the pairs by position in it."""
        n = len(self.pool.households)
        born = sorted({household for household, _ in pairs if household >= n})
        if not born:
            return self.pool, list(pairs)
        _, *places = self._places(np.array(born, np.intp))
        chosen = [litter.take(own) for litter, own in zip(self.litters, places, strict=True)]
        place = {household: n + position for position, household in enumerate(born)}
        return self.pool.joined_by(*chosen), sorted(
            (place.get(household, household), program) for household, program in pairs
        )

    def _parents(self, positions: NDArray[np.intp]) -> tuple[Households, NDArray[np.intp]]:
        """Return some households, each once, and where among them each position lies."""
        parents, place = np.unique(positions, return_inverse=True)
        tables = (pool.households for pool in (self.pool, *self.litters))
        parts = [table.take(own) for table, own in zip(tables, self._places(parents), strict=True)]
        return Households.concatenate(parts), place

    def _places(self, positions: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """Return which of some sorted positions lie in the pool and in each litter, and where."""
        sizes = [len(pool.households) for pool in (self.pool, *self.litters)]
        starts = np.cumsum([0, *sizes])
        cuts = np.searchsorted(positions, starts)
        return [
            positions[first:last] - start
            for start, first, last in zip(starts[:-1], cuts[:-1], cuts[1:], strict=True)
        ]
