"""What each algorithm of the Diverse build buys: the same builds, with one of them switched off.

`python -m benyfits_data.bench.ablation [NAME ...]` prints a table, summed over editions. Nobody is
made believable, which takes a minute a build; `belief_curve` tells what that costs.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from time import process_time
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benyfits_data.diverse.build import Method, select
from benyfits_data.editions import Edition, load_edition
from benyfits_data.fuzz.corpus import Corpus, CoverageReader
from benyfits_data.fuzz.coverage import Objective
from benyfits_data.fuzz.directed import search_missing
from benyfits_data.fuzz.distributed import sample_corpus
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.language.mutants import Detector, mutants_of

EDITIONS = (2024, 2026)
SEED = 1
"""Not the seed of the published sets."""
HOUSEHOLDS = 10_000
OBJECTIVE: Objective = "branches"
COLUMNS = ("missed", "mutants", "pairs", "households", "s")


class Ablation(NamedTuple):
    """Replacements, by path below `benyfits_data`, that switch an algorithm off.

    Those of `samples` change the corpus, those of `selects` only what is chosen from it.
    """

    samples: Mapping[str, Any] = {}
    selects: Mapping[str, Any] = {}
    method: Method = "exact"


def _no_prices(can: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
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
    "hosts that fit": Ablation(selects={"fuzz.crossover.fits": _everybody}),
    "thinning out": Ablation(selects={"fuzz.assignment.Assignment.thin_out": lambda self: None}),
}


@contextmanager
def replaced(replacements: Mapping[str, Any]) -> Iterator[None]:
    """Replace what stands at some paths; put it back in the end."""
    with ExitStack() as stack:
        for path, value in replacements.items():
            stack.enter_context(patch(f"benyfits_data.{path}", value))
        yield


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
    yield f"{'switched off':26}" + "".join(f"{name:>11}" for name in COLUMNS)
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
        yield f"{name:26}" + "".join(told)


if __name__ == "__main__":
    for line in ablate(sys.argv[1:] or list(ABLATIONS)):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
