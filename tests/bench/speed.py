"""`python -m tests.bench.speed`: the steps of a build, timed beside coverage.py in one run."""

import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeVar

import click
import numpy as np

from benyfits_data.cli.frame import Listing, print_listing
from benyfits_data.editions import DEFAULT_EDITION, Edition, load_edition
from benyfits_data.errors import ProofError
from benyfits_data.fuzz.build import rows_of, select
from benyfits_data.fuzz.corpus import Objective, collect
from benyfits_data.fuzz.distributed import runner_of
from benyfits_data.fuzz.parts import sample_traced
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.language.coverage_tracer import trace_many
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.source import Source

HOUSEHOLDS, COMPARED, SEED = 10_000, 200, 0
"""How many are built of; and on how many of them coverage.py runs, with a context for each."""
SIZES = (1_000, 10_000, 100_000, 1_000_000)
"""Samples that are drawn, labelled and traced; the large ones by a process a processor."""
_T = TypeVar("_T")


def timed(work: Callable[[], _T]) -> tuple[float, _T]:
    """Return the seconds that some work took, and its result."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def time_steps(edition: Edition) -> tuple[dict[str, float], Households]:
    """Return the seconds of each step of a build, and the households that were sampled."""
    lines, steps = Objective("lines"), dict[str, float]()
    seconds, table = timed(lambda: sample_households(HOUSEHOLDS, edition, SEED))
    steps["sample households"] = seconds
    steps["label and trace"] = min(
        timed(lambda: label_and_trace(edition, table))[0] for _ in range(3)
    )
    sampled = collect(edition, [table])
    covered = lines.coverage(sampled)
    seconds, chosen = timed(
        lambda: select(sampled, covered, lines, "exact", np.random.default_rng(SEED))
    )
    steps["select exactly"] = seconds
    steps["render profiles"], _ = timed(lambda: rows_of(edition, chosen, SEED, "diverse"))
    steps["make diverse, whole"], _ = timed(lambda: build(edition))
    return steps, table


def build(edition: Edition) -> None:
    """Build the dataset as a user does, process start and imports included, without pictures."""
    with TemporaryDirectory() as folder:
        command = f"diverse --no-pictures --households {HOUSEHOLDS} --edition {edition.year}"
        command += f" --seed {SEED} --output {folder}"
        run = [sys.executable, "-m", "benyfits_data", *command.split()]
        subprocess.run(run, check=True, capture_output=True)


def time_coverage(edition: Edition, households: Households) -> float:
    """Return the seconds that coverage.py takes to trace all programs on some households.

    Raises:
        ProofError: It and the NumPy reader disagree: their times would not compare.
    """
    batch, total = label_and_trace(edition, households), 0.0
    facts = [households.household(place) for place in range(len(households))]
    for name, program in edition.programs.items():
        seconds, traces = timed(lambda program=program: trace_many(program, facts))  # type: ignore[misc]
        total += seconds
        lines = frozenset(Source.of(program.checker).body_lines)
        ours = [(batch.labels[name][at], batch.trace(name, at) & lines) for at in range(len(facts))]
        if [(found.eligible, found.lines) for found in traces] != ours:
            raise ProofError(f"coverage.py and the NumPy reader disagree on {name}.", program=name)
    return total


def sample(edition: Edition, n: int) -> None:
    """Draw, label and trace a sample."""
    sample_traced(n, edition, SEED, lambda n: None, runner_of("local", None))


def show(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table."""
    print_listing(Listing(tuple(header), [tuple(row) for row in rows]))


@click.command()
@click.option("--edition", type=int, default=DEFAULT_EDITION)
def command(edition: int) -> None:
    """Print seconds, households a second, how often coverage.py would fit in, and memory."""
    rules = load_edition(edition)
    steps, table = time_steps(rules)
    traced = time_coverage(rules, table.take(slice(0, COMPARED))) * HOUSEHOLDS / COMPARED
    steps[f"trace by coverage.py (of {COMPARED})"] = traced
    rows = [(step, took, HOUSEHOLDS / took, traced / took) for step, took in steps.items()]
    show(("step", "seconds", "households/s", "coverage.py: times"), rows)
    growth = [(n, timed(lambda n=n: sample(rules, n))[0]) for n in SIZES]  # type: ignore[misc]
    show(
        ("sampled", "seconds", "households/s"), [(n, seconds, n / seconds) for n, seconds in growth]
    )
    unit = 1 if sys.platform == "darwin" else 1024
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    memory = unit * max(resource.getrusage(who).ru_maxrss for who in whose)
    click.echo(f"Largest process: {memory / 1e6:,.0f} MB.")


if __name__ == "__main__":
    command()
