"""A selection covers all with the fewest pairs, in few households of the city's kind."""

from dataclasses import replace

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.fuzz.corpus import Corpus, Objective, collect
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, uncovered
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.fuzz.search import selection as module
from benyfits_data.fuzz.search.amounts import redraw_amounts
from benyfits_data.fuzz.search.candidates import (
    MIXED_COST,
    Judge,
    TracedHouseholds,
    needlessly_contested,
)
from benyfits_data.fuzz.search.children import Variation
from benyfits_data.fuzz.search.donors import DonorCity
from benyfits_data.fuzz.search.selection import ROUNDS, city_families, select_fewest
from benyfits_data.fuzz.search.set_limits import MIXED, homes_with_amounts
from benyfits_data.fuzz.search.slots import Slots, fewest_slots
from benyfits_data.language.numpy_backend import possible
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

EDITION = load_edition(2024)
BRANCHES = Objective("branches")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """A few programs on a few hundred households."""
    few = replace(EDITION, programs=dict(list(EDITION.programs.items())[:6]))
    return collect(few, [sample_households(500, few, 4)])


def judge_of(corpus: Corpus, donors: DonorCity, slots: Slots | None = None) -> Judge:
    known = TracedHouseholds.of(corpus, corpus.coverage)
    slots = slots or fewest_slots(corpus.coverage)
    return Judge(corpus.edition, BRANCHES, slots, known, donors.plausibility)


@pytest.mark.slow
def test_a_selection_of_few_programs_covers_all_with_the_fewest_pairs(
    donors: DonorCity, corpus: Corpus
) -> None:
    ticks: list[int] = []
    arguments = corpus, corpus.coverage, BRANCHES
    chosen = select_fewest(*arguments, np.random.default_rng(0), donors, 50.0, ticks.append)
    assert set(ticks) <= {1}
    assert len(ticks) <= ROUNDS
    ran = collect(corpus.edition, [chosen.homes]).coverage
    assert uncovered(corpus.coverage, ran, [[]] * len(chosen.homes)) != {}
    assert uncovered(corpus.coverage, ran, chosen.programs) == {}
    assert chosen.certificate["pairs"]["gap"] == 0
    assert max(map(len, chosen.programs)) <= MOST_PROGRAMS
    assert possible(chosen.homes).all()
    assert not chosen.broken
    assert np.median(donors.plausibility.percentile(chosen.homes)) <= 50
    again = select_fewest(*arguments, np.random.default_rng(0), donors, 50.0)
    assert again.programs == chosen.programs
    assert (again.homes.member["age"] == chosen.homes.member["age"]).all()


def test_without_a_city_the_fewest_pairs_are_chosen_of_the_corpus_alone(corpus: Corpus) -> None:
    chosen = select_fewest(corpus, corpus.coverage, BRANCHES, np.random.default_rng(0), None, 50.0)
    ran = collect(corpus.edition, [chosen.homes]).coverage
    assert uncovered(corpus.coverage, ran, chosen.programs) == {}
    pairs = chosen.certificate["pairs"]
    assert pairs["value"] == pairs["bound"] == sum(map(len, chosen.programs))
    columns = {*zip(*(values[0] for values in corpus.households.member.values()), strict=True)}
    assert {*zip(*(values[0] for values in chosen.homes.member.values()), strict=True)} <= columns


def test_slots_are_chosen_anew_where_children_allow_fewer_pairs(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = module.fewest_slots, []

    def fewer_at_first(coverage: object, cost: object = None) -> Slots:
        slots = real(coverage, cost)  # type: ignore[arg-type]
        asked.append(cost is not None)
        # The first bound after a choice is one pair lower than what was chosen.
        return replace(slots, pair_bound=slots.pair_bound - (len(asked) == 2))

    monkeypatch.setattr(module, "fewest_slots", fewer_at_first)
    chosen = select_fewest(corpus, corpus.coverage, BRANCHES, np.random.default_rng(0), None, 50.0)
    assert asked == [True, False, True, False]
    assert chosen.certificate["pairs"]["is_certified"]


def test_who_runs_what_nobody_of_the_corpus_runs_fills_nothing(
    donors: DonorCity, corpus: Corpus
) -> None:
    some = corpus.take(np.arange(20))
    fills = judge_of(some, donors).candidates(corpus.households).fills
    assert fills[:, :20].any(axis=0).all()
    new = np.zeros(len(corpus), np.bool_)
    for own, reached in zip(corpus.coverage, some.coverage, strict=True):
        is_new = np.asarray((own.classes & ~reached.reached).any(axis=1))
        new |= is_new[own.class_of]
    assert new.any()
    assert not fills[:, new].any()


def test_who_fills_two_slots_of_a_program_fills_nothing(donors: DonorCity, corpus: Corpus) -> None:
    slots = fewest_slots(corpus.coverage)
    judge = judge_of(corpus, donors)
    at = int(judge.candidates(corpus.households).fills[0].argmax())
    one = corpus.households.take(np.array([at]))
    assert judge.candidates(one).fills.any()
    twice = replace(slots, slots=(slots.slots[0], *slots.slots))
    assert not judge_of(corpus, donors, twice).candidates(one).fills.any()


def test_mixed_relations_and_members_cost_more(donors: DonorCity, corpus: Corpus) -> None:
    judge, city = judge_of(corpus, donors), donors.households
    usual = kinds_of_relations(city) < MIXED
    homes = city.take(np.flatnonzero(usual & (city.size <= 3))[:500]).fitted()
    cost = judge.candidates(homes).cost
    scaled = donors.plausibility.scaled_surprise(homes)
    assert (cost[scaled <= 0] == 0).all()
    assert (cost[scaled > 1_000] > scaled[scaled > 1_000]).all()
    homes = city.take(np.flatnonzero(~usual)[:500]).fitted()
    beyond = judge.candidates(homes).cost - donors.plausibility.scaled_surprise(homes).clip(0)
    assert (beyond >= MIXED_COST * (kinds_of_relations(homes) - MIXED + 1)).all()


@pytest.mark.slow
def test_nobody_contested_fills_a_slot_that_somebody_else_fills_uncontested(
    donors: DonorCity,
) -> None:
    corpus = collect(EDITION, [sample_households(2_000, EDITION, 4)])
    slots = fewest_slots(corpus.coverage)
    known = TracedHouseholds.of(corpus, corpus.coverage)
    fills, contested = slots.fillers(known.coverage), known.contested[slots.programs]
    sure = fills & ~contested
    best = np.where(sure.any(axis=1), sure.argmax(axis=1), fills.argmax(axis=1))
    assert not len(needlessly_contested(known, known, slots, best))
    planted = int(np.argmax((fills & contested).any(axis=1) & sure.any(axis=1)))
    best[planted] = (fills & contested)[planted].argmax()
    assert needlessly_contested(known, known, slots, best).tolist() == [planted]
    allowed = judge_of(corpus, donors, slots).judged(known).fills
    assert not (allowed & contested)[sure.any(axis=1)].any()


@pytest.mark.slow
def test_amounts_that_come_back_are_redrawn_but_for_those_that_decide(
    donors: DonorCity, corpus: Corpus
) -> None:
    judge = judge_of(corpus, donors)
    homes = donors.households.take(np.flatnonzero(donors.households.size == 2)[:40]).fitted()
    earns = homes.member["annual_work_income"][0] > 0
    homes.member["annual_work_income"][0, earns] = 31_234
    some = judge.candidates(homes.take(np.flatnonzero(possible(homes))))
    before = homes_with_amounts(some.homes)
    assert len(before["annual_work_income", 31_234]) > 10
    variation = Variation(corpus.edition, donors, np.random.default_rng(2))
    after = redraw_amounts(some, judge, variation)
    assert len(homes_with_amounts(after.homes).get(("annual_work_income", 31_234), ())) <= 2
    assert (after.fills == some.fills).all()
    assert (after.cost <= some.cost).all()
    assert possible(after.homes).all()
    assert (after.homes.member["age"] == some.homes.member["age"]).all()
    # Who runs other lines with any other amount keeps it.
    fixed = replace(some, fills=~some.fills)
    kept = redraw_amounts(fixed, judge, variation)
    assert homes_with_amounts(kept.homes) == before


def test_households_of_the_city_that_join_hardly_surprise(donors: DonorCity) -> None:
    families = city_families(donors)
    assert len(families) > 5_000
    assert donors.plausibility.percentile(families).max() <= 95
    assert families.size.max() <= 6
