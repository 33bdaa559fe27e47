"""The reference tracer: what coverage.py sees of a checker."""

import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import coverage
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benyfits_data.editions import EDITIONS, Program, load_edition
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import Trace, trace, trace_checker, trace_many
from benyfits_data.language.source import Source
from tests.strategies import possible_households

ADULT = {"members": [{"age": 30, "annual_work_income": 12000}]}
ELSEWHERE = {**ADULT, "place_of_residence": "New Jersey"}
PROGRAMS = [(year, name) for year in EDITIONS for name in load_edition(year).programs]


def program(year: int = 2024, name: str = "FairFaresNYC") -> Program:
    return load_edition(year).program(name)


@pytest.fixture
def no_tracer() -> Iterator[None]:
    """The tracer of the test run, if any, rests."""
    before, before_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(before)
    threading.settrace(before_threads)


def lines_with(source: Source, text: str) -> set[int]:
    found = source.path.read_text().splitlines()
    return {n for n, line in enumerate(found, start=1) if n in source.body_lines and text in line}


def test_a_refused_household_runs_the_condition_and_its_return_only() -> None:
    source = Source.of(program().checker)
    first = min(lines_with(source, "place_of_residence"))
    assert trace(program(), Household.complete(**ELSEWHERE)) == Trace(
        False, frozenset({first, first + 1}), frozenset({(first, first + 1)})
    )


def test_many_households_give_the_same_traces_as_one_by_one() -> None:
    households = [
        Household.complete(**ADULT),
        Household.complete(**ELSEWHERE),
        Household.complete(**ADULT),
    ]
    assert trace_many(program(), households) == [trace(program(), one) for one in households]


def is_poor(household: Household) -> bool:
    return household.available_financial_resources < 1


def helped_from_its_own_file(household: Household, thresholds: object) -> bool:
    if is_poor(household):  # noqa: SIM103 - the checker language writes it so.
        return True
    return False


def test_the_lines_of_a_function_in_the_same_file_do_not_count() -> None:
    first = helped_from_its_own_file.__code__.co_firstlineno
    seen = trace_checker(helped_from_its_own_file, None, [Household.complete(**ADULT)])
    assert seen == [
        Trace(False, frozenset({first + 1, first + 3}), frozenset({(first + 1, first + 3)}))
    ]


def test_no_households_give_no_traces() -> None:
    assert trace_many(program(), []) == []


@pytest.mark.usefixtures("no_tracer")
def test_a_debugger_goes_on_after_a_trace() -> None:
    seen: list[str] = []

    def debugger(frame: FrameType, event: str, argument: Any) -> Any:
        seen.append(frame.f_code.co_name)
        return debugger

    def watched() -> int:
        return 1

    household = Household.complete(**ADULT)
    sys.settrace(debugger)
    threading.settrace(debugger)
    trace(program(), household)
    after, after_threads = sys.gettrace(), threading.gettrace()
    watched()
    sys.settrace(None)
    assert after is debugger
    assert after_threads is debugger
    assert "watched" in seen


@pytest.mark.usefixtures("no_tracer")
def test_another_coverage_goes_on_after_a_trace() -> None:
    def watched() -> int:
        return 1

    household = Household.complete(**ADULT)
    outer = coverage.Coverage(data_file=None, include=[__file__], config_file=False, messages=False)
    outer.start()
    trace(program(), household)
    watched()
    outer.stop()
    lines = outer.get_data().lines(__file__) or []
    assert watched.__code__.co_firstlineno + 1 in lines


@pytest.mark.usefixtures("no_tracer")
def test_a_checker_that_raises_leaves_no_tracer_behind() -> None:
    with pytest.raises(AttributeError):
        trace_checker(program().checker, object(), [Household.complete(**ADULT)])
    assert sys.gettrace() is None
    assert trace(program(), Household.complete(**ELSEWHERE)).eligible is False


@pytest.mark.slow
def test_checkers_neither_raise_nor_change_a_possible_household() -> None:
    settings(max_examples=75)(given(possible_households(), st.sampled_from(PROGRAMS))(_is_left))()


def _is_left(household: Household, which: tuple[int, str]) -> None:
    facts = household.facts()
    chosen = program(*which)
    first = trace(chosen, household)
    assert household.facts() == facts
    assert trace(chosen, household) == first
    assert first.eligible is chosen.is_eligible(household)
