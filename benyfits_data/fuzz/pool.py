"""The pool: sampled households with their labels and traces in every program."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.covers import Cover, line_covers
from benyfits_data.fuzz.sampler import sample_chunks
from benyfits_data.household.columns import Households
from benyfits_data.language.batch import label_and_trace

KEPT_WHOLE = 100_000
"""Pools up to this size are kept whole; of larger ones, households that bring no new trace go."""

Tick = Callable[[int], None]


@dataclass(frozen=True)
class Pool:
    """Households to choose from.

    Attributes:
        edition: Whose checkers labelled them.
        sampled: How many were drawn.
        households: Those that were kept.
        origin: Position of each among those drawn, shape `(n,)`.
        labels: Whether each is eligible, by program, shape `(n,)`.
        traces: The lines each runs as bit sets, by program, shape `(n, words)`.
        lines: The lines of each checker.
        positives: How many of all those drawn are eligible, by program.
    """

    edition: Edition
    sampled: int
    households: Households
    origin: NDArray[np.intp]
    labels: dict[str, NDArray[np.bool_]]
    traces: dict[str, NDArray[np.uint64]]
    lines: dict[str, tuple[int, ...]]
    positives: dict[str, int]

    def covers(self) -> list[Cover]:
        """Return what each household covers, line by line."""
        return line_covers(self.lines, self.traces)

    def unreached(self) -> dict[str, list[int]]:
        """Return the lines that no household runs, by program; programs without any left out."""
        missed = {}
        for cover in self.covers():
            lines = sorted(set(self.lines[cover.program]) - set(cover.elements))
            if lines:
                missed[cover.program] = lines
        return missed


def build_pool(
    n: int,
    edition: Edition,
    seed: int,
    extra: Households | None = None,
    tick: Tick = lambda done: None,
) -> Pool:
    """Return a pool of `n` sampled households with labels and traces.

    Up to 100,000 all are kept. Beyond that, memory stays bounded: a household is kept if any of its
    traces was not seen before.

    Args:
        n: How many to sample.
        edition: Whose checkers to run.
        seed: The seed of the build.
        extra: Households that join the pool after the sampled ones, such as proven witnesses.
        tick: Told how many households are done, after each chunk.
    """
    tables: Iterable[Households] = sample_chunks(n, edition, seed)
    return collect(edition, n, (*_ticked(tables, tick), *([extra] if extra is not None else [])))


def _ticked(tables: Iterable[Households], tick: Tick) -> Iterable[Households]:
    for table in tables:
        yield table
        tick(len(table))


def collect(edition: Edition, sampled: int, tables: Iterable[Households]) -> Pool:
    """Return the pool of some tables of households, labelled and traced chunk by chunk."""
    whole = sampled <= KEPT_WHOLE
    known: dict[str, NDArray[np.uint64]] = {}
    parts: list[_Part] = []
    positives: dict[str, int] = {}
    lines: dict[str, tuple[int, ...]] = {}
    start = 0
    for table in tables:
        batch = label_and_trace(edition, table)
        lines = dict(batch.lines)
        for name, label in batch.labels.items():
            positives[name] = positives.get(name, 0) + int(label.sum())
        kept = np.arange(len(table)) if whole else _bring_news(batch.traces, known)
        parts.append(_Part(table.take(kept), kept + start, batch.labels, batch.traces, kept))
        start += len(table)
    return Pool(
        edition,
        sampled,
        Households.concatenate(part.households for part in parts),
        np.concatenate([part.origin for part in parts]),
        {name: np.concatenate([part.labels[name] for part in parts]) for name in lines},
        {name: np.concatenate([part.traces[name] for part in parts]) for name in lines},
        lines,
        positives,
    )


class _Part:
    """What is kept of one chunk."""

    def __init__(
        self,
        households: Households,
        origin: NDArray[np.intp],
        labels: dict[str, NDArray[np.bool_]],
        traces: dict[str, NDArray[np.uint64]],
        kept: NDArray[np.intp],
    ) -> None:
        self.households = households
        self.origin = origin
        self.labels = {name: label[kept] for name, label in labels.items()}
        self.traces = {name: trace[kept] for name, trace in traces.items()}


def _bring_news(
    traces: dict[str, NDArray[np.uint64]], known: dict[str, NDArray[Any]]
) -> NDArray[np.intp]:
    """Return the positions of households with a trace not in `known`, which grows by them."""
    new: list[NDArray[np.intp]] = []
    for name, trace in traces.items():
        keys, first = np.unique(_as_keys(trace), return_index=True)
        old = known.get(name)
        if old is None:
            known[name] = keys
            new.append(first)
            continue
        place = np.minimum(np.searchsorted(old, keys), len(old) - 1)
        fresh = old[place] != keys
        if fresh.any():
            known[name] = np.union1d(old, keys[fresh])
            new.append(first[fresh])
    return np.unique(np.concatenate(new)) if new else np.empty(0, np.intp)


def _as_keys(trace: NDArray[np.uint64]) -> NDArray[Any]:
    """Return one comparable key a row: the word itself, or its bytes."""
    if trace.shape[1] == 1:
        return trace[:, 0]
    return np.ascontiguousarray(trace).view(f"S{8 * trace.shape[1]}")[:, 0]


def labels_of(pool: Pool, positions: Sequence[int]) -> list[dict[str, bool]]:
    """Return the labels of some households of a pool, for every program."""
    return [
        {name: bool(label[position]) for name, label in pool.labels.items()}
        for position in positions
    ]
