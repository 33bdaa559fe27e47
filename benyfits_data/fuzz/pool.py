"""The pool: sampled households with their labels and traces in every program."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.covers import Cover, line_covers
from benyfits_data.fuzz.sampler import sample_chunks
from benyfits_data.fuzz.scale import Runner, Tick, gather, in_this_process, jobs_of
from benyfits_data.household.columns import Households
from benyfits_data.language.batch import Batch, label_and_trace

KEPT_WHOLE = 100_000
"""Pools up to this size are kept whole; of larger ones, the first household of each trace."""


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
    run: Runner = in_this_process,
) -> Pool:
    """Return a pool of `n` sampled households with labels and traces.

    Up to 100,000 all are kept. Of more, only the first household of each unique trace is, so that
    memory stays bounded.

    Args:
        n: How many to sample.
        edition: Whose checkers to run.
        seed: The seed of the build.
        extra: Households that join the pool after the sampled ones, such as proven witnesses.
        tick: Told how many more households are done, after each chunk.
        run: Does the chunks of a large pool; where and in which order changes nothing.
    """
    joining = [] if extra is None or not len(extra) else [extra]
    if n <= KEPT_WHOLE:
        return collect(edition, n, (*_ticked(sample_chunks(n, edition, seed), tick), *joining))
    found = gather(run(jobs_of(n, edition, seed)), tick)
    pool = collect(edition, n, [found.households, *joining])
    origin = np.concatenate([found.origin, n + np.arange(len(pool.households) - len(found.origin))])
    positives = dict(found.positives)
    for name, label in pool.labels.items():
        positives[name] += int(label[len(found.origin) :].sum())
    return replace(pool, origin=origin, positives=positives)


def _ticked(tables: Iterable[Households], tick: Tick) -> Iterable[Households]:
    for table in tables:
        yield table
        tick(len(table))


def collect(edition: Edition, sampled: int, tables: Iterable[Households]) -> Pool:
    """Return the pool of some tables of households, labelled and traced table by table."""
    parts: list[Households] = []
    batches: list[Batch] = []
    for table in tables:
        parts.append(table)
        batches.append(label_and_trace(edition, table))
    lines = dict(batches[0].lines)
    households = Households.concatenate(parts)
    labels = {name: np.concatenate([batch.labels[name] for batch in batches]) for name in lines}
    return Pool(
        edition,
        sampled,
        households,
        np.arange(len(households)),
        labels,
        {name: np.concatenate([batch.traces[name] for batch in batches]) for name in lines},
        lines,
        {name: int(label.sum()) for name, label in labels.items()},
    )


def labels_of(pool: Pool, positions: Sequence[int]) -> list[dict[str, bool]]:
    """Return the labels of some households of a pool, for every program."""
    return [
        {name: bool(label[position]) for name, label in pool.labels.items()}
        for position in positions
    ]
