"""Rules about the home, its rent and owners, and benefits that follow from them."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.population.conditions import NONE
from benyfits_data.population.derived_facts import after, is_choice, rule
from benyfits_data.population.synthetic_city import ADULT, City

_LEAST_RENT, _LARGEST_RENT = 60, 12_000
_FIRST_PURCHASE = 23
_COOPERATIVES = (
    "cooperative apartment",
    "Section 213 coop",
    "HDFC development",
    "Mitchell-Lama development",
    "limited dividend development",
    "redevelopment company development",
)


@rule("place_of_residence")
def _place(city: City) -> None:
    levels = tuple(HOUSEHOLD_FEATURES["place_of_residence"].choices)
    code = levels.index("New York City")
    city.households.put("place_of_residence", np.full(city.households.size, code, np.int8), levels)


@rule("monthly_rent_spending")
def _rent(city: City) -> None:
    households, rng = city.households, city.rng("monthly_rent_spending")
    sources, n = city.sources, city.households.size
    income = households["household_income"]
    tied = sources.parameter("rent_income_correlation")
    renter = is_choice(city, "tenure", "renter")
    rank = np.zeros(n)
    where = np.flatnonzero(renter)
    rank[where[np.argsort(income[where], kind="stable")]] = _normal_scores(len(where))
    noise = tied * rank + np.sqrt(1 - tied**2) * rng.normal(size=n)
    third = income * sources.parameter("rent_share") / 12
    rent = np.zeros(n)
    market = is_choice(city, "housing_type", "unregulated rental")
    spread = np.where(
        market,
        sources.parameter("rent_spread", "housing_type unregulated rental"),
        sources.parameter("rent_spread"),
    )
    for parameter in sources.parameters:
        if parameter.name == "median_rent":
            inside = renter & households.mask(parameter.given)
            rent[inside] = parameter.value * np.exp(spread[inside] * noise[inside])
        elif parameter.name == "rent_by_size":
            rent[households.mask(parameter.given)] *= parameter.value
    assisted = households["receives_fpha"] & renter
    rent[assisted] = np.minimum(third[assisted], sources.parameter("largest_assisted_rent"))
    # Homes of owners' types that are rented pay the market's rent of the borough.
    rest = renter & (rent == 0) & ~assisted
    rent[rest] = sources.parameter("median_household_income") * sources.parameter("rent_share") / 12
    rent = np.where(renter, np.clip(np.round(rent), _LEAST_RENT, _LARGEST_RENT), 0)
    households.put("monthly_rent_spending", rent.astype(np.int32))
    burden = np.where(renter, 1200 * rent / np.maximum(income, 1), 0)
    households.put("rent_burden", np.minimum(burden, 999).astype(np.int32))


def _normal_scores(n: int) -> NDArray[np.float64]:
    return np.asarray(ndtri((np.arange(n) + 0.5) / max(n, 1)))


@after("is_property_owner")
def _every_owned_home_has_an_owner(city: City) -> None:
    people = city.people
    owned = is_choice(city, "tenure", "owner")[city.household]
    people.put("is_property_owner", people["is_property_owner"] & owned & (people["age"] >= ADULT))


@after("months_owned_property")
def _longest_owner(city: City) -> None:
    people = city.people
    months = people["months_owned_property"]
    adult_months = np.maximum((people["age"] - _FIRST_PURCHASE) * 12, 6)
    holder = city.of_householder(months)[city.household]
    shared = np.where(holder >= 0, holder, months)
    capped = np.where(months >= 0, np.minimum(shared, adult_months), NONE).astype(np.int32)
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
    charge = np.where(owned, typical, 0.0)
    for parameter in sources.parameters:
        if parameter.name == "median_rent":
            charge[owned & households.mask(parameter.given)] = parameter.value
    charge *= np.exp(sources.parameter("rent_spread") * noise)
    charge = np.where(owned, np.clip(np.round(charge), _LEAST_RENT, _LARGEST_RENT), 0)
    households.put("monthly_carrying_charge", charge.astype(np.int32))


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
    found = served | is_choice(city, "housing_type", "HRA shelter")
    city.households.put("eligible_for_hra_shelter", found)
