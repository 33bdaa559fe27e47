"""The tracers that ours are measured against."""

from collections.abc import Callable, Sequence
from time import perf_counter

from benyfits_data.editions import Edition, Program
from benyfits_data.errors import ProofError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import Trace, trace_many
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.source import Source

Tracer = Callable[[Program, Sequence[Household]], list[Trace]]


TRACERS: dict[str, Tracer] = {"coverage.py": trace_many}
"""Our reference: coverage.py with a context for each household."""


def seconds_per_pair(
    tracer: Tracer, edition: Edition, households: Households, tick: Callable[[int], None]
) -> float:
    """Return the seconds a tracer needs for one household and program, on average.

    Args:
        tracer: What to time.
        edition: Gives the programs; all are run.
        households: On whom.
        tick: Told how many more programs are done, after each.

    Raises:
        ProofError: The tracer and the NumPy reader disagree: their times would not compare.
    """
    batch = label_and_trace(edition, households)
    facts = [households.household(position) for position in range(len(households))]
    total = 0.0
    for name, program in edition.programs.items():
        start = perf_counter()
        traces = tracer(program, facts)
        total += perf_counter() - start
        lines = frozenset(Source.of(program.checker).body_lines)
        for position, found in enumerate(traces):
            ours = (bool(batch.labels[name][position]), batch.trace(name, position) & lines)
            if (found.eligible, found.lines) != ours:
                raise ProofError(
                    f"{name}, household {position}: {found} by the tracer, {ours} by the NumPy "
                    "reader. Report this as a bug, with the seed.",
                    program=name,
                    position=position,
                )
        tick(1)
    return total / (len(facts) * len(edition.programs))
