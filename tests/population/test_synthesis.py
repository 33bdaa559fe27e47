"""The synthetic city: possible, reproducible, correlated, true to its sources."""

import dataclasses

import numpy as np
import pytest

from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.language.numpy_backend import possible
from benyfits_data.population.check import (
    MARGIN_TOLERANCE,
    CityCheck,
    JointResult,
)
from benyfits_data.population.cross_tabulations import TableMapping, distance, table_mappings
from benyfits_data.population.derived_facts import RULES
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
from tests.population.mutants import run as run_mutants


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


@pytest.mark.slow
def test_every_margin_is_met_but_for_the_rounding_of_small_groups(checked: CityCheck) -> None:
    for margin in checked.margins:
        noise = 3 / margin.people
        assert abs(margin.difference) <= MARGIN_TOLERANCE + noise, margin


def test_joint_tables_are_met_but_for_the_noise_of_a_small_city(checked: CityCheck) -> None:
    assert not [name for name, found in checked.joints.items() if found.exceeds]


def sound(checked: CityCheck) -> CityCheck:
    """The check without anything that a small city may miss."""
    lists = {name: [] for name in ("margins", "poverty", "draws", "unfitted", "rules")}
    return dataclasses.replace(checked, joints={}, violations={}, **lists)


def test_a_margin_that_is_missed_is_a_problem(checked: CityCheck) -> None:
    margin = dataclasses.replace(checked.margins[0], people=10**9)
    for kind, tolerance in (("margins", 0.005), ("poverty", 0.015), ("draws", 0.001)):
        for off, expected in ((1.2 * tolerance, 1), (0.8 * tolerance, 0)):
            missed = dataclasses.replace(margin, achieved=margin.target + off)
            found = dataclasses.replace(sound(checked), **{kind: [missed]})
            assert len(found.problems()) == expected, kind
    few = dataclasses.replace(margin, achieved=margin.target + 0.01, people=100)
    assert not dataclasses.replace(sound(checked), margins=[few]).problems()


@pytest.mark.slow
def test_a_violation_and_a_far_joint_table_are_problems(checked: CityCheck) -> None:
    large = np.full((2, 2), 1e9)
    state, own = (TableMapping("member", {}, unraked_tolerance=it) for it in (None, 0.04))
    tables = {
        "raked": JointResult(0.021, 0.0, state, large),
        "unraked": JointResult(0.0, 0.041, own, large),
        "state": JointResult(0.0, 0.5, state, large),
    }
    missed = dataclasses.replace(sound(checked), joints=tables, violations={"x": 2})
    assert [problem.split(":")[0] for problem in missed.problems()] == [
        *("joint table raked", "joint table unraked"),
        "x",
    ]


def test_unfitted_figures_are_told_apart_and_are_no_problems(checked: CityCheck) -> None:
    assert len(checked.unfitted) >= 200
    far = dataclasses.replace(checked.unfitted[0], achieved=0.99)
    found = dataclasses.replace(sound(checked), unfitted=[far])
    assert not found.problems()
    assert far.row.what in found.misses()[0]
    near = dataclasses.replace(far, achieved=far.row.expected + far.row.tolerance)
    assert not dataclasses.replace(found, unfitted=[near]).misses()


def test_rows_that_count_otherwise_than_their_words_are_told_by_words_too(
    checked: CityCheck,
) -> None:
    told = {it.row.what: it for it in checked.unfitted if it.row.words_condition}
    unseen = [it for it in told.values() if "added unseen" in it.row.note]
    assert (len(told) - len(unseen), len(unseen)) == (22, 31)
    assert all(it.by_words is not None for it in told.values())
    burden = told["renters who pay 50 percent of income and more"]
    # A voucher pays part of the gross rent: by the words alone, rent spent, fewer are burdened.
    assert burden.by_words < burden.achieved
    far = dataclasses.replace(burden, achieved=burden.row.published, by_words=0.99)
    assert far.is_within
    assert not far.is_within_as_printed


def test_figures_of_other_years_are_compared_in_the_years_of_the_city(checked: CityCheck) -> None:
    carried = {it.row.what: it for it in checked.unfitted if it.row.carried is not None}
    assert len(carried) == 25
    pensions = carried["households with a pension, Staten Island"]
    # The survey asks otherwise for pensions since 2019: more households of the city tell of one.
    assert pensions.row.expected > pensions.row.published
    on = dataclasses.replace(pensions, achieved=pensions.row.expected, counted=10**6)
    assert on.is_within
    assert on.difference == 0
    assert not on.is_as_printed
    assert not on.is_within_as_printed


def test_too_many_who_break_a_rule_are_a_problem_and_many_of_a_group_are_none(
    checked: CityCheck,
) -> None:
    rule = next(it for it in checked.rules if it.row.kind == "rule")
    group = next(it for it in checked.rules if it.row.kind == "group")
    for found, expected in ((1_200, 1), (900, 0)):
        it = dataclasses.replace(rule, found=found, among=10**6)
        assert len(dataclasses.replace(sound(checked), rules=[it]).problems()) == expected
    many = dataclasses.replace(group, found=10**5, among=10**6)
    assert not dataclasses.replace(sound(checked), rules=[many]).problems()


def test_nothing_unfitted_is_a_target(checked: CityCheck) -> None:
    targets = {(row.feature, row.category, row.given) for row in checked.margins}
    for row in default_sources().unfitted:
        feature, _, category = row.condition.partition(" ")
        assert (feature, category, row.among) not in targets, row.what


def test_every_cross_tabulation_is_compared_or_its_cells_are_unfitted_figures() -> None:
    sources = default_sources()
    left = sources.joints.keys() - table_mappings(sources).keys()
    # The rows of two overlap; the third is of two answers that are one of ours: the shares that
    # they tell are margins or unfitted figures. The last three rank incomes within the state.
    assert left == {
        *("children_at_home_borough", "diploma_borough", "owner_housing_borough"),
        *("income_household_size", "income_earners_age", "control_status_income"),
    }


def test_the_distance_of_a_table_ignores_margins_and_sees_association() -> None:
    target = np.array([[30.0, 10.0], [10.0, 30.0]])
    scaled = target * np.array([[3.0], [1.0]])
    assert distance(target, scaled) == pytest.approx(0, abs=1e-6)
    assert distance(target, np.full((2, 2), 20.0)) == pytest.approx(0.25)


def test_half_of_the_renters_of_a_borough_pay_less_than_its_published_median(city: City) -> None:
    homes = city.households
    for row in default_sources().parameters:
        if row.name == "median_gross_rent":
            rents = homes["gross_rent"][homes.mask(f"tenure renter & {row.given}")]
            assert abs(np.median(rents) / row.value - 1) < 0.03, row.given


def test_few_renters_of_a_borough_do_not_all_pay_its_median() -> None:
    homes = build_city(40, seed=2).households
    rents = homes["gross_rent"][homes.mask("tenure renter & borough Manhattan")]
    published = [it.value for it in default_sources().parameters if it.name == "median_gross_rent"]
    assert len(rents) > 1
    assert not np.isin(rents, published).any()


def test_low_incomes_pay_less_rent_in_the_same_kind_of_home(city: City) -> None:
    homes = city.households
    over = [
        homes["rent_over_median"][
            homes.mask(f"housing_type unregulated rental & tenure renter & rent_income_fifth {it}")
        ]
        for it in range(5)
    ]
    middles = [float(np.median(rents)) for rents in over]
    assert middles[0] < 95 < 105 < middles[4]


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_check_notices_most_dependences_that_are_removed() -> None:
    tried, survivors, published, _ = run_mutants(20_000, every=10)
    assert tried >= 35
    assert 1 - len(survivors) / tried >= 0.85
    assert published / tried >= 0.15
