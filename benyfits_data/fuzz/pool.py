"""The pool: sampled households with their labels and traces in every program."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.covers import Cover, line_covers, unpack
from benyfits_data.fuzz.sampler import sample_chunks
from benyfits_data.fuzz.scale import Runner, Tick, gather, in_this_process, jobs_of
from benyfits_data.household.columns import Households
from benyfits_data.language.batch import Batch, label_and_trace

AnyT = TypeVar("AnyT", bound=np.generic)

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
        joined: How many households joined that were not drawn; they come last.
    """

    edition: Edition
    sampled: int
    households: Households
    origin: NDArray[np.intp]
    labels: dict[str, NDArray[np.bool_]]
    traces: dict[str, NDArray[np.uint64]]
    lines: dict[str, tuple[int, ...]]
    positives: dict[str, int]
    joined: int = 0

    @property
    def answers(self) -> Batch:
        """Labels and traces, as a reader gives them."""
        return Batch(self.labels, self.traces, self.lines)

    def take(self, positions: Sequence[int] | NDArray[np.intp]) -> "Pool":
        """Return some of the households, with what is known of them."""
        some = np.array(positions, np.intp)
        labels = {name: label[some] for name, label in self.labels.items()}
        return replace(
            self,
            households=self.households.take(some),
            origin=self.origin[some],
            labels=labels,
            traces={name: trace[some] for name, trace in self.traces.items()},
            positives={name: int(label.sum()) for name, label in labels.items()},
        )

    def joined_by(self, *others: "Pool") -> "Pool":
        """Return the pool with further households, such as proven witnesses of rare lines."""
        all_of_them = (self, *others)
        joined = sum(len(other.households) for other in others)
        n = self.sampled + self.joined + joined
        return replace(
            self,
            households=Households.concatenate([pool.households for pool in all_of_them]),
            origin=np.concatenate([self.origin, np.arange(n - joined, n)]),
            labels=_joined([pool.labels for pool in all_of_them]),
            traces=_joined([pool.traces for pool in all_of_them]),
            joined=self.joined + joined,
        )

    def covers(self) -> list[Cover]:
        """Return what each household covers, line by line."""
        return self._covers

    @cached_property
    def _covers(self) -> list[Cover]:
        return line_covers(self.lines, self.traces)

    def unreached(self) -> dict[str, list[int]]:
        """Return the lines that no household runs, by program; programs without any left out."""
        missed = {}
        for name, lines in self.lines.items():
            (run,) = unpack(np.bitwise_or.reduce(self.traces[name], axis=0)[None], len(lines))
            if not run.all():
                missed[name] = [line for line, is_run in zip(lines, run, strict=True) if not is_run]
        return missed


def build_pool(
    n: int,
    edition: Edition,
    seed: int,
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
        tick: Told how many more households are done, after each chunk.
        run: Does the chunks of a large pool; where and in which order changes nothing.
    """
    if n <= KEPT_WHOLE:
        return collect(edition, n, _ticked(sample_chunks(n, edition, seed), tick))
    found = gather(run(jobs_of(n, edition, seed)), tick)
    pool = collect(edition, n, [found.households])
    return replace(pool, origin=found.origin, positives=found.positives)


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
    labels = _joined([batch.labels for batch in batches])
    return Pool(
        edition,
        sampled,
        parts[0] if len(parts) == 1 else Households.concatenate(parts),
        np.arange(sum(map(len, parts))),
        labels,
        _joined([batch.traces for batch in batches]),
        dict(batches[0].lines),
        {name: int(label.sum()) for name, label in labels.items()},
    )


def _joined(parts: Sequence[dict[str, NDArray[AnyT]]]) -> dict[str, NDArray[AnyT]]:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def labels_of(pool: Pool, positions: Sequence[int]) -> list[dict[str, bool]]:
    """Return the labels of some households of a pool, for every program."""
    return [
        {name: bool(label[position]) for name, label in pool.labels.items()}
        for position in positions
    ]
