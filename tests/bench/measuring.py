"""The steps of a build, timed in one run beside other tracers."""

import os
import platform
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from benyfits_data.editions import Edition
from benyfits_data.fuzz.build import rows_of, select
from benyfits_data.fuzz.corpus import Objective, collect
from benyfits_data.fuzz.distributed import runner_of
from benyfits_data.fuzz.parts import sample_traced
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.language.numpy_backend import label_and_trace
from tests.bench.tracers import TRACERS, seconds_per_pair

_REPEATS = 3

SAMPLE, TRACE, SELECT, RENDER, BUILD = (
    "sample households",
    "label and trace",
    "select exactly",
    "render profiles",
    "make diverse, whole",
)
Tick = Callable[[int], None]
Show = Callable[[str, int], AbstractContextManager[Tick]]
"""Shows that something runs, by its name and how many parts of it will be told; 0 for none."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class Bench:
    """What a run measured.

    Attributes:
        steps: Seconds of each step.
        compared: On how many households the other tracers ran.
        others: Seconds that each other tracer would need for all households and programs, from
            its time for the compared ones.
        growth: Numbers of households, and the seconds to sample, label and trace them.
        workers: How many processes drew the large samples.
        memory: Largest memory of any one process, in bytes.
    """

    edition: int
    households: int
    programs: int
    steps: dict[str, float]
    compared: int
    others: dict[str, float]
    growth: list[tuple[int, float]]
    workers: int
    memory: int

    def times(self, step: str, other: str) -> float:
        """Return how many times as long as a step another tracer takes for tracing alone."""
        return self.others[other] / self.steps[step]

    def as_json(self) -> dict[str, Any]:
        """Return everything measured, as plain values."""
        return {
            "edition": self.edition,
            "households": self.households,
            "programs": self.programs,
            "steps": [
                {
                    "step": step,
                    "seconds": round(seconds, 4),
                    "households_per_second": round(self.households / seconds),
                    "times": {other: round(self.times(step, other), 1) for other in self.others},
                }
                for step, seconds in self.steps.items()
            ],
            "others": {
                other: {"seconds": round(seconds, 2), "extrapolated_from": self.compared}
                for other, seconds in self.others.items()
            },
            "growth": [
                {"households": n, "seconds": round(seconds, 3)} for n, seconds in self.growth
            ],
            "largest_process_bytes": self.memory,
            "workers": self.workers,
            "machine": {
                "processors": os.cpu_count(),
                "python": platform.python_version(),
                "numpy": np.__version__,
                "system": platform.platform(),
            },
        }


def measure(
    edition: Edition,
    seed: int,
    *,
    households: int,
    compared: int,
    sizes: Sequence[int],
    workers: int | None,
    show: Show,
) -> Bench:
    """Return the times of all steps, measured now on this machine.

    `compared` of the households run under the other tracers too; `sizes` are the samples that are
    sampled, labelled and traced for the curve, by `workers` processes (one a processor for `None`).

    Raises:
        ProofError: Another tracer and ours disagree.
    """
    steps: dict[str, float] = {}

    def timed(step: str, work: Callable[[], _T]) -> _T:
        with show(step, 0):
            start = perf_counter()
            result = work()
            steps[step] = perf_counter() - start
        return result

    table = timed(SAMPLE, lambda: sample_households(households, edition, seed))
    with show(TRACE, 0):
        steps[TRACE] = _fastest(lambda: label_and_trace(edition, table))
    sampled = collect(edition, [table])
    lines = Objective("lines")
    covered = lines.coverage(sampled)
    rng = np.random.default_rng(seed)
    chosen = timed(SELECT, lambda: select(sampled, covered, lines, "exact", rng))
    timed(RENDER, lambda: rows_of(edition, chosen, seed, "diverse"))
    timed(BUILD, lambda: _build(edition, households, seed))
    n_pairs = households * len(edition.programs)
    others = {}
    for name, tracer in TRACERS.items():
        some = table.take(slice(0, compared))
        with show(f"{name}, {len(some)} households", len(edition.programs)) as tick:
            others[name] = n_pairs * seconds_per_pair(tracer, edition, some, tick)
    growth = []
    for n in sizes:
        with show(f"{n:,} households", n) as tick:
            start = perf_counter()
            sample_traced(n, edition, seed, tick, runner_of("local", workers))
            growth.append((n, perf_counter() - start))
    return Bench(
        edition.year,
        households,
        len(edition.programs),
        steps,
        min(compared, households),
        others,
        growth,
        workers or os.cpu_count() or 1,
        _largest_process(),
    )


def _fastest(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(_REPEATS):
        start = perf_counter()
        work()
        seconds.append(perf_counter() - start)
    return min(seconds)


def _build(edition: Edition, households: int, seed: int) -> None:
    """Build the dataset as a user does, process start and imports included, without pictures."""
    with TemporaryDirectory() as folder:
        options = {
            "--households": households,
            "--edition": edition.year,
            "--seed": seed,
            "--output": Path(folder),
        }
        command = [sys.executable, "-m", "benyfits_data", "diverse", "--no-pictures"]
        for option, value in options.items():
            command += [option, str(value)]
        subprocess.run(command, check=True, capture_output=True)


def _largest_process() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
