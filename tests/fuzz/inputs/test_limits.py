import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.fuzz.inputs.limits import Boundaries, boundaries
from benyfits_data.fuzz.inputs.sums import move_to_limits
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.household.measures import household_income
from benyfits_data.language.numpy_backend import measure
from benyfits_data.rng import stream


@pytest.fixture(scope="module")
def limits() -> Boundaries:
    return boundaries(load_edition(2024))


@pytest.fixture(scope="module")
def corpus() -> Households:
    return sample_households(6000, load_edition(2024), seed=1)


def fair_fares_limits() -> dict[int, int]:
    table = load_edition(2024).program("FairFaresNYC").thresholds.income_limit
    return {size: table[size] for size in range(1, 7)}


def test_an_age_that_a_checker_compares_with_is_a_limit(limits):
    thresholds = load_edition(2024).program("FairFaresNYC").thresholds
    assert {thresholds.min_age, thresholds.max_age} <= set(limits.values["age"])


def test_a_limit_of_household_income_is_known_by_size(limits):
    wanted = fair_fares_limits()
    assert any(
        balance.weights[0][0].name == "household_income"
        and all(-balance.constants[size] == amount for size, amount in wanted.items())
        for balance in limits.balances
    )


def test_a_monthly_limit_is_compared_by_the_year(limits):
    thresholds = load_edition(2024).program("HomeEnergyAssistanceProgram").thresholds
    table = next(
        getattr(thresholds, name)
        for name in thresholds.names()
        if thresholds.entry(name).unit == "dollars a month"
    )
    assert any(-balance.constants[2] == 12 * table[2] for balance in limits.balances)


def test_rent_against_income_is_a_balance_of_two(limits):
    assert any(
        {term.name for term, _ in balance.weights} >= {"monthly_rent_spending"}
        and len(balance.weights) > 1
        for balance in limits.balances
    )


def test_another_edition_has_other_limits_without_an_edit(limits):
    later = boundaries(load_edition(2026))
    known = {balance.key for balance in limits.balances}
    assert any(balance.key not in known for balance in later.balances)


@pytest.mark.slow
def test_sampled_incomes_lie_below_at_and_above_the_limit_of_each_size(corpus):
    income = measure(household_income, corpus)
    for size, limit in fair_fares_limits().items():
        beside = set(income[corpus.size == size] - limit) & {-1, 0, 1}
        assert beside, f"no household of {size} beside {limit}"
    every = {
        int(step)
        for size, limit in fair_fares_limits().items()
        for step in set(income[corpus.size == size] - limit) & {-1, 0, 1}
    }
    assert every == {-1, 0, 1}


def test_sampled_ages_lie_around_every_limit_of_age(limits, corpus):
    ages = set(corpus.member["age"][corpus.present].tolist())
    for limit in limits.values["age"]:
        assert {limit - 1, limit, limit + 1} & set(range(111)) <= ages


def test_aiming_moves_the_sum_beside_the_limit(limits):
    balance = next(
        balance
        for balance in limits.balances
        if [term.name for term, _ in balance.weights] == ["household_income"]
        and -balance.constants[1] == fair_fares_limits()[1]
    )
    households = sample_households(400, load_edition(2024), seed=3)
    changed = move_to_limits(households, [balance], 1.0, stream(1, "test"))
    assert "annual_investment_income" in changed
    limit = -np.array(balance.constants)[households.size]
    beside = np.abs(measure(household_income, households) - limit) <= 1
    assert beside.mean() > 0.9


def test_aiming_moves_no_amount_beyond_what_the_fact_may_be(limits):
    of_rent = [
        balance
        for balance in limits.balances
        if "monthly_rent_spending" in {term.name for term, _ in balance.weights}
    ]
    households = sample_households(400, load_edition(2024), seed=3)
    households.member["annual_work_income"][0] = 1_400_000
    move_to_limits(households, of_rent, 1.0, stream(1, "test"))
    rent = households.shared["monthly_rent_spending"]
    assert rent.min() >= 0
    assert rent.max() <= FEATURES["monthly_rent_spending"].maximum


def test_aiming_without_balances_changes_nothing():
    assert move_to_limits(Households.of_defaults(3), [], 1.0, stream(1, "test")) == frozenset()
