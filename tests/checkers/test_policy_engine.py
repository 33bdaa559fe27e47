"""Checkers beside policyengine-us, whose engine is seen from outside only.

The comparison is skipped where it is not installed: `pip install policyengine-us==2.68.0` takes a
gigabyte. What it would be told is tested everywhere.
"""

from typing import Any

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household
from tests.checkers.policy_engine import (
    OUTPUTS,
    LabelledHousehold,
    choose_households,
    make_cases,
)

SAMPLED = 20_000
YEARS_OF_CHILDREN = {"is_early_head_start_eligible": 3, "is_head_start_eligible": 5}
"""Ages at which federal law and the city's text differ, as `sources.toml` or a reading says."""


def situation(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case's input with its values by year."""
    return {
        kind: {
            name: {
                fact: value if fact == "members" else {case["period"]: value}
                for fact, value in unit.items()
            }
            for name, unit in units.items()
        }
        for kind, units in case["input"].items()
    }


def is_declared(case: dict[str, Any], unit: str, output: str) -> bool:
    """Return whether the program's folder says why the text stands against the engine."""
    people = case["input"]["people"]
    if output in YEARS_OF_CHILDREN:
        return bool(people[unit]["age"] == YEARS_OF_CHILDREN[output])
    income = sum(it["employment_income"] + it["taxable_pension_income"] for it in people.values())
    limits = [load_edition(year).program("Lifeline").thresholds for year in (2024, 2026)]
    return output == "is_lifeline_eligible" and income in [
        it.income_limit[len(people)] for it in limits
    ]


@pytest.mark.slow
@pytest.mark.parametrize("year", [2024, 2026])
def test_the_engine_agrees_or_the_program_says_why_not(year: int) -> None:
    engine = pytest.importorskip("policyengine_us")
    chosen = choose_households(load_edition(year), list(OUTPUTS), SAMPLED)
    asked = 0
    differ = []
    for case in make_cases(chosen):
        simulation = engine.Simulation(situation=situation(case))
        for kind, units in case["output"].items():
            names = list(case["input"][kind])
            for unit, expected in units.items():
                for output, value in expected.items():
                    answers = simulation.calculate(output, case["period"])
                    answer = type(value)(answers[names.index(unit)])
                    asked += 1
                    if answer != value and not is_declared(case, unit, output):
                        differ.append((case, unit, output, value))
    assert asked > 30
    assert differ == []


@pytest.fixture(scope="module")
def chosen() -> list[LabelledHousehold]:
    """Return households of 2024, of a small sample."""
    return choose_households(load_edition(2024), list(OUTPUTS), 5_000)


@pytest.mark.slow
def test_units_hold_everybody_once_and_both_answers_are_expected(
    chosen: list[LabelledHousehold],
) -> None:
    cases = make_cases(chosen)
    assert {case["period"] for case in cases} == {2023, 2024}  # Returns are of the year before.
    outputs = set()
    for case in cases:
        people = sorted(case["input"]["people"])
        for kind in ("tax_units", "spm_units", "households"):
            members = [one for unit in case["input"][kind].values() for one in unit["members"]]
            assert sorted(members) == people
        for kind, units in case["output"].items():
            assert units
            for unit, expected in units.items():
                assert unit in case["input"][kind]
                outputs |= set(expected.items())
    of_people = {name for name in OUTPUTS.values() if name != "eitc_eligible"}
    assert outputs >= {(name, answer) for name in of_people for answer in (True, False)}
    assert {("eitc_eligible", True), ("eitc", 0)} <= outputs


@pytest.mark.slow
@pytest.mark.parametrize("moved", [1, -1])
def test_a_limit_that_is_off_by_one_is_noticed(chosen: list[LabelledHousehold], moved: int) -> None:
    of_head_start = [one for one in chosen if one.program.name == "HeadStart"]
    program = of_head_start[0].program
    other = program.thresholds.with_values({"max_age": program.thresholds.max_age + moved})
    wrong = [program.checker(one.household, other) for one in of_head_start]
    assert wrong != [one.eligible for one in of_head_start]


def labelled(year: int, home: Household) -> LabelledHousehold:
    """Return a household with its label of the tax credit."""
    program = load_edition(year).program("EarnedIncomeTaxCredit")
    return LabelledHousehold(program, home, program.is_eligible(home), follows=True)


@pytest.mark.parametrize(("year", "members"), [(2024, [1, 2]), (2026, [1, 2, 3])])
def test_whom_the_credit_may_count_is_in_the_tax_unit_with_a_number_or_none(
    year: int, members: list[int]
) -> None:
    """Our clauses count who is not claimed, and kin from 2026 on; the engine counts its units."""
    home = Household.complete(
        members=[
            {"age": 24, "annual_work_income": 10_000},
            {
                "relation": "child",
                "age": 5,
                "dependent": False,
                "has_ssn": False,
                "citizenship": "lawful_resident",
            },
            {"relation": "sibling", "age": 12},
        ]
    )
    one = labelled(year, home)
    assert one.eligible
    [case] = make_cases([one])
    assert case["input"]["tax_units"]["tax_unit"]["members"] == [f"person{it}" for it in members]
    people = case["input"]["people"]
    assert people["person2"]["is_tax_unit_dependent"]
    assert ("is_tax_unit_dependent" in people["person3"]) == (3 in members)
    assert [it["ssn_card_type"] for it in people.values()] == ["CITIZEN", "NONE", "CITIZEN"]
    assert case["period"] == year - 1


def test_what_the_engine_cannot_be_told_is_left_out() -> None:
    pay = {"annual_work_income": 9_000}
    grown = Household.complete(members=[{"age": 70, **pay}, {"relation": "child", "age": 40}])
    apart = Household.complete(
        members=[{"age": 40, **pay}, {"relation": "spouse", "age": 40}], filing_jointly=False
    )
    for home in (grown, apart):
        assert not make_cases([labelled(2024, home)])
