"""SSI in incomes, who earns next to nothing, Medicaid beside pay, whose children are citizens."""

import re

import numpy as np
import pytest

from benyfits_data.household.constants import LARGEST_INCOME_WITH_SSI
from benyfits_data.population.incomes import ssi_due
from benyfits_data.population.synthesis import build_city
from benyfits_data.population.synthetic_city import City

FULL, SHARED, HALF_OF_COUPLE = 12_360, 11_592, 9_114
"""Dollars a year, 2024: 943 and 87 a month alone, 943 and 23 with others, 1,415 and 104 a pair."""


def without_benefit(city: City) -> float:
    """Return the share of recipients whose other income is below nine tenths of what SSI leaves."""
    people = city.people
    receives = people["receives_ssi"]
    due = ssi_due(city, people["annual_work_income"].astype(float))
    return float((people["annual_investment_income"] < 0.9 * due)[receives].mean())


@pytest.mark.slow
def test_ssi_fills_up_to_the_benefit_less_half_of_what_is_earned(city: City) -> None:
    people = city.people
    nothing, some = (
        ssi_due(city, np.zeros(people.size)),
        ssi_due(city, np.full(people.size, 5_020.0)),
    )
    both = people["receives_ssi"] & people["couple"]
    both &= city.count(both)[city.household] > 1
    assert both.any()
    alone = people["household_size"] == 1
    assert set(nothing[alone]) == {FULL}
    assert set(nothing[both]) == {HALF_OF_COUPLE}
    assert set(nothing[~alone & ~both]) == {SHARED}
    assert (nothing - some == 2_000).all()
    assert not ssi_due(city, np.full(people.size, 30_000.0)).any()


@pytest.mark.slow
def test_incomes_hold_the_ssi_that_is_received(city: City) -> None:
    people = city.people
    receives = people["receives_ssi"]
    assert receives.sum() > 500
    assert without_benefit(city) < 0.12
    assert (people["household_income"][receives] < LARGEST_INCOME_WITH_SSI).all()


@pytest.mark.slow
def test_a_city_whose_recipients_are_drawn_by_lot_has_no_ssi_in_its_incomes() -> None:
    city = build_city(2_000, seed=5)
    rng = np.random.default_rng(0)
    city.people.put("receives_ssi", rng.permutation(city.people["receives_ssi"]))
    assert without_benefit(city) > 0.3


def earners_below(city: City, most: int) -> float:
    """Return the share of all who worked in the year that were paid less than so much."""
    people = city.people
    return float((people["annual_work_income"] < most)[people["worked_last_year"]].mean())


def published_below(city: City, most: int) -> float:
    """Return the same of the census table of earnings, whose bands end at it."""
    cells = city.sources.joints["earnings_sex_full_time"].cells
    low = [count for key, count in cells.items() if int(re.findall(r"\d+", key[2])[-1]) < most]
    return sum(low) / sum(cells.values())


def test_as_many_earn_next_to_nothing_as_are_published(city: City) -> None:
    assert 0.04 < published_below(city, 2_500) < 0.06
    assert abs(earners_below(city, 2_500) - published_below(city, 2_500)) < 0.015
    earned = city.people["annual_work_income"][city.people["worked_last_year"]]
    assert (earned == city.sources.parameter("least_earnings")).mean() < 0.001


@pytest.mark.slow
def test_a_city_whose_laid_off_members_keep_no_pay_has_too_many_who_earn_nothing() -> None:
    city = build_city(2_000, seed=5)
    people = city.people
    laid_off = people["worked_last_year"] & (people["work_hours_per_week"] == 0)
    people.put("annual_work_income", np.where(laid_off, 300, people["annual_work_income"]))
    assert earners_below(city, 2_500) - published_below(city, 2_500) > 0.03


def test_medicaid_falls_with_pay(city: City) -> None:
    people = city.people
    pay = ("0-0", "20000-29999", "30000-39999", "40000-69999", "70000+")
    shares = [
        people["receives_medicaid"][people.mask(f"age 21-64 & annual_work_income {each}")].mean()
        for each in pay
    ]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.6
    assert shares[3] < 0.25
    assert shares[4] == 0


def test_reading_goes_with_schooling(city: City) -> None:
    people = city.people
    learn = [
        people["needs_basic_literacy"][people.mask(f"age 25-110 & education {schooling}")].mean()
        for schooling in ("no high school", "high school", "some college", "bachelor")
    ]
    assert learn == sorted(learn, reverse=True)
    assert learn[0] > 5 * learn[-1]


def test_children_of_citizens_are_citizens(city: City) -> None:
    people = city.people
    citizen = people.mask("citizenship citizen_or_national")
    parents = people.mask("relation self|spouse|domestic partner") & citizen
    children = people.mask("relation child & age 0-17")
    children &= city.count(parents)[city.household] > 0
    assert children.any()
    assert (~citizen[children]).mean() < 0.001
