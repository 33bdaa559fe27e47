import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from benyfits_data.editions import SizeTable, Thresholds, load_edition
from benyfits_data.errors import ProofError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import Household
from benyfits_data.household.registry import Constraint
from benyfits_data.language.ir import TRUE
from benyfits_data.language.numpy_backend import ProgramReader, possible
from benyfits_data.language.source import Element, Source, place
from benyfits_data.language.z3_backend import (
    Answer,
    Task,
    World,
    covered_elements,
    difference,
    find_witnesses,
    prove_constraint,
    prove_constraints,
    prove_elements,
    prove_many,
    whole_world,
)
from tests.language.draws import draw_possible
from tests.language.one_answer import OneAnswer
from tests.language.writing import (
    WRITTEN_THRESHOLDS,
    WrittenProgram,
    checker_bodies,
    thresholds,
    written_checker,
    written_function,
)


def statuses(body: str, folder: Path, **values: Any) -> dict[Element, str]:
    program: Any = WrittenProgram(written_checker(folder, body), thresholds(**values))
    return {it.element: it.status for it in prove_elements(program, whole_world())}


def test_a_line_that_constraints_rule_out_is_dead(tmp_path: Path) -> None:
    body = """
for member in household.members:
    if member.in_foster_care:
        if member.age > thresholds.limit:
            return True
return False
"""
    found = statuses(body, tmp_path, limit=20)
    assert {element for element, status in found.items() if status == "dead"} == {10, (9, 10)}
    assert set(found.values()) == {"dead", "reachable"}
    branches = {(7, 8), (7, 11), (8, 9), (8, 7), (9, 10), (9, 7)}
    assert set(found) == {7, 8, 9, 10, 11, *branches}
    assert statuses(body, tmp_path, limit=19)[10] == "reachable"


@pytest.mark.slow
def test_two_different_members_can_be_needed(tmp_path: Path) -> None:
    body = """
found = 0
for member in household.members:
    if is_spouse_or_partner(member):
        found += 1
        continue
    if member.relation == "sibling":
        found += 1
if found > thresholds.many:
    return True
return False
"""
    assert statuses(body, tmp_path, many=4)[15] == "reachable"
    assert statuses(body, tmp_path, many=5)[15] == "dead"


def test_a_loop_is_left_by_those_alone_who_did_not_return_in_it(tmp_path: Path) -> None:
    body = """
for member in household.members:
    if member.age < thresholds.limit:
        continue
    return True
return False
"""
    assert statuses(body, tmp_path, limit=0)[7, 11] == "dead"
    assert statuses(body, tmp_path, limit=30)[7, 11] == "reachable"


def test_a_limit_by_size_is_met_exactly(tmp_path: Path) -> None:
    body = """
if household_size(household) < thresholds.four:
    return False
if household_income(household) == thresholds.limit[household_size(household)]:
    return True
return False
"""
    table = SizeTable("limit", {1: 100, 2: 200, 3: 300}, 77)
    program: Any = WrittenProgram(written_checker(tmp_path, body), thresholds(limit=table, four=4))
    verdict = prove_elements(program, whole_world())[3]
    assert verdict.household is not None
    size = len(verdict.household.members)
    income = sum(
        member.annual_work_income + member.annual_investment_income
        for member in verdict.household.members
    )
    assert income == 300 + (size - 3) * 77


@pytest.mark.slow
def test_amounts_in_cents_and_grades_in_tenths_are_exact(tmp_path: Path) -> None:
    body = """
if household.applicant.gpa is None:
    return False
if household.applicant.gpa < thresholds.gpa:
    return False
if household_income(household) > thresholds.low:
    if household_income(household) < thresholds.high:
        return True
return False
"""
    assert statuses(body, tmp_path, gpa=3.95, low=10.5, high=11.5)[13] == "reachable"
    assert statuses(body, tmp_path, gpa=4.05, low=10.5, high=11.5)[11] == "dead"
    assert statuses(body, tmp_path, gpa=3.95, low=10.5, high=11.0)[13] == "dead"


def test_covered_elements_are_not_asked_again(tmp_path: Path) -> None:
    program: Any = WrittenProgram(written_checker(tmp_path, "return False"), thresholds())
    assert [v.status for v in prove_elements(program, whole_world(), covered=[7])] == ["covered"]


def test_a_witness_that_does_not_run_the_line_is_refused(tmp_path: Path) -> None:
    checker = written_checker(
        tmp_path, "if household.receives_snap:\n    return True\nreturn False"
    )
    program: Any = WrittenProgram(checker, thresholds())
    answer = Answer("found", Household.complete(**{"members": [{}]}), 0.0)
    with pytest.raises(ProofError, match="disagree"):
        prove_elements(program, OneAnswer(answer))


def test_checkers_differ_by_a_household_or_are_proven_equal(tmp_path: Path) -> None:
    def source(name: str, body: str) -> tuple[Source, Thresholds]:
        return Source.of(written_checker(tmp_path, body, name)), thresholds(limit=18)

    adult = "if household.applicant.age >= thresholds.limit:\n    return True\nreturn False"
    same = "if household.applicant.age < thresholds.limit:\n    return False\nreturn True"
    older = adult.replace(">=", ">")
    assert difference(source("a", adult), source("b", same), whole_world()) is None
    found = difference(source("c", adult), source("d", older), whole_world())
    assert found is not None
    assert found.applicant.age == 18


def with_added(function: Callable[..., Any]) -> World:
    added = Constraint("added", "", (), function)
    return World(constraints=MappingProxyType({**CONSTRAINTS, "added": added}))


ADDED = """
LIMIT = {limit}


def is_eligible(household, member):
    if member.in_foster_care:
        return member.age < LIMIT
    return True
"""


def test_a_constraint_that_others_imply_is_named_so(tmp_path: Path) -> None:
    world = with_added(written_function(tmp_path / "limit.py", ADDED.format(limit=22)))
    assert prove_constraint(world.constraints["added"], world).status == "implied"


def test_a_needed_constraint_has_a_household_that_breaks_it_alone() -> None:
    verdict = prove_constraint(CONSTRAINTS["at_most_one_spouse_or_partner"], whole_world())
    assert verdict.status == "needed"
    assert verdict.household is not None
    assert {v.constraint for v in verdict.household.violations()} == {verdict.name}


@pytest.mark.slow
def test_constraints_that_contradict_one_another_are_refused(tmp_path: Path) -> None:
    text = "def is_eligible(household, member):\n    return member.age < 0\n"
    world = with_added(written_function(tmp_path / "never.py", text))
    with pytest.raises(ProofError, match="no household meets"):
        prove_constraints(world)


def test_some_household_is_possible_and_meets_every_constraint() -> None:
    answer = whole_world().find(TRUE)
    assert answer.household is not None
    assert answer.household.violations() == []


@pytest.mark.slow
def test_a_solver_that_may_spend_nothing_says_unknown() -> None:
    world = World(effort=1)
    builder = world.executor.builder
    old = builder.less(builder.constant(60), builder.feature("age", 5))
    assert world.find(builder.both(builder.present(5), old)).status == "unknown"


@pytest.mark.slow
@settings(max_examples=8, deadline=None)  # Others in every run.
@given(body=checker_bodies())
def test_lines_that_households_run_are_never_proven_dead(body: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        program: Any = WrittenProgram(written_checker(Path(folder), body), WRITTEN_THRESHOLDS)
        reader = ProgramReader({"written": (Source.of(program.checker), WRITTEN_THRESHOLDS)})
        ran = np.bitwise_or.reduce(reader.read(sampled()).traces["written"], axis=0)
        bits = np.unpackbits(ran.view(np.uint8), bitorder="little")
        # Each witness is run: a line called reachable that is dead raises ProofError.
        for bit, verdict in enumerate(prove_elements(program, whole_world())):
            assert verdict.status != "unknown"
            if bits[bit]:
                assert verdict.status == "reachable", body


@cache
def sampled() -> Households:
    return draw_possible(3000, seed=5)


@pytest.mark.slow
def test_witnesses_are_found_for_the_lines_that_a_pool_misses() -> None:
    edition = load_edition(2024)
    elements = Source.of(edition.program("FairFaresNYC").checker).elements
    covered = covered_elements(edition, Households.of_defaults(1))["FairFaresNYC"]
    missed = sorted(set(elements) - covered, key=place)
    found, verdicts = find_witnesses(edition, {"FairFaresNYC": missed, "IDNYC": []})
    assert len(found) == len(verdicts) < len(missed)
    assert possible(found).all()
    assert covered_elements(edition, found)["FairFaresNYC"] >= set(missed)
    # What was asked before, in another world, changes no fact of a witness.
    whole_world().find(TRUE)
    again, _ = find_witnesses(edition, {"FairFaresNYC": missed})
    assert [again.household(at) for at in range(len(again))] == [
        found.household(at) for at in range(len(found))
    ]


@pytest.mark.slow
def test_proofs_in_two_processes_are_those_of_one(tmp_path: Path) -> None:
    tasks = [Task(2024, "FairFaresNYC"), Task(2026, "IDNYC")]

    def told(jobs: int) -> list[tuple[str, int, str]]:
        found = prove_many(tasks, jobs)
        verdicts = [verdict for its in found for verdict in its]
        return sorted((it.program, place(it.element), it.status) for it in verdicts)

    assert told(1) == told(2)
