"""No possible household holds both sides: what follows from a verdict or a fact is so."""

import re
from collections.abc import Iterable
from functools import cache

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.features import FEATURES
from benyfits_data.household.registry import Constraint, names_in
from benyfits_data.language.ir import Node
from benyfits_data.language.source import Source
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend import Answer, World
from tests.household.following import FOLLOWS, STAND_BESIDE, Following

NAMES_OF_PROGRAMS = re.compile(
    "Medicaid|Child Health|health insurance|public housing|Public Housing|NYCHA|Section 8|SNAP"
    "|SSI|Cash Assistance|Temporary Assistance|HRA|HEAP|STAR|Senior Citizen|Jobs Plus"
    "|Newborn Home|Paid Family|paratransit|subway|public transit|VA health|Mitchell-Lama"
    "|attends? school|current grade|[Ww]hat grade|in foster care"
)
PLACES = 2
"""Members of the households that are asked about: each conclusion is about one of them."""


@cache
def world() -> World:
    return World(places=PLACES)


def contradiction(following: Following, year: int, without: Iterable[str] = ()) -> Answer:
    """Ask for a household whose programs have the verdicts, though what follows does not hold."""
    asked = world()
    holds = following.holds
    conclusion = Constraint(holds.__name__, holds.__doc__ or "", ("age",), holds)
    condition: Node = asked.executor.broken(conclusion)
    builder = asked.executor.builder
    for name, verdict in following.verdicts:
        program = load_edition(year).programs[name]
        source, arguments = Source.of(program.checker), [HouseholdArgument(), program.thresholds]
        label = asked.executor.execute(source, arguments).value
        condition = builder.both(condition, label if verdict else builder.negate(label))
    return asked.find(condition, without)


CASES = [
    pytest.param(
        it, year, id="-".join([it.holds.__name__, *(n for n, _ in it.verdicts), str(year)])
    )
    for it in FOLLOWS
    for year in it.editions
]


@pytest.mark.parametrize(("following", "year"), CASES)
def test_no_possible_household_contradicts_what_follows(following: Following, year: int) -> None:
    assert contradiction(following, year).status == "none"


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("a_covered_member_qualifies_for_a_plan", "qualify_for_health_insurance_whenever_eligible"),
        ("benefits_bring_medicaid", "eligible_for_medicaid_whenever_receives_ssi"),
        ("everybody_can_use_transit", "disability_prevents_some_transit_trips_whenever"),
    ],
)
def test_a_contradiction_is_found_where_the_guard_is_taken_away(name: str, without: str) -> None:
    following = next(it for it in FOLLOWS if it.holds.__name__ == name)
    guards = [constraint for constraint in CONSTRAINTS if constraint.startswith(without)]
    assert guards
    assert contradiction(following, 2024, guards).status == "found"


def test_every_fact_that_names_a_program_is_decided() -> None:
    told = {name for it in FOLLOWS for name in names_in(it.holds) & FEATURES.keys()}
    named = {
        name
        for name, it in FEATURES.items()
        if NAMES_OF_PROGRAMS.search(f"{it.sentence} {it.phrase} {it.question} {it.choices}")
    }
    assert len(named) > 30
    assert named - told - STAND_BESIDE.keys() == set()
    assert STAND_BESIDE.keys() <= named
