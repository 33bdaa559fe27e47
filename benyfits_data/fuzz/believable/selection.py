"""Believable selection: the fewest pairs, in households that the city could have.

A household costs what it surprises more than the city's median, more steeply beyond the 99th
percentile, and more where its relations are mixed. Families of the city take over what hardly
anybody has; slots are chosen that such households fill cheaply, and once more by what those cost
who were chosen. A linear program says what each slot is worth; children that are worth about what
they cost join (column generation). An integer program takes the cheapest households that fill all
slots, ten each; children of those are offered to it, and it takes the cheapest again (a
large-neighbourhood search).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.candidates import Columns, Index, Pricer
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.integer_programs import CoverPrograms, Prices, assignment
from benyfits_data.fuzz.believable.member_order import sort_members
from benyfits_data.fuzz.believable.variation import Variation, drawn
from benyfits_data.fuzz.corpus import Corpus, CoverageOf, collect
from benyfits_data.fuzz.coverage import Pair
from benyfits_data.fuzz.exact.column_generation import (
    certified,
    check_uncontested,
    contested_labels,
)
from benyfits_data.fuzz.exact.set_cover import DEAREST, fewest_slots
from benyfits_data.fuzz.sample import Tick
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD
from benyfits_data.rng import stream

HOUSEHOLDS, SLOTS_OF_HOUSEHOLD = 60, 7
"""Households of a set at most, or one for so many slots: with fewer households each must meet more
slots at once, and surprises more."""
CITY_HOUSEHOLDS, CITY_PERCENTILE = 15_000, 95.0
"""So many households of the city join the corpus, of those up to this percentile, and as many more
that take over what a program asks and none of them has. Slots are chosen by what these cost: by the
surprise of sampled households, 3 were beyond the 99th percentile, not 1."""
PASSES, GENERATIONS, ROUNDS = 2, 12, 16
"""How often slots are chosen, the second time by what those cost whom the first pass chose; in each
pass, how often children join the linear program, and how often those of the chosen are offered. In
one pass of 20 and 40, slots that the sampled fill dearly alone kept a household beyond the 99.9th
percentile, and fewer pairs were possible with those who joined. With 8 generations the integer
program took 55 s, and 63 households were chosen."""
CROSSED, REDRAWN, CHANGED, PARENTS = 2_500, 1_800, 1_200, 120
"""How many are crossed, redrawn and changed each time, and of how many parents of the linear
program. With two thirds of them one household stayed far beyond the 99.9th percentile."""
DONORS = 48
"""Of those who cover what no family does, so many of the least surprising lend facts."""
SPARE = 6
"""The linear program does with so many households less than the integer program: with as many, or
four less, 62 households were chosen for some seeds."""
FIRST_POOL, FIRST_GAP, GAP = 1_200, 0.2, 0.01
"""The first integer program chooses from so many columns and may stop that near to the best, the
later ones nearer: with 600 columns 63 households were chosen, and with a gap of 0.05 it took 40 s
for some seeds."""
OF_EACH = 12
"""Of each slot's fillers, so many of the cheapest and of the most profitable stay; of each chosen
household, so many children are offered."""
SLOT = 500
"""What a slot more or less counts where children are offered: about its price."""
STEPS = PASSES * (GENERATIONS + ROUNDS) + 1
"""How often a selection ticks."""


def select_believable(
    corpus: Corpus,
    seed: int,
    covers: CoverageOf,
    city: DonorCity,
    percentile: float,
    tick: Tick = lambda done: None,
) -> tuple[Corpus, list[Pair], dict[str, Any]]:
    """Return the corpus joined by those who were chosen, the pairs, and a certificate.

    Args:
        corpus: What was sampled; the pairs must cover all that its households cover.
        seed: The seed of the build.
        covers: Tells what households cover.
        city: Measures plausibility, and gives donors.
        percentile: At which the median household may stay.
        tick: Called with 1 after each of `STEPS` steps.

    Raises:
        SelectionError: These households cannot fill all slots, or one of them is needlessly
            contested.
    """
    rng = stream(seed, "believable selection")
    families, variation = city_families(city), Variation(corpus.edition, city, rng)
    corpus = corpus.joined_by(collect(corpus.edition, [families]))
    corpus = corpus.joined_by(collect(corpus.edition, [seeds(corpus, covers, families, variation)]))
    tick(1)
    for _ in range(PASSES):
        coverage = covers(corpus)
        contested = contested_labels(corpus, coverage)
        cost = city.plausibility.scaled_surprise(corpus.households).clip(0)
        slots = fewest_slots(coverage, contested, cost + DEAREST * contested)
        pricer = Pricer(corpus, covers, slots, city.plausibility, percentile)
        most = max(HOUSEHOLDS, len(slots.slots) // SLOTS_OF_HOUSEHOLD)
        search = _Search(families, pricer, variation, most, tick)
        chosen = search.chosen(pricer.columns(corpus.households), CoverPrograms(slots.programs))
        corpus = corpus.joined_by(collect(corpus.edition, [chosen.homes]))
    # With them, somebody may fill a slot uncontested that nobody else did.
    pricer = Pricer(corpus, covers, slots, city.plausibility, percentile)
    first = len(corpus) - len(chosen)
    filled = assignment(pricer.columns(chosen.homes).fills).pairs()
    if len(filled) < len(slots.slots):
        raise SelectionError(
            "Who was chosen cannot fill all slots uncontested, ten each. Use another --seed."
        )
    filled = [(first + home, slot) for home, slot in filled]
    coverage = covers(corpus)
    check_uncontested(corpus, coverage, slots, filled)
    pairs = sorted((home, int(slots.programs[slot])) for home, slot in filled)
    return corpus, pairs, certified(pairs, fewest_slots(coverage))


def city_families(city: DonorCity) -> Households:
    """Return the first households of the city that are not above a percentile of surprise."""
    homes = city.households
    is_near = city.plausibility.percentile(homes) <= CITY_PERCENTILE
    some = np.flatnonzero(is_near & (homes.size <= LARGEST_HOUSEHOLD))[:CITY_HOUSEHOLDS]
    return homes.take(some).fitted()


def seeds(
    corpus: Corpus, covers: CoverageOf, families: Households, variation: Variation
) -> Households:
    """Return families that took over what a program asks of one who covers what no family does.

    Args:
        corpus: Who does; the families come last.
        covers: Tells what households cover.
        families: Households of the city.
        variation: Crosses.
    """
    cost = variation.city.plausibility.scaled_surprise(corpus.households)
    order, rng = np.argsort(cost, kind="stable"), variation.rng
    donors, programs = [], []
    for program, one in enumerate(covers(corpus)):
        usual = one.classes[np.unique(one.class_of[-len(families) :])].any(axis=0)
        for element in np.flatnonzero(one.reached & ~usual):
            who = order[one.classes[one.class_of[order], element]]
            donors.append(who[:DONORS])
            programs.append(program)
    each = -(-CITY_HOUSEHOLDS // max(len(donors), 1))
    of = np.array([rng.choice(who, each) for who in donors], np.intp).reshape(-1)
    hosts = families.take(rng.integers(len(families), size=len(of)))
    asked = np.repeat(np.array(programs, np.intp), each)
    return variation.cross(hosts, corpus.households, of, asked)[0]


@dataclass(frozen=True)
class _Search:
    """Looks for the cheapest households that fill all slots.

    Attributes:
        families: Households of the city that are hosts too.
        pricer: Says what households fill and cost.
        variation: Makes children.
        most: How many households may be chosen.
        tick: Called with 1 after each round.
    """

    families: Households
    pricer: Pricer
    variation: Variation
    most: int
    tick: Tick

    @property
    def rng(self) -> np.random.Generator:
        """Draws, as the variation does."""
        return self.variation.rng

    def chosen(self, columns: Columns, programs: CoverPrograms) -> Columns:
        """Return the cheapest households that fill all slots, of these and their children."""
        generated = self._generated(columns, programs)
        chosen = programs.cheapest(generated, self.most, FIRST_GAP)
        for _ in range(ROUNDS):
            offered = chosen.joined_by(self._offered(chosen, programs.programs))
            chosen = programs.cheapest(offered, self.most, GAP)
            self.tick(1)
        return self._in_order(chosen)

    def _generated(self, columns: Columns, programs: CoverPrograms) -> Columns:
        """Return the best columns of each slot, joined by children that are worth their cost."""
        profit = -columns.cost
        for _ in range(GENERATIONS):
            columns = columns.take(_best_of_slots(columns, profit))
            prices = programs.prices(columns, self.most - SPARE)
            columns = columns.joined_by(self._children(columns, prices))
            profit = prices.profit(columns)
            self.tick(1)
        few = [best[:4] for best in _best_fillers(columns, profit)]
        best = np.argsort(-profit, kind="stable")[:FIRST_POOL]
        return columns.take(np.unique(np.concatenate([best, *few])))

    def _children(self, columns: Columns, prices: Prices) -> Columns:
        """Return children that are worth about what they cost.

        Parents are those who nearly are; some take over what a slot asks, the dearer the more
        often, and some are redrawn.
        """
        profit, window = prices.profit(columns), SLOT + int(prices.limits[0]) // 4
        weights = np.clip(window + profit, 1, window) ** 2
        slot = drawn(prices.slots.astype(np.int64) + 1, CROSSED, self.rng)
        fillers = _best_fillers(columns, profit)
        donors = np.array([self.rng.choice(fillers[one][: OF_EACH // 2]) for one in slot])
        hosts = columns.homes.take(drawn(weights, CROSSED, self.rng))
        crossed, _ = self.variation.cross(hosts, columns.homes, donors, prices.programs[slot])
        some = np.unique(drawn(weights, PARENTS, self.rng))
        redrawn, _ = self._redrawn(
            columns.take(some),
            lambda born, of: prices.profit(born) > profit[some[of]],
        )
        children = redrawn.joined_by(self.pricer.columns(crossed))
        return children.take(np.flatnonzero(prices.profit(children) > -window))

    def _redrawn(
        self, parents: Columns, is_fine: Callable[[Columns, Index], NDArray[np.bool_]]
    ) -> tuple[Columns, Index]:
        """Return children with facts redrawn, one by one and those that are fine together."""
        homes = parents.homes
        redrawn = self.variation.redraw(homes, REDRAWN, parents.cost)
        singles = self.pricer.columns(redrawn.homes)
        fine = redrawn.take(np.flatnonzero(is_fine(singles, redrawn.of)))
        combined, of_combined = self.variation.combine(homes, fine)
        changed, of_changed = self.variation.change(homes, CHANGED, parents.cost)
        born = singles.joined_by(self.pricer.columns(combined, changed))
        return born, np.concatenate([redrawn.of, of_combined, of_changed])

    def _offered(self, chosen: Columns, programs: Index) -> Columns:
        """Return children of the chosen, the best of each, for the integer program."""
        n, rng = len(chosen), self.rng
        alone = chosen.fills & (chosen.fills.sum(axis=1, keepdims=True) == 1)
        # Families of the city are hosts too, as if they were one more of the chosen.
        before, kept = np.append(chosen.cost, 0), np.append(alone, np.zeros_like(alone[:, :1]), 1)
        costly = np.flatnonzero(chosen.cost > 0)
        if not len(costly):  # Nobody is surprising: all may still be replaced by cheaper ones.
            costly = np.arange(n)
        redrawn, of_redrawn = self._redrawn(
            chosen.take(costly),
            lambda born, of: (born.fills >= alone[:, costly[of]]).all(axis=0),
        )
        slots = np.flatnonzero(alone.any(axis=1))
        filler = alone[slots].argmax(axis=1)
        at = drawn(chosen.cost[filler] + 1, CROSSED, rng)
        host, few = rng.integers(n, size=CROSSED), CROSSED // 4
        host[:few] = n
        families = self.families.take(rng.integers(len(self.families), size=few))
        hosts = Households.concatenate([families, chosen.homes.take(host[few:])])
        crossed, of_crossed = self.variation.cross(
            hosts, chosen.homes, filler[at], programs[slots[at]]
        )
        made = redrawn.joined_by(self.pricer.columns(crossed))
        of = np.append(costly[of_redrawn], host[of_crossed])
        # A slot is worth its share of what the one who fills it costs.
        worth = (kept * (before // np.maximum(kept.sum(axis=0), 1))).sum(axis=1, keepdims=True)
        change = made.fills.astype(np.int64) - kept[:, of]
        change[~kept.any(axis=1)] = 0
        gain = before[of] - made.cost + (worth * change).sum(axis=0)
        most = np.where(of == n, 5 * OF_EACH, OF_EACH)
        return made.take(_best_of_each(np.flatnonzero(gain > -SLOT), of, -gain, most))

    def _in_order(self, chosen: Columns) -> Columns:
        """Return the chosen with members in the city's order, where they fill as much so."""
        ordered = chosen.homes.take(np.arange(len(chosen)))
        sort_members(ordered)
        columns = self.pricer.columns(ordered)
        is_fine = (columns.fills >= chosen.fills).all(axis=0) & (columns.cost <= chosen.cost)
        at = np.where(is_fine, len(chosen), 0) + np.arange(len(chosen))
        return chosen.joined_by(columns).take(at)


def _best_fillers(columns: Columns, profit: NDArray[np.int64]) -> list[Index]:
    """Return the most profitable fillers of each slot."""
    order = np.argsort(-profit, kind="stable")
    fills = columns.fills.take(order, axis=1)
    return [order[np.flatnonzero(row)[:OF_EACH]] for row in fills]


def _best_of_slots(columns: Columns, profit: NDArray[np.int64]) -> Index:
    """Return the cheapest and most profitable fillers of all slots."""
    best = [*_best_fillers(columns, -columns.cost), *_best_fillers(columns, profit)]
    return np.unique(np.concatenate(best))


def _best_of_each(places: Index, of: Index, key: NDArray[np.int64], most: Index) -> Index:
    """Return the places of the lowest keys of each parent, so many of each."""
    order = places[np.lexsort((key[places], of[places]))]
    first = np.searchsorted(of[order], of[order], side="left")
    return order[np.arange(len(order)) - first < most[order]]
