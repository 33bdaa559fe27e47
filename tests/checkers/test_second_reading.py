"""Programs agree with predicates written a second time, from the facts, without the checkers.

A misreading that text, checker and examples of a program share is invisible to every other test:
they have one author. These predicates have another one, and another style.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benyfits_data.editions import Edition, Program, SizeTable, Thresholds, load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.numpy_backend import label_and_trace
from tests.checkers.second_reading import CHANGED, OF_2026, PREDICATES, Predicate
from tests.language.writing import written_function

pytestmark = pytest.mark.xdist_group("second reading")

FEW, MANY = 1_000, 20_000
SEED = 7
TAKES_EVERYBODY = {"WeSpeakNYC"}
"""Programs that ask nothing."""
READINGS = {2024: PREDICATES, 2026: OF_2026}
"""The predicates of each edition."""
RULES = [(year, name) for year, predicates in READINGS.items() for name in sorted(predicates)]


@dataclass(frozen=True)
class Sample:
    """Households, and what the programs say of each."""

    households: Sequence[Household]
    labels: dict[str, Sequence[bool]]


@cache
def edition(year: int) -> Edition:
    return load_edition(year)


@cache
def worked_households(year: int) -> list[Household]:
    """Return the households of all examples: they stand on, below and above every limit."""
    return [
        example.household(program.thresholds)
        for program in edition(year).programs.values()
        for example in program.examples()
    ]


@cache
def sample(n: int, year: int) -> Sample:
    """Return all worked households and `n` sampled ones."""
    worked, drawn = worked_households(year), sample_households(n, edition(year), SEED)
    together = Households.concatenate([Households.from_households(worked), drawn])
    labels = label_and_trace(edition(year), together).labels
    sampled = [drawn.household(position, constrained=False) for position in range(n)]
    return Sample([*worked, *sampled], {name: column.tolist() for name, column in labels.items()})


def disagreements(
    predicate: Predicate, labels: Sequence[bool], households: Sequence[Household]
) -> list[int]:
    """Return the positions of the households that a predicate decides otherwise."""
    return [
        position
        for position, (label, household) in enumerate(zip(labels, households, strict=True))
        if bool(predicate(household)) is not label
    ]


def check_agreement(year: int, name: str, n: int) -> None:
    drawn = sample(n, year)
    found = disagreements(READINGS[year][name], drawn.labels[name], drawn.households)
    assert not found, (
        f"{len(found)} decided otherwise, the first: {drawn.households[found[0]].facts()}"
    )
    answers = {True} if name in TAKES_EVERYBODY else {True, False}
    assert set(drawn.labels[name]) == answers


def test_the_82_programs_of_the_paper_have_a_second_reading() -> None:
    assert len(PREDICATES) == 82
    assert set(PREDICATES) <= set(edition(2024).programs)


@pytest.mark.slow
@pytest.mark.parametrize(("year", "name"), RULES)
def test_a_program_agrees_with_its_second_reading(year: int, name: str) -> None:
    check_agreement(year, name, MANY)


def test_every_changed_rule_has_a_second_reading() -> None:
    changed = {
        name
        for name, program in edition(2026).programs.items()
        if program.checker_path != edition(2024).program(name).checker_path
    }
    assert changed <= set(CHANGED)


def answers_of(
    checker: Callable[..., Any], thresholds: Thresholds, households: Sequence[Household]
) -> list[bool]:
    return [checker(household, thresholds) for household in households]


FAULTS = [
    (
        "WorkforceoneCareerCenters",
        "if member.authorized_to_work",
        "if not member.authorized_to_work",
    ),
    ("FairFaresNYC", "household_income(household) >", "household_income(household) >="),
    ("FairFaresNYC", "member.age > thresholds.max_age", "member.age >= thresholds.max_age"),
    ("FamilyTypeHomesForAdults", "if member.wheelchair:", "if not member.wheelchair:"),
    ("BasicSchoolTaxReliefProgram", "if member.primary_residence:", "if member.disabled:"),
    ("SeniorCitizenHomeownersExemption", "if every_owner_is_senior:", "if some_owner_is_senior:"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "right", "wrong"), FAULTS)
def test_a_fault_planted_in_a_checker_is_caught(
    name: str, right: str, wrong: str, tmp_path: Path
) -> None:
    program = edition(2024).program(name)
    text = program.checker_path.read_text()
    assert text.count(right) == 1
    sound = written_function(tmp_path / "sound.py", text)
    faulty = written_function(tmp_path / "faulty.py", text.replace(right, wrong))
    households = sample(FEW, 2024).households
    assert not disagreements(
        PREDICATES[name], answers_of(sound, program.thresholds, households), households
    )
    assert disagreements(
        PREDICATES[name], answers_of(faulty, program.thresholds, households), households
    )


NEVER_DECIDES = {
    # Nobody under 16 is out of school, nobody above 21 is at school.
    ("AdvanceEarn", "min_age", -1),
    ("TrainEarn", "min_age", -1),
    ("LearnEarn", "max_age", 1),
    ("NYCLaddersForLeaders", "first_grade", -1),
    # Nobody under 18 needs semi-protective care.
    ("FamilyTypeHomesForAdults", "min_age", -1),
    # Day treatment takes no child whom the clinic does not take.
    ("OutpatientTreatmentServices", "day_min_age", -1),
    ("OutpatientTreatmentServices", "day_min_age", 1),
}
"""Steps of a threshold that change the answer of no possible household."""


def moved(value: Any, step: int) -> Any:
    """Return a threshold's value one unit higher or lower, a table in every row."""
    if isinstance(value, SizeTable):
        return replace(value, rows={size: limit + step for size, limit in value.rows.items()})
    if isinstance(value, date):
        return value + timedelta(days=step)
    return value + step / 10 if isinstance(value, float) else value + step


def with_value(program: Program, name: str, value: Any) -> Thresholds:
    """Return a program's thresholds with another value for one of them."""
    entries = {other: program.thresholds.entry(other) for other in program.thresholds.names()}
    return Thresholds(
        program.name, program.edition, entries | {name: replace(entries[name], value=value)}
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PREDICATES))
def test_a_threshold_moved_one_step_is_caught(name: str) -> None:
    program = edition(2024).program(name)
    households = sample(FEW, 2024).households
    for threshold in program.thresholds.names():
        entry = program.thresholds.entry(threshold)
        if entry.only_in_text or isinstance(entry.value, bool):
            # A switch is decided when the checker is read: it holds no branch for the other value.
            continue
        for step in (-1, 1):
            value = moved(getattr(program.thresholds, threshold), step)
            answers = answers_of(program.checker, with_value(program, threshold, value), households)
            caught = bool(disagreements(PREDICATES[name], answers, households))
            assert caught is ((name, threshold, step) not in NEVER_DECIDES), (threshold, step)
