"""The reference tracer: coverage.py runs a checker and says which of its lines ran."""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import coverage

from benyfits_data.editions import Program
from benyfits_data.household.model import Household
from benyfits_data.language.source import Source

Checker = Callable[[Household, Any], bool]


@dataclass(frozen=True)
class Trace:
    """What one run of a checker did.

    Attributes:
        eligible: Its answer.
        lines: The lines of the function's body that ran, as numbered in the checker's file.
    """

    eligible: bool
    lines: frozenset[int]


def trace(program: Program, household: Household) -> Trace:
    """Return label and trace of one household."""
    return trace_many(program, [household])[0]


def trace_many(program: Program, households: Iterable[Household]) -> list[Trace]:
    """Return label and trace of each household, in order."""
    return trace_checker(program.checker, program.thresholds, households)


def trace_checker(
    checker: Checker, thresholds: Any, households: Iterable[Household]
) -> list[Trace]:
    """Return label and trace of each household through a function of the checker language.

    Any tracer that was active, of a debugger or another coverage, rests meanwhile and goes on
    afterwards.
    """
    source = Source.of(checker)
    path, body = str(source.path), frozenset(source.body_lines)
    recorder = _recorder(source.path)
    labels: list[bool] = []
    with _restored_tracer():
        recorder.start()
        try:
            for position, household in enumerate(households):
                recorder.switch_context(str(position))
                labels.append(checker(household, thresholds))
        finally:
            recorder.stop()
            data = recorder.get_data()
            ran = data.contexts_by_lineno(path)
            # The recorder serves the next call too; what this one left must not count there.
            data.purge_files([path])
    lines: list[set[int]] = [set() for _ in labels]
    for line, contexts in ran.items():
        if line in body:
            for context in contexts:
                lines[int(context)].add(line)
    return [Trace(label, frozenset(seen)) for label, seen in zip(labels, lines, strict=True)]


@cache
def _recorder(path: Path) -> coverage.Coverage:
    """Return the recorder of one file: making one costs more than a hundred traces."""
    recorder = coverage.Coverage(
        data_file=None, include=[str(path)], config_file=False, messages=False, auto_data=False
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
