"""The fewest questions force the labels, and no fewer do."""

from dataclasses import replace
from itertools import combinations

import pytest

from benyfits_data.dataset import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import ProofError
from benyfits_data.evaluation.recorded import read_recorded_par, unpack
from benyfits_data.household.model import Household
from benyfits_data.language.partial import PartialReader, household_facts
from benyfits_data.language.z3_backend.open_verdicts import OpenVerdicts
from benyfits_data.par import TRACKS, Floor, FloorChecker, floor, floors, row_digest
from benyfits_data.par.neighbours import Neighbours
from benyfits_data.par.tracks import GIVEN, SIZE, asker, differences, question_of
from tests.language.draws import draw_possible

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
def found(family: Household) -> dict[str, Floor]:
    return {**floors(load_edition(EDITION), PROGRAMS, family)}


@pytest.fixture(scope="module")
def checker() -> FloorChecker:
    return FloorChecker(load_edition(EDITION))


@pytest.mark.slow
def test_a_second_function_proves_the_floors_of_every_track(
    found: dict[str, Floor], family: Household, checker: FloorChecker
) -> None:
    assert tuple(found) == TRACKS
    for one in found.values():
        checker.check(one, family, PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["diverse", "representative"])
def test_a_second_function_proves_the_floors_of_published_rows(name: str) -> None:
    known = read_recorded_par()
    for row in read_rows(unpack(name))[::20][:2]:
        edition = load_edition(row.edition)
        for one in floors(edition, row.programs, row.household).values():
            FloorChecker(edition).check(one, row.household, row.programs)
            assert one.turns == known[row_digest(row)].turns[one.track]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "programs"), [(7, PROGRAMS), (10, ("MiddleSchool", "IDNYC"))])
def test_a_second_function_proves_the_floors_of_large_households(
    size: int, programs: tuple[str, ...], checker: FloorChecker
) -> None:
    children = [{"relation": "child", "age": 2 + number} for number in range(size - 1)]
    household = Household.complete(members=[{"age": 40}, *children])
    found = floors(load_edition(EDITION), programs, household, ("one", "all"))
    for one in found.values():
        checker.check(one, household, programs)
    fewer = replace(found["one"], questions=found["one"].questions[1:])
    with pytest.raises(ProofError, match="Z3 does not prove"):
        checker.check(fewer, household, programs)


@pytest.mark.slow
def test_a_question_less_is_noticed(
    found: dict[str, Floor], family: Household, checker: FloorChecker
) -> None:
    one = found["one"]
    for place in range(one.turns):
        fewer = replace(one, questions=one.questions[:place] + one.questions[place + 1 :])
        with pytest.raises(ProofError, match="Z3 does not prove"):
            checker.check(fewer, family, PROGRAMS)


def test_a_question_too_many_is_noticed(
    found: dict[str, Floor], family: Household, checker: FloorChecker
) -> None:
    more = replace(found["one"], questions=(*found["one"].questions, "tenure"))
    with pytest.raises(ProofError, match="questions meet all refutations"):
        checker.check(more, family, PROGRAMS)


def test_a_refutation_that_is_none_is_noticed(
    found: dict[str, Floor], family: Household, checker: FloorChecker
) -> None:
    first, *others = found["one"].refutations
    same = replace(found["one"], refutations=(replace(first, household=family), *others))
    with pytest.raises(ProofError, match="refutation 1 has the same label"):
        checker.check(same, family, PROGRAMS)
    facts = first.household.facts()
    facts["members"][1]["relation"] = "self"
    impossible = Household.from_facts(facts, constrained=False)
    broken = replace(found["one"], refutations=(replace(first, household=impossible), *others))
    with pytest.raises(ProofError, match="refutation 1 breaks"):
        checker.check(broken, family, PROGRAMS)


@pytest.mark.slow
def test_a_question_dropped_leaves_a_real_household_with_another_label(
    found: dict[str, Floor], family: Household
) -> None:
    edition = load_edition(EDITION)
    reader = PartialReader(edition, PROGRAMS)
    for track, one in found.items():
        ask = asker(one.track)
        neighbours = Neighbours(reader, family, ask)
        for dropped in one.questions:
            kept = [question for question in one.questions if question != dropped]
            others = []
            with neighbours.answered(kept):
                for name in PROGRAMS:
                    label = edition.program(name).is_eligible(family)
                    for other in neighbours.refutations(name, label):
                        assert edition.program(name).is_eligible(other.household) is not label
                        others.append(other.household)
            assert others, (track, dropped)
            for other in others:
                assert not other.violations()
                assert not {ask(fact) for fact in differences(family, other)} & set(kept)


@pytest.mark.slow
@pytest.mark.parametrize(("program", "turns"), [("FairFaresNYC", 2), ("SilverCorps", 3)])
def test_no_fewer_questions_do_however_they_are_chosen(program: str, turns: int) -> None:
    """Sets of facts one smaller than the floor are refuted by Z3, each by itself."""
    edition, household = load_edition(EDITION), Household.complete(members=[{"age": 70}])
    assert floor(edition, [program], household, "one").turns == turns
    solver, facts = OpenVerdicts(edition), household_facts(household)
    relevant = PartialReader(edition, [program]).know(1).open_facts(program)
    others = list(facts)[::8] if turns == 2 else []
    label = edition.program(program).is_eligible(household)
    for chosen in combinations(dict.fromkeys([SIZE, *relevant, *others]), turns - 1):
        told = {fact: facts[fact] for fact in (GIVEN, *chosen) if fact and fact != SIZE}
        assert solver.decide(program, 1 if SIZE in chosen else None, told) is not label, chosen


@pytest.mark.slow
def test_whoever_may_ask_for_more_at_once_needs_no_more_questions() -> None:
    edition = load_edition(EDITION)
    for household in draw_possible(4, 21, EDITION):
        turns = [one.turns for one in floors(edition, list(edition)[::20], household).values()]
        assert turns == sorted(turns, reverse=True)


def test_the_same_household_gets_the_same_floor_again(family: Household) -> None:
    edition = load_edition(EDITION)
    assert floor(edition, PROGRAMS, family, "who") == floor(edition, PROGRAMS, family, "who")


def test_a_program_that_asks_nothing_needs_no_question(family: Household) -> None:
    assert floor(load_edition(EDITION), [], family, "one").turns == 0


@pytest.mark.parametrize(
    ("track", "questions"),
    [
        ("one", ("members", "members[1].age", "members[1].has_ssn", "members[1].sex", "tenure")),
        ("roster", ("roster", "roster", "members[1].has_ssn", "members[1].sex", "tenure")),
        ("who", ("roster", "roster", "members[].has_ssn", "members[1].sex", "tenure")),
        ("all", ("roster", "roster", "members[].has_ssn", "members[].sex", "tenure")),
    ],
)
def test_a_track_says_what_one_question_asks_for(track: str, questions: tuple[str, ...]) -> None:
    facts = [SIZE, ("age", 1), ("has_ssn", 1), ("sex", 1), ("tenure", None)]
    assert tuple(question_of(fact, track) for fact in facts) == questions  # type: ignore[arg-type]
