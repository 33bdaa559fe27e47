"""Many possible households, drawn to meet every limit and alternative of the checkers, traced.

A corpus that does not fit in memory is drawn part by part. Each part has random streams of its own
and leaves only households that bring a new trace. Merging keeps the first of each trace over all
parts, so the order in which parts are drawn, and where, changes nothing.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from benyfits_data.editions import Edition
from benyfits_data.fuzz.corpus import Corpus, collect, merge
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
KEPT_WHOLE = 100_000
"""Corpora up to this size are kept whole; of larger ones, the first household of each trace."""
PART = 100_000
"""Households of a part: enough that repair works on columns, and a process stays below 1 GB."""
MERGED_AT_ONCE = 8
"""Parts merged at once: fewer copy what was found again and again, more fill the memory."""
_OF_FAMILIES = {"relation", "age"}


@dataclass(frozen=True)
class Part:
    """Part of a corpus to draw and trace; small enough to send anywhere.

    Attributes:
        edition: The edition, pickled: whoever draws many parts unpickles it once.
        seed: The seed of the build.
        chunk: Which part this is.
        start: Position of its first household among all.
        n: How many households it has.
    """

    edition: bytes
    seed: int
    chunk: int
    start: int
    n: int


Runner = Callable[[Sequence[Part]], Iterable[Corpus]]
"""Draws all parts, in any order."""
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
    patterns = stream(seed, "fuzz", chunk, "patterns").integers(0, PATTERNS, n)
    sampler = FeatureSampler(limits, patterns)
    households = Households.of_defaults(n)
    families = draw_families(households, stream(seed, "fuzz", chunk, "relation"))
    sampler.ages.draw_family(households, families, stream(seed, "fuzz", chunk, "age"))
    rows, columns = np.nonzero(households.present)
    for name in DRAWING_ORDER:
        if name in _OF_FAMILIES:
            continue
        rng = stream(seed, "fuzz", chunk, name)
        feature = FEATURES[name]
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
    repair(households, violators, sampler, stream(seed, "fuzz", chunk, "repair"))
    rng = stream(seed, "fuzz", chunk, "limits")
    moved = move_to_limits(households, limits.balances, MOVED_SHARE, rng)
    rng = stream(seed, "fuzz", chunk, "repair again")
    repair(households, violators, sampler, rng, changed=moved)
    return households


def sample_corpus(
    n: int,
    edition: Edition,
    seed: int,
    tick: Tick = lambda done: None,
    run: Runner | None = None,
) -> Corpus:
    """Return a corpus of `n` sampled households with labels and traces.

    Up to 100,000 all are kept. Of more, only the first household of each unique trace is, so that
    memory stays bounded.

    Args:
        n: How many to sample.
        edition: Whose checkers to run.
        seed: The seed of the build.
        tick: Called with how many more households are done.
        run: Draws the parts of a large corpus; in this process, one after the other, unless given.
    """
    if n <= KEPT_WHOLE:
        return collect(edition, _ticked(sample_chunks(n, edition, seed), tick))
    parts = (run or partial(map, sample_part))(parts_of(n, edition, seed))
    return replace(gather(parts, tick), edition=edition)


def _ticked(tables: Iterable[Households], tick: Tick) -> Iterator[Households]:
    for table in tables:
        yield table
        tick(len(table))


def parts_of(n: int, edition: Edition, seed: int, size: int = PART) -> list[Part]:
    """Return the parts of a corpus of `n` households; other sizes give other households."""
    packed = pickle.dumps(edition)
    return [
        Part(packed, seed, start // size, start, min(size, n - start))
        for start in range(0, n, size)
    ]


def sample_part(part: Part) -> Corpus:
    """Return the households of one part that bring a new trace.

    Raises:
        ImpossibleHouseholdError: A household cannot be repaired.
    """
    edition, limits = _unpacked(part.edition)
    table = sample_chunk(part.n, limits, part.seed, part.chunk)
    traced = collect(edition, [table]).minimised()
    return replace(traced, origin=traced.origin + part.start)


@lru_cache(maxsize=2)
def _unpacked(edition: bytes) -> tuple[Edition, Boundaries]:
    unpacked = pickle.loads(edition)
    return unpacked, boundaries(unpacked)


def gather(parts: Iterable[Corpus], tick: Tick = lambda done: None) -> Corpus:
    """Return all parts as one corpus, merged as they come in.

    Args:
        parts: At least one.
        tick: Called with how many more households are done, after each part.
    """
    waiting: list[Corpus] = []
    for part in parts:
        waiting.append(part)
        tick(part.sampled)
        if len(waiting) > MERGED_AT_ONCE:
            waiting = [merge(waiting)]
    return merge(waiting)
