"""Cases for PolicyEngine, run through its engine, which is seen from outside only.

Skipped where it is not installed: `pip install policyengine-us==2.68.0` takes a gigabyte.
"""

from typing import Any

import pytest
import yaml

from benyfits_data.editions import load_edition
from benyfits_data.vectors.choosing import choose_vectors
from benyfits_data.vectors.vector_targets import TARGETS

YEARS_OF_CHILDREN = {"is_early_head_start_eligible": 3, "is_head_start_eligible": 5}
"""Ages at which federal law and the city's text differ, as `sources.toml` or a reading says."""


def situation(case: dict[str, Any]) -> dict[str, Any]:
    """Return the input of a YAML test with its values by year."""
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
    target = TARGETS["policyengine"]
    vectors = choose_vectors(load_edition(year), list(target.programs), target.expressed)
    asked = 0
    differ = []
    for case in yaml.safe_load(target.write(vectors, target.programs)):
        simulation = engine.Simulation(situation=situation(case))
        for kind, units in case["output"].items():
            names = list(case["input"][kind])
            for unit, expected in units.items():
                for output, value in expected.items():
                    answers = simulation.calculate(output, case["period"])
                    answer = type(value)(answers[names.index(unit)])
                    asked += 1
                    if answer != value and not is_declared(case, unit, output):
                        differ.append((case["name"], unit, output, value))
    assert asked > 30
    assert differ == []
