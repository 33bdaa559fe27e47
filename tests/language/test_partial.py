"""What follows from some facts of a household holds for each household that has them."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language import interval_propagation, partial
from benyfits_data.language.interval_propagation import Intervals
from benyfits_data.language.numpy_backend import possible
from benyfits_data.language.partial import Fact, PartialReader, household_facts
from benyfits_data.rng import stream
from tests.language.draws import draw_households, draw_possible

EDITION = 2026


@pytest.fixture(scope="module")
def reader() -> PartialReader:
    return PartialReader(load_edition(EDITION))


@pytest.fixture(scope="module")
def unconstrained() -> PartialReader:
    return PartialReader(load_edition(EDITION), constraints={})


def agreeing(one: Household, other: Household) -> dict[Fact, Any]:
    """Return the facts that two households share."""
    others = household_facts(other)
    return {
        fact: value
        for fact, value in household_facts(one).items()
        if fact in others and others[fact] == value
    }


def completions(household: Household, n: int, rng: np.random.Generator) -> Iterator[Household]:
    """Give possible households that differ from one in a few facts."""
    table = Households.from_households([household] * n)
    wild = draw_households(n, rng)
    for name, column in table.shared.items():
        changed = rng.random(n) < rng.random() * 0.04
        column[changed] = wild.shared[name][changed]
    for name, members in table.member.items():
        changed = (rng.random(members.shape) < rng.random() * 0.01) & table.present
        members[changed] = wild.member[name][changed]
    kept = table.take(possible(table))
    yield from (kept.household(position) for position in range(len(kept)))


def drawn(facts: Mapping[Fact, Any], rng: np.random.Generator) -> dict[Fact, Any]:
    """Return a random part of some facts."""
    share = rng.random()
    return {fact: value for fact, value in facts.items() if rng.random() < share}


def violations(reader: PartialReader, n: int, seed: int, copies: int = 30) -> tuple[int, list[str]]:
    """Return how many decided verdicts were compared with CPython, and those that were wrong.

    Each base household is compared with each other that was made of it: whatever is decided from
    facts that both have must be true of both.
    """
    rng, edition = stream(seed, "test", "partial"), load_edition(EDITION)
    compared, wrong = 0, []
    for base in draw_possible(n, seed, EDITION):
        for other in completions(base, copies, rng):
            facts = drawn(agreeing(base, other), rng)
            size = len(base.members) if rng.random() < 0.8 else None
            try:
                verdicts = reader.know(size, facts).verdicts()
            except ImpossibleHouseholdError:
                wrong.append(f"{base} is called impossible")
                continue
            for program, verdict in verdicts.items():
                for household in (base, other) if verdict is not None else ():
                    compared += 1
                    if edition.program(program).is_eligible(household) is not verdict:
                        wrong.append(f"{program} is not {verdict} for {household}")
    return compared, wrong


@pytest.mark.slow
def test_no_completion_of_many_contradicts_what_is_decided(reader: PartialReader) -> None:
    compared, wrong = violations(reader, 14, seed=2, copies=20)
    assert not wrong, wrong[0]
    assert compared > 11_000


@pytest.mark.slow
def test_a_wrong_step_of_propagation_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def narrow_too_far(self: Intervals, entry: int) -> None:
        left, right = self.graph.operands[entry]
        self._narrow(entry, int(self.high[left] <= self.low[right]), int(self.high[left] >= 0))

    monkeypatch.setitem(interval_propagation._REVISE, interval_propagation.LESS, narrow_too_far)
    wrong_reader = PartialReader(load_edition(EDITION), constraints={})
    _, wrong = violations(wrong_reader, 5, seed=1, copies=14)
    assert wrong


@pytest.mark.slow
def test_without_constraints_any_household_may_complete(unconstrained: PartialReader) -> None:
    rng, edition = stream(3, "test", "partial"), load_edition(EDITION)
    compared = 0
    table = draw_households(24, rng)
    whole = [table.household(position, constrained=False) for position in range(len(table))]
    for base, other in pairwise(whole):
        facts = drawn(household_facts(base), rng)
        mixed = _mixed(base, other, facts)
        for program, verdict in unconstrained.know(len(base.members), facts).verdicts().items():
            for household in (base, mixed):
                if verdict is None:
                    continue
                try:
                    label = edition.program(program).is_eligible(household)
                except (TypeError, ValueError):
                    continue  # So impossible that the checker fails.
                compared += 1
                assert label is verdict, (program, facts)
    assert compared > 500


def _mixed(base: Household, other: Household, facts: Mapping[Fact, Any]) -> Household:
    """Return a household with some facts of one and the other facts of another."""
    told = other.facts()
    members = told["members"]
    while len(members) < len(base.members):
        members.append(dict(members[-1]))
    del members[len(base.members) :]
    for (name, position), value in facts.items():
        home = told if position is None else members[position]
        home[name] = value
    return Household.from_facts(told, constrained=False)


@pytest.mark.slow
def test_whoever_is_known_whole_is_decided_in_every_program(reader: PartialReader) -> None:
    edition = load_edition(EDITION)
    for household in draw_possible(10, 5, EDITION):
        known = reader.know(len(household.members), household_facts(household))
        for program, verdict in known.verdicts().items():
            assert verdict is edition.program(program).is_eligible(household), program


def test_reasons_decide_and_none_of_them_can_be_left_out(reader: PartialReader) -> None:
    household = Household.complete(members=[{"age": 30}, {"relation": "child", "age": 5}])
    facts = household_facts(household)
    edition = load_edition(EDITION)
    told = {("age", 0): 30, ("age", 1): 5, ("relation", 0): "self", ("relation", 1): "child"}
    known = reader.know(2, told)
    n_open = 0
    for program in list(edition)[::8]:
        reasons = known.reasons(program, household)
        if known.verdict(program) is not None:
            assert not reasons
            continue
        n_open += 1
        assert reasons
        label = edition.program(program).is_eligible(household)
        assert reader.know(2, told | {fact: facts[fact] for fact in reasons}).verdict(program) is (
            label
        )
        for left_out in reasons:
            fewer = {fact: facts[fact] for fact in reasons if fact != left_out}
            assert reader.know(2, told | fewer).verdict(program) is None, (program, left_out)
    assert n_open >= 3


def test_facts_that_no_household_has_together_are_refused_and_forgotten(
    reader: PartialReader,
) -> None:
    known = reader.know(1, {("age", 0): 30})
    before = known.verdicts()
    with pytest.raises(ImpossibleHouseholdError):
        known.tell({("age", 0): 31})
    with pytest.raises(ImpossibleHouseholdError):
        known.tell({("age_months", 0): 3})
    assert known.verdicts() == before


def test_answers_that_contradict_a_constraint_are_read_without_constraints(
    reader: PartialReader,
) -> None:
    answers: dict[Fact, Any] = {("age", 0): 30, ("is_pregnant", 0): True}
    assert reader.know_answers(1, answers).reader is reader
    contradictory = {**answers, ("age_months", 0): 3}
    known = reader.know_answers(1, contradictory)
    assert known.reader is reader.unconstrained
    assert known.verdicts() == reader.unconstrained.know(1, contradictory).verdicts()
    assert reader.unconstrained.know_answers(1, answers).reader is reader.unconstrained
    with pytest.raises(ImpossibleHouseholdError):
        reader.know_answers(1, {("age", 1): 5})


def test_cases_told_apart_decide_more(
    reader: PartialReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, decided = stream(6, "test", "partial"), {0: 0, 2: 0, 32: 0}
    for household in draw_possible(4, 24, EDITION):
        told = drawn(household_facts(household), rng)
        for splits in decided:
            monkeypatch.setattr(partial, "SPLITS", splits)
            known = reader.know(len(household.members), told)
            before = known.intervals.mark()
            for name in ("CareerAndTechnicalEducation", "HighSchool", "MiddleSchool", "Lifeline"):
                label = load_edition(EDITION).program(name).is_eligible(household)
                assert known.can_be(name, label)
                decided[splits] += not known.can_be(name, not label)
            assert known.intervals.mark() == before
    assert decided[0] < decided[2] <= decided[32], decided


@pytest.mark.slow
def test_going_back_leaves_no_trace(reader: PartialReader) -> None:
    known = reader.know(2, {("relation", 1): "child"})
    before = known.verdicts()
    for household in draw_possible(5, 7, EDITION):
        mark = known.intervals.mark()
        facts = {fact: it for fact, it in household_facts(household).items() if fact[1] is None}
        try:
            known.tell(facts)
        except ImpossibleHouseholdError:
            continue
        known.verdicts()
        known.intervals.undo(mark)
    assert known.verdicts() == before


@pytest.mark.slow
def test_the_solver_agrees_and_seldom_knows_more(reader: PartialReader) -> None:
    from benyfits_data.language.z3_backend.open_verdicts import OpenVerdicts

    last_word, rng = OpenVerdicts(load_edition(EDITION)), stream(4, "test", "partial")
    ours = theirs = 0
    for household in draw_possible(6, 11, EDITION):
        facts = drawn(household_facts(household), rng)
        size = len(household.members)
        known = reader.know(size, facts)
        for program in list(load_edition(EDITION))[::6]:
            verdict, proven = known.verdict(program), last_word.decide(program, size, facts)
            assert verdict is None or verdict is proven, program
            ours, theirs = ours + (verdict is not None), theirs + (proven is not None)
    assert theirs > 30
    assert ours / theirs > 0.95
