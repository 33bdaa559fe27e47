"""Children are possible households that took over what a program asks, or became more usual."""

from dataclasses import replace

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.fuzz.search.children import (
    _FACTS,
    SUBSETS,
    Variation,
    remove_members,
    sort_members,
)
from benyfits_data.fuzz.search.donors import DonorCity
from benyfits_data.household.columns import Households
from benyfits_data.household.features import MEMBER_FEATURES
from benyfits_data.language.numpy_backend import possible
from benyfits_data.language.source import features_read
from benyfits_data.plausibility.fact_surprise import MEMBER_FACTS

EDITION = load_edition(2024)
PROGRAM = "FamilyTypeHomesForAdults"
EVEN = np.ones(40, np.int64)


@pytest.fixture(scope="module")
def strange() -> Households:
    """Households that nobody made believable."""
    return sample_households(800, EDITION, 4)


def test_families_take_over_what_is_unusual_and_stay_possible(
    donors: DonorCity, strange: Households
) -> None:
    column = strange.member["needs_semi_protective_care"]
    strangers = strange.take(np.flatnonzero(column[0])[:20])
    size = donors.households.size
    hosts = donors.households.take(np.array([np.argmax(size == one) for one in strangers.size]))
    programs = np.full(len(strangers), list(EDITION.programs).index(PROGRAM))
    vary = Variation(EDITION, donors, np.random.default_rng(2))
    born, of = vary.cross(hosts, strangers, np.arange(len(strangers)), programs)
    assert len(born) == len(of) > 0
    assert possible(born).all()
    taken = {
        fact
        for fact in features_read(EDITION[PROGRAM].checker) & MEMBER_FEATURES.keys()
        if (
            (born.member[fact][0] != hosts.member[fact][0, of])
            & (born.member[fact][0] == strangers.member[fact][0, of])
        ).any()
    }
    assert taken - {"age", "sex", "relation"}


def test_copies_with_facts_redrawn_are_possible_and_surprise_less(
    donors: DonorCity, strange: Households
) -> None:
    homes = strange.take(np.arange(40))
    redrawn = Variation(EDITION, donors, np.random.default_rng(3)).redraw(homes, 2_000, EVEN[:40])
    assert len(redrawn.of) > 100
    assert possible(redrawn.homes).all()
    before = donors.plausibility.surprise(homes)[redrawn.of]
    assert (donors.plausibility.surprise(redrawn.homes) < before).all()
    assert (redrawn.facts.sum(axis=1) > 1).any()
    assert (redrawn.facts.sum(axis=1) >= len(MEMBER_FACTS)).any()
    kept = homes.take(redrawn.of)
    for place, name in enumerate(_FACTS):
        still = ~redrawn.facts[:, place]
        table, copy = (
            (one.shared if name in one.shared else one.member) for one in (kept, redrawn.homes)
        )
        assert (table[name][..., still] == copy[name][..., still]).all(), name


def test_the_costliest_households_are_redrawn_most_often(
    donors: DonorCity, strange: Households
) -> None:
    homes, cost = strange.take(np.arange(40)), np.where(np.arange(40) == 7, 10_000, 0)
    vary = Variation(EDITION, donors, np.random.default_rng(3))
    assert (vary.redraw(homes, 500, cost).of == 7).mean() > 0.9
    assert (vary.change(homes, 500, cost)[1] == 7).mean() > 0.9


def test_somebody_of_the_city_with_the_same_rare_fact_is_the_donor(donors: DonorCity) -> None:
    column = donors.households.member["needs_semi_protective_care"]
    n = int(column.sum())
    assert 0 < n < 200
    context, rng = np.arange(500) % 200, np.random.default_rng(1)
    rows, homes = donors.people_with("needs_semi_protective_care", np.ones(500), context, rng)
    assert column[rows, homes].all()
    assert len(set(zip(rows.tolist(), homes.tolist(), strict=True))) > n / 4


def test_copies_take_over_several_of_the_redrawn_facts_and_are_possible(
    donors: DonorCity, strange: Households
) -> None:
    homes = strange.take(np.arange(10))
    vary = Variation(EDITION, donors, np.random.default_rng(5))
    redrawn = vary.redraw(homes, 1_000, EVEN[:10])
    combined, of = vary.combine(homes, redrawn)
    assert possible(combined).all()
    assert np.bincount(of).max() <= SUBSETS
    single = np.array(
        [
            donors.plausibility.surprise(redrawn.homes)[redrawn.of == home].min(initial=10**9)
            for home in range(10)
        ]
    )
    assert (donors.plausibility.surprise(combined) < single[of]).any()


def test_the_same_stream_gives_the_same_children(donors: DonorCity, strange: Households) -> None:
    homes = strange.take(np.arange(20))
    vary = Variation(EDITION, donors, np.random.default_rng(7))
    again = replace(vary, rng=np.random.default_rng(7))
    one, other = (each.redraw(homes, 300, EVEN[:20]) for each in (vary, again))
    assert (one.of == other.of).all()
    assert (one.homes.member["age"] == other.homes.member["age"]).all()


def test_who_is_changed_is_possible_and_some_live_with_another_family(
    donors: DonorCity, strange: Households
) -> None:
    homes = strange.take(np.flatnonzero(strange.size > 2)[:30])
    born, of = Variation(EDITION, donors, np.random.default_rng(9)).change(
        homes, 600, EVEN[: len(homes)]
    )
    assert possible(born).all()
    before = homes.take(of)
    assert (born.size < before.size).any()
    assert (born.member["relation"] != before.member["relation"])[:, born.size == before.size].any()
    assert (donors.plausibility.surprise(born) < donors.plausibility.surprise(before)).mean() > 0.5


def test_whoever_goes_leaves_the_others_as_they_are(donors: DonorCity) -> None:
    before = donors.households.take(np.flatnonzero(donors.households.size == 4)[:20]).fitted()
    after = before.take(np.arange(20))
    gone = 1 + np.arange(20) % 3
    remove_members(after, np.arange(10), gone)
    assert (after.size == np.where(np.arange(20) < 10, 3, 4)).all()
    for name, column in after.member.items():
        feature = MEMBER_FEATURES[name]
        nobody = [feature.encode(feature.default)] * 3
        for home in range(10):
            left = [row for row in range(4) if row != gone[home]]
            stayed = before.member[name][left, home].tolist()
            assert column[:, home].tolist() == stayed + nobody, name
        assert (column[:, 10:] == before.member[name][:, 10:]).all()


def test_members_stand_in_the_order_of_the_city(donors: DonorCity) -> None:
    homes = donors.households.take(np.flatnonzero(donors.households.size == 4)[:50]).fitted()
    shuffled = homes.take(np.arange(50))
    for values in shuffled.member.values():
        values[1:4] = values[[3, 1, 2]]
    assert (shuffled.member["age"] != homes.member["age"]).any()
    sort_members(shuffled, np.arange(50) < 25)
    sort_members(homes)
    # Of members of one age the order may differ.
    assert (homes.member["age"][:, :25] == shuffled.member["age"][:, :25]).all()
    assert (homes.member["age"][:, 25:] != shuffled.member["age"][:, 25:]).any()
    partner = [MEMBER_FEATURES["relation"].encode(one) for one in ("spouse", "domestic partner")]
    assert not np.isin(homes.member["relation"][2:], partner).any()
    others = ~np.isin(homes.member["relation"][1], partner)
    assert (np.diff(homes.member["age"][1:4, others].astype(int), axis=0) <= 0).all()
