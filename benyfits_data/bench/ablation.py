"""What each algorithm of the Diverse build buys: the same builds, with one of them switched off.

`python -m benyfits_data.bench.ablation [NAME ...]` prints a table, summed over editions and seeds.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, load_edition
from benyfits_data.fuzz.assignment import Assignment
from benyfits_data.fuzz.build import select
from benyfits_data.fuzz.corpus import Corpus
from benyfits_data.fuzz.directed import search_missing_lines
from benyfits_data.fuzz.distributed import sample_corpus
from benyfits_data.language.mutants import Detector, mutants_of

EDITIONS = (2024, 2026)
SEEDS = (0, 1, 2)
HOUSEHOLDS = 10_000
HEADER = (
    f"{'switched off':24}{'lines missed':>14}{'mutants':>9}{'pairs':>7}{'households':>12}{'s':>8}"
)


@dataclass(frozen=True)
class Ablation:
    """An algorithm that is switched off.

    Attributes:
        name: What is off.
        samples: Replacements, by path below `benyfits_data.fuzz`, that change the corpus.
        selects: Replacements that change only what is chosen from it.
        method: How pairs are chosen.
    """

    name: str
    samples: tuple[tuple[str, Any], ...] = ()
    selects: tuple[tuple[str, Any], ...] = ()
    method: Any = "exact"


def _no_prices(can: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    return np.zeros(len(can)), 1.0


def _direct_gain(self: Assignment, household: int) -> int:
    return 0 if household in self.held else self.direct_gain(household)


def _any_share(chosen: NDArray[np.bool_], problem: object) -> NDArray[np.bool_]:
    return np.asarray(chosen & (np.cumsum(chosen, axis=0) == 1))


ABLATIONS = (
    Ablation("nothing"),
    Ablation("mutation", (("seeds.MUTATED_SHARE", 0.0),)),
    Ablation("leads", (("mutation.LEADS_SHARE", 0.0),)),
    Ablation("one of each trace", (("mutation._one_of_each", lambda traces, those: those),)),
    Ablation("numbers with partners", (("mutation._partners", lambda name: []),)),
    Ablation("other relations", (("mutation._move_in", lambda *_: None),)),
    Ablation("directed search", (("directed.ROUNDS", 0),)),
    Ablation("sums at limits", (("seeds.MOVED_SHARE", 0.0),)),
    Ablation("exact selection", method="greedy"),
    Ablation("column generation", (), (("build.GENERATIONS", 0),)),
    Ablation("dual prices", (), (("column_generation.covering_prices", _no_prices),)),
    Ablation("price of rarity", (), (("column_generation._RARITY", 0.0),)),
    Ablation("members moving in", (), (("crossover.MOVING_SHARE", 0.0),)),
    Ablation("facts taken over", (), (("crossover.MOVING_SHARE", 1.0),)),
    Ablation("four members at most", (), (("crossover.FULL", 6),)),
    Ablation("common classes", (), (("set_cover._PREFERENCE", 0.0),)),
    Ablation("sharing elements out", (), (("set_cover._shared_out", _any_share),)),
    Ablation("gain by paths", (), (("assignment.Assignment.gain", _direct_gain),)),
    Ablation("several candidates", (), (("assignment.SEARCHED", 1),)),
    Ablation("thinning out", (), (("assignment.Assignment.thin_out", lambda self: None),)),
    Ablation("second assignment", (), (("column_generation.fill_from", lambda *_: None),)),
    Ablation("the worthiest of all", (), (("column_generation._WORKING", 0),)),
)


@contextmanager
def _replaced(replacements: Sequence[tuple[str, Any]]) -> Iterator[None]:
    with ExitStack() as stack:
        for path, value in replacements:
            stack.enter_context(patch(f"benyfits_data.fuzz.{path}", value))
        yield


def _sampled(edition: Edition, seed: int) -> Corpus:
    return search_missing_lines(sample_corpus(HOUSEHOLDS, edition, seed), seed)


def _detected(detector: Detector, corpus: Corpus) -> int:
    found = detector.detect(corpus.households)
    return sum(int(found.detected(program).sum()) for program in found.mutants)


def ablate(ablations: Sequence[Ablation]) -> Iterator[str]:
    """Give the table line by line; lines, mutants, pairs and households are sums over all builds.

    Mutants are those that the sampled corpus detects; seconds are processor time of a build's
    sampling and selection on average.
    """
    yield HEADER
    editions = [load_edition(year) for year in EDITIONS]
    detectors = [Detector(edition, mutants_of(edition)) for edition in editions]
    kept: dict[tuple[int, int], tuple[Corpus, int, float]] = {}
    for ablation in ablations:
        sums = np.zeros(5)
        for edition, detector in zip(editions, detectors, strict=True):
            for seed in SEEDS:
                key = (edition.year, seed)
                if ablation.samples or key not in kept:
                    start = process_time()
                    with _replaced(ablation.samples):
                        corpus = _sampled(edition, seed)
                    sampling = process_time() - start
                    found = (corpus, _detected(detector, corpus), sampling)
                    if not ablation.samples:
                        kept[key] = found
                else:
                    found = kept[key]
                corpus, mutants, sampling = found
                start = process_time()
                with _replaced(ablation.selects):
                    grown, selection = select(corpus, seed, ablation.method, "lines")
                seconds = sampling + process_time() - start
                missed = sum(map(len, grown.missing().values()))
                households = len({household for household, _ in selection.pairs})
                sums += missed, mutants, len(selection.pairs), households, seconds
        n = len(EDITIONS) * len(SEEDS)
        yield (
            f"{ablation.name:24}{sums[0]:14.0f}{sums[1]:9.0f}{sums[2]:7.0f}{sums[3]:12.0f}"
            f"{sums[4] / n:8.2f}"
        )


def main(names: Sequence[str]) -> None:
    """Print the table, of all ablations or of some."""
    chosen = [one for one in ABLATIONS if not names or one.name in names]
    for line in ablate(chosen):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
