"""Selection of believable households: as few pairs, in few households that the city could have.

Households of the city fill most slots. For each of the others the least surprising filler is made
believable with that slot alone (see `believable`). All these are crossed until few households fill
all slots; children beyond the city's 99.9th percentile are left out. At last each chosen household
is made believable with all its slots.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable import DonorCity, Need, Needs, settle
from benyfits_data.fuzz.column_generation import (
    GENERATIONS,
    Within,
    certified,
    contested_labels,
    fill_slots,
)
from benyfits_data.fuzz.corpus import Corpus, CoverageOf, collect
from benyfits_data.fuzz.coverage import Coverage, Pair, uncovered
from benyfits_data.fuzz.set_cover import Slots, fewest_slots
from benyfits_data.household.columns import Households
from benyfits_data.rng import stream

HOUSEHOLDS = 56
"""Households that are few enough: with fewer, each must meet more slots at once."""
LENDERS = 4_000
"""Households of the city, none beyond `USUAL`, that join the corpus."""
USUAL = 95.0
MOST = 99.9
ROOM = 1.25
"""No child is chosen that is so many times as surprising as the percentile `MOST`; what is above it
is taken away at last."""
SINGLE = 75.0
"""The percentile up to which a household for one slot is made believable."""
_SINGLE_ROUNDS, _SINGLE_COPIES = 30, 12


def select_believable(
    corpus: Corpus, seed: int, coverage_of: CoverageOf, city: DonorCity, percentile: float
) -> tuple[Corpus, list[Pair], dict[str, Any]]:
    """Return the corpus joined by those who were chosen, the pairs, and a certificate.

    Args:
        corpus: What was sampled; the pairs must cover all that its households cover.
        seed: The seed of the build.
        coverage_of: Tells what households cover.
        city: Lends facts.
        percentile: The percentile at which the median household may stay.

    Raises:
        SelectionError: These households cannot fill all slots.
    """
    rng = stream(seed, "believable selection")
    usual = np.flatnonzero(city.belief.percentile(city.households) <= USUAL)
    lenders = city.households.take(np.sort(rng.choice(usual, min(LENDERS, len(usual)), False)))
    corpus = corpus.joined_by(collect(corpus.edition, [lenders]))
    coverage = coverage_of(corpus)
    slots = fewest_slots(coverage, contested_labels(corpus, coverage))
    known = corpus
    singles, n_known = _singles(corpus, slots, coverage_of, city, rng), len(corpus)
    corpus = corpus.joined_by(collect(corpus.edition, [singles]))
    admits = _admits(city)
    allowed = admits(corpus.households)
    allowed[n_known:] = True
    within = Within(HOUSEHOLDS, allowed, admits)
    grown, filled = fill_slots(
        corpus, coverage_of(corpus), slots, seed, coverage_of, GENERATIONS, within
    )
    if filled is None:
        raise SelectionError(
            "Believable households cannot fill all slots: one is alone with more than ten. "
            "Use --plausible off, or sample more with --households."
        )
    chosen = sorted({one for one, _ in filled.slots})
    place = {one: position for position, one in enumerate(chosen)}
    coverage = coverage_of(grown)
    needs: list[Need] = [
        (place[one], coverage[slots.slots[slot].program].program, slots.slots[slot].elements)
        for one, slot in filled.slots
    ]
    homes = grown.households.take(np.array(chosen))
    # Spread about the percentile asked for: the least surprising of a city are not a city.
    spread = rng.permutation((np.arange(len(homes)) + 0.5) / len(homes))
    goals = np.minimum(2 * percentile * spread, SINGLE)
    kept = Needs(grown.edition, homes, needs, coverage)
    settled = settle(homes, kept, city, goals, rng)
    grown = known.joined_by(collect(known.edition, [settled]))
    pairs = {(n_known + place[one], int(filled.programs[slot])) for one, slot in filled.slots}
    pairs |= _newly_run(coverage_of(grown), pairs, n_known)
    return grown, sorted(pairs), certified(sorted(pairs), slots)


def _newly_run(coverage: Sequence[Coverage], pairs: set[Pair], start: int) -> set[Pair]:
    """Return pairs for what settled households run and nobody of the corpus ran before them."""
    missed = uncovered(coverage, sorted(pairs))
    added = set()
    for program, own in enumerate(coverage):
        for element in missed.get(own.program, ()):
            runs = own.classes[own.class_of[start:], own.elements.index(element)]
            added.add((start + int(runs.argmax()), program))
    return added


def _admits(city: DonorCity) -> Callable[[Households], NDArray[np.bool_]]:
    limits = city.belief.limits(MOST)

    def admits(table: Households) -> NDArray[np.bool_]:
        return np.asarray(
            city.belief.surprise(table) <= ROOM * limits[np.minimum(table.size, len(limits)) - 1]
        )

    return admits


def _singles(
    corpus: Corpus, slots: Slots, coverage_of: CoverageOf, city: DonorCity, rng: np.random.Generator
) -> Households:
    """Return a household for each slot that no usual household of the corpus fills."""
    coverage = coverage_of(corpus)
    can = slots.fillers(coverage)
    sure = can & ~contested_labels(corpus, coverage)[slots.programs]
    can = np.where(sure.any(axis=1, keepdims=True), sure, can)
    surprise = city.belief.surprise(corpus.households)
    is_usual = surprise <= city.belief.limits(USUAL)[np.minimum(corpus.households.size, 6) - 1]
    hard = np.flatnonzero(~can[:, is_usual].any(axis=1))
    least = np.where(can[hard], surprise, np.iinfo(np.int64).max).argmin(axis=1)
    homes = corpus.households.take(least)
    needs = [
        (home, coverage[slots.slots[slot].program].program, slots.slots[slot].elements)
        for home, slot in enumerate(hard.tolist())
    ]
    goals = np.full(len(homes), SINGLE)
    kept = Needs(corpus.edition, homes, needs, coverage)
    return settle(homes, kept, city, goals, rng, _SINGLE_ROUNDS, _SINGLE_COPIES)
