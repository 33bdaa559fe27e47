"""What each algorithm of the Diverse build buys: the same builds, with one of them switched off.

`python -m benyfits_data.bench.ablation [NAME ...]` prints a table, summed over editions and seeds.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from time import process_time
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, load_edition
from benyfits_data.fuzz.build import Method, select
from benyfits_data.fuzz.corpus import Corpus, CoverageReader
from benyfits_data.fuzz.directed import search_missing
from benyfits_data.fuzz.distributed import sample_corpus
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.language.mutants import Detector, mutants_of

EDITIONS = (2024, 2026)
SEEDS = (0, 1, 2)
HOUSEHOLDS = 10_000
HEADER = (
    f"{'switched off':24}{'lines missed':>14}{'mutants':>9}{'pairs':>7}{'households':>12}{'s':>8}"
)


class Ablation(NamedTuple):
    """Replacements, by path below `benyfits_data.fuzz`, that switch an algorithm off.

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
    "patterns of flags": Ablation({"feature_draws.FLAG_RATES": (96,) * 5}),
    "rates of couples": Ablation({"feature_draws.OWN_RATES": {}}),
    "usual values": Ablation({"feature_draws.USUAL_SHARE": 0.0}),
    "numbers at limits": Ablation({"feature_draws.LIMIT_SHARE": 0.0}),
    "sums at limits": Ablation({"seeds.MOVED_SHARE": 0.0}),
    "directed search": Ablation({"directed.ROUNDS": 0}),
    "numbers with partners": Ablation({"directed.PARTNERS": {name: [name] for name in FEATURES}}),
    "exact selection": Ablation(method="greedy"),
    "common classes": Ablation(selects={"set_cover.PREFERENCE": 0.0}),
    "column generation": Ablation(selects={"build.GENERATIONS": 0}),
    "dual prices": Ablation(selects={"column_generation.covering_prices": _no_prices}),
    "price of rarity": Ablation(selects={"column_generation.RARITY": 0.0}),
    "the worthiest of a slot": Ablation(selects={"column_generation.OF_EACH_SLOT": 1_000}),
    "room before assigning": Ablation(selects={"column_generation.SLACK": 10**9}),
    "hosts that fit": Ablation(selects={"crossover.fits": _everybody}),
    "thinning out": Ablation(selects={"assignment.Assignment.thin_out": lambda self: None}),
}


@contextmanager
def replaced(replacements: Mapping[str, Any]) -> Iterator[None]:
    """Replace what stands at some paths; put it back in the end."""
    with ExitStack() as stack:
        for path, value in replacements.items():
            stack.enter_context(patch(f"benyfits_data.fuzz.{path}", value))
        yield


def _sampled(edition: Edition, detector: Detector, seed: int) -> tuple[Corpus, int, float]:
    """Return a corpus, how many mutants it detects, and the seconds that sampling took."""
    start = process_time()
    corpus = search_missing(sample_corpus(HOUSEHOLDS, edition, seed), seed)
    seconds = process_time() - start
    found = detector.detect(corpus.households)
    return corpus, sum(int(found.detected(name).sum()) for name in found.mutants), seconds


def ablate(names: Sequence[str]) -> Iterator[str]:
    """Give the table line by line; lines, mutants, pairs and households are sums over all builds.

    Mutants are those that the sampled corpus detects; seconds are processor time of a build's
    sampling and selection on average.
    """
    yield HEADER
    editions = [load_edition(year) for year in EDITIONS]
    detectors = [Detector(edition, mutants_of(edition)) for edition in editions]
    builds = [(*pair, seed) for pair in zip(editions, detectors, strict=True) for seed in SEEDS]
    kept: dict[tuple[int, int], tuple[Corpus, int, float]] = {}
    for name in names:
        off, sums = ABLATIONS[name], np.zeros(5)
        for edition, detector, seed in builds:
            if off.samples:
                with replaced(off.samples):
                    corpus, mutants, sampling = _sampled(edition, detector, seed)
            else:
                key = (edition.year, seed)
                kept[key] = kept.get(key) or _sampled(edition, detector, seed)
                corpus, mutants, sampling = kept[key]
            start = process_time()
            with replaced(off.selects):
                grown, selection = select(
                    corpus, seed, off.method, CoverageReader("lines", edition)
                )
            seconds = sampling + process_time() - start
            missed = sum(map(len, grown.missing().values()))
            households = len({household for household, _ in selection.pairs})
            sums += missed, mutants, len(selection.pairs), households, seconds / len(builds)
        yield f"{name:24}{sums[0]:14.0f}{sums[1]:9.0f}{sums[2]:7.0f}{sums[3]:12.0f}{sums[4]:8.2f}"


if __name__ == "__main__":
    for line in ablate(sys.argv[1:] or list(ABLATIONS)):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
