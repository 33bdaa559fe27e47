"""Sampling a corpus: at once, or in chunks on the processors of this machine or a Ray cluster.

A corpus that does not fit in memory is sampled chunk by chunk. Each chunk has random streams of its
own and leaves only households that bring a new trace. Merging keeps the first of each trace over
all chunks, so the order in which chunks are done, and where, changes nothing.
"""

import logging
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Literal

from benyfits_data.editions import Edition
from benyfits_data.errors import MissingExtraError, WorkerDiedError
from benyfits_data.fuzz.corpus import Corpus, collect, merge
from benyfits_data.fuzz.inputs.limits import Boundaries, boundaries
from benyfits_data.fuzz.sample import sample_chunk, sample_chunks
from benyfits_data.household.columns import Households
from benyfits_data.parallel import run_tasks

Engine = Literal["local", "ray"]

KEPT_WHOLE = 100_000
"""Corpora up to this size are kept whole; of larger ones, the first household of each trace."""
CHUNK = 100_000
"""Households drawn at once: so many that repair and mutation are work on columns, not overhead; so
few that a process stays well below a gigabyte."""
MERGED_AT_ONCE = 8
"""Parts merged at once: fewer copy what was found again and again, more fill the memory."""
_WAITING = 2
"""Jobs given out for each worker: one at work, one at hand; more would fill the memory."""
_RETRIES = 5
"""How often Ray does a job again whose worker died."""


@dataclass(frozen=True)
class Job:
    """One chunk of a corpus to draw and trace; small enough to send anywhere.

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


Runner = Callable[[Sequence[Job]], Iterable[Corpus]]
"""Does all jobs, in any order."""
Tick = Callable[[int], None]


def in_this_process(jobs: Sequence[Job]) -> Iterator[Corpus]:
    """Do all jobs, one after the other."""
    return map(sample_job, jobs)


def sample_corpus(
    n: int,
    edition: Edition,
    seed: int,
    tick: Tick = lambda done: None,
    run: Runner = in_this_process,
) -> Corpus:
    """Return a corpus of `n` sampled households with labels and traces.

    Up to 100,000 all are kept. Of more, only the first household of each unique trace is, so that
    memory stays bounded.

    Args:
        n: How many to sample.
        edition: Whose checkers to run.
        seed: The seed of the build.
        tick: Told how many more households are done, after each chunk.
        run: Does the chunks of a large corpus; where and in which order changes nothing.
    """
    if n <= KEPT_WHOLE:
        return collect(edition, _ticked(sample_chunks(n, edition, seed), tick))
    return replace(gather(run(jobs_of(n, edition, seed)), tick), edition=edition)


def _ticked(tables: Iterable[Households], tick: Tick) -> Iterator[Households]:
    for table in tables:
        yield table
        tick(len(table))


def jobs_of(n: int, edition: Edition, seed: int, chunk: int = CHUNK) -> list[Job]:
    """Return the chunks of a corpus of `n` households; other chunks, other households."""
    packed = pickle.dumps(edition)
    return [
        Job(packed, seed, start // chunk, start, min(chunk, n - start))
        for start in range(0, n, chunk)
    ]


def sample_job(job: Job) -> Corpus:
    """Return the households of one chunk that bring a new trace.

    Raises:
        ImpossibleHouseholdError: A household cannot be repaired.
    """
    edition, limits = _unpacked(job.edition)
    table = sample_chunk(job.n, limits, job.seed, job.chunk)
    found = collect(edition, [table]).minimised()
    return replace(found, origin=found.origin + job.start)


@lru_cache(maxsize=2)
def _unpacked(edition: bytes) -> tuple[Edition, Boundaries]:
    unpacked = pickle.loads(edition)
    return unpacked, boundaries(unpacked)


def gather(parts: Iterable[Corpus], tick: Tick = lambda done: None) -> Corpus:
    """Return all parts as one corpus, merged as they come in.

    Args:
        parts: At least one.
        tick: Told how many more households are done, after each part.
    """
    waiting: list[Corpus] = []
    for part in parts:
        waiting.append(part)
        tick(part.sampled)
        if len(waiting) > MERGED_AT_ONCE:
            waiting = [merge(waiting)]
    return merge(waiting)


def runner_of(engine: Engine, workers: int | None = None) -> Runner:
    """Return the function that does the jobs of a large corpus.

    Args:
        engine: `local` for processes of this machine, `ray` for a cluster.
        workers: How many jobs run at once; as many as there are processors unless given.
    """
    if engine == "ray":
        return partial(on_ray, workers=workers)
    return partial(in_processes, workers=workers or os.cpu_count() or 1)


def in_processes(jobs: Sequence[Job], workers: int) -> Iterator[Corpus]:
    """Do jobs in processes of this machine.

    Raises:
        WorkerDiedError: A process died, most likely for want of memory.
    """
    advice = "A process needs about 0.8 GB: use fewer with --workers."
    return run_tasks(sample_job, jobs, workers, ahead=_WAITING * workers, advice=advice)


def on_ray(jobs: Sequence[Job], workers: int | None = None) -> Iterator[Corpus]:
    """Do jobs on a Ray cluster; give each result when it is there.

    A job whose worker or node dies is done again elsewhere: it has no state, and its streams depend
    on nothing but its number. Joins the cluster that `RAY_ADDRESS` or `ray start` names; without
    one, starts one on this machine.

    Args:
        jobs: What to do.
        workers: How many jobs run at once; as many as the cluster has processors unless given.

    Raises:
        MissingExtraError: Ray is not installed.
        WorkerDiedError: A job's worker died again and again.
    """
    ray = _ray()
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.WARNING)
    try:
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(sample_job)
        at_once = workers or int(ray.cluster_resources().get("CPU", 1))
        left = iter(jobs)
        running: list[Any] = []
        while True:
            while len(running) < at_once and (job := next(left, None)) is not None:
                running.append(task.remote(job))
            if not running:
                return
            done, running = ray.wait(running)
            yield ray.get(done[0])
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError) as error:
        raise WorkerDiedError(
            f"A worker of the Ray cluster died {_RETRIES + 1} times over one job, most likely for "
            "want of memory (a worker needs about 0.8 GB). Give nodes fewer processors or more "
            "memory.",
            retries=_RETRIES,
        ) from error
    finally:
        if is_ours:
            ray.shutdown()


def _ray() -> Any:
    # Nothing of a build is reported to anyone.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError(
            "--engine ray needs Ray. Install it with: pip install 'benyfits-data[cluster]'",
            extra="cluster",
        ) from error
    return ray
