"""Many possible households, drawn to meet every limit and alternative of the checkers, traced."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benyfits_data.editions import Edition
from benyfits_data.fuzz.corpus import Corpus, collect
from benyfits_data.fuzz.inputs.draws import DRAWING_ORDER, GUARDS, PATTERNS, FeatureSampler
from benyfits_data.fuzz.inputs.families import draw_families
from benyfits_data.fuzz.inputs.limits import Boundaries, boundaries
from benyfits_data.fuzz.inputs.sums import move_to_limits
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import repair
from benyfits_data.language.numpy_backend import violators
from benyfits_data.rng import stream

CHUNK = 10_000
"""Households drawn at once. Each chunk has streams of its own, so chunks may be drawn anywhere."""
MOVED_SHARE = 0.6
"""Share of households whose incomes or rent are moved to some limit: with none, 6 elements more are
missed and 184 mutants fewer detected."""
_OF_FAMILIES = {"relation", "age"}

Tick = Callable[[int], None]


def sample_households(n: int, edition: Edition, seed: int) -> Households:
    """Return `n` possible households without names.

    The same `n`, edition and seed give the same households on every machine.

    Args:
        n: How many.
        edition: Whose limits to draw around.
        seed: The seed of the build.

    Raises:
        ImpossibleHouseholdError: A constraint cannot be repaired.
    """
    return Households.concatenate(sample_chunks(n, edition, seed))


def sample_chunks(n: int, edition: Edition, seed: int) -> Iterator[Households]:
    """Give the same households chunk by chunk, for corpora that do not fit in memory."""
    limits = boundaries(edition)
    for chunk in range(max(1, -(-n // CHUNK))):
        yield sample_chunk(min(CHUNK, n - chunk * CHUNK), limits, seed, chunk)


def sample_chunk(n: int, limits: Boundaries, seed: int, chunk: int) -> Households:
    """Return one chunk of a corpus: every feature is drawn on its own, then repaired.

    Args:
        n: How many.
        limits: The edition's limits.
        seed: The seed of the build.
        chunk: Which chunk this is; each has streams of its own.
    """
    draws = partial(stream, seed, "fuzz", chunk)
    patterns = draws("patterns").integers(0, PATTERNS, n)
    sampler = FeatureSampler(limits, patterns)
    households = Households.of_defaults(n)
    families = draw_families(households, draws("relation"))
    sampler.ages.draw_family(households, families, draws("age"))
    rows, columns = np.nonzero(households.present)
    for name in DRAWING_ORDER:
        if name in _OF_FAMILIES:
            continue
        rng, feature = draws(name), FEATURES[name]
        if feature.level == "household":
            drawn = sampler(feature, households, None, np.arange(n), rng)
            households.shared[name][:] = drawn
        else:
            drawn = sampler(feature, households, rows, columns, rng)
            households.member[name][rows, columns] = drawn
        for guard in GUARDS[name]:
            where = violators(guard, households)
            off = feature.encode(feature.off)
            if where[0] is None:
                households.shared[name][where[1]] = off
            else:
                households.member[name][where] = off
    repair(households, violators, sampler, draws("repair"))
    moved = move_to_limits(households, limits.balances, MOVED_SHARE, draws("limits"))
    repair(households, violators, sampler, draws("repair again"), changed=moved)
    return households


def sample_corpus(n: int, edition: Edition, seed: int, tick: Tick = lambda done: None) -> Corpus:
    """Return a corpus of `n` sampled households with labels and traces.

    Args:
        n: How many to sample.
        edition: Whose checkers to run.
        seed: The seed of the build.
        tick: Called with how many more households are done.
    """

    def ticked() -> Iterator[Households]:
        for table in sample_chunks(n, edition, seed):
            yield table
            tick(len(table))

    return collect(edition, ticked())
