"""Where the chunks of a large pool are drawn: in processes of this machine, or on a Ray cluster."""

import logging
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Literal, get_args

from benyfits_data.errors import EngineError, MissingExtraError
from benyfits_data.fuzz.scale import Found, Job, Runner, find_traces, in_this_process

Engine = Literal["local", "ray"]
ENGINES: tuple[Engine, ...] = get_args(Engine)
_WAITING = 2
"""Jobs given out for each worker: one at work, one at hand."""
_RETRIES = 5


def runner_of(engine: Engine, workers: int | None = None) -> Runner:
    """Return what does the jobs of a large pool.

    Args:
        engine: `local` for processes of this machine, `ray` for a cluster.
        workers: How many jobs run at once; as many as there are processors unless given.
    """
    if engine == "ray":
        return partial(on_ray, workers=workers)
    n = workers or os.cpu_count() or 1
    return in_this_process if n == 1 else partial(in_processes, workers=n)


def in_processes(jobs: Sequence[Job], workers: int) -> Iterator[Found]:
    """Do jobs in processes of this machine; give each result when it is there.

    Raises:
        EngineError: A process died, most likely for want of memory.
    """
    # Spawned everywhere: forking a process with threads is not safe, and elsewhere not possible.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context) as pool:
        left = iter(jobs)
        running: set[Future[Found]] = set()
        try:
            while True:
                while len(running) < _WAITING * workers and (job := next(left, None)) is not None:
                    running.add(pool.submit(find_traces, job))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BrokenProcessPool as error:
            raise EngineError(
                f"One of {workers} processes died, most likely for want of memory (a process needs "
                "about 0.8 GB). Use fewer with --workers.",
                workers=workers,
            ) from error
        finally:
            for future in running:
                future.cancel()


def on_ray(jobs: Sequence[Job], workers: int | None = None) -> Iterator[Found]:
    """Do jobs on a Ray cluster; give each result when it is there.

    A job whose worker or node dies is done again elsewhere: it has no state, and its streams depend
    on nothing but its number. Joins the cluster that `RAY_ADDRESS` or `ray start` names; without
    one, starts one on this machine.

    Args:
        jobs: What to do.
        workers: How many jobs run at once; as many as the cluster has processors unless given.

    Raises:
        MissingExtraError: Ray is not installed.
        EngineError: A job's worker died again and again.
    """
    ray = _ray()
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.WARNING)
    try:
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(find_traces)
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
        raise EngineError(
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
