"""Choosing the fewest pairs, in households that the city could have.

Each pair is a slot that some household must fill. A household costs what it surprises more than the
city's median, and more the larger it is. Of a pool, an integer program takes the cheapest
households that fill all slots, ten each, within the limits of a set. Children of those are offered
to it, and it takes the cheapest again, until the limits hold (a large-neighbourhood search).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
import scipy

from benyfits_data.fuzz.corpus import Corpus, Objective
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.fuzz.sample import Tick
from benyfits_data.fuzz.search.amounts import redraw_amounts
from benyfits_data.fuzz.search.candidates import (
    Candidates,
    Index,
    Judge,
    TracedHouseholds,
    needlessly_contested,
)
from benyfits_data.fuzz.search.children import Variation, drawn, sort_members
from benyfits_data.fuzz.search.donors import DonorCity
from benyfits_data.fuzz.search.integer_program import CoverProgram, fillers_of_slots, shared_out
from benyfits_data.fuzz.search.set_limits import FARTHEST, broken_limits
from benyfits_data.fuzz.search.slots import DEAREST, Slot, Slots, fewest_slots
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD

CITY_HOUSEHOLDS, CITY_PERCENTILE = 15_000, 95.0
"""So many households of the city join the corpus, of those up to this percentile, and as many more
that take over what a program asks and none of them has."""
ATTEMPTS = 4
"""How often the pairs are chosen anew at most, without those that nobody believable could fill."""
FILLERS = 12
"""Of each slot's fillers, so many of the cheapest are the first pool."""
ROUNDS = 40
"""How often children of the chosen are offered at most; the limits mostly held after 16 to 30."""
CROSSED, REDRAWN, CHANGED = 2_500, 1_800, 1_200
"""How many children are crossed, redrawn and changed each time."""
OF_EACH = 8
"""So many children of each chosen household are offered."""
HOUSEHOLD_WORTH = 3_000
"""What a household less is worth, where children are compared by the slots they fill: with nothing,
sets stopped at 88 to 92 households, with 2,000 one of six at 89."""


@dataclass(frozen=True)
class Selection:
    """Chosen pairs.

    Attributes:
        homes: The chosen households.
        programs: The programs that each is asked about, by position in the edition.
        certificate: Bounds and solver; empty for the greedy method.
        broken: The limits that the households do not keep to, in words.
    """

    homes: Households
    programs: Sequence[Sequence[int]]
    certificate: dict[str, Any] = field(default_factory=dict)
    broken: Sequence[str] = ()


def select_fewest(
    corpus: Corpus,
    coverage: list[Coverage],
    objective: Objective,
    rng: np.random.Generator,
    city: DonorCity | None,
    percentile: float,
    tick: Tick = lambda done: None,
) -> Selection:
    """Return the fewest pairs that cover all that a corpus covers.

    Args:
        corpus: What was sampled.
        coverage: What its households cover.
        objective: What the pairs must cover.
        rng: Draws children.
        city: Measures plausibility, and lends facts; without one, pairs are chosen of the corpus
            alone, in few households.
        percentile: At which the median household may stay.
        tick: Called with 1 after each of at most `ROUNDS` rounds of each of at most `ATTEMPTS`.

    Raises:
        SelectionError: These households cannot fill all slots.
    """
    edition = corpus.edition
    known = TracedHouseholds.of(corpus, coverage)
    variation = Variation(edition, city, rng) if city else None
    if variation:
        families = TracedHouseholds.read(edition, objective, city_families(variation.city))
        borrowers = borrowing_families(known, families, variation)
        known = known.joined_by(families)
        known = known.joined_by(TracedHouseholds.read(edition, objective, borrowers))
    program = CoverProgram(percentile if city else None)
    unbelievable: list[Slot] = []
    for attempt in count(1):
        cost = DEAREST * known.contested
        for slot in unbelievable:
            cost[slot.program][slot.fillers(known.coverage)] = DEAREST
        if city:
            cost = cost + city.plausibility.scaled_surprise(known.homes).clip(0)
        slots = fewest_slots(known.coverage, cost)
        judge = Judge(edition, objective, slots, known, city.plausibility if city else None)
        chosen = program.cheapest(judge.judged(known).cheapest_of_slots(FILLERS))
        if variation:
            chosen = _Search(judge, variation, slots.programs, program, tick).improved(chosen)
        traced = TracedHouseholds.read(edition, objective, chosen.homes)
        known = known.joined_by(traced)
        filler = fillers_of_slots(chosen.fills)
        # With those who were made, fewer pairs may do, fewer contested, or more believable ones.
        bound = fewest_slots(known.coverage).pair_bound
        needless = needlessly_contested(known, traced, slots, filler)
        is_far = chosen.percentile[filler] > FARTHEST if city else np.zeros(len(filler), np.bool_)
        unbelievable += [slots.slots[at] for at in np.flatnonzero(is_far)]
        # Where too many households are needed anyway, as of a thorough set, no others are tried.
        is_last = attempt >= ATTEMPTS or not program.limits(chosen)[0].holds
        is_settled = is_last or not is_far.any()
        if bound == len(slots.slots) and not len(needless) and is_settled:
            break
        program.groups.clear()
    filler = shared_out(chosen.fills, filler)
    programs = [slots.programs[filler == home].tolist() for home in range(len(chosen))]
    return Selection(
        chosen.homes,
        programs,
        certificate(slots, bound, len(chosen)),
        broken_limits(program.limits(chosen), chosen.homes) if city else (),
    )


def certificate(slots: Slots, bound: int, n_households: int) -> dict[str, Any]:
    """Return `{pairs: {value, bound, gap, is_certified}, households: {...}, solver, version}`.

    Fewer are proven impossible where the value is the bound; elsewhere the bound is all that is
    known.
    """
    values = {"pairs": (len(slots.slots), bound)}
    values["households"] = (n_households, slots.household_bound)
    return {
        **{
            name: {
                "value": value,
                "bound": least,
                "gap": round((value - least) / max(value, 1), 4),
                "is_certified": value == least,
            }
            for name, (value, least) in values.items()
        },
        "solver": "HiGHS (scipy.optimize.milp)",
        "version": scipy.__version__,
    }


def city_families(city: DonorCity) -> Households:
    """Return the first households of the city that are not above a percentile of surprise."""
    homes = city.households
    is_near = city.plausibility.percentile(homes) <= CITY_PERCENTILE
    some = np.flatnonzero(is_near & (homes.size <= LARGEST_HOUSEHOLD))[:CITY_HOUSEHOLDS]
    return homes.take(some).fitted()


def borrowing_families(
    known: TracedHouseholds, families: TracedHouseholds, variation: Variation
) -> Households:
    """Return families that took over what a program asks of one who covers what no family does.

    Args:
        known: Who does.
        families: Households of the city.
        variation: Crosses.
    """
    rng = variation.rng
    donors, programs = [], []
    for program, (one, usual) in enumerate(zip(known.coverage, families.coverage, strict=True)):
        for element in np.flatnonzero(one.reached & ~usual.reached):
            donors.append(np.flatnonzero(one.classes[one.class_of, element]))
            programs.append(program)
    each = -(-CITY_HOUSEHOLDS // max(len(donors), 1))
    of = np.array([rng.choice(who, each) for who in donors], np.intp).reshape(-1)
    hosts = families.homes.take(rng.integers(len(families.homes), size=len(of)))
    asked = np.repeat(np.array(programs, np.intp), each)
    return variation.cross(hosts, known.homes, of, asked)[0]


@dataclass(frozen=True)
class _Search:
    """Offers children of the chosen to the integer program.

    Attributes:
        judge: Says what households fill and cost.
        variation: Makes children.
        programs: The program of each slot.
        program: Chooses.
        tick: Called with 1 after each round.
    """

    judge: Judge
    variation: Variation
    programs: Index
    program: CoverProgram
    tick: Tick

    def improved(self, chosen: Candidates) -> Candidates:
        """Return households that fill all slots and keep to the limits, if such are met in time."""
        for _ in range(ROUNDS):
            if all(limit.holds for limit in self.program.limits(chosen)):
                break
            chosen = self.program.cheapest(chosen.joined_by(self._children(chosen)))
            self.tick(1)
        return redraw_amounts(self._in_order(chosen), self.judge, self.variation)

    def _children(self, chosen: Candidates) -> Candidates:
        """Return children of the chosen, the best of each."""
        n, rng = len(chosen), self.variation.rng
        alone = chosen.fills & (chosen.fills.sum(axis=1, keepdims=True) == 1)
        costly = np.flatnonzero(chosen.cost > 0)
        if not len(costly):  # Nobody is surprising: all may still be replaced by cheaper ones.
            costly = np.arange(n)
        redrawn, of_redrawn = self._redrawn(chosen.take(costly), alone[:, costly])
        slots = np.flatnonzero(alone.any(axis=1))
        filler = alone[slots].argmax(axis=1)
        at = drawn(chosen.cost[filler] + 1, CROSSED, rng)
        host = rng.integers(n, size=CROSSED)
        crossed, of_crossed = self.variation.cross(
            chosen.homes.take(host), chosen.homes, filler[at], self.programs[slots[at]]
        )
        made = redrawn.joined_by(self.judge.candidates(crossed))
        of = np.append(costly[of_redrawn], host[of_crossed])
        # A slot is worth its share of what the one who fills it costs.
        share = (chosen.cost + HOUSEHOLD_WORTH) // np.maximum(alone.sum(axis=0), 1)
        change = made.fills.astype(np.int64) - alone[:, of]
        change[~alone.any(axis=1)] = 0
        gain = chosen.cost[of] - made.cost + (alone * share).sum(axis=1) @ change
        return made.take(_best_of_each(of, -gain))

    def _redrawn(self, parents: Candidates, alone: Index) -> tuple[Candidates, Index]:
        """Return children with facts redrawn, one by one and those that are fine together."""
        homes = parents.homes
        redrawn = self.variation.redraw(homes, REDRAWN, parents.cost)
        singles = self.judge.candidates(redrawn.homes)
        is_fine = (singles.fills >= alone[:, redrawn.of]).all(axis=0)
        combined, of_combined = self.variation.combine(homes, redrawn.take(np.flatnonzero(is_fine)))
        changed, of_changed = self.variation.change(homes, CHANGED, parents.cost)
        born = singles.joined_by(self.judge.candidates(combined, changed))
        return born, np.concatenate([redrawn.of, of_combined, of_changed])

    def _in_order(self, chosen: Candidates) -> Candidates:
        """Return the chosen with members in the city's order, where they fill as much so."""
        ordered = chosen.homes.take(np.arange(len(chosen)))
        sort_members(ordered)
        in_order = self.judge.candidates(ordered)
        is_fine = (in_order.fills >= chosen.fills).all(axis=0) & (in_order.cost <= chosen.cost)
        at = np.where(is_fine, len(chosen), 0) + np.arange(len(chosen))
        return chosen.joined_by(in_order).take(at)


def _best_of_each(of: Index, key: Index) -> Index:
    """Return the places of the lowest keys of each parent, so many of each."""
    order = np.lexsort((key, of))
    first = np.searchsorted(of[order], of[order], side="left")
    return order[np.arange(len(order)) - first < OF_EACH]
