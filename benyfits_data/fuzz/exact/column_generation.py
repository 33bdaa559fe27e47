"""The fewest pairs in the fewest households: new households are made where a slot is costly.

The pairs of a program have to fill slots (see `set_cover`). Dual prices of the linear program that
covers every slot tell which slots are costly. As long as the linear program needs too many
households, a household that fills one costly slot is crossed with one that fills another: new
columns of the linear program. Then the slots are assigned to as few households as can be found. Of
all that are made, those that were chosen join the corpus.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from benyfits_data import rounding
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.corpus import Corpus, CoverageOf, collect
from benyfits_data.fuzz.coverage import Coverage, Pair, uncovered
from benyfits_data.fuzz.exact.assignment import Assignment, fill, fill_from, worth_of
from benyfits_data.fuzz.exact.crossover import Crossover
from benyfits_data.fuzz.exact.set_cover import (
    Slots,
    covering_bound,
    covering_prices,
    fewest_households,
    fewest_slots,
)
from benyfits_data.fuzz.greedy import select_greedily
from benyfits_data.fuzz.inputs.draws import FeatureSampler
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import contested_mask
from benyfits_data.rng import stream

GENERATIONS = 24
"""How often to cross at most; the bound is usually reached after four to seven."""
PATIENCE = 6
"""Crossing ends after so many generations in which the linear program needs hardly fewer: all 24
generations took 221 s for the mutants of 300 households. With 3, both editions have 86 households
instead of 85."""
CHILDREN = 6_000
"""Children of a generation: with 2,000 both editions have 94 households instead of 85."""
OF_EACH_SLOT = 14
"""Of each slot's fillers, so many of the worthiest are looked at. With 10 a set had 44 households
instead of 42, since the linear program lost good columns; 20 took 6 percent longer, and all take
five times as long for 121 households instead of 85."""
_UNIT = 1_000
RARITY = 0.02
"""A slot's price beside its dual price, of the logarithm of its rarity: of households that dual
prices hold equal, the one that fills rarer slots is preferred."""
_MOST_SLOTS = 1_000
"""For more slots nobody is crossed, and augmenting paths are too long."""


def select_fewest(
    corpus: Corpus, seed: int, coverage_of: CoverageOf, generations: int = GENERATIONS
) -> tuple[Corpus, list[Pair], dict[str, Any]]:
    """Return the corpus joined by the children that were chosen, the pairs, and a certificate.

    Where a household is alone with more than ten slots, the greedy selection is returned, in which
    it has them all.

    Args:
        corpus: What was sampled; the pairs must cover all that its households cover.
        seed: The seed of the build.
        coverage_of: Tells what households cover.
        generations: How often to cross at most.

    Raises:
        SelectionError: The solver stopped without a solution, or a pair is needlessly contested.
    """
    coverage = coverage_of(corpus)
    slots = fewest_slots(coverage, contested_labels(corpus, coverage))
    # At last nobody joins any more, and all are chosen from the corpus.
    for most in (generations, 0):
        grown, filled = fill_slots(corpus, coverage, slots, seed, coverage_of, most)
        pairs = filled.pairs if filled else select_greedily(coverage)
        is_last, before = grown is corpus, slots
        corpus, coverage = grown, coverage if is_last else coverage_of(grown)
        needless = needlessly_contested(corpus, coverage, slots, filled.slots) if filled else ""
        if is_last:
            break
        slots = fewest_slots(coverage, contested_labels(corpus, coverage))
        # Those who joined may bring a new element, a smaller cover, or a label that is not
        # contested: again, with them.
        is_settled = not uncovered(coverage, pairs) and len(slots.slots) == len(before.slots)
        if is_settled and not needless:
            break
    if needless:
        raise SelectionError(needless)
    return corpus, pairs, certified(pairs, slots, coverage)


def contested_labels(corpus: Corpus, coverage: Sequence[Coverage]) -> NDArray[np.bool_]:
    """Return which labels of a corpus are contested, shape `(programs, households)`."""
    names = [of_program.program for of_program in coverage]
    return contested_mask(corpus.edition, corpus.households, names)


def needlessly_contested(
    corpus: Corpus, coverage: Sequence[Coverage], slots: Slots, filled: Sequence[Pair]
) -> str:
    """Return which pair is contested where somebody fills its slot uncontested, if one is.

    Args:
        corpus: Everybody who could fill a slot.
        coverage: What they cover.
        slots: What was to be filled.
        filled: Household and slot by position.

    Returns:
        A sentence; empty if no pair is.
    """
    contested = contested_labels(corpus, coverage)[slots.programs]
    sure = slots.fillers(coverage) & ~contested
    for home, slot in filled:
        if contested[slot, home] and sure[slot].any():
            return (
                f"The label of {coverage[slots.programs[slot]].program} is contested in household "
                f"{home}, but household {int(sure[slot].argmax())} covers the same and is not "
                "contested. Report this as a bug."
            )
    return ""


def check_uncontested(
    corpus: Corpus, coverage: Sequence[Coverage], slots: Slots, filled: Sequence[Pair]
) -> None:
    """Check that no pair is contested where somebody fills its slot uncontested.

    Arguments are those of `needlessly_contested`.

    Raises:
        SelectionError: A pair is.
    """
    needless = needlessly_contested(corpus, coverage, slots, filled)
    if needless:
        raise SelectionError(needless)


def certified(
    pairs: Sequence[Pair], slots: Slots, coverage: Sequence[Coverage] | None = None
) -> dict[str, Any]:
    """Return `{pairs: {value, bound, gap, is_certified}, households: {...}, solver, version}`.

    Fewer are proven impossible for this corpus where the value is the bound; elsewhere the bound
    is all that is known.

    Args:
        pairs: What was chosen.
        slots: What had to be filled.
        coverage: Raises the bound of households, if it is worth the time.
    """
    n_households, bound = _n_households(pairs), slots.household_bound
    if coverage and n_households > bound:
        bound = max(bound, covering_bound(coverage))
    return {
        "pairs": _gap(len(pairs), slots.pair_bound),
        "households": _gap(n_households, bound),
        "solver": "HiGHS (scipy.optimize.milp)",
        "version": scipy.__version__,
    }


def _gap(value: int, bound: int) -> dict[str, float]:
    gap = round((value - bound) / max(value, 1), 4)
    return {"value": value, "bound": bound, "gap": gap, "is_certified": value == bound}


def _n_households(pairs: Sequence[Pair]) -> int:
    return len({household for household, _ in pairs})


def fill_slots(
    corpus: Corpus,
    coverage: Sequence[Coverage],
    slots: Slots,
    seed: int,
    coverage_of: CoverageOf,
    generations: int,
) -> tuple[Corpus, "Filled | None"]:
    """Return the corpus with the children that fill slots, and who fills all, if somebody can.

    Nobody whose label is contested fills a slot that somebody of the corpus fills without.

    Args:
        corpus: Whose households, and their children, fill the slots.
        coverage: What they cover.
        slots: What is to be filled.
        seed: The seed of the build.
        coverage_of: Tells what households cover.
        generations: How often to cross at most.
    """
    bound, can = slots.household_bound, slots.fillers(coverage)
    is_open = contested_labels(corpus, coverage)[slots.programs]
    has_sure = (can & ~is_open).any(axis=1, keepdims=True)
    columns = _Columns(corpus, can & ~(is_open & has_sure), slots.programs)
    if len(columns.can) > _MOST_SLOTS:
        return corpus, columns.chosen(fill_from(columns.can, fewest_households(columns.can)[0]))
    streams = ("column generation", len(corpus))
    draws = FeatureSampler.of_edition(corpus.edition, stream(seed, *streams))
    crossover = Crossover(corpus.edition, draws)
    best: Filled | None = None
    least, stalled = np.inf, 0
    for generation in range(generations + 1):
        prices, relaxed = dual_prices(columns.can)
        stalled = 0 if relaxed < 0.99 * least else stalled + 1
        least = min(least, relaxed)
        has_room = relaxed <= bound
        is_last = generation == generations or (stalled == PATIENCE and not has_room)
        if is_last or has_room:
            selection = columns.chosen(fill(columns.can, slots.programs, prices))
            if selection and (best is None or selection.n_households < best.n_households):
                best = selection
        if is_last or (best is not None and best.n_households <= bound):
            break
        rng = stream(seed, *streams, generation)
        children = crossover.cross(*columns.parents(prices, rng), rng)
        if len(children):
            young = collect(corpus.edition, [children])
            is_open = contested_labels(young, coverage)[slots.programs]
            columns.join(children, slots.fillers(coverage_of(young)) & ~(is_open & has_sure))
        columns.keep_worthiest(prices)
    if best is None or not len(best.children):
        return corpus, best
    return corpus.joined_by(collect(corpus.edition, [best.children])), best


@dataclass(frozen=True)
class Filled:
    """Households that fill all slots.

    Attributes:
        children: Those of them that are not of the corpus.
        slots: Household and slot by position; the children follow the corpus.
        programs: The program of each slot.
    """

    children: Households
    slots: list[tuple[int, int]]
    programs: NDArray[np.intp]

    @property
    def pairs(self) -> list[Pair]:
        """Household and program by position, sorted."""
        return sorted({(one, int(self.programs[slot])) for one, slot in self.slots})

    @property
    def n_households(self) -> int:
        """How many households there are."""
        return len({one for one, _ in self.slots})


class _Columns:
    """The columns of the linear program: households looked at, and the slots they can fill.

    Args:
        corpus: Whose households are the first columns.
        can: Which households can fill which slots, shape `(slots, households)`.
        programs: The program of each slot, ascending.
    """

    def __init__(self, corpus: Corpus, can: NDArray[np.bool_], programs: NDArray[np.intp]) -> None:
        self.can = can
        self._programs = programs
        self._households = corpus.households
        self._n_corpus = len(corpus)
        # Children stand behind the corpus, all at one place until they are chosen.
        self._place = np.arange(len(corpus))

    def join(self, children: Households, can: NDArray[np.bool_]) -> None:
        """Add columns."""
        self.can = np.concatenate([self.can, can], axis=1)
        self._households = Households.concatenate([self._households, children])
        self._place = np.append(self._place, np.full(len(children), self._n_corpus))

    def keep_worthiest(self, prices: NDArray[np.int32]) -> None:
        """Leave out columns but for the worthiest of each slot."""
        kept = np.unique(np.concatenate(self._worthiest(prices)))
        self.can = self.can[:, kept]
        self._households = self._households.take(kept)
        self._place = self._place[kept]

    def parents(
        self, prices: NDArray[np.int32], rng: np.random.Generator
    ) -> tuple[Households, Households, NDArray[np.intp], NDArray[np.intp]]:
        """Return hosts, donors, the donor of each host by position, and programs to take over.

        Hosts and donors are the worthiest that fill some slot, drawn by the slot's price; the
        program is that of the slot for which the donor was drawn.
        """
        best = self._worthiest(prices)
        some = np.concatenate(best)
        slots = np.repeat(np.arange(len(best)), [len(covered) for covered in best])
        weights = prices[slots] / prices[slots].sum()
        host, donor = rng.choice(len(some), (2, CHILDREN), p=weights)
        distinct, of = np.unique(some[donor], return_inverse=True)
        hosts, donors = self._households.take(some[host]), self._households.take(distinct)
        return hosts, donors, of.reshape(-1), self._programs[slots[donor]]

    def _worthiest(self, prices: NDArray[np.int32]) -> list[NDArray[np.intp]]:
        """Return the worthiest that can fill each slot."""
        order = np.argsort(-worth_of(self.can, self._programs, prices), kind="stable")
        return [order[np.flatnonzero(row)[:OF_EACH_SLOT]] for row in self.can.take(order, axis=1)]

    def chosen(self, assignment: Assignment | None) -> Filled | None:
        """Return the households of an assignment, if there is one."""
        if assignment is None:
            return None
        place = self._place.copy()
        born = np.array(sorted(one for one in assignment.held if place[one] == self._n_corpus), int)
        place[born] += np.arange(len(born))
        slots = [(int(place[one]), slot) for one, slot in assignment.pairs()]
        return Filled(self._households.take(born), slots, self._programs)


def dual_prices(can: NDArray[np.bool_]) -> tuple[NDArray[np.int32], float]:
    """Return what each slot is worth in thousandths, and how many households fill all at least.

    To the dual price of a slot comes a little for its rarity, so that of equals the household that
    fills more is preferred. Whole numbers have the same sums on every machine.
    """
    prices, relaxed = covering_prices(can)
    rarity = np.log(can.shape[1] / can.sum(axis=1))
    return rounding.nearest(_UNIT * (prices + RARITY * rarity)).astype(np.int32), relaxed
