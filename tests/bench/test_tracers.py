"""The tracers that ours are measured against see what ours see, or the bench says so."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import ProofError
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import Trace, trace_many
from tests.bench import tracers
from tests.bench.tracers import TRACERS, seconds_per_pair, trace_by_standard_library

EDITION = load_edition(2024)
HOUSEHOLDS = sample_households(6, EDITION, 5)
FACTS = [HOUSEHOLDS.household(position) for position in range(len(HOUSEHOLDS))]


@pytest.mark.slow
def test_the_standard_library_traces_what_coverage_traces() -> None:
    for program in EDITION.programs.values():
        ours = [replace(trace, branches=frozenset()) for trace in trace_many(program, FACTS)]
        assert trace_by_standard_library(program, FACTS) == ours


def test_the_tracer_that_was_active_goes_on_afterwards() -> None:
    def active(*_: Any) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(active)
    try:
        trace_by_standard_library(EDITION.program("FairFaresNYC"), FACTS[:1])
        assert sys.gettrace() is active
    finally:
        sys.settrace(before)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRACERS)
def test_time_is_measured_and_each_program_told(name: str) -> None:
    told: list[int] = []
    assert seconds_per_pair(TRACERS[name], EDITION, HOUSEHOLDS, told.append) > 0
    assert told == [1] * len(EDITION.programs)


@pytest.mark.slow
def test_time_is_shared_by_households_and_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10_000))
    monkeypatch.setattr(tracers, "perf_counter", lambda: next(clock))
    found = seconds_per_pair(trace_many, EDITION, HOUSEHOLDS, lambda done: None)
    assert found == pytest.approx(1 / len(HOUSEHOLDS))


def test_a_tracer_that_sees_other_lines_is_no_yardstick() -> None:
    def blind(program: Any, households: Sequence[Household]) -> list[Trace]:
        first, *others = trace_many(program, households)
        return [replace(first, lines=first.lines - {max(first.lines)}), *others]

    with pytest.raises(ProofError, match="Report this as a bug") as raised:
        seconds_per_pair(blind, EDITION, HOUSEHOLDS, lambda done: None)
    assert raised.value.facts["position"] == 0
