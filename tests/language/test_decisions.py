"""What a checker asked and what decided, against CPython, and clauses that `explain` leaves out."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benyfits_data.editions import EDITIONS, Program, load_edition
from benyfits_data.household.model import Household
from benyfits_data.language import explain as explaining
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.decisions import HouseholdReader
from benyfits_data.language.explain import explain
from benyfits_data.language.source import Source
from tests.language.turned_runs import run_turned
from tests.strategies import possible_households

PROGRAMS = [(year, name) for year in EDITIONS for name in load_edition(year).programs]


@pytest.mark.parametrize("n", [15, pytest.param(400, marks=pytest.mark.slow)])
def test_a_checker_asks_what_cpython_asks_and_the_same_conditions_decide_alone(n: int) -> None:
    settings(max_examples=n)(given(possible_households(), st.sampled_from(PROGRAMS))(_agrees))()


def _agrees(household: Household, which: tuple[int, str]) -> None:
    program = load_edition(which[0]).program(which[1])
    reader = HouseholdReader(household)
    answer = reader.run(program)
    eligible, asked = run_turned(program, household)
    assert answer.eligible is eligible
    assert [(one.place, one.holds) for one in answer.decisions] == asked
    assert answer.lines == trace(program, household).lines
    alone = {
        place for place, _ in asked if run_turned(program, household, place)[0] is (not eligible)
    }
    assert {one.place for one in reader.alone(program, answer)} == alone
    assert alone <= reader.reason(program, answer)


def unnamed(program: Program, household: Household) -> list[tuple[int, tuple[str, ...]]]:
    """Return the conditions that decide alone, and of whose clauses `explain` names none."""
    decisions = Source.of(program.checker).decisions
    named = set(explain(program, household).clauses)
    eligible, asked = run_turned(program, household)
    return [
        (line, decisions[line])
        for (line, member), _ in asked
        if decisions[line]
        and not named & {*decisions[line]}
        and run_turned(program, household, (line, member))[0] is (not eligible)
    ]


def examples() -> Iterator[tuple[Program, Household]]:
    for year in EDITIONS:
        for program in load_edition(year).programs.values():
            for example in program.examples():
                yield program, example.household(program.thresholds)


@pytest.mark.slow
def test_every_clause_that_decides_alone_is_named_for_all_examples() -> None:
    checked = [(program.name, unnamed(program, household)) for program, household in examples()]
    assert len(checked) > 2000
    assert [one for one in checked if one[1]] == []


def test_a_clause_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load_edition(2026).program("CoolingAssistanceBenefit")
    households = [one.household(program.thresholds) for one in program.examples() if one.eligible]
    assert not any(unnamed(program, household) for household in households)
    real = explaining._decisive

    def without_clause_2(*arguments: object) -> dict[object, tuple[str, ...]]:
        decisive = real(*arguments)  # type: ignore[arg-type]
        return {place: ids for place, ids in decisive.items() if ids != ("2",)}

    monkeypatch.setattr(explaining, "_decisive", without_clause_2)
    assert any(unnamed(program, household) for household in households)
