"""Selection of believable households: as few pairs, in few households that the city could have.

Households of the city fill most slots. For each of the others believable ones are made that fill
that slot alone (see `believable_fillers`). All these are crossed until few households fill all
slots; children far beyond the city's 99.9th percentile are left out. At last each chosen household
is made believable with all its slots; what a surprising one fills and another fills as well goes
over to the other, so that it needs less.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.adoption import Adoption
from benyfits_data.fuzz.believable import Needs, redraw, settle
from benyfits_data.fuzz.believable_fillers import believable_fillers
from benyfits_data.fuzz.column_generation import (
    GENERATIONS,
    Within,
    certified,
    contested_labels,
    fill_slots,
)
from benyfits_data.fuzz.corpus import Corpus, CoverageReader, collect
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage, Pair, uncovered
from benyfits_data.fuzz.donor_city import DonorCity
from benyfits_data.fuzz.rare_facts import Needed, without_needless
from benyfits_data.fuzz.set_cover import Slots, fewest_slots
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD
from benyfits_data.rng import stream

HOUSEHOLDS = 60
"""Households that are few enough: with fewer, each must meet more slots at once."""
_SLOTS = 7
"""A set of more slots has a household for so many of them."""
LENDERS = 15_000
"""Households of the city, none beyond `USUAL`, that join the corpus: with 4,000 they leave
152 slots to others, with 15,000 138; where covers of their classes are preferred it is 127."""
COUNT = 100.0
"""So many times as much as a sampled household one of the city counts where covers are chosen."""
USUAL = 95.0
MOST = 99.9
ROOM = 1.1
"""No child is chosen that is so many times as surprising as the percentile `MOST`; what is above it
is taken away at last."""
PASSES = 8
"""How often slots are shared out and facts drawn again."""
_ROUNDS, _COPIES = 5, 36
SPREAD = 80.0
"""Goals are spread so far about the percentile asked for: the least surprising people of a city are
not a city."""


def select_believable(
    corpus: Corpus, seed: int, coverage_of: CoverageReader, city: DonorCity, percentile: float
) -> tuple[Corpus, list[Pair], dict[str, Any], dict[int, Needed]]:
    """Return the corpus joined by those who were chosen, pairs, certificate, needs of rare facts.

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
    is_usual = city.belief.percentile(city.households) <= USUAL
    usual = np.flatnonzero(is_usual & (city.households.size <= LARGEST_HOUSEHOLD))
    lenders = city.households.take(np.sort(rng.choice(usual, min(LENDERS, len(usual)), False)))
    counts = np.repeat([1.0, COUNT], [len(corpus), len(lenders)])
    corpus = corpus.joined_by(collect(corpus.edition, [lenders]))
    coverage = coverage_of(corpus)
    is_open = contested_labels(corpus, coverage)
    slots = fewest_slots(coverage, is_open, counts)
    known = corpus
    can = slots.fillers(coverage)
    sure = can & ~is_open[slots.programs]
    can = np.where(sure.any(axis=1, keepdims=True), sure, can)
    hard = np.flatnonzero(~can[:, -len(lenders) :].any(axis=1))
    fillers = believable_fillers(corpus, slots, hard, can, lenders, coverage_of, city, rng)
    n_known = len(corpus)
    corpus = corpus.joined_by(collect(corpus.edition, [fillers]))
    admits = _admits(city)
    allowed = admits(corpus.households)
    allowed[n_known:] = True
    within = Within(
        max(HOUSEHOLDS, len(slots.slots) // _SLOTS),
        allowed,
        admits,
        Adoption(corpus.edition, city).cross,
    )
    grown, filled = fill_slots(
        corpus, coverage_of(corpus), slots, seed, coverage_of, GENERATIONS, within
    )
    if filled is None:
        raise SelectionError(
            "Believable households cannot fill all slots: one is alone with more than ten. "
            "Use --plausible off, or sample more with --households."
        )
    chosen = sorted({one for one, _ in filled.slots})
    homes = grown.households.take(np.array(chosen))
    owner = np.zeros(len(slots.slots), np.intp)
    for one, slot in filled.slots:
        owner[slot] = chosen.index(one)
    homes, owner = _settled(known, homes, owner, slots, coverage_of, city, percentile, rng)
    needs = Needs.of_slots(coverage_of, homes, owner, slots, coverage)
    homes, needed = without_needless(homes, needs, city, rng)
    grown = known.joined_by(collect(known.edition, [homes]))
    pairs = {(n_known + int(home), int(slots.programs[slot])) for slot, home in enumerate(owner)}
    pairs |= _newly_run(coverage_of(grown), pairs, n_known)
    most = max(Counter(home for home, _ in pairs).values())
    if most > MOST_PROGRAMS:
        raise SelectionError(
            f"A household would ask about {most} programs, expected at most {MOST_PROGRAMS}: it "
            "alone runs a line or branch. Sample more with --households, or use --plausible off."
        )
    reasons = {n_known + home: own for home, own in enumerate(needed) if own}
    if len(pairs) < slots.pair_bound:
        # With those who joined, fewer pairs do than the corpus needs: the bound is that of all.
        slots = fewest_slots(coverage_of(grown))
    return grown, sorted(pairs), certified(sorted(pairs), slots), reasons


def _settled(
    known: Corpus,
    homes: Households,
    owner: NDArray[np.intp],
    slots: Slots,
    coverage_of: CoverageReader,
    city: DonorCity,
    percentile: float,
    rng: np.random.Generator,
) -> tuple[Households, NDArray[np.intp]]:
    """Return the households made believable, and which of them fills each slot."""
    coverage = coverage_of(known)
    for _ in range(PASSES):
        found = city.belief.percentile(homes)
        rank = np.argsort(np.argsort(found, kind="stable"))
        # The least surprising are to be those who are so already.
        goals = np.clip(percentile + SPREAD * ((rank + 0.5) / len(homes) - 0.5), 0, USUAL)
        owner = _shared_out(known, homes, owner, slots, coverage_of, found, goals)
        needs = Needs.of_slots(coverage_of, homes, owner, slots, coverage)
        homes = redraw(homes, needs, city, goals, rng)
        homes = settle(homes, needs, city, goals, rng, _ROUNDS, _COPIES)
    return homes, owner


def _shared_out(
    known: Corpus,
    homes: Households,
    owner: NDArray[np.intp],
    slots: Slots,
    coverage_of: CoverageReader,
    percentiles: NDArray[np.float64],
    goals: NDArray[np.float64],
) -> NDArray[np.intp]:
    """Return who fills each slot, where surprising households leave to others what these fill."""
    own = collect(known.edition, [homes])
    coverage = coverage_of(own)
    can = slots.fillers(coverage)
    is_open = contested_labels(own, coverage)[slots.programs]
    owner = owner.copy()
    for home in np.argsort(-percentiles, kind="stable"):
        if percentiles[home] <= goals[home]:
            continue
        less = percentiles < min(percentiles[home], USUAL)
        for slot in np.flatnonzero(owner == home):
            others = np.flatnonzero(can[slot] & less & (~is_open[slot] | is_open[slot, home]))
            program = slots.programs[slot]
            load = np.bincount(owner, minlength=len(homes))
            busy = set(owner[slots.programs == program].tolist())
            free = [one for one in others.tolist() if load[one] < MOST_PROGRAMS and one not in busy]
            if free:
                owner[slot] = min(free, key=lambda one: (load[one], percentiles[one]))
    return owner


def _newly_run(coverage: Sequence[Coverage], pairs: set[Pair], start: int) -> set[Pair]:
    """Return pairs for what settled households run and nobody of the corpus ran before them."""
    missed = uncovered(coverage, sorted(pairs))
    n_programs = Counter(home for home, _ in pairs)
    added: set[Pair] = set()
    for program, own in enumerate(coverage):
        for element in missed.get(own.program, ()):
            runs = own.classes[own.class_of[start:], own.elements.index(element)]
            homes = (start + np.flatnonzero(runs)).tolist()
            # The first that runs it and has room for one more program.
            pair = min(homes, key=lambda home: n_programs[home] >= MOST_PROGRAMS), program
            n_programs[pair[0]] += pair not in added
            added.add(pair)
    return added


def _admits(city: DonorCity) -> Callable[[Households], NDArray[np.bool_]]:
    limits = city.belief.limits(MOST)

    def admits(table: Households) -> NDArray[np.bool_]:
        return np.asarray(
            city.belief.surprise(table) <= ROOM * limits[np.minimum(table.size, len(limits)) - 1]
        )

    return admits
