"""What each algorithm and constant of the Diverse build buys: builds with one of them changed.

For the first table, of what samples and covers, nobody is made believable; for the second, of what
makes households believable, which takes a minute a build, all is as published but for the seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benyfits_data.bench.replaced_parts import replaced
from benyfits_data.diverse.build import Method, select
from benyfits_data.editions import Edition, load_edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.donors import default_donor_city
from benyfits_data.fuzz.believable.local_search import MIXED
from benyfits_data.fuzz.corpus import Corpus, CoverageReader
from benyfits_data.fuzz.coverage import Objective
from benyfits_data.fuzz.directed import search_missing
from benyfits_data.fuzz.distributed import sample_corpus
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.language.mutants import Detector, mutants_of
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

EDITIONS = (2024, 2026)
SEED = 1
"""Not the seed of the published sets."""
HOUSEHOLDS = 10_000
OBJECTIVE: Objective = "branches"
COLUMNS = ("missed", "mutants", "pairs", "households", "s")
BELIEF_COLUMNS = ("pairs", "households", "median", "over 95th", "over 99th", "mixed", "needed", "s")
PLAUSIBLE = 50.0
"""The percentile asked for, as in the published sets."""


class Ablation(NamedTuple):
    """Replacements, by path below `benyfits_data`, that switch an algorithm off.

    Those of `samples` change the corpus, those of `selects` only what is chosen from it.
    """

    samples: Mapping[str, Any] = {}
    selects: Mapping[str, Any] = {}
    method: Method = "exact"


def _no_prices(can: NDArray[np.bool_], common: int) -> tuple[NDArray[np.float64], float]:
    return np.zeros(len(can)), 1.0


def _everybody(households: Households) -> NDArray[np.bool_]:
    return np.ones(len(households), np.bool_)


ABLATIONS = {
    "nothing": Ablation(),
    "patterns of flags": Ablation({"fuzz.feature_draws.FLAG_RATES": (96,) * 5}),
    "rates of couples": Ablation({"fuzz.feature_draws.OWN_RATES": {}}),
    "usual values": Ablation({"fuzz.feature_draws.USUAL_SHARE": 0.0}),
    "numbers at limits": Ablation({"fuzz.feature_draws.LIMIT_SHARE": 0.0}),
    "sums at limits": Ablation({"fuzz.seeds.MOVED_SHARE": 0.0}),
    "directed search": Ablation({"fuzz.directed.ROUNDS": 0}),
    "numbers with partners": Ablation(
        {"fuzz.directed.PARTNERS": {name: [name] for name in FEATURES}}
    ),
    "exact selection": Ablation(method="greedy"),
    "common classes": Ablation(selects={"fuzz.set_cover.PREFERENCE": 0.0}),
    "column generation": Ablation(selects={"diverse.build.GENERATIONS": 0}),
    "dual prices": Ablation(selects={"fuzz.column_generation.covering_prices": _no_prices}),
    "price of rarity": Ablation(selects={"fuzz.column_generation.RARITY": 0.0}),
    "the worthiest of a slot": Ablation(selects={"fuzz.column_generation.OF_EACH_SLOT": 1_000}),
    "room before assigning": Ablation(selects={"fuzz.column_generation.SLACK": 10**9}),
    "thinning out": Ablation(selects={"fuzz.assignment.Assignment.thin_out": lambda self: None}),
    "common elements left out": Ablation(
        selects={"fuzz.set_cover._COMMON": 10**9, "fuzz.column_generation._COMMON": 10**9}
    ),
    "patience": Ablation(selects={"fuzz.column_generation.PATIENCE": 3}),
    "children, a third": Ablation(selects={"fuzz.column_generation.CHILDREN": 2_000}),
    "one restart": Ablation(selects={"fuzz.column_generation.RESTARTS": 1}),
    "rounds of the search, half": Ablation({"fuzz.directed.ROUNDS": 20}),
    "children of the search, a fifth": Ablation({"fuzz.directed.CHILDREN": 100}),
    "two facts of a copy": Ablation({"fuzz.directed.MOST_FACTS": 1}),
    "steps beside a limit": Ablation({"fuzz.boundary_sums.STEPS": (0,)}),
    "attempts at a sum": Ablation({"fuzz.boundary_sums._ATTEMPTS": 1}),
}


def _no_move(reassignment: Any, homes: Households, owner: Any, rng: Any) -> tuple[Households, Any]:
    return homes, owner


def _same_homes(homes: Households, *given: Any) -> Households:
    return homes


_IN = "diverse.plausible_selection."
BELIEF_ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "usual households, a tenth": {_IN + "CITY_CANDIDATES": 1_500},
    "count of the city's": {_IN + "COUNT": 1.0},
    "price of a slot": {_IN + "PRICE": 0.0},
    "families of candidates, a tenth": {"diverse.slot_candidates.FAMILIES": 1_250},
    "candidates that stay": {"diverse.slot_candidates.STAY": 1},
    "donors of candidates": {"diverse.slot_candidates._DONORS": 4},
    "imputations of candidates": {"diverse.slot_candidates._IMPUTATIONS": 1},
    "rounds of candidates, half": {"diverse.slot_candidates._ROUNDS": 8},
    "limit of mixed": {_IN + "MIXED_LIMIT": 1.2},
    "one pass": {_IN + "PASSES": 1, _IN + "MOST_PASSES": 1},
    "copies of a round, a quarter": {_IN + "_COPIES": 18},
    "last rounds": {_IN + "_LAST_ROUNDS": 0},
    "spread of goals": {_IN + "SPREAD": 0.0},
    "slot reassignment": {"diverse.slot_reassignment.SlotReassignment.reassign": _no_move},
    "slots moved, a quarter": {"diverse.slot_reassignment.MOVES": 30},
    "targets, a quarter": {"diverse.slot_reassignment.TARGETS": 2},
    "children of targets": {"diverse.slot_reassignment.CHILDREN": 3},
    "costs of the tail": {"diverse.slot_reassignment._TAIL_COSTS": ((94, 1.0), (100, 1.0))},
    "weight of rare needs": {"diverse.slot_reassignment._RARE_NEED": 0.0},
    "order of children": {"diverse.slot_reassignment._IN_ORDER": 0.0},
    "worth of last slots": {"diverse.slot_reassignment._LAST_SLOTS": (0.0, 0.0, 0.0, 0.0)},
    "least gain": {"diverse.slot_reassignment._LEAST_GAIN": 0.0},
    "ages taken over": {"diverse.plausible_crossover.TAKEN_AGES": 0.0},
    "hosts that fit": {"diverse.plausible_crossover.fits": _everybody},
    "usual facts taken over": {"diverse.plausible_crossover.LEAST": (0,)},
    "members alike": {"diverse.search_moves._ALIKE": 0.0},
    "like families": {"diverse.search_moves._LIKE_FAMILIES": 0.0},
    "moves of homes": {"diverse.search_moves._OF_HOME": 0.0},
    "moves of ages": {"diverse.search_moves._OF_AGES": 0.0},
    "members removed": {"diverse.search_moves._REMOVED": 0.0},
    "kinds of copies": {"diverse.search_moves._SHARES": (0.0, 0.0, 0.0, 0.0, 1.0)},
    "some facts of the notable": {"diverse.search_moves._NOTABLE": 10**9},
    "imputation of unusual facts": {_IN + "impute_unusual": _same_homes},
    "draws of a fact": {"diverse.local_search.DRAWS": 1},
    "subsets of facts": {"diverse.local_search.SUBSETS": 3},
    "passes over rare facts": {"diverse.rare_facts.PASSES": 1},
    "repairs of rare facts": {"diverse.rare_facts.REPAIRS": 1},
    "other amounts": {_IN + "with_other_amounts": _same_homes},
    "the city's order": {_IN + "in_order": _same_homes},
    "donors of a near age": {"diverse.donor_city._NEAREST": 1_000},
}


def _sampled(edition: Edition, detector: Detector) -> tuple[Corpus, int, float]:
    """Return a corpus, how many mutants it detects, and the seconds that sampling took."""
    start = process_time()
    corpus = search_missing(sample_corpus(HOUSEHOLDS, edition, SEED), SEED)
    seconds = process_time() - start
    found = detector.detect(corpus.households)
    return corpus, sum(int(found.detected(name).sum()) for name in found.mutants), seconds


def ablate(names: Sequence[str]) -> Iterator[str]:
    """Give the table line by line: sums over the editions, of seconds the means.

    `missed` are lines and branches that the sampled corpus misses, proven dead ones included,
    `mutants` those that it detects. Seconds are processor time of sampling and selection.
    """
    yield f"{'switched off':32}" + "".join(f"{name:>11}" for name in COLUMNS)
    editions = [load_edition(year) for year in EDITIONS]
    detectors = {one.year: Detector(one, mutants_of(one)) for one in editions}
    kept: dict[int, tuple[Corpus, int, float]] = {}
    for name in names:
        off, sums = ABLATIONS[name], np.zeros(len(COLUMNS))
        for edition in editions:
            detector = detectors[edition.year]
            if off.samples:
                with replaced(off.samples):
                    corpus, mutants, sampling = _sampled(edition, detector)
            else:
                kept[edition.year] = kept.get(edition.year) or _sampled(edition, detector)
                corpus, mutants, sampling = kept[edition.year]
            start = process_time()
            with replaced(off.selects):
                coverage_of = CoverageReader(OBJECTIVE, edition)
                _, selection = select(corpus, SEED, off.method, coverage_of)
            seconds = sampling + process_time() - start
            missed = sum(map(len, corpus.missing().values()))
            chosen = {home for home, _ in selection.pairs}
            sums += missed, mutants, len(selection.pairs), len(chosen), seconds / len(editions)
        told = (*(f"{it:11.0f}" for it in sums[:-1]), f"{sums[-1]:11.1f}")
        yield f"{name:32}" + "".join(told)


def ablate_belief(names: Sequence[str]) -> Iterator[str]:
    """Give the second table line by line: sums over the editions, of percentiles and seconds means.

    `median` is the percentile of plausibility of the median household, `over 95th` and `over 99th`
    how many are beyond, `mixed` how many have four kinds of relations or more, `needed` how many
    rare facts are left. Seconds are processor time of selection.
    """
    yield f"{'switched off':32}" + "".join(f"{name:>11}" for name in BELIEF_COLUMNS)
    city = default_donor_city()
    editions = [load_edition(year) for year in EDITIONS]
    corpora = [search_missing(sample_corpus(HOUSEHOLDS, one, SEED), SEED) for one in editions]
    for name in names:
        sums = np.zeros(len(BELIEF_COLUMNS))
        for edition, corpus in zip(editions, corpora, strict=True):
            start = process_time()
            coverage_of = CoverageReader(OBJECTIVE, edition)
            try:
                with replaced(BELIEF_ABLATIONS[name]):
                    grown, selection = select(corpus, SEED, "exact", coverage_of, city, PLAUSIBLE)
            except SelectionError as error:
                yield f"{name:32}  {edition.year}: {error}"
                break
            seconds = process_time() - start
            chosen = grown.take(sorted({home for home, _ in selection.pairs})).households
            found = city.belief.percentile(chosen)
            mixed = kinds_of_relations(chosen) >= MIXED
            needed = sum(map(len, selection.needed.values()))
            parts = np.median(found), (found > 95).sum(), (found > 99).sum(), mixed.sum(), needed
            sums += len(selection.pairs), len(chosen), *parts, seconds
        else:
            sums[[2, -1]] /= len(editions)
            yield f"{name:32}" + "".join(f"{it:11.0f}" for it in sums)
