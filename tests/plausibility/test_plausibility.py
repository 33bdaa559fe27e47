"""Surprise: calibrated on the city, high for the absurd, and told by what weighs."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benyfits_data.cli.main import main
from benyfits_data.errors import FeatureValueError
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.fact_surprise import HOUSEHOLD_FACTS, MEMBER_FACTS
from benyfits_data.plausibility.probability_tables import most_telling, surprise_table
from benyfits_data.plausibility.structure_surprise import kinds_of_relations
from benyfits_data.population.city_plausibility import learn_city
from benyfits_data.population.synthesis import synthesize

pytestmark = pytest.mark.xdist_group("fuzz")  # Whose tests learn the same city.


@pytest.fixture(scope="module")
def plausibility() -> Plausibility:
    return learn_city(8_000)[1]


def test_percentiles_of_a_fresh_city_are_spread_evenly(plausibility: Plausibility) -> None:
    found = plausibility.percentile(synthesize(2_000, 77))
    for percentile in (10, 25, 50, 75, 90):
        assert abs((found <= percentile).mean() * 100 - percentile) < 5


@pytest.mark.slow
def test_limits_and_percentiles_agree(plausibility: Plausibility) -> None:
    city = synthesize(1_000, 78)
    within = plausibility.surprise(city) < plausibility.limits(90)[np.minimum(city.size, 6) - 1]
    assert abs((within == (plausibility.percentile(city) < 90)).mean() - 1) < 0.02


@pytest.mark.slow
def test_scaled_surprise_says_how_far_a_household_is_from_the_median_of_its_own_size(
    plausibility: Plausibility,
) -> None:
    city = synthesize(2_000, 78)
    scaled, percentile = plausibility.scaled_surprise(city), plausibility.percentile(city)
    assert np.mean((scaled < 0) == (percentile < 50)) > 0.98
    assert np.mean((scaled < 1_000) == (percentile < 99)) > 0.99
    surprise, middle = plausibility.surprise(city), plausibility.limits(50)
    far = np.abs(surprise - middle[np.minimum(city.size, 6) - 1])
    small, large = (np.where(city.size == size, far, far.max()).argmin() for size in (1, 5))
    assert surprise[large] > 2 * surprise[small]
    assert abs(scaled[large] - scaled[small]) < 50


def test_surprise_is_that_of_all_it_is_about(plausibility: Plausibility) -> None:
    city = synthesize(500, 79)
    parts = plausibility.surprises(city)
    of_members = sum(each.sum(axis=0, dtype=np.int64) for each in parts.of_members.values())
    surprise = plausibility.surprise(city)
    assert (surprise == of_members + sum(parts.of_households.values())).all()
    assert (
        plausibility.scaled_surprise(city, surprise) == plausibility.scaled_surprise(city)
    ).all()
    assert (plausibility.percentile(city, surprise) == plausibility.percentile(city)).all()
    assert (plausibility.surprise(city.fitted()) == surprise).all()


FAMILY: list[dict[str, object]] = [
    {"age": 38, "sex": "female", "is_parent": True},
    {"relation": "child", "age": 13, "sex": "female"},
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


def test_examples_of_a_fact_are_values_that_it_may_have(plausibility: Plausibility) -> None:
    for name in [*MEMBER_FACTS, *HOUSEHOLD_FACTS]:
        feature = FEATURES[name]
        codes = plausibility.examples(name)
        assert len(codes) > 1, name
        for code in codes:
            feature.parse(feature.decode(code))
    feature = FEATURES["covid_funeral_expense_date"]
    with pytest.raises(FeatureValueError):
        feature.parse(feature.decode(1))


def test_what_tells_most_of_a_fact_is_found_and_noise_is_not() -> None:
    rng = np.random.default_rng(3)
    noise, cause = rng.integers(0, 2, (2, 5_000))
    fact = np.where(rng.random(5_000) < 0.9, cause, 1 - cause)
    context = np.zeros(5_000, np.int64), 1
    chosen = most_telling((fact, 2), context, {"noise": (noise, 2), "cause": (cause, 2)})
    assert chosen == ["cause"]
    table = surprise_table((fact, 2), context, context, np.zeros(1, np.int64), [(cause, 2)])
    assert table[0, 1] > 20 * table[0, 0]


def test_many_cells_with_one_observation_each_tell_nothing() -> None:
    rng = np.random.default_rng(5)
    fact = (rng.random(4_000) < 0.1).astype(np.int64)
    crowded = rng.integers(0, 3_000, 4_000)
    context = np.zeros(4_000, np.int64), 1
    assert most_telling((fact, 2), context, {"crowded": (crowded, 3_000)}) == []


def test_one_member_without_status_among_citizens_surprises_more_than_among_others_without(
    plausibility: Plausibility,
) -> None:
    alone, among = (
        Household.complete(
            members=[
                {"age": 40, "citizenship": of_applicant},
                {"relation": "sibling", "age": 37, "citizenship": "unlawful_resident"},
            ]
        )
        for of_applicant in ("citizen_or_national", "unlawful_resident")
    )
    found = plausibility.surprises(Households.from_households([alone, among]))
    of_sibling = found.of_members["citizenship"][1]
    assert of_sibling[0] > of_sibling[1] + 700


def test_what_follows_from_a_fact_surprises_nobody_where_the_fact_was_never_seen() -> None:
    rng = np.random.default_rng(4)
    context = np.repeat([0, 1], 5_000)
    cause = (rng.random(10_000) < 0.5) & (context == 0)
    cause = cause.astype(np.int64)
    table = surprise_table(
        (cause, 2), (context * 0, 1), (context, 2), np.zeros(2, np.int64), [(cause, 2)]
    )
    # Nobody in context 1 has the cause; who has it would have what follows too, as all others do.
    unseen, value = 1 * 2 + 1, 1
    assert table[unseen, value] < 1_000
    assert table[unseen, 1 - value] > 0.5 * table[unseen, value]


def test_homes_outside_the_city_lack_what_is_tied_to_it_and_surprise_by_the_place_alone(
    plausibility: Plausibility,
) -> None:
    members: list[dict[str, object]] = [{"age": 50}, {"relation": "spouse", "age": 48}]
    homes = [
        Household.complete(members=members, place_of_residence=place)
        for place in ("New York City", "New Jersey")
    ]
    found = plausibility.surprises(Households.from_households(homes))
    inside, outside = found.of_members["eligible_for_instate_tuition"].sum(axis=0)
    assert not outside
    assert found.of_households["place_of_residence"][1] > 5_000
    assert inside or not any(one.members[0].eligible_for_instate_tuition for one in homes[1:])


@pytest.mark.slow
def test_foster_care_of_a_foster_child_surprises_nobody_that_of_a_niece_does(
    plausibility: Plausibility,
) -> None:
    for relation, is_surprising in (("foster child", False), ("niece or nephew", True)):
        members = [{"age": 50}, {"relation": relation, "age": 9, "in_foster_care": True}]
        table = Households.from_households([Household.complete(members=members)])
        assert (
            plausibility.surprises(table).of_members["in_foster_care"][1, 0] > 3_000
        ) == is_surprising


@pytest.mark.slow
def test_the_command_prints_a_percentile_of_each_household(tmp_path: Path) -> None:
    runner = CliRunner()
    path = tmp_path / "homes.jsonl"
    made = runner.invoke(main, ["households", "sample", "-n", "3", "--output", str(path)])
    assert made.exit_code == 0, made.output
    told = runner.invoke(main, ["households", "plausibility", str(path)])
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    assert lines[0] == "id\tmembers\tpercentile\tweighs most"
    assert len(lines) == 4
    assert all("1 in " in line for line in lines[1:])
