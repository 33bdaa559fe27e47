"""A believable selection covers all with the fewest pairs, in few households of the city's kind."""

from dataclasses import replace

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.candidates import MIXED, ODD, Pricer
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.selection import (
    STEPS,
    city_families,
    select_believable,
)
from benyfits_data.fuzz.corpus import Corpus, collect
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage, programs_of, uncovered
from benyfits_data.fuzz.exact.column_generation import check_uncontested, contested_labels
from benyfits_data.fuzz.exact.set_cover import fewest_slots
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.language.numpy_backend import possible
from benyfits_data.plausibility.structure_surprise import kinds_of_relations

EDITION = load_edition(2024)


def covers(corpus: Corpus) -> list[Coverage]:
    return corpus.coverage


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """A few programs on a few hundred households."""
    few = replace(EDITION, programs=dict(list(EDITION.programs.items())[:6]))
    return collect(few, [sample_households(500, few, 4)])


@pytest.mark.slow
def test_a_selection_of_few_programs_covers_all_with_the_fewest_pairs(
    city: DonorCity, corpus: Corpus
) -> None:
    ticks: list[int] = []
    grown, pairs, certificate = select_believable(corpus, 0, covers, city, 50.0, ticks.append)
    assert ticks == [1] * STEPS
    assert uncovered(corpus.coverage, []) != {}
    assert uncovered(grown.coverage, pairs) == {}
    assert certificate["pairs"]["gap"] == 0
    chosen = programs_of(pairs)
    assert max(map(len, chosen.values())) <= MOST_PROGRAMS
    homes = grown.households.take(np.array(list(chosen)))
    assert possible(homes).all()
    assert np.median(city.plausibility.percentile(homes)) <= 50
    again = select_believable(corpus, 0, covers, city, 50.0)
    assert again[1] == pairs
    assert (again[0].households.member["age"] == grown.households.member["age"]).all()


def test_who_runs_what_nobody_of_the_corpus_runs_fills_nothing(
    city: DonorCity, corpus: Corpus
) -> None:
    some = corpus.take(np.arange(20))
    pricer = Pricer(some, covers, fewest_slots(some.coverage), city.plausibility, 50.0)
    columns = pricer.columns(corpus.households)
    assert columns.fills[:, :20].any(axis=0).all()
    new = np.zeros(len(corpus), np.bool_)
    for own, reached in zip(corpus.coverage, some.coverage, strict=True):
        is_new = np.asarray((own.classes & ~reached.reached).any(axis=1))
        new |= is_new[own.class_of]
    assert new.any()
    assert not columns.fills[:, new].any()


def test_who_fills_two_slots_of_a_program_fills_nothing(city: DonorCity, corpus: Corpus) -> None:
    slots = fewest_slots(corpus.coverage)
    pricer = Pricer(corpus, covers, slots, city.plausibility, 50.0)
    at = int(pricer.columns(corpus.households).fills[0].argmax())
    one = corpus.households.take(np.array([at]))
    assert pricer.columns(one).fills.any()
    twice = replace(slots, slots=(slots.slots[0], *slots.slots))
    pricer = Pricer(corpus, covers, twice, city.plausibility, 50.0)
    assert not pricer.columns(one).fills.any()


def test_mixed_relations_cost_more_with_each_kind(city: DonorCity, corpus: Corpus) -> None:
    pricer = Pricer(corpus, covers, fewest_slots(corpus.coverage), city.plausibility, 50.0)
    usual = kinds_of_relations(city.households) < MIXED
    homes = city.households.take(np.flatnonzero(usual)[:500]).fitted()
    cost = pricer.columns(homes).cost
    scaled = city.plausibility.scaled_surprise(homes)
    assert (cost[scaled <= 0] == 0).all()
    assert (cost[scaled > 1_000] > scaled[scaled > 1_000]).all()
    several = city.households.take(np.flatnonzero(~usual)[:500]).fitted()
    beyond = pricer.columns(several).cost - np.maximum(
        city.plausibility.scaled_surprise(several), 0
    )
    assert (beyond >= ODD * (kinds_of_relations(several) - MIXED + 1)).all()


@pytest.mark.slow
def test_a_planted_contested_pair_is_refused_where_somebody_else_is_sure() -> None:
    corpus = collect(EDITION, [sample_households(2_000, EDITION, 4)])
    coverage = corpus.coverage
    is_open = contested_labels(corpus, coverage)
    slots = fewest_slots(coverage, is_open)
    fills = slots.fillers(coverage)
    sure = fills & ~is_open[slots.programs]
    best = np.where(sure.any(axis=1), sure.argmax(axis=1), fills.argmax(axis=1))
    filled = [(int(home), slot) for slot, home in enumerate(best)]
    check_uncontested(corpus, coverage, slots, filled)
    unsure = fills & is_open[slots.programs]
    planted = int(np.argmax(unsure.any(axis=1) & sure.any(axis=1)))
    filled[planted] = int(unsure[planted].argmax()), planted
    with pytest.raises(SelectionError, match="is contested in household"):
        check_uncontested(corpus, coverage, slots, filled)


def test_households_of_the_city_that_join_hardly_surprise(city: DonorCity) -> None:
    families = city_families(city)
    assert len(families) > 5_000
    assert city.plausibility.percentile(families).max() <= 95
    assert families.size.max() <= 6
