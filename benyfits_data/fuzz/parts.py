"""Corpora that do not fit in memory: drawn part by part, the first household of each trace is kept.

Merging keeps the first of each trace over all parts, so the order in which parts are drawn, and
where, changes nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.corpus import Corpus, collect, concatenated
from benyfits_data.fuzz.inputs.limits import boundaries
from benyfits_data.fuzz.sample import Tick, sample_chunk, sample_corpus

PART = 100_000
"""Households of a part: enough that repair works on columns, and a process stays below 1 GB. Larger
corpora are drawn in parts."""


@dataclass(frozen=True)
class Part:
    """Part of a corpus to draw and trace; small enough to send anywhere.

    Attributes:
        edition: The edition.
        seed: The seed of the build.
        chunk: Which part this is.
        start: Position of its first household among all.
        n: How many households it has.
    """

    edition: Edition
    seed: int
    chunk: int
    start: int
    n: int


Runner = Callable[[Sequence[Part]], Iterable[Corpus]]
"""Draws all parts, in any order."""


def sample_traced(
    n: int, edition: Edition, seed: int, tick: Tick, run: Runner | None = None
) -> Corpus:
    """Return a corpus of `n`; of a large one, the first household of each unique trace.

    Args:
        n: How many to sample.
        edition: Whose checkers to run.
        seed: The seed of the build.
        tick: Called with how many more households are done.
        run: Draws the parts; in this process, one after the other, unless given.
    """
    if n <= PART:
        return sample_corpus(n, edition, seed, tick)
    parts = (run or partial(map, sample_part))(parts_of(n, edition, seed))
    return replace(gather(parts, tick), edition=edition)


def parts_of(n: int, edition: Edition, seed: int, size: int = PART) -> list[Part]:
    """Return the parts of a corpus of `n` households; other sizes give other households."""
    return [
        Part(edition, seed, start // size, start, min(size, n - start))
        for start in range(0, n, size)
    ]


def sample_part(part: Part) -> Corpus:
    """Return the households of one part that bring a new trace.

    Raises:
        ImpossibleHouseholdError: A household cannot be repaired.
    """
    table = sample_chunk(part.n, boundaries(part.edition), part.seed, part.chunk)
    traced = minimised(collect(part.edition, [table]))
    return replace(traced, origin=traced.origin + part.start)


def gather(parts: Iterable[Corpus], tick: Tick = lambda done: None) -> Corpus:
    """Return all parts as one corpus, merged as they come in.

    Args:
        parts: At least one.
        tick: Called with how many more households are done, after each part.
    """
    merged: list[Corpus] = []
    for part in parts:
        tick(part.sampled)
        merged = [merge([*merged, part])]
    return merged[0]


def merge(parts: Sequence[Corpus]) -> Corpus:
    """Return parts of one sample as one, minimised; the order of the parts changes nothing."""
    whole = concatenated(parts)
    return minimised(whole.take(np.argsort(whole.origin)))


def minimised(corpus: Corpus) -> Corpus:
    """Return the households that are the first of a trace in some program."""
    first = [~is_repeated(trace) for trace in corpus.answers.traces.values()]
    return corpus.take(np.flatnonzero(np.logical_or.reduce(first)))


def is_repeated(trace: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which rows equal one before them."""
    # Its hash table takes a fifth of the time of sorting; only large corpora pay for its import.
    import pandas as pd

    words: Any = pd.Series(trace[:, 0]) if trace.shape[1] == 1 else pd.DataFrame(trace)
    return np.asarray(words.duplicated())
