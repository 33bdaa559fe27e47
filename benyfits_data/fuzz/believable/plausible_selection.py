"""Selection of plausible households: as few pairs, in few households that the city could have.

Usual households of the city fill most slots. For each other slot candidates are made that fill it
alone (see `slot_candidates`). All these are crossed (column generation) until few households fill
all slots; children far beyond the city's 99.9th percentile are left out, those of mixed relations
earlier. At last a local search makes each chosen household plausible with all its slots, and slots
that make a household surprising are reassigned (see `slot_reassignment`).
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.crossover import PlausibleCrossover
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.local_search import (
    MIXED,
    Needs,
    impute_unusual,
    in_order,
    minimize_surprise,
)
from benyfits_data.fuzz.believable.rare_facts import Needed, without_needless
from benyfits_data.fuzz.believable.repeated_amounts import with_other_amounts
from benyfits_data.fuzz.believable.slot_candidates import plausible_candidates
from benyfits_data.fuzz.believable.slot_reassignment import MOVES, SlotReassignment
from benyfits_data.fuzz.corpus import Corpus, CoverageReader, collect
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage, Pair, uncovered
from benyfits_data.fuzz.exact.column_generation import (
    GENERATIONS,
    Within,
    certified,
    contested_labels,
    fill_slots,
)
from benyfits_data.fuzz.exact.set_cover import Slots, fewest_slots
from benyfits_data.fuzz.sample import Tick
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD
from benyfits_data.plausibility.circumstances import N_SIZES
from benyfits_data.plausibility.structure_surprise import kinds_of_relations
from benyfits_data.rng import stream

HOUSEHOLDS, MOST_HOUSEHOLDS = 59, 60
"""Households that are few enough, since with fewer each must meet more slots at once; and how many
a set may have before children who are more surprising are let in (`SURPRISE_LIMITS`)."""
_SLOTS = 7
"""A thorough set has a household for so many slots."""
CITY_CANDIDATES = 15_000
"""So many usual households of the city join the corpus besides, and a thorough set looks at no
others, since to detect mutants takes long. All leave 62 of 418 slots unfilled, these alone 84."""
COUNT = 100.0
"""So many times as much as a sampled household one of the city counts where covers are chosen."""
USUAL = 95.0
"""The percentile up to which a household of the city is usual."""
PRICE = 0.9
"""How many pairs more a slot of lines and branches may cost for a usual household to fill it: so
belief takes pairs. With 0 there are 417 pairs and 72 slots that no usual household fills, with 0.9
418 and 63, with 1.1 424 and 57 (edition 2024, seed 2)."""
MOST = 99.9
SURPRISE_LIMITS = (1.2, 1.35, 1.5)
"""No child is chosen that is so many times as surprising as the percentile `MOST`, the next where
there are too many households: those chosen become less surprising later. With 1.1 first, three of
five builds found too many, which takes 9 s, and 56 with the next: at the 64th percentile."""
MIXED_LIMIT = 0.55
"""For children of mixed relations: with the limit of others, 44% of the chosen households were such
(edition 2024, seed 1), with 0.7 31% (2026, seed 0); with this 11% to 19%, as in 14% of the city."""
PASSES, MOST_PASSES = 4, 16
"""How often a local search is made, and slots reassigned in between: at least, and at most, while
the median household is beyond the percentile asked for. Of six builds (two editions, three seeds)
seven passes, which take 3 s longer each, left as many households beyond the 95th percentile."""
_ROUNDS, _COPIES = 3, 120
"""A round costs much however few copies it has: as many copies in five rounds take 2 s longer, and
the median was at the 42nd instead of the 41st percentile."""
_LAST_ROUNDS, _LAST_COPIES = 8, 200
_LAST_ROUNDS_THOROUGH = 20
"""At last, for the few that are beyond `USUAL`: 20 rounds made none of a Diverse set usual. Of the
thorough sets they leave none and two beyond the 99.9th percentile, 8 leave one and four."""
SPREAD, MARGIN = 80.0, 15.0
"""Goals are spread so far about what is so much below the percentile asked for, since not all reach
theirs: the least surprising people of a city are not a city."""
OVERLOAD_PASSES = 3
"""How often slots of a household with too many programs are moved: a small corpus lacks what
households run that are made for it, so that one of them asked about eleven (1,200 sampled)."""
STEPS = PASSES + 3
"""How often a selection ticks: after city households, candidates, crossing and each pass."""


def select_plausible(
    corpus: Corpus,
    seed: int,
    coverage_of: CoverageReader,
    city: DonorCity,
    percentile: float,
    tick: Tick = lambda done: None,
) -> tuple[Corpus, list[Pair], dict[str, Any], dict[int, Needed]]:
    """Return the corpus joined by those who were chosen, pairs, certificate, needs of rare facts.

    Args:
        corpus: What was sampled; the pairs must cover all that its households cover.
        seed: The seed of the build.
        coverage_of: Tells what households cover.
        city: Gives donors.
        percentile: The percentile at which the median household may stay.
        tick: Called with 1 after each of `STEPS` steps.

    Raises:
        SelectionError: These households cannot fill all slots.
    """
    rng = stream(seed, "believable selection")
    n_sampled = len(corpus)
    corpus, slots, donors = _with_city_households(corpus, coverage_of, city, rng)
    tick(1)
    coverage = coverage_of(corpus)
    is_open = contested_labels(corpus, coverage)
    known = corpus
    can = slots.fillers(coverage)
    sure = can & ~is_open[slots.programs]
    can = np.where(sure.any(axis=1, keepdims=True), sure, can)
    hard = np.flatnonzero(~can[:, n_sampled:].any(axis=1))
    fillers = plausible_candidates(corpus, slots, hard, can, donors, coverage_of, city, rng)
    tick(1)
    n_known = len(corpus)
    corpus = corpus.joined_by(collect(corpus.edition, [fillers]))
    is_thorough = coverage_of.objective == "thorough"
    enough = len(slots.slots) // _SLOTS if is_thorough else HOUSEHOLDS
    for most in SURPRISE_LIMITS[:1] if is_thorough else SURPRISE_LIMITS:
        admitted = partial(admits, city, most)
        allowed = admitted(corpus.households)
        allowed[n_sampled:] = True
        within = Within(enough, allowed, admitted, PlausibleCrossover(corpus.edition, city).cross)
        grown, filled = fill_slots(
            corpus, coverage_of(corpus), slots, seed, coverage_of, GENERATIONS, within
        )
        if filled and len({one for one, _ in filled.slots}) <= MOST_HOUSEHOLDS:
            break
    if filled is None:
        raise SelectionError(
            "Plausible households cannot fill all slots: one is alone with more than ten. "
            "Use --plausible off, or sample more with --households."
        )
    tick(1)
    chosen = sorted({one for one, _ in filled.slots})
    homes = grown.households.take(np.array(chosen))
    owner = np.zeros(len(slots.slots), np.intp)
    for one, slot in filled.slots:
        owner[slot] = chosen.index(one)
    offered = MOVES // 4 if is_thorough else MOVES
    reassignment = SlotReassignment(coverage_of, coverage, slots, city, percentile, enough, offered)
    homes, owner = _improved(homes, owner, reassignment, rng, tick)
    improved = homes
    for turn in range(OVERLOAD_PASSES + 1):
        needs = Needs.of_slots(coverage_of, improved, owner, slots, coverage)
        homes, needed = without_needless(improved, needs, city, rng)
        grown = known.joined_by(collect(known.edition, [homes]))
        pairs = {(n_known + int(home), int(slots.programs[at])) for at, home in enumerate(owner)}
        pairs |= _newly_run(coverage_of(grown), pairs, n_known)
        load = Counter(home - n_known for home, _ in pairs)
        most = max(load.values())
        if most <= MOST_PROGRAMS:
            break
        if turn == OVERLOAD_PASSES or not reassignment.reduce_overload(improved, owner, load):
            raise SelectionError(
                f"A household would ask about {most} programs, expected at most "
                f"{MOST_PROGRAMS}: it alone runs a line or branch. Sample more with --households, "
                "or use --plausible off."
            )
    reasons = {n_known + home: own for home, own in enumerate(needed) if own}
    if len(pairs) < slots.pair_bound:
        # With those who joined, fewer pairs do than the corpus needs: the bound is that of all.
        slots = fewest_slots(coverage_of(grown))
    return grown, sorted(pairs), certified(sorted(pairs), slots), reasons


def _with_city_households(
    corpus: Corpus, coverage_of: CoverageReader, city: DonorCity, rng: np.random.Generator
) -> tuple[Corpus, Slots, Households]:
    """Return the corpus with usual households of the city, the slots of all, and these households.

    Of those who cover the same of some program the least surprising joins, and some others.
    """
    surprise = city.belief.surprise(city.households)
    found = city.belief.percentile(city.households, surprise)
    excess = city.belief.excess(city.households, surprise)
    usual = np.flatnonzero((found <= USUAL) & (city.households.size <= LARGEST_HOUSEHOLD))
    if coverage_of.objective == "thorough":
        usual = rng.choice(usual, min(CITY_CANDIDATES, len(usual)), replace=False)
    usual = usual[np.argsort(excess[usual], kind="stable")]
    labelled = collect(corpus.edition, [city.households.take(usual).fitted()])
    every = corpus.joined_by(labelled)
    coverage = coverage_of(every)
    is_usual = np.arange(len(every)) >= len(corpus)
    is_open = contested_labels(every, coverage)
    counts = np.where(is_usual, COUNT, 1.0)
    price = None if coverage_of.objective == "thorough" else PRICE
    slots = fewest_slots(coverage, is_open, counts, is_usual, price)
    kinds = [2 * own.class_of + is_open[program] for program, own in enumerate(coverage)]
    first = [np.unique(kind[is_usual], return_index=True)[1] for kind in kinds]
    some = rng.choice(len(labelled), min(CITY_CANDIDATES, len(labelled)), replace=False)
    labelled = labelled.take(np.unique(np.concatenate([some, *first])))
    return corpus.joined_by(labelled), slots, labelled.households


def _improved(
    homes: Households,
    owner: NDArray[np.intp],
    reassignment: SlotReassignment,
    rng: np.random.Generator,
    tick: Tick,
) -> tuple[Households, NDArray[np.intp]]:
    """Return less surprising households, and which of them fills each slot."""
    covers, city, percentile = reassignment.covers, reassignment.city, reassignment.percentile
    for turn in range(MOST_PASSES):
        if turn >= PASSES and np.median(city.belief.percentile(homes)) <= percentile:
            break
        if turn:
            homes, owner = reassignment.reassign(homes, owner, rng)
        found = city.belief.percentile(homes)
        rank = np.argsort(np.argsort(found, kind="stable"))
        # The least surprising are to be those who are so already.
        goals = percentile - MARGIN + SPREAD * ((rank + 0.5) / len(homes) - 0.5)
        goals = np.clip(goals, 0, USUAL)
        needs = Needs.of_slots(covers, homes, owner, reassignment.slots, reassignment.coverage)
        homes = in_order(homes, needs)
        homes = impute_unusual(homes, needs, city, goals, rng)
        homes = minimize_surprise(homes, needs, city, goals, rng, _ROUNDS, _COPIES)
        if turn < PASSES:
            tick(1)
    goals = np.full(len(homes), USUAL)
    is_thorough = covers.objective == "thorough"
    rounds = _LAST_ROUNDS_THOROUGH if is_thorough else _LAST_ROUNDS
    homes = minimize_surprise(homes, needs, city, goals, rng, rounds, _LAST_COPIES)
    return with_other_amounts(in_order(homes, needs), needs, city, rng), owner


def _newly_run(coverage: Sequence[Coverage], pairs: set[Pair], start: int) -> set[Pair]:
    """Return pairs for what these households run and nobody of the corpus ran before them."""
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


def admits(city: DonorCity, most: float, table: Households) -> NDArray[np.bool_]:
    """Return who is less than so many times as surprising as the percentile `MOST`."""
    limits = city.belief.limits(MOST)[np.minimum(table.size, N_SIZES) - 1]
    times = np.where(kinds_of_relations(table) >= MIXED, MIXED_LIMIT, most)
    return np.asarray(city.belief.surprise(table) <= times * limits)
