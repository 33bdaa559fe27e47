"""What people of the synthetic city are: pay, benefits, support, children, ownership."""

import numpy as np
import pytest

from benyfits_data.household.constants import LARGEST_PAY_OF_A_MONTH
from benyfits_data.population.check import (
    CityCheck,
    Comparison,
    count_figures,
    evaluate_tally,
    put_counted,
)
from benyfits_data.population.synthesis import build_city, default_sources
from benyfits_data.population.synthetic_city import City

BROKEN_AT_MOST = 0.001


def of_people(check: CityCheck) -> list[Comparison]:
    return [*check.of("rule"), *check.of("group")]


def test_public_housing_is_for_the_poor(city: City) -> None:
    income = city.households["household_income"]
    low, high = np.quantile(income, [0.2, 0.8])
    public = city.households.mask("housing_type NYCHA development")
    assert (income[public] < low).mean() == pytest.approx(0.544, abs=0.03)
    assert (income[public] >= high).mean() == pytest.approx(0.008, abs=0.01)


def test_people_without_status_earn_and_own_less(city: City) -> None:
    households = city.households
    owner = households.mask("tenure owner")
    citizen = households.mask("householder_citizenship citizen_or_national")
    without = households.mask("householder_citizenship unlawful_resident")
    assert owner[without].mean() / owner[citizen].mean() == pytest.approx(0.4, abs=0.1)
    income = households["household_income"]
    assert income[without].mean() < income.mean()


def test_incomes_follow_earners_as_in_the_records(city: City) -> None:
    joint = default_sources().joints["income_earners_age"]
    for kind in ("0-0", "1-1", "2-2"):
        row = {key[2]: count for key, count in joint.cells.items() if key[:2] == (kind, "0-64")}
        inside = city.households.mask(f"earners {kind} & householder_age 0-64")
        low = city.households.mask("household_income 0-26374")[inside].mean()
        assert low == pytest.approx(row["lowest"] / sum(row.values()), abs=0.06), kind


def test_couples_are_of_like_age_and_some_of_one_sex(city: City) -> None:
    spouses = city.people.mask("relation spouse")
    published = [
        float(figure.value)
        for figure in default_sources().figures
        if figure.source == "cps_fg3_couples"
    ]
    husband_older = city.people["husband_older"][city.people.mask("husband_older -99-99")]
    ends = [-99, -19, -14, -9, -5, -3, -1, 2, 4, 6, 10, 15, 20, 99]
    shares = 100 * np.histogram(husband_older, ends)[0][::-1] / len(husband_older)
    # The state's ages of the married, not the country's, decide how old husbands and wives are.
    assert np.abs(shares - published).sum() / 2 < 13
    alike = city.people["sex"][spouses] == city.people["householder_sex"][spouses]
    share = default_sources().parameter("same_sex_couples")
    assert alike.mean() == pytest.approx(share, abs=0.002)


def of_one_age(city: City, minors: np.ndarray) -> float:
    """Return the share of some minors who share their home and year of age with another."""
    births = city.household[minors] * 100 + city.people["age"][minors]
    _, birth, counts = np.unique(births, return_inverse=True, return_counts=True)
    return float((counts[birth] > 1).mean())


def without_mother(city: City, minors: np.ndarray) -> float:
    """Return the share of some minors at whose home no woman may be their mother."""
    women = city.people.mask("sex female & age 16-60")
    return float((city.count(women)[city.household[minors]] == 0).mean())


def test_siblings_are_of_one_age_as_often_as_twins_are_born(city: City) -> None:
    children = np.flatnonzero(city.people.mask("relation child & age 0-17"))
    small = np.flatnonzero(city.people.mask("age 0-5 & relation child"))
    assert 0.015 < of_one_age(city, children) < 0.035
    assert without_mother(city, small) < 0.03
    months = np.stack([city.household, city.people["age"], city.people["age_months"]])
    counted = city.people.mask("relation child & age 0-4")
    twins = np.unique(months[:, counted], axis=1).shape[1]
    assert twins == np.unique(months[:2, counted], axis=1).shape[1]
    # Of ages by lot, many more are alike, and small ones live with whomever.
    rng = np.random.default_rng(0)
    lot = build_city(2_000, seed=5)
    children = np.flatnonzero(lot.people.mask("relation child & age 0-17"))
    ages = lot.people["age"].copy()
    ages[children] = rng.permutation(ages[children])
    lot.people.put("age", ages)
    assert of_one_age(lot, children) > 0.06
    small = np.flatnonzero(lot.people.mask("age 0-5 & relation child"))
    assert without_mother(lot, small) > 0.03


def test_who_stopped_work_was_paid_for_the_months_before(city: City) -> None:
    people = city.people
    stopped = people.mask("work_hours_per_week 0-0 & annual_work_income 1+")
    months = 12 - people["months_since_worked"][stopped]
    rate = people["annual_work_income"][stopped] / months
    assert (rate > 7_000).mean() < 0.02
    assert rate.max() <= LARGEST_PAY_OF_A_MONTH


def test_the_pregnant_are_insured_as_mothers_are(city: City) -> None:
    pregnant = city.people.mask("months_pregnant 0-9")
    assert city.people["receives_medicaid"][pregnant].mean() == pytest.approx(0.51, abs=0.05)
    assert city.people["is_insured"][pregnant].mean() > 0.93


def test_full_time_students_seldom_work_full_time(city: City) -> None:
    young = city.people.mask("current_school_level college & age 16-24")
    pupils = city.people.mask("current_school_level school")
    hours = city.people["work_hours_per_week"]
    assert (hours[young] >= 35).mean() < 0.06
    assert hours[pupils].max() <= 20


def test_no_rule_is_broken_and_each_can_be(city: City, checked: CityCheck) -> None:
    results = of_people(checked)
    assert len(results) == len(city.sources.people)
    assert not [it.what for it in results if not it.is_within]
    shuffled = build_city(2_000, seed=5)
    rng = np.random.default_rng(0)
    for frame in (shuffled.people, shuffled.households):
        for column in frame.columns():
            if column not in ("age", "relation", "gap", "is_householder"):
                frame.put(column, rng.permutation(frame[column]))
    put_counted(shuffled)
    check = evaluate_tally(count_figures(shuffled))
    kept = {row.what for row in check.of("rule") if row.is_within}
    # Relations were left: their ages are constraints of their own.
    assert kept == {"grandchildren less than 28 years younger than the householder"}


def test_grown_children_in_the_home_of_their_parents_have_not_owned_it(city: City) -> None:
    grown = city.people.mask("relation child & age 18-110 & tenure owner & is_property_owner no")
    assert city.people["first_time_home_buyer"][grown].all()


def test_who_stopped_working_mostly_did_so_lately_and_few_of_75_would_start(city: City) -> None:
    people = city.people
    stopped = people.mask("age 40-64 & months_since_worked 13+")
    months = people["months_since_worked"][stopped]
    assert np.median(months) < np.mean(months)
    old = people.mask("age 75-110 & employment out of labor force")
    assert people["can_work_immediately"][old].mean() < 0.15


@pytest.mark.slow
def test_rare_people_exist(city: City, checked: CityCheck) -> None:
    found = {row.what: round(row.achieved * row.counted) for row in of_people(checked)}
    assert found["married couples of one sex"] > 0
    assert found["householders and adult siblings who own together"] > 0
    assert found["college students with own minors at home"] > 0
    assert found["applicants under 18"] > 0
    outside = ("households in the state outside the city", "households in New Jersey")
    assert 0 < sum(found[what] for what in outside) < BROKEN_AT_MOST * city.households.size
