"""Corpora beyond what one process draws in good time: processes of this machine, or a Ray cluster.

One processor draws and traces 10 million households in about 50 minutes. The published sets need
10,000, and the solver for the last lines; a cluster is for conditions that hardly ever meet.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal

from benyfits_data.errors import WorkerDiedError, extras_named
from benyfits_data.fuzz.corpus import Corpus
from benyfits_data.fuzz.parts import Part, Runner, sample_part
from benyfits_data.parallel import run_tasks

Engine = Literal["local", "ray"]
_WAITING = 2
"""Parts given out for each worker: one at work, one at hand; more would fill the memory."""
_RETRIES = 5
"""How often Ray draws a part again whose worker died."""


def runner_of(engine: Engine, workers: int | None = None) -> Runner:
    """Return the function that draws the parts of a large corpus.

    Args:
        engine: `local` for processes of this machine, `ray` for a cluster.
        workers: How many parts are drawn at once; as many as there are processors unless given.
    """
    if engine == "ray":
        return partial(on_ray, workers=workers)
    return partial(in_processes, workers=workers or os.cpu_count() or 1)


def in_processes(parts: Sequence[Part], workers: int) -> Iterator[Corpus]:
    """Draw parts in processes of this machine.

    Raises:
        WorkerDiedError: A process died.
    """
    advice = "A process needs about 0.8 GB of memory: use fewer with --workers."
    return run_tasks(sample_part, parts, workers, ahead=_WAITING * workers, advice=advice)


def on_ray(parts: Sequence[Part], workers: int | None = None) -> Iterator[Corpus]:
    """Draw parts on a Ray cluster; give each when it is there.

    A part whose worker or node dies is drawn again elsewhere. Joins the cluster that `RAY_ADDRESS`
    or `ray start` names; without one, starts one on this machine.

    Args:
        parts: What to draw.
        workers: How many are drawn at once; as many as the cluster has processors unless given.

    Raises:
        MissingExtraError: Ray is not installed.
        WorkerDiedError: A part's worker died again and again.
    """
    ray = _ray()
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.WARNING)
    try:
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(sample_part)
        left = [*parts]
        running: list[Any] = []
        while left or running:
            at_once = workers or int(ray.cluster_resources().get("CPU", 1))
            running += [
                task.remote(left.pop(0)) for _ in range(min(at_once - len(running), len(left)))
            ]
            done, running = ray.wait(running)
            yield ray.get(done[0])
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError) as error:
        raise WorkerDiedError(
            f"A worker of the Ray cluster died {_RETRIES + 1} times over one part of the corpus "
            f"({type(error).__name__}). A worker needs about 0.8 GB of memory: where that may be "
            "lacking, give nodes fewer processors or more memory; else look into Ray's logs.",
            retries=_RETRIES,
        ) from error
    finally:
        if is_ours:
            ray.shutdown()


def _ray() -> Any:
    # Nothing of a build is reported to anyone.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with extras_named():
        import ray
    return ray
