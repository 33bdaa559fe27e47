"""Rules about the home, its rent and owners, and benefits that follow from them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from benyfits_data import rounding
from benyfits_data.household.constants import (
    ADULT_AGE,
    LARGEST_INCOME_IN_PUBLIC_HOUSING,
    LARGEST_RENT_WITHOUT_MEANS,
    MONTHS_OF_RENT,
    MONTHS_PER_YEAR,
)
from benyfits_data.population.conditions import NONE, ends_of
from benyfits_data.population.derived_facts import after, is_choice, rule
from benyfits_data.population.synthetic_city import City

_LEAST_RENT, _LARGEST_RENT = 60, 12_000
"""Dollars a month: some more than a constraint asks, and what hardly any home of the city costs."""
_FIRST_PURCHASE = 23
"""Age at which a home is owned for the first time."""
_NEAR_IN_AGE = 10
"""Years, within which two householders stand for one another where homes are exchanged."""
_LARGEST_BURDEN = 999
"""Percent of income: of who has next to none, rent says nothing."""
_RENTERS_AS_SURE = 250
"""Renters whose median rent is off by chance as much as factors are from 1 (4 percent):
with so many, the factor goes half the way."""
_PARTS = 5
"""Parts of renters by income, as `joint/rent_income.csv` counts them."""
_COOPERATIVES = (
    "cooperative apartment",
    "Section 213 coop",
    "HDFC development",
    "Mitchell-Lama development",
    "limited dividend development",
    "redevelopment company development",
)


@after("place_of_residence")
def _no_tuition_of_another_state(city: City) -> None:
    elsewhere = is_choice(city, "place_of_residence", "New Jersey")[city.household]
    in_state = city.people["eligible_for_instate_tuition"] & ~elsewhere
    city.people.put("eligible_for_instate_tuition", in_state)


@after("housing_type")
def _aid_with_rent_has_a_lawful_member(city: City) -> None:
    """Who has no lawful member and got aid with the rent changes homes with somebody who has one.

    The other lives in the same borough in a rental on the market, has a householder of nearly the
    same age, and the nearest income.
    """
    households = city.households
    housing = households["housing_type"].copy()
    age, income = households["householder_age"], households["household_income"]
    lawful = households["lawful_members"] > 0
    aided = is_choice(city, "housing_type", "NYCHA development", "Section 8")
    others = is_choice(city, "housing_type", "unregulated rental") & lawful
    others &= income <= LARGEST_INCOME_IN_PUBLIC_HOUSING
    for home in np.flatnonzero(aided & ~lawful):
        in_borough = households["borough"] == households["borough"][home]
        is_like = np.abs(age - age[home]) < _NEAR_IN_AGE
        near = np.flatnonzero(others & in_borough & is_like)
        if len(near):
            other = near[np.argmin(np.abs(income[near] - income[home]))]
            housing[[home, other]] = housing[[other, home]]
            others[other] = False
    households.put("housing_type", housing, households.levels("housing_type"))


@after("cash_assistance_on_leaving_shelter")
def _assistance_has_a_lawful_member(city: City) -> None:
    qualifies = city.households["cash_assistance_on_leaving_shelter"]
    qualifies = qualifies & (city.households["lawful_members"] > 0)
    city.households.put("cash_assistance_on_leaving_shelter", qualifies)


@after("got_heap_ac")
def _air_conditioner_of_heap(city: City) -> None:
    age, got = (city.households[name] for name in ("ac_age_years", "got_heap_ac"))
    city.households.put("ac_age_years", np.where(got != NONE, np.minimum(age, got), age))


@rule("monthly_rent_spending")
def _rent(city: City) -> None:
    households, rng = city.households, city.rng("monthly_rent_spending")
    sources, n = city.sources, city.households.size
    income = households["household_income"]
    renter = is_choice(city, "tenure", "renter")
    public = is_choice(city, "housing_type", "NYCHA development")
    # Homes of owners' types that are rented pay the market's rent of the borough.
    typical = sources.parameter("median_household_income") * sources.parameter("rent_share") / 12
    median = city.parameter_of_households("median_rent", typical)
    gross, spread = map(city.parameter_of_households, ("median_gross_rent", "rent_spread"))
    cell = np.where(renter, median, 0)
    score = _normal_scores(income, cell)
    fifth = np.minimum(rounding.floor(ndtr(score) * _PARTS), _PARTS - 1).astype(np.int32)
    chance = rng.random(n)
    due = median * city.parameter_of_households("rent_by_size", 1.0)
    due *= _rent_over_median(city, fifth, chance)
    share = sources.parameter("public_housing_rent") * np.exp(spread * ndtri(chance))
    assisted = np.minimum(income * share / 12, sources.parameter("largest_assisted_rent"))
    due = np.where(public, assisted, due)
    for published in np.unique(gross):
        paying = renter & (gross == published)
        due[paying & ~public] *= _factor_to_median(due[paying], public[paying], published)
    due = np.clip(rounding.nearest(due), _LEAST_RENT, _LARGEST_RENT)
    # A voucher pays what is above the tenant's share, but not what is above its own limit.
    share = sources.parameter("rent_share") * np.exp(spread * ndtri(chance))
    tenants_part = np.clip(rounding.nearest(income * share / 12), _LEAST_RENT, due)
    rent = np.where(households["receives_fpha"] & ~public, tenants_part, due)
    for name, amount in (("rent_burden", rent), ("gross_rent_burden", due)):
        burden = rounding.floor(
            np.where(renter, MONTHS_PER_YEAR * 100 * amount / np.maximum(income, 1), 0)
        )
        households.put(name, np.minimum(burden, _LARGEST_BURDEN).astype(np.int32))
    # Surveys compute none for the few without income.
    least = np.quantile(income[renter], sources.parameter("rent_burden_not_computed"))
    computed = np.where(income > least, households["gross_rent_burden"], NONE)
    households.put("gross_rent_burden", computed)
    households.put("monthly_rent_spending", np.where(renter, rent, 0).astype(np.int32))
    # What tables of rents count.
    households.put("gross_rent", np.where(renter, due, 0).astype(np.int32))
    medians = {key: float(np.median(due[cell == key])) for key in np.unique(cell)}
    over = 100 * due / np.array([medians[key] for key in cell])
    households.put("rent_over_median", rounding.nearest(over).astype(np.int32))
    households.put("rent_income_fifth", fifth)


@after("available_financial_resources")
def _rent_is_paid_from_something(city: City) -> None:
    """Who has less than some months of a large rent, and no aid, pays no more than there is."""
    households = city.households
    rent = households["monthly_rent_spending"]
    aided = households["receives_housing_assistance"] | households["receives_fpha"]
    rent = np.where(aided, rent, np.minimum(rent, _most_paid(city)))
    households.put("monthly_rent_spending", rent)


def _most_paid(city: City) -> NDArray[np.int32]:
    """Return how much every household pays for its home at most, in dollars a month."""
    households = city.households
    means = households["household_income"] + households["available_financial_resources"]
    most = np.maximum(means // MONTHS_OF_RENT, LARGEST_RENT_WITHOUT_MEANS)
    return np.asarray(most, np.int32)


def _rent_over_median(
    city: City, fifth: NDArray[np.int32], chance: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return rents over the median of their type and borough, as recorded by fifth of income.

    Types that the records do not tell apart have the rents of stabilized homes. `fifth` is that of
    every income among those of its type and borough, `chance` the place in what is recorded of it.
    """
    joint = city.sources.joints["rent_income"]
    statuses, _, classes = joint.labels
    table = joint.table(*joint.labels)
    low, high = np.array([ends_of(each) for each in classes]).T
    kind = np.zeros(len(fifth), np.int64)
    for place, status in enumerate(statuses):
        kind[city.households.mask(joint.condition("control_status", status))] = place
    over = np.empty(len(fifth))
    for place in range(len(statuses)):
        for part, counts in enumerate(table[place]):
            reached = np.append(0, np.cumsum(counts) / counts.sum())
            who = (kind == place) & (fifth == part)
            over[who] = np.interp(chance[who], reached, np.append(low, high[-1] + 1) / 100)
    return over


def _factor_to_median(rent: NDArray[np.float64], fixed: NDArray[np.bool_], median: float) -> float:
    """Return the factor on rents that are not fixed with which half of all are below the median.

    Of few renters it is nearly 1, or one renter would pay the median always.
    """
    below = len(rent) // 2 - (fixed & (rent < median)).sum()
    moving = np.sort(rent[~fixed])
    if not 0 <= below < len(moving):
        return 1.0
    trusted = len(rent) / (len(rent) + _RENTERS_AS_SURE)
    return float((median / moving[below]) ** trusted)


def _normal_scores(amount: NDArray[Any], cell: NDArray[Any]) -> NDArray[np.float64]:
    """Return the normal score of everybody's rank among those of the same cell."""
    order = np.lexsort((amount, cell))
    _, first, counts = np.unique(cell[order], return_index=True, return_counts=True)
    place = np.arange(len(order)) - np.repeat(first, counts)
    score = np.empty(len(order))
    score[order] = ndtri((place + 0.5) / np.repeat(counts, counts))
    return score


@after("is_property_owner")
def _every_owned_home_has_an_owner(city: City) -> None:
    people = city.people
    owned = is_choice(city, "tenure", "owner")[city.household]
    people.put(
        "is_property_owner", people["is_property_owner"] & owned & (people["age"] >= ADULT_AGE)
    )


@after("months_owned_property")
def _longest_owner(city: City) -> None:
    people = city.people
    months = people["months_owned_property"]
    adult_months = np.maximum((people["age"] - _FIRST_PURCHASE) * 12, 6)
    holder = city.of_householder(months)[city.household]
    shared = np.where(holder >= 0, holder, months)
    # Whom the time of the householder, or the one drawn, is too long for bought sometime since.
    bought = rounding.floor(adult_months * city.rng("bought since").random(people.size))
    fitting = np.where(shared <= adult_months, shared, bought)
    capped = np.where(months >= 0, fitting, NONE).astype(np.int32)
    people.put("months_owned_property", capped)
    longest = np.full(city.households.size, NONE, np.int32)
    np.maximum.at(longest, city.household, capped)
    city.households.put("longest_owner_months", longest)


@rule("monthly_carrying_charge")
def _carrying_charge(city: City) -> None:
    households, sources = city.households, city.sources
    noise = city.rng("monthly_carrying_charge").normal(size=households.size)
    owned = is_choice(city, "tenure", "owner") & is_choice(city, "housing_type", *_COOPERATIVES)
    typical = sources.parameter("median_household_income") * sources.parameter("rent_share") / 12
    charge = np.where(owned, city.parameter_of_households("median_rent", typical), 0.0)
    charge *= np.exp(sources.parameter("rent_spread") * noise)
    charge = np.where(owned, np.clip(rounding.nearest(charge), _LEAST_RENT, _LARGEST_RENT), 0)
    charge = np.minimum(charge.astype(np.int32), _most_paid(city))
    households.put("monthly_carrying_charge", charge)


@after("property_owner_widow")
def _one_unmarried_widow(city: City) -> None:
    people = city.people
    widowed = people["property_owner_widow"] & ~people["couple"]
    # The late owner leaves one widow or widower: the first in the household.
    _, first = np.unique(city.household[widowed], return_index=True)
    kept = np.zeros(people.size, np.bool_)
    kept[np.flatnonzero(widowed)[first]] = True
    people.put("property_owner_widow", kept)


@rule("eligible_for_hra_shelter")
def _hra_shelter(city: City) -> None:
    served = city.count(city.people["attending_service_for_domestic_violence"]) > 0
    sheltered = served | is_choice(city, "housing_type", "HRA shelter")
    city.households.put("eligible_for_hra_shelter", sheltered)
