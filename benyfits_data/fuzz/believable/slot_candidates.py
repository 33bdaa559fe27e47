"""Plausible candidates for the slots that no usual household of the city fills.

Each such slot starts from the least surprising households of the corpus that fill it, one of each
size, and from families of the city crossed with some of them. Their other facts are imputed anew,
and the least surprising stay.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.believable.crossover import PlausibleCrossover
from benyfits_data.fuzz.believable.donors import DonorCity, like
from benyfits_data.fuzz.believable.local_search import (
    Needs,
    impute_unusual,
    in_order,
    minimize_surprise,
)
from benyfits_data.fuzz.corpus import Corpus, CoverageReader
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.fuzz.exact.set_cover import Slots
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD

GOAL = 25.0
"""The percentile at which a candidate for one slot need not become less surprising."""
FAMILIES, MOST_FAMILIES = 12_500, 200
"""Families of the city that slots are tried with: in all, and each at most. With 40 each, the least
surprising filler of the median slot was at the 75th percentile, with 120 at the 59th."""
STAY = 3
"""So many of them begin the local search for a slot, and so many candidates of it stay at last."""
_SIZES = ((1, 1), (2, 2), (3, 3), (4, LARGEST_HOUSEHOLD))
_DONORS = 12
_IMPUTATIONS = 2
_ROUNDS, _COPIES = 16, 4_500
"""Rounds of the local search, and copies in all of each round."""


def plausible_candidates(
    corpus: Corpus,
    slots: Slots,
    hard: NDArray[np.intp],
    can: NDArray[np.bool_],
    families: Households,
    coverage_of: CoverageReader,
    city: DonorCity,
    rng: np.random.Generator,
) -> Households:
    """Return plausible candidates for slots that no usual household fills, a family if none.

    Args:
        corpus: Among whom fillers are found.
        slots: All slots.
        hard: Which of them to fill.
        can: Who of the corpus fills which slot, shape `(slots, n)`.
        families: Usual households of the city.
        coverage_of: Tells what households cover.
        city: Gives donors.
        rng: Draws families and facts.
    """
    if not len(hard):
        return families.take(np.arange(1))
    coverage = coverage_of(corpus)
    surprise = city.belief.surprise(corpus.households)
    starts, of = _least_surprising(corpus, hard, can, surprise)
    children, of_children = _recombined(corpus, slots, hard, can, surprise, families, city, rng)
    needs = _needs(coverage_of, slots, of_children, children, coverage)
    kept = np.flatnonzero(needs.met(children, np.arange(len(children))))
    children, of_children = children.take(kept), of_children[kept]
    kept = _best(children, of_children, city)
    homes = Households.concatenate([starts, children.take(kept)])
    of = np.concatenate([of, of_children[kept]])
    needs = _needs(coverage_of, slots, of, homes, coverage)
    homes = in_order(homes, needs)
    goals = np.full(len(homes), GOAL)
    for _ in range(_IMPUTATIONS):
        homes = impute_unusual(homes, needs, city, goals, rng)
    kept = _best(homes, of, city)
    homes, of, goals = homes.take(kept), of[kept], goals[kept]
    needs = _needs(coverage_of, slots, of, homes, coverage)
    homes = minimize_surprise(homes, needs, city, goals, rng, _ROUNDS, _COPIES // len(homes) + 1)
    return impute_unusual(homes, needs, city, goals, rng)


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


def _recombined(
    corpus: Corpus,
    slots: Slots,
    hard: NDArray[np.intp],
    can: NDArray[np.bool_],
    surprise: NDArray[np.int64],
    families: Households,
    city: DonorCity,
    rng: np.random.Generator,
) -> tuple[Households, NDArray[np.intp]]:
    """Return families crossed with households that fill slots, and these slots."""
    drawn = []
    each = min(MOST_FAMILIES, FAMILIES // len(hard) + 1)
    for slot in hard.tolist():
        among = np.flatnonzero(can[slot])
        drawn.append(rng.choice(among[np.argsort(surprise[among])[:_DONORS]], each))
    of = np.repeat(hard, each)
    distinct, donor = np.unique(np.concatenate(drawn), return_inverse=True)
    donors = corpus.households.take(distinct)
    hosts = families.take(_of_size(families, donors.size[donor], rng))
    crossover = PlausibleCrossover(corpus.edition, city)
    families, kept = crossover.recombine(hosts, donors, donor, slots.programs[of], rng)
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
