"""The reference tracer: coverage.py runs a checker and says which lines and branches ran."""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import coverage

from benyfits_data.editions import Program
from benyfits_data.household.model import Household
from benyfits_data.language.source import Branch, Element, Source

Checker = Callable[[Household, Any], bool]


@dataclass(frozen=True)
class Trace:
    """What one run of a checker did.

    Attributes:
        eligible: Its answer.
        lines: The lines of the function's body that ran, as numbered in the checker's file.
        branches: The branches that ran: line of a condition or loop, and the line that ran next.
    """

    eligible: bool
    lines: frozenset[int]
    branches: frozenset[Branch]

    @property
    def elements(self) -> frozenset[Element]:
        """Lines and branches."""
        return self.lines | self.branches


def trace(program: Program, household: Household) -> Trace:
    """Return label and trace of one household."""
    return trace_pairs([(program, household)])[0]


def trace_many(program: Program, households: Iterable[Household]) -> list[Trace]:
    """Return label and trace of each household, in order."""
    return trace_checker(program.checker, program.thresholds, households)


def trace_pairs(pairs: Iterable[tuple[Program, Household]]) -> list[Trace]:
    """Return label and trace of each household in its program, in order."""
    return _record(
        [(program.checker, program.thresholds, household) for program, household in pairs]
    )


def trace_checker(
    checker: Checker, thresholds: Any, households: Iterable[Household]
) -> list[Trace]:
    """Return label and trace of each household through a function of the checker language."""
    return _record([(checker, thresholds, household) for household in households])


def _record(runs: Sequence[tuple[Checker, Any, Household]]) -> list[Trace]:
    """Return what each run of a checker did.

    Any tracer that was active, of a debugger or another coverage, rests meanwhile and goes on
    afterwards.
    """
    if not runs:
        return []
    sources = {checker: Source.of(checker) for checker, _, _ in runs}
    files = frozenset(str(source.path) for source in sources.values())
    recorder = _recorder(files)
    labels: list[bool] = []
    with _restored_tracer():
        recorder.start()
        try:
            for position, run in enumerate(runs):
                recorder.switch_context(str(position))
                checker, thresholds, household = run
                labels.append(checker(household, thresholds))
        finally:
            recorder.stop()
            data = recorder.get_data()
            arcs = []
            for position, (checker, _, _) in enumerate(runs):
                data.set_query_context(str(position))
                arcs.append(frozenset(data.arcs(str(sources[checker].path)) or ()))
            # The recorder serves the next call too; what this one left must not count there.
            data.set_query_contexts(None)
            data.purge_files(files)
    lines = {checker: frozenset(source.body_lines) for checker, source in sources.items()}
    branches = {checker: frozenset(source.branches) for checker, source in sources.items()}
    return [
        Trace(label, lines[checker].intersection(chain(*ran)), branches[checker] & ran)
        for label, ran, (checker, _, _) in zip(labels, arcs, runs, strict=True)
    ]


@lru_cache(maxsize=256)
def _recorder(files: frozenset[str]) -> coverage.Coverage:
    """Return the recorder of some files: making one costs more than a hundred traces.

    Program folders of one plan are one pattern: 82 take longer to compile than the rest of it.
    """
    plans = {str(Path(file).parent.parent / "*" / Path(file).name) for file in files}
    recorder = coverage.Coverage(
        data_file=None,
        branch=True,
        include=sorted(plans),
        config_file=False,
        messages=False,
        auto_data=False,
    )
    # The other cores of coverage.py cannot tell one household's lines from the next one's.
    recorder.set_option("run:core", "ctrace")
    return recorder


@contextmanager
def _restored_tracer() -> Iterator[None]:
    before, before_threads = sys.gettrace(), threading.gettrace()
    try:
        yield
    finally:
        if threading.gettrace() is not before_threads:
            threading.settrace(before_threads)
        if sys.gettrace() is not before:
            sys.settrace(before)
