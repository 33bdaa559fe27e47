"""Pools that do not fit in memory: of many millions of households, those that bring a new trace.

The pool is drawn chunk by chunk. Each chunk has random streams of its own and leaves only its
unique traces, each with the first household that shows it. Merging takes the first household over
all chunks, so the order in which chunks are done, and where, changes nothing.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.boundaries import Boundaries, boundaries
from benyfits_data.fuzz.sampler import sample_chunk
from benyfits_data.household.columns import Households
from benyfits_data.language.batch import label_and_trace

CHUNK = 100_000
"""Households drawn at once: so many that settling and breeding are work on columns, not overhead;
so few that a process stays well below a gigabyte."""
ROUNDS = 2
"""Rounds of breeding in a chunk: large generations need fewer of them."""
MERGED_AT_ONCE = 8


@dataclass(frozen=True)
class Found:
    """The unique traces of some households.

    Attributes:
        households: The first household of each trace, in the order in which they were drawn.
        origin: Position of each among those drawn, shape `(m,)`.
        traces: Unique traces by program as bit sets, shape `(k, words)`, by first household.
        first: Position among those drawn of the first household of each trace, shape `(k,)`.
        sampled: How many households were drawn.
        positives: How many of them are eligible, by program.
    """

    households: Households
    origin: NDArray[np.int64]
    traces: dict[str, NDArray[np.uint64]]
    first: dict[str, NDArray[np.int64]]
    sampled: int
    positives: dict[str, int]

    @property
    def n_traces(self) -> int:
        """How many unique traces there are, over all programs."""
        return sum(map(len, self.first.values()))


@dataclass(frozen=True)
class Job:
    """One chunk of a pool to draw and trace; small enough to send anywhere.

    Attributes:
        edition: The edition, pickled: whoever gets many jobs unpickles it once.
        seed: The seed of the build.
        chunk: Which chunk this is.
        start: Position of its first household among all.
        n: How many households it has.
    """

    edition: bytes
    seed: int
    chunk: int
    start: int
    n: int


Runner = Callable[[Sequence[Job]], Iterable[Found]]
"""Does all jobs, in any order."""
Tick = Callable[[int], None]


def jobs_of(n: int, edition: Edition, seed: int, chunk: int = CHUNK) -> list[Job]:
    """Return the chunks of a pool of `n` households; other chunks, other households."""
    packed = pickle.dumps(edition)
    return [
        Job(packed, seed, start // chunk, start, min(chunk, n - start))
        for start in range(0, n, chunk)
    ]


def find_traces(job: Job) -> Found:
    """Return the unique traces of one chunk.

    Raises:
        ImpossibleHouseholdError: A constraint cannot be settled.
    """
    edition, limits = _unpacked(job.edition)
    households = sample_chunk(job.n, edition, limits, job.seed, job.chunk, ROUNDS)
    batch = label_and_trace(edition, households)
    first = {name: np.flatnonzero(~_is_repeated(trace)) for name, trace in batch.traces.items()}
    kept = np.unique(np.concatenate(list(first.values())))
    return Found(
        households.take(kept),
        kept + job.start,
        {name: batch.traces[name][places] for name, places in first.items()},
        {name: places + job.start for name, places in first.items()},
        job.n,
        {name: int(label.sum()) for name, label in batch.labels.items()},
    )


@lru_cache(maxsize=2)
def _unpacked(edition: bytes) -> tuple[Edition, Boundaries]:
    unpacked = pickle.loads(edition)
    return unpacked, boundaries(unpacked)


def _is_repeated(trace: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which rows equal one before them."""
    # Its hash table takes a fifth of the time of sorting; only large pools pay for its import.
    import pandas as pd

    words: Any = pd.Series(trace[:, 0]) if trace.shape[1] == 1 else pd.DataFrame(trace)
    return np.asarray(words.duplicated())


def merge(parts: Sequence[Found]) -> Found:
    """Return the unique traces of some parts together; their order changes nothing."""
    traces: dict[str, NDArray[np.uint64]] = {}
    first: dict[str, NDArray[np.int64]] = {}
    for name in parts[0].traces:
        places = np.concatenate([part.first[name] for part in parts])
        order = np.argsort(places)
        ordered = np.concatenate([part.traces[name] for part in parts])[order]
        new = ~_is_repeated(ordered)
        traces[name], first[name] = ordered[new], places[order][new]
    wanted = np.unique(np.concatenate(list(first.values())))
    origin = np.concatenate([part.origin for part in parts])
    order = np.argsort(origin)
    rows = order[np.searchsorted(origin, wanted, sorter=order)]
    kept: list[Households] = []
    place = np.empty(len(rows), np.intp)
    start = done = 0
    for part in parts:
        mine = np.flatnonzero((rows >= start) & (rows < start + len(part.origin)))
        kept.append(part.households.take(rows[mine] - start))
        place[mine] = np.arange(done, done + len(mine))
        start, done = start + len(part.origin), done + len(mine)
    return Found(
        Households.concatenate(kept).take(place),
        wanted,
        traces,
        first,
        sum(part.sampled for part in parts),
        {name: sum(part.positives[name] for part in parts) for name in parts[0].positives},
    )


def gather(parts: Iterable[Found], tick: Tick = lambda done: None) -> Found:
    """Return the unique traces of all parts, merged as they come in.

    Args:
        parts: At least one.
        tick: Told how many more households are done, after each part.
    """
    waiting: list[Found] = []
    for part in parts:
        waiting.append(part)
        tick(part.sampled)
        if len(waiting) > MERGED_AT_ONCE:
            waiting = [merge(waiting)]
    return merge(waiting)


def in_this_process(jobs: Sequence[Job]) -> Iterator[Found]:
    """Do all jobs, one after the other."""
    return map(find_traces, jobs)
