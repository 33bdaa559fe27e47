"""Interviews end with every verdict proven, in the same questions everywhere."""

import os
import subprocess
import sys
from typing import Any

import pytest

from benyfits_data.dataset import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.partial import Fact
from benyfits_data.par import row_digest
from benyfits_data.planner import Interview, Planner, Question
from benyfits_data.population.synthesis import synthesize
from benyfits_data.recorded import read_recorded_par, unpack
from tests.bench import planner_turns
from tests.bench.planner_turns import hold
from tests.language.draws import draw_possible

EDITION = 2024
PROGRAMS = ("ChildTaxCredit", "CoolingAssistanceBenefit", "FairFaresNYC", "HeadStart", "Lifeline")
SMALL = Households.of_defaults(1)
"""A prior that knows next to nothing."""


def labels(household: Household) -> dict[str, bool]:
    """Return what the checkers say."""
    edition = load_edition(EDITION)
    return {program: edition.program(program).is_eligible(household) for program in PROGRAMS}


@pytest.mark.slow
def test_every_verdict_is_proven_and_right() -> None:
    planner = Planner(load_edition(EDITION), PROGRAMS)
    city = synthesize(60, 3, workers=1)
    households = [*draw_possible(1, 3, EDITION), city.household(7)]
    for household in households:
        interview, _ = hold(planner, household)
        assert interview.verdicts() == labels(household)
        assert interview.guess() == labels(household)


@pytest.mark.slow
def test_a_prior_that_runs_dry_costs_order_and_never_truth(planner: Planner) -> None:
    for household in draw_possible(3, 6, EDITION):
        assert hold(planner, household)[0].verdicts() == labels(household)


def test_what_nobody_knows_stays_open_and_is_not_asked_again(planner: Planner) -> None:
    is_open = 0
    for household in draw_possible(2, 8, EDITION):
        interview, _ = hold(planner, household, lambda question: "income" not in question.feature)
        verdicts = interview.verdicts()
        for program, label in labels(household).items():
            assert verdicts[program] in (label, None)
        is_open += sum(verdict is None for verdict in verdicts.values())
        assert interview.guess().keys() == verdicts.keys()
    assert is_open


@pytest.mark.slow
def test_an_interview_goes_on_with_room_for_a_larger_household(planner: Planner) -> None:
    answers: list[tuple[Question, dict[Fact, Any]]] = [
        (Question("fact", "age", 0), {("age", 0): 40}),
        (Question("fact", "tenure"), {}),
    ]
    small = Interview(planner)
    larger = Planner(load_edition(EDITION), PROGRAMS, prior=SMALL, places=8)
    again = Interview(larger)
    for question, told in answers:
        small.answer(question, told)
        again.answer(question, told)
    moved = Interview(larger).after(small)
    assert moved.answers == again.answers
    assert moved.aside == again.aside == {("tenure", None)}
    for one in (moved, again):
        one.answer(Question("size"), {}, 8)
    assert (moved.size, moved.is_constrained) == (8, True)
    assert moved.verdicts() == again.verdicts()
    assert moved.next_question() == again.next_question()


def test_answers_that_contradict_are_read_without_constraints(planner: Planner) -> None:
    interview = Interview(planner)
    assert interview.is_constrained
    interview.answer(Question("fact", "age", 0), {("age", 0): 3})
    assert not interview.is_constrained
    assert interview.answers[("age", 0)] == 3


def test_an_answer_that_no_household_could_give_is_set_aside(planner: Planner) -> None:
    interview = Interview(planner)
    interview.answer(Question("fact", "age", 0), {("age", 0): 4_000})
    assert ("age", 0) in interview.aside
    assert ("age", 0) not in interview.answers


def questions() -> list[str]:
    """Return what is asked of two households."""
    planner = Planner(load_edition(EDITION), PROGRAMS)
    return [str(one) for it in draw_possible(2, 9, EDITION) for one in hold(planner, it)[1]]


@pytest.mark.slow
def test_another_process_asks_the_same() -> None:
    code = "from tests.planner.test_interview import questions; print(*questions(), sep=chr(10))"
    # Another order of sets than here, whatever it is here.
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    told = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert len(told.splitlines()) > 10
    assert told.splitlines() == questions()


@pytest.mark.slow
def test_the_measured_planner_asks_no_less_than_par_and_a_wrong_one_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = read_rows(unpack("representative-25", 2026))[1]
    known = read_recorded_par()[row_digest(row)]
    assert planner_turns.count_questions(row) >= known.turns
    monkeypatch.setattr(Interview, "verdicts", lambda self: dict.fromkeys(row.programs))
    with pytest.raises(SystemExit, match="open or wrong"):
        planner_turns.count_questions(row)
