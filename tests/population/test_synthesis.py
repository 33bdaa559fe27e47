"""The synthetic city: possible, reproducible, correlated, true to its sources."""

import dataclasses

import numpy as np
import pytest

from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.language.numpy_backend import possible
from benyfits_data.population.check import JOINT_TOLERANCE, MARGIN_TOLERANCE, CityCheck
from benyfits_data.population.correlations import correlations, moments, published_correlations
from benyfits_data.population.cross_tabulations import distance
from benyfits_data.population.derived_facts import RULES
from benyfits_data.population.independent_draws import independent_households, shuffled
from benyfits_data.population.synthesis import (
    CHUNK,
    build_city,
    chunks,
    default_distributions,
    default_sources,
    households_of_chunk,
    over_chunks,
    possible_households,
)
from benyfits_data.population.synthetic_city import City


def test_every_household_is_possible_without_repair(city: City) -> None:
    table, repaired = possible_households(city)
    assert repaired == 0
    assert possible(table).all()


def test_households_that_a_constraint_refuses_are_repaired(city: City) -> None:
    broken = build_city(300, seed=8)
    selves = broken.people["is_householder"]
    broken.people.put("has_itin", broken.people["has_itin"] | selves)
    table, repaired = possible_households(broken)
    assert repaired > 0
    assert possible(table).all()


def test_every_margin_is_met_but_for_the_rounding_of_small_groups(checked: CityCheck) -> None:
    for margin in checked.margins:
        noise = 3 / margin.people
        assert abs(margin.difference) <= MARGIN_TOLERANCE + noise, margin


def test_joint_tables_are_met_but_for_the_noise_of_a_small_city(checked: CityCheck) -> None:
    for name, found in checked.distances.items():
        assert found <= JOINT_TOLERANCE + 0.015, name


def test_a_margin_that_is_missed_is_a_problem(checked: CityCheck) -> None:
    margin = checked.margins[0]
    missed = dataclasses.replace(margin, achieved=margin.target + 0.006)
    assert any(
        margin.feature in problem
        for problem in dataclasses.replace(checked, margins=[missed]).problems()
    )
    assert not dataclasses.replace(
        checked, margins=[dataclasses.replace(margin, achieved=margin.target)], distances={}
    ).problems()


def test_a_violation_and_a_far_joint_table_are_problems(checked: CityCheck) -> None:
    missed = dataclasses.replace(checked, margins=[], distances={"y": 0.021}, violations={"x": 2})
    assert missed.problems() == ["joint table y: distance 0.0210", "x: violated 2 times"]


def test_the_distance_of_a_table_ignores_margins_and_sees_association() -> None:
    target = np.array([[30.0, 10.0], [10.0, 30.0]])
    scaled = target * np.array([[3.0], [1.0]])
    assert distance(target, scaled) == pytest.approx(0, abs=1e-6)
    assert distance(target, np.full((2, 2), 20.0)) == pytest.approx(0.25)


def test_same_seed_same_city_other_seed_other_city() -> None:
    one, two, other = (households_of_chunk(400, seed, 0) for seed in (1, 1, 2))
    for name in MEMBER_FEATURES:
        if name in one.member:
            assert (one.member[name] == two.member[name]).all(), name
    for name in HOUSEHOLD_FEATURES:
        assert (one.shared[name] == two.shared[name]).all(), name
    assert (one.member["age"] != other.member["age"]).any()


def size_of(n: int, seed: int, chunk: int) -> tuple[int, int]:
    return n, chunk


def test_chunks_cover_the_city_in_order_whatever_the_workers() -> None:
    n = 2 * CHUNK + 5
    assert list(chunks(n)) == [(0, CHUNK), (1, CHUNK), (2, 5)]
    expected = [(CHUNK, 0), (CHUNK, 1), (5, 2)]
    assert list(over_chunks(size_of, n, 0, workers=1)) == expected
    assert list(over_chunks(size_of, n, 0, workers=2)) == expected


def test_every_rule_of_the_tables_has_code() -> None:
    ruled = {name for name, d in default_distributions().items() if d.is_rule}
    ruled -= {name for name, d in default_distributions().items() if d.flag_where is not None}
    assert ruled - {"name"} == set(RULES)


def test_correlations_are_those_of_the_sources_and_vanish_in_independent_draws(
    checked: CityCheck,
) -> None:
    ours = correlations(checked.moments)
    apart = correlations(moments(independent_households(3_000, 5, 0)))
    for name, published in published_correlations(default_sources()).items():
        if published is None:
            continue
        assert ours[name] == pytest.approx(published, abs=0.08), name
        assert abs(apart[name]) < abs(ours[name]) / 2, name


def test_shuffling_keeps_every_margin_and_repair_makes_households_possible() -> None:
    city = households_of_chunk(2_000, 5, 0)
    apart = shuffled(city, 5, 0)
    present = city.present
    for name, column in city.member.items():
        assert np.array_equal(np.sort(column[present]), np.sort(apart.member[name][present])), name
    for name, column in city.shared.items():
        assert np.array_equal(np.sort(column), np.sort(apart.shared[name])), name
    assert not possible(apart).all()
    assert possible(independent_households(2_000, 5, 0)).all()


def test_spouses_are_close_in_age_and_children_younger_than_parents(city: City) -> None:
    people = city.people
    gap = people["gap"]
    spouses = people.mask("relation spouse")
    assert np.abs(gap[spouses]).mean() < 6.5
    children = people.mask("relation child|adopted child")
    assert gap[children].min() >= 16


def test_income_bands_hold_where_it_matters(city: City) -> None:
    shares = default_sources().by_feature["household_income"]
    for row in shares:
        if row.given == "all":
            found = city.households.mask(f"household_income {row.category}").mean()
            assert found == pytest.approx(row.share, abs=0.004)
