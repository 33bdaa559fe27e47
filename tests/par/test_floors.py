"""The fewest questions force the labels, and no fewer do."""

from dataclasses import replace
from itertools import combinations

import pytest

from benyfits_data.dataset import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import ProofError
from benyfits_data.household.model import Household
from benyfits_data.language.partial import PartialReader, fact_name, household_facts
from benyfits_data.language.z3_backend.open_verdicts import OpenVerdicts
from benyfits_data.par import Floor, FloorChecker, floor, row_digest
from benyfits_data.par.questions import GIVEN, SIZE, read_question
from benyfits_data.recorded import read_recorded_par, unpack

EDITION = 2026
PROGRAMS = ("FairFaresNYC", "IDNYC", "EarnedIncomeTaxCredit")


@pytest.fixture(scope="module")
def family() -> Household:
    return Household.complete(
        members=[
            {"age": 34, "annual_work_income": 18_000},
            {"relation": "child", "age": 5},
            {"relation": "child", "age": 3},
        ]
    )


@pytest.fixture(scope="module")
def found(family: Household) -> Floor:
    return floor(load_edition(EDITION), PROGRAMS, family)


@pytest.fixture(scope="module")
def checker() -> FloorChecker:
    return FloorChecker(load_edition(EDITION))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["diverse", "representative"])
def test_a_second_function_proves_the_floors_of_published_rows(name: str) -> None:
    known = read_recorded_par()
    for row in read_rows(unpack(name))[::20][:2]:
        edition = load_edition(row.edition)
        one = floor(edition, row.programs, row.household)
        FloorChecker(edition).check(one, row.household, row.programs)
        assert one.questions == known[row_digest(row)].questions


@pytest.mark.slow
@pytest.mark.parametrize(("size", "programs"), [(7, PROGRAMS), (10, ("MiddleSchool", "IDNYC"))])
def test_a_second_function_proves_the_floors_of_large_households(
    size: int, programs: tuple[str, ...], checker: FloorChecker
) -> None:
    children = [{"relation": "child", "age": 2 + number} for number in range(size - 1)]
    household = Household.complete(members=[{"age": 40}, *children])
    found = floor(load_edition(EDITION), programs, household)
    checker.check(found, household, programs)
    fewer = replace(found, questions=found.questions[1:])
    with pytest.raises(ProofError, match="Z3 does not prove"):
        checker.check(fewer, household, programs)


@pytest.mark.slow
def test_a_question_less_is_noticed(found: Floor, family: Household, checker: FloorChecker) -> None:
    one = found
    for place in range(one.turns):
        fewer = replace(one, questions=one.questions[:place] + one.questions[place + 1 :])
        with pytest.raises(ProofError, match="Z3 does not prove"):
            checker.check(fewer, family, PROGRAMS)


def test_a_question_too_many_is_noticed(
    found: Floor, family: Household, checker: FloorChecker
) -> None:
    more = replace(found, questions=(*found.questions, "tenure"))
    with pytest.raises(ProofError, match="questions meet all refutations"):
        checker.check(more, family, PROGRAMS)


def test_a_refutation_that_is_none_is_noticed(
    found: Floor, family: Household, checker: FloorChecker
) -> None:
    first, *others = found.refutations
    same = replace(found, refutations=(replace(first, household=family), *others))
    with pytest.raises(ProofError, match="refutation 1 has the same label"):
        checker.check(same, family, PROGRAMS)
    facts = first.household.facts()
    facts["members"][1]["relation"] = "self"
    impossible = Household.from_facts(facts, constrained=False)
    broken = replace(found, refutations=(replace(first, household=impossible), *others))
    with pytest.raises(ProofError, match="refutation 1 breaks"):
        checker.check(broken, family, PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize(("program", "turns"), [("FairFaresNYC", 2), ("SilverCorps", 3)])
def test_no_fewer_questions_do_however_they_are_chosen(program: str, turns: int) -> None:
    """Sets of facts one smaller than the floor are refuted by Z3, each by itself."""
    edition, household = load_edition(EDITION), Household.complete(members=[{"age": 70}])
    assert floor(edition, [program], household).turns == turns
    solver, facts = OpenVerdicts(edition), household_facts(household)
    relevant = PartialReader(edition, [program]).know(1).open_facts(program)
    others = list(facts)[::8] if turns == 2 else []
    label = edition.program(program).is_eligible(household)
    for chosen in combinations(dict.fromkeys([SIZE, *relevant, *others]), turns - 1):
        told = {fact: facts[fact] for fact in (GIVEN, *chosen) if fact and fact != SIZE}
        assert solver.decide(program, 1 if SIZE in chosen else None, told) is not label, chosen


def test_a_question_asks_for_one_fact() -> None:
    facts = [SIZE, ("age", 1), ("has_ssn", 1), ("tenure", None)]
    questions = ["members", "members[1].age", "members[1].has_ssn", "tenure"]
    assert list(map(fact_name, facts)) == questions
    assert list(map(read_question, questions)) == facts
