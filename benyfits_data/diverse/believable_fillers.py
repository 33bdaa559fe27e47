"""Believable fillers of the slots that no usual household of the city fills.

For each such slot there are several starts: the least surprising fillers of each size, and families
of the city who take over from a filler what is unusual of all that the slot's program asks. Their
other facts are drawn again, and the least surprising stay.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.diverse.adoption import Adoption
from benyfits_data.diverse.believable import Needs, in_order, redraw, settle
from benyfits_data.diverse.donor_city import DonorCity, like
from benyfits_data.fuzz.corpus import Corpus, CoverageReader
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.fuzz.set_cover import Slots
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD

GOAL = 25.0
"""The percentile up to which a household for one slot is made believable."""
FAMILIES, MOST_FAMILIES = 12_500, 200
"""Families of the city that slots are tried with: in all, and each at most. With 40 each, the least
surprising filler of the median slot was at the 75th percentile, with 120 at the 59th."""
STAY = 3
"""Of these so many begin, and so many households of a slot stay at last."""
_SIZES = ((1, 1), (2, 2), (3, 3), (4, LARGEST_HOUSEHOLD))
_DONORS = 12
_REDRAWN = 2
_ROUNDS, _COPIES = 16, 4_500
"""How often copies are changed, and how many in all each time."""


def believable_fillers(
    corpus: Corpus,
    slots: Slots,
    hard: NDArray[np.intp],
    can: NDArray[np.bool_],
    families: Households,
    coverage_of: CoverageReader,
    city: DonorCity,
    rng: np.random.Generator,
) -> Households:
    """Return believable households for slots that no usual one fills, a family if there is none.

    Args:
        corpus: Among whom fillers are found.
        slots: All slots.
        hard: Which of them to fill.
        can: Who of the corpus fills which slot, shape `(slots, n)`.
        families: Usual households of the city.
        coverage_of: Tells what households cover.
        city: Lends facts.
        rng: Draws families and facts.
    """
    if not len(hard):
        return families.take(np.arange(1))
    coverage = coverage_of(corpus)
    surprise = city.belief.surprise(corpus.households)
    starts, of = _least_surprising(corpus, hard, can, surprise)
    born, of_born = _adopting(corpus, slots, hard, can, surprise, families, city, rng)
    needs = _needs(coverage_of, slots, of_born, born, coverage)
    kept = np.flatnonzero(needs.met(born, np.arange(len(born))))
    born, of_born = born.take(kept), of_born[kept]
    kept = _best(born, of_born, city)
    homes = Households.concatenate([starts, born.take(kept)])
    of = np.concatenate([of, of_born[kept]])
    needs = _needs(coverage_of, slots, of, homes, coverage)
    homes = in_order(homes, needs)
    goals = np.full(len(homes), GOAL)
    for _ in range(_REDRAWN):
        homes = redraw(homes, needs, city, goals, rng)
    kept = _best(homes, of, city)
    homes, of, goals = homes.take(kept), of[kept], goals[kept]
    needs = _needs(coverage_of, slots, of, homes, coverage)
    homes = settle(homes, needs, city, goals, rng, _ROUNDS, _COPIES // len(homes) + 1)
    return redraw(homes, needs, city, goals, rng)


def _least_surprising(
    corpus: Corpus, hard: NDArray[np.intp], can: NDArray[np.bool_], surprise: NDArray[np.int64]
) -> tuple[Households, NDArray[np.intp]]:
    """Return the least surprising filler of each slot and size, and their slots."""
    size = corpus.households.size
    found, of = [], []
    for slot in hard.tolist():
        for least, most in _SIZES:
            among = np.flatnonzero(can[slot] & (size >= least) & (size <= most))
            if len(among):
                found.append(among[surprise[among].argmin()])
                of.append(slot)
    return corpus.households.take(np.array(found)), np.array(of, np.intp)


def _adopting(
    corpus: Corpus,
    slots: Slots,
    hard: NDArray[np.intp],
    can: NDArray[np.bool_],
    surprise: NDArray[np.int64],
    families: Households,
    city: DonorCity,
    rng: np.random.Generator,
) -> tuple[Households, NDArray[np.intp]]:
    """Return families who took over unusual facts of fillers, and the slots of these."""
    drawn = []
    each = min(MOST_FAMILIES, FAMILIES // len(hard) + 1)
    for slot in hard.tolist():
        among = np.flatnonzero(can[slot])
        drawn.append(rng.choice(among[np.argsort(surprise[among])[:_DONORS]], each))
    of = np.repeat(hard, each)
    distinct, donor = np.unique(np.concatenate(drawn), return_inverse=True)
    donors = corpus.households.take(distinct)
    hosts = families.take(_of_size(families, donors.size[donor], rng))
    adoption = Adoption(corpus.edition, city)
    families, kept = adoption.adopt(hosts, donors, donor, slots.programs[of], rng)
    return families, of[kept]


def _of_size(
    families: Households, size: NDArray[np.integer[Any]], rng: np.random.Generator
) -> NDArray[np.intp]:
    order = np.argsort(families.size, kind="stable")
    return order[like(families.size[order].astype(np.int64), size.astype(np.int64), rng)]


def _best(homes: Households, of: NDArray[np.intp], city: DonorCity) -> NDArray[np.intp]:
    """Return the positions of the least surprising of each slot."""
    order = np.lexsort((city.belief.percentile(homes), of))
    first = np.searchsorted(of[order], of[order], side="left")
    return order[np.arange(len(order)) - first < STAY]


def _needs(
    covers: CoverageReader,
    slots: Slots,
    of: NDArray[np.intp],
    homes: Households,
    coverage: Sequence[Coverage],
) -> Needs:
    wanted = Slots(tuple(slots.slots[slot] for slot in of.tolist()), 0)
    return Needs.of_slots(covers, homes, np.arange(len(of)), wanted, coverage)
