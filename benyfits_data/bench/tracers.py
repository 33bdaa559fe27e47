"""The tracers that ours are measured against, each for one household and program a call."""

import sys
import trace as standard
from collections.abc import Callable
from time import perf_counter

from benyfits_data.editions import Edition, Program
from benyfits_data.errors import ProofError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language import tracing
from benyfits_data.language.batch import label_and_trace
from benyfits_data.language.source import Source
from benyfits_data.language.tracing import Trace

Tracer = Callable[[Program, Household], Trace]


def trace_by_standard_library(program: Program, household: Household) -> Trace:
    """Return label and trace from Python's own `trace` module: a new tracer for every call."""
    source = Source.of(program.checker)
    tracer = standard.Trace(count=1, trace=0)
    before = sys.gettrace()
    try:
        eligible = tracer.runfunc(program.checker, household, program.thresholds)
    finally:
        sys.settrace(before)
    path, body = str(source.path), set(source.body_lines)
    ran = {line for file, line in tracer.results().counts if file == path and line in body}
    return Trace(eligible, frozenset(ran))


TRACERS: dict[str, Tracer] = {
    "trace": trace_by_standard_library,
    "coverage.py": tracing.trace,
}
"""Python's `trace` module, and our reference under coverage.py."""


def seconds_per_pair(
    tracer: Tracer, edition: Edition, households: Households, tick: Callable[[int], None]
) -> float:
    """Return the seconds a tracer needs for one household and program, on average.

    Args:
        tracer: What to time.
        edition: Gives the programs; all are run.
        households: On whom.
        tick: Told how many more households are done, after each.

    Raises:
        ProofError: The tracer and the NumPy reader disagree: their times would not compare.
    """
    batch = label_and_trace(edition, households)
    total = 0.0
    for position in range(len(households)):
        household = households.household(position)
        for name, program in edition.programs.items():
            start = perf_counter()
            found = tracer(program, household)
            total += perf_counter() - start
            ours = Trace(bool(batch.labels[name][position]), batch.trace(name, position))
            if found != ours:
                raise ProofError(
                    f"{name}, household {position}: {found} by the tracer, {ours} by the NumPy "
                    "reader. Report this as a bug, with the seed.",
                    program=name,
                    position=position,
                )
        tick(1)
    return total / (len(households) * len(edition.programs))
