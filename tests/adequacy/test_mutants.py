from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benyfits_data.adequacy.mutants import (
    Mutant,
    detect_mutants,
    judge,
    make_mutants,
    mutants_of,
)
from benyfits_data.editions import Edition, SizeTable, Thresholds
from benyfits_data.errors import ProofError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.source import Source
from benyfits_data.language.z3_backend import Answer, difference, whole_world
from tests.language.one_answer import OneAnswer
from tests.language.writing import WrittenProgram, thresholds, written_checker


def program(folder: Path, body: str, **values: Any) -> Any:
    return WrittenProgram(written_checker(folder, body), thresholds(**values))


def edition(written: Any) -> Edition:
    return Edition(2024, {"Written": written})


def mutants(folder: Path, body: str, kind: str, **values: Any) -> list[Mutant]:
    return [one for one in make_mutants(program(folder, body, **values)) if one.kind == kind]


def changes(folder: Path, body: str, kind: str, **values: Any) -> list[str]:
    return [one.change for one in mutants(folder, body, kind, **values)]


def same(mutant: Mutant, folder: Path, body: str) -> bool:
    """Return whether a mutant is proven to decide like a checker with this body."""
    source = Source.of(written_checker(folder, body, "expected"))
    wrong = (mutant.source, mutant.thresholds)
    return difference(wrong, (source, mutant.thresholds), whole_world()) is None


ADULT = """
if household.applicant.age < thresholds.min_age:  # clause 1
    return False
return True
"""


def test_boundaries_move_by_equality(tmp_path: Path) -> None:
    (one,) = mutants(tmp_path, ADULT, "boundary", min_age=18)
    assert one.line == 7
    assert one.change.endswith("-> household.applicant.age <= thresholds.min_age")
    assert same(one, tmp_path, ADULT.replace("<", "<="))


def test_thresholds_are_off_by_one_unit(tmp_path: Path) -> None:
    body = "if household.applicant.age < thresholds.whole:\n    return False\n"
    body += "if household_income(household) < thresholds.cents:\n    return False\n"
    body += "if household.applicant.gpa is None:\n    return False\n"
    body += "if household.applicant.gpa < thresholds.gpa:\n    return False\nreturn True"
    written = program(tmp_path, body, whole=18, cents=100.25, gpa=2.5, unread=4)
    grade = written.thresholds.entry("gpa")
    entries = {name: written.thresholds.entry(name) for name in written.thresholds.names()}
    amounts = Thresholds("Test", 2024, {**entries, "gpa": replace(grade, unit="GPA")})
    made = [
        one.thresholds
        for one in make_mutants(replace(written, thresholds=amounts))
        if one.kind == "threshold by one unit"
    ]
    assert {told.whole for told in made} == {17, 18, 19}
    assert {told.cents for told in made} == {99.25, 100.25, 101.25}
    assert {told.gpa for told in made} == {2.4, 2.5, 2.6}
    assert {told.unread for told in made} == {4}
    assert len(made) == 6


def test_tables_are_off_by_one_size(tmp_path: Path) -> None:
    body = "if household_income(household) > thresholds.limit[household_size(household)]:\n"
    body += "    return False\nreturn True"
    table = SizeTable("limit", {1: 10, 2: 20, 3: 30}, 5)
    larger, smaller = mutants(tmp_path, body, "threshold by one size row", limit=table)
    assert [larger.thresholds.limit[size] for size in range(1, 6)] == [20, 30, 35, 40, 45]
    assert [smaller.thresholds.limit[size] for size in range(1, 6)] == [10, 10, 20, 25, 30]


def test_conditions_are_negated_and_dropped_line_by_line_and_clause_by_clause(
    tmp_path: Path,
) -> None:
    body = ADULT.replace("return True", "if household.acs:  # clause 1\n    return False") + (
        "\nreturn True"
    )
    assert len(mutants(tmp_path, body, "condition negated", min_age=18)) == 2
    dropped = mutants(tmp_path, body, "clause dropped", min_age=18)
    assert [one.change.split(" -> ")[1] for one in dropped] == [
        "never",
        "always",
        "never",
        "always",
        "nothing",
    ]
    assert same(dropped[-1], tmp_path, "return True")
    assert same(dropped[2], tmp_path, ADULT)


SOME = """
for member in household.members:
    if not member.disabled:
        continue
    if member.age < thresholds.min_age:
        continue
    return True
return False
"""


def test_one_member_must_do_becomes_all_must_do(tmp_path: Path) -> None:
    (one,) = mutants(tmp_path, SOME, "any for all members", min_age=18)
    every = """
for member in household.members:
    if not member.disabled:
        return False
    if member.age < thresholds.min_age:
        return False
return True
"""
    assert same(one, tmp_path, every)


def test_conditions_of_one_member_are_asked_of_the_household(tmp_path: Path) -> None:
    made = mutants(tmp_path, SOME, "household for member", min_age=18)
    assert [one.change.rsplit(" -> ")[1] for one in made] == [
        "of some member",
        "of every member",
    ] * 2
    apart = """
disabled = False
for member in household.members:
    if member.disabled:
        disabled = True
if not disabled:
    return False
for member in household.members:
    if member.age >= thresholds.min_age:
        return True
return False
"""
    assert same(made[1], tmp_path, apart)
    assert not same(made[0], tmp_path, apart)


def test_features_are_confused_with_their_like(tmp_path: Path) -> None:
    body = "if household.applicant.disabled:\n    return True\n"
    body += "if household.applicant.weeks_pregnant is None:\n    return True\n"
    body += 'if household.tenure == "owner":\n    return True\n'
    body += "if household_income(household) > thresholds.limit:\n    return True\nreturn False"
    wrong = changes(tmp_path, body, "wrong feature", limit=5)
    assert any(change.endswith("-> tax_unit_income(household)") for change in wrong)
    assert not any("household_size" in change for change in wrong)
    assert not any("weeks_pregnant ->" in change for change in wrong)
    assert sum("household.applicant.disabled ->" in change for change in wrong) == 2
    assert changes(tmp_path, body, "wrong value", limit=5) == [
        "household.tenure == 'owner' -> household.tenure == 'renter'"
    ]


def test_households_at_the_limit_detect_a_boundary_and_others_do_not(tmp_path: Path) -> None:
    written = program(tmp_path, ADULT, min_age=18)
    table = Households.of_defaults(3)
    table.member["age"][0] = [17, 18, 19]
    found = detect_mutants(edition(written), table, mutants_of(edition(written)))
    position = next(at for at, one in enumerate(found.mutants["Written"]) if one.kind == "boundary")
    bit = (found.bits["Written"][:, 0] >> np.uint64(position)) & np.uint64(1)
    assert bit.tolist() == [0, 1, 0]
    assert found.detected("Written")[position]


def test_a_mutant_that_fails_is_detected(tmp_path: Path) -> None:
    body = "if household.applicant.gpa is None:\n    return False\n"
    body += "if household.applicant.gpa < thresholds.gpa:\n    return False\nreturn False"
    written = program(tmp_path, body, gpa=2.5)
    never = next(one for one in make_mutants(written) if one.change.endswith("None -> never"))
    table = Households.of_defaults(2)
    table.member["gpa"][0] = [-1, 3.0]
    found = detect_mutants(edition(written), table, {"Written": [never]})
    assert found.bits["Written"][:, 0].tolist() == [1, 0]


def test_mutants_that_no_possible_household_tells_are_proven_equivalent(tmp_path: Path) -> None:
    # No applicant is younger than 16, so the first clause never decides.
    body = ADULT + "\n"
    written = program(tmp_path, body, min_age=16)
    judged = judge(edition(written), "Written", make_mutants(written), whole_world())
    status = {one.mutant.change.split(" -> ")[-1]: one.status for one in judged}
    assert status["never"] == "equivalent"
    assert status["always"] == "wrong"
    assert status["household.applicant.age <= thresholds.min_age"] == "wrong"
    assert {one.mutant.change: one.status for one in judged}["min_age: -1"] == "equivalent"
    found = [one.household for one in judged if one.household is not None]
    assert 16 in [household.applicant.age for household in found]


def test_a_household_that_the_mutant_decides_as_before_is_refused(tmp_path: Path) -> None:
    written = program(tmp_path, ADULT, min_age=30)
    answer = Answer("found", Household.complete(**{"members": [{"age": 77}]}), 0.0)
    with pytest.raises(ProofError, match="disagree"):
        judge(edition(written), "Written", make_mutants(written), OneAnswer(answer))
