"""Interviews end with every verdict proven, in the same questions everywhere."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.partial import Fact, household_facts
from benyfits_data.par.tracks import TRACKS, Track
from benyfits_data.planner import OPENINGS, Interview, Planner, Question, facts_told
from benyfits_data.planner.interview import draw_prior
from benyfits_data.population.synthesis import synthesize
from tests.language.draws import draw_possible

EDITION = 2024
PROGRAMS = ("ChildTaxCredit", "CoolingAssistanceBenefit", "FairFaresNYC", "HeadStart", "Lifeline")
SMALL = Households.of_defaults(1)
"""A prior that knows next to nothing."""


def hold(
    planner: Planner, household: Household, knows: Callable[[Question], bool] = lambda _: True
) -> tuple[Interview, list[Question]]:
    """Return a finished interview with somebody truthful, and what was asked."""
    facts, size = household_facts(household), len(household.members)
    interview, asked = Interview(planner), list[Question]()
    while question := interview.next_question():
        assert question not in asked
        asked.append(question)
        told = {fact: facts[fact] for fact in facts_told(question, size)} if knows(question) else {}
        has_size = question in OPENINGS and knows(question)
        interview.answer(question, told, size if has_size else None)
    return interview, asked


def labels(household: Household) -> dict[str, bool]:
    """Return what the checkers say."""
    edition = load_edition(EDITION)
    return {program: edition.program(program).is_eligible(household) for program in PROGRAMS}


@pytest.mark.slow
@pytest.mark.parametrize("track", TRACKS)
def test_every_verdict_is_proven_and_right(track: Track) -> None:
    planner = Planner(load_edition(EDITION), PROGRAMS, track)
    city = synthesize(60, 3, workers=1)
    households = [*draw_possible(1, 3, EDITION), city.household(7)]
    for household in households:
        interview, _ = hold(planner, household)
        assert interview.verdicts() == labels(household)
        assert interview.guess() == labels(household)


@pytest.mark.slow
def test_later_tracks_ask_fewer_questions() -> None:
    """On average: of one household the planner, who does not know it, may ask more than before."""
    turns = {}
    for track in TRACKS:
        planner = Planner(load_edition(EDITION), PROGRAMS, track)
        turns[track] = sum(len(hold(planner, it)[1]) for it in draw_possible(10, 4, EDITION))
    assert turns["one"] > turns["roster"] > turns["who"] > turns["all"]


@pytest.mark.slow
def test_a_prior_that_runs_dry_costs_order_and_never_truth() -> None:
    planner = Planner(load_edition(EDITION), PROGRAMS, prior=SMALL)
    for household in draw_possible(3, 6, EDITION):
        assert hold(planner, household)[0].verdicts() == labels(household)


def test_what_nobody_knows_stays_open_and_is_not_asked_again() -> None:
    planner = Planner(load_edition(EDITION), PROGRAMS, prior=SMALL)
    is_open = 0
    for household in draw_possible(2, 8, EDITION):
        interview, _ = hold(planner, household, lambda question: "income" not in question.feature)
        verdicts = interview.verdicts()
        for program, label in labels(household).items():
            assert verdicts[program] in (label, None)
        is_open += sum(verdict is None for verdict in verdicts.values())
        assert interview.guess().keys() == verdicts.keys()
    assert is_open


def test_without_the_number_of_members_the_interview_still_ends() -> None:
    planner = Planner(load_edition(EDITION), PROGRAMS, prior=SMALL)
    interview, asked = hold(planner, draw_possible(1, 8, EDITION)[0], lambda it: it not in OPENINGS)
    assert None in interview.aside
    assert all(not question.member for question in asked)


@pytest.mark.slow
def test_an_interview_goes_on_with_room_for_a_larger_household() -> None:
    answers: list[tuple[Question, dict[Fact, Any]]] = [
        (Question("fact", "age", 0), {("age", 0): 40}),
        (Question("fact", "tenure"), {}),
    ]
    small = Interview(Planner(load_edition(EDITION), PROGRAMS, prior=SMALL))
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


def test_answers_that_contradict_are_read_without_constraints() -> None:
    interview = Interview(Planner(load_edition(EDITION), PROGRAMS, prior=SMALL))
    assert interview.is_constrained
    interview.answer(Question("fact", "age", 0), {("age", 0): 3})
    assert not interview.is_constrained
    assert interview.answers[("age", 0)] == 3


def test_an_answer_that_no_household_could_give_is_set_aside() -> None:
    interview = Interview(Planner(load_edition(EDITION), PROGRAMS, prior=SMALL))
    interview.answer(Question("fact", "age", 0), {("age", 0): 4_000})
    assert ("age", 0) in interview.aside
    assert ("age", 0) not in interview.answers


def test_a_lie_is_noticed_by_the_comparison_with_the_checkers() -> None:
    planner = Planner(load_edition(EDITION), PROGRAMS, prior=SMALL)
    rich, poor = ({"age": 30, "annual_work_income": income} for income in (90_000, 0))
    told = hold(planner, Household.complete([rich]))[0].verdicts()
    assert told != labels(Household.complete([poor]))


SCRIPT = """
from tests.planner.test_interview import *
planner = Planner(load_edition(EDITION), PROGRAMS, "who")
for household in draw_possible(2, 9, EDITION):
    print(*hold(planner, household)[1], sep=chr(10))
"""


@pytest.mark.slow
def test_two_processes_ask_the_same() -> None:
    asked = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(asked) == 1
    assert len(asked.pop().splitlines()) > 10


@pytest.mark.slow
def test_the_prior_is_possible_and_drawn_once() -> None:
    from benyfits_data.language.numpy_backend import possible

    assert possible(draw_prior(EDITION)).all()
    assert draw_prior(EDITION) is draw_prior(EDITION)
