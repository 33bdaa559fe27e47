"""Surprise: calibrated on the city, high for the absurd, and told by what weighs."""

import numpy as np
import pytest

from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.probability_tables import most_telling, surprise_table
from benyfits_data.plausibility.structure_surprise import kinds_of_relations
from tests.shared import LearnedCity


@pytest.fixture(scope="module")
def plausibility(learned_city: LearnedCity) -> Plausibility:
    return learned_city.plausibility


@pytest.fixture(scope="module")
def fresh(learned_city: LearnedCity) -> Households:
    """Households of the city that nothing was learned from."""
    return learned_city.fresh.take(slice(0, None, 6))


def test_percentiles_of_fresh_households_are_spread_evenly(
    plausibility: Plausibility, fresh: Households
) -> None:
    found = plausibility.percentile(fresh)
    for percentile in (10, 25, 50, 75, 90):
        assert abs((found <= percentile).mean() * 100 - percentile) < 5


@pytest.mark.slow
def test_scaled_surprise_says_how_far_a_household_is_from_the_median_of_its_own_size(
    plausibility: Plausibility, fresh: Households
) -> None:
    scaled, percentile = plausibility.scaled_surprise(fresh), plausibility.percentile(fresh)
    assert np.mean((scaled < 0) == (percentile < 50)) > 0.98
    assert np.mean((scaled < 1_000) == (percentile < 99)) > 0.99
    surprise, middle = plausibility.surprise(fresh), plausibility.limits(50)
    far = np.abs(surprise - middle[np.minimum(fresh.size, 6) - 1])
    small, large = (np.where(fresh.size == size, far, far.max()).argmin() for size in (1, 5))
    assert surprise[large] > 2 * surprise[small]
    assert abs(scaled[large] - scaled[small]) < 50


def test_surprise_is_that_of_all_it_is_about(plausibility: Plausibility, fresh: Households) -> None:
    some = fresh.take(slice(0, None, 4))
    parts = plausibility.surprises(some)
    of_members = sum(each.sum(axis=0, dtype=np.int64) for each in parts.of_members.values())
    surprise = plausibility.surprise(some)
    assert (surprise == of_members + sum(parts.of_households.values())).all()
    assert (
        plausibility.scaled_surprise(some, surprise) == plausibility.scaled_surprise(some)
    ).all()
    assert (plausibility.percentile(some, surprise) == plausibility.percentile(some)).all()
    assert (plausibility.surprise(some.fitted()) == surprise).all()


FAMILY: list[dict[str, object]] = [
    {"age": 38, "sex": "female", "is_parent": True},
    {"relation": "child", "age": 14, "sex": "female"},
]


def test_kinds_of_relations_are_counted_with_the_applicants_own() -> None:
    others = ["child", "child", "sibling", "friend"]
    for n, kinds in enumerate((1, 2, 2, 3, 4)):
        members = [{"age": 40}, *({"relation": own, "age": 20} for own in others[:n])]
        table = Households.from_households([Household.complete(members=members)])
        assert kinds_of_relations(table).tolist() == [kinds]


@pytest.mark.parametrize(
    ("planted", "member"),
    [
        ({"months_pregnant": 5, "weeks_pregnant": 23}, 1),
        ({"years_sober": 0, "age": 14}, 1),
        ({"hiv_aids": True}, 1),
        ({"bedridden": True, "disabled": True, "can_care_for_self": False}, 0),
    ],
)
def test_a_planted_oddity_weighs_and_is_named(
    plausibility: Plausibility, planted: dict[str, object], member: int
) -> None:
    plain = Household.complete(members=FAMILY)
    members: list[dict[str, object]] = [dict(one) for one in FAMILY]
    members[member] |= planted
    odd = Household.complete(members=members)
    table = Households.from_households([plain, odd])
    usual, surprising = plausibility.surprise(table)
    assert surprising > usual + 3_000
    told = plausibility.weights(table, most=6)[1]
    assert any(one.what in planted and one.member == member for one in told)
    first = next(one for one in told if one.what in planted and one.member == member)
    assert first.one_in > 50
    relation = "applicant" if member == 0 else "child"
    assert str(first).startswith(f"{relation} of ")


def test_an_absurd_family_is_surprising_for_its_ages(plausibility: Plausibility) -> None:
    families: list[list[dict[str, object]]] = [
        [{"age": 70}, {"relation": "spouse", "age": 68}],
        [{"age": 70}, {"relation": "spouse", "age": 31}],
    ]
    table = Households.from_households([Household.complete(members=one) for one in families])
    near, far = plausibility.surprises(table).of_members["age gap"].sum(axis=0)
    assert far > near + 2_000


def test_what_tells_most_of_a_fact_is_found_and_noise_is_not() -> None:
    rng = np.random.default_rng(3)
    noise, cause = rng.integers(0, 2, (2, 5_000))
    fact = np.where(rng.random(5_000) < 0.9, cause, 1 - cause)
    context = np.zeros(5_000, np.int64), 1
    chosen = most_telling((fact, 2), context, {"noise": (noise, 2), "cause": (cause, 2)})
    assert chosen == ["cause"]
    table = surprise_table((fact, 2), context, context, np.zeros(1, np.int64), [(cause, 2)])
    assert table[0, 1] > 20 * table[0, 0]
