"""Features that follow from others: each rule of the tables, as code, under the feature's name."""

from collections.abc import Callable
from datetime import date

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.population.city import ADULT, City
from benyfits_data.population.conditions import NONE
from benyfits_data.population.incomes import add_incomes, give_benefits

Rule = Callable[[City], None]
RULES: dict[str, Rule] = {}
"""Rule of every feature that is not drawn."""

AFTERWARDS: dict[str, Rule] = {}
"""What is derived once a feature has been drawn."""

RENTALS = (
    "unregulated rental",
    "rent stabilized apartment",
    "rent controlled apartment",
    "Mitchell-Lama development",
    "limited dividend development",
    "redevelopment company development",
    "HDFC development",
    "rent regulated hotel",
    "rent regulated single room occupancy (SRO)",
)
_SHARE_OF_INCOME = 0.30
_LEAST_RENT, _LARGEST_RENT = 60, 12_000
_WORKING_AGE = 14
_FIRST_PURCHASE = 23


def rule(feature: str) -> Callable[[Rule], Rule]:
    """Return a decorator that registers the rule of a feature."""

    def register(function: Rule) -> Rule:
        RULES[feature] = function
        return function

    return register


def after(feature: str) -> Callable[[Rule], Rule]:
    """Return a decorator that registers what follows once a feature is drawn."""

    def register(function: Rule) -> Rule:
        AFTERWARDS[feature] = function
        return function

    return register


def is_choice(city: City, column: str, *values: str) -> NDArray[np.bool_]:
    """Return which households have one of some values of a household's choice."""
    return city.households.mask(f"{column} {'|'.join(values)}")


@rule("age_months")
def _age_months(city: City) -> None:
    age = city.people["age"]
    month = city.rng("age_months").integers(0, 12, city.people.size)
    city.people.put("age_months", np.where(age < 4, age * 12 + month, NONE).astype(np.int32))


@rule("place_of_residence")
def _place(city: City) -> None:
    levels = tuple(HOUSEHOLD_FEATURES["place_of_residence"].choices)
    code = levels.index("New York City")
    city.households.put("place_of_residence", np.full(city.households.size, code, np.int8), levels)


@rule("visitor_needing_paratransit")
def _visitor(city: City) -> None:
    city.people.put("visitor_needing_paratransit", np.zeros(city.people.size, np.bool_))


@rule("in_foster_care")
def _foster_care(city: City) -> None:
    city.people.put("in_foster_care", city.people.mask("relation foster child"))


@after("citizenship")
def _lawful_members(city: City) -> None:
    lawful = ~city.people.mask("citizenship unlawful_resident")
    city.households.put("lawful_members", city.count(lawful))


@rule("is_eligible_for_selective_service")
def _selective_service(city: City) -> None:
    found = city.people.mask("sex male & age 18-25")
    city.people.put("is_eligible_for_selective_service", found)


@rule("current_grade")
def _grade(city: City) -> None:
    people, rng = city.people, city.rng("current_grade")
    at_school = people.mask("current_school_level school")
    behind = rng.random(people.size) < 1 / 7
    grade = np.clip(people["age"] - 5 - behind, 0, 12)
    people.put("current_grade", np.where(at_school, grade, NONE).astype(np.int32))


@after("disabled")
def _disabled_members(city: City) -> None:
    found = city.count(city.people["disabled"])
    city.households.put("disabled_members", found)
    city.households.put("has_disabled_member", found > 0)


@rule("disability_prevents_some_transit_trips")
def _transit(city: City) -> None:
    people = city.people
    found = people["disabled"] & ~people["can_access_subway_or_bus"]
    people.put("disability_prevents_some_transit_trips", found)


@rule("nonconsecutive_work_days")
def _days(city: City) -> None:
    people = city.people
    hours, weeks = people["work_hours_per_week"], people["consecutive_work_weeks"]
    per_week = np.clip(np.ceil(hours / 8), 1, 5)
    people.put("nonconsecutive_work_days", np.minimum(weeks * per_week, 260).astype(np.int32))


@after("employment")
def _working_parents(city: City) -> None:
    people = city.people
    parents = people["own_minor_at_home"]
    idle = city.count(parents & ~people.mask("employment employed"))
    some = city.count(parents) > 0
    works = some & (idle == 0)
    people.put("parents_work", works[city.household] & (people["age"] < ADULT))


@rule("annual_work_income")
def _incomes(city: City) -> None:
    add_incomes(city)


@rule("annual_investment_income")
def _drawn_with_earnings(city: City) -> None:
    assert "annual_investment_income" in city.people


@rule("enrolled_in_educational_training")
def _educational_training(city: City) -> None:
    people = city.people
    found = (
        people.mask("current_grade 9-12 & age 14-110")
        | people.mask("current_school_level college")
        | people["enrolled_in_hse_program"]
    )
    people.put("enrolled_in_educational_training", found)


@after("emotional_behavioral_condition")
def _behavior(city: City) -> None:
    found = city.people["emotional_behavioral_condition"] & (city.people["age"] < ADULT)
    city.households.put("child_behavior", city.count(found) > 0)


@rule("weeks_pregnant")
def _weeks_pregnant(city: City) -> None:
    people, rng = city.people, city.rng("weeks_pregnant")
    months = people["months_pregnant"]
    # A month of pregnancy has 30 to 31 days; the weeks lie inside the month told.
    first = np.ceil(months * 30 / 7)
    last = np.ceil((months + 1) * 31 / 7) - 1
    weeks = first + np.floor(rng.random(people.size) * np.clip(last - first + 1, 1, 4))
    weeks = np.clip(weeks, 1, 42)
    people.put("weeks_pregnant", np.where(months >= 0, weeks, NONE).astype(np.int32))


@rule("months_since_worked")
def _months_since_worked(city: City) -> None:
    people, rng = city.people, city.rng("months_since_worked")
    age = people["age"]
    oldest = np.maximum((age - _WORKING_AGE) * 12, 12)
    searching = people["days_looking_for_work"] // 30
    recent = np.where(searching > 0, searching, rng.integers(1, 12, people.size))
    longer = 12 + rng.random(people.size) * (np.clip(oldest * 0.7, 12, 420) - 12)
    earned = people["annual_work_income"] > 0
    months = np.where(earned, np.minimum(recent, 12), np.maximum(longer, searching))
    months = np.minimum(months, oldest)
    told = people["work_experience"] & (people["work_hours_per_week"] == 0)
    people.put("months_since_worked", np.where(told, months, NONE).astype(np.int32))


@after("has_received_ssi_or_ssdi")
def _benefits_are_income(city: City) -> None:
    give_benefits(city)


@after("receives_ssi")
def _ssi_members(city: City) -> None:
    city.households.put("ssi_members", city.count(city.people["receives_ssi"]))


@rule("receives_fpha")
def _public_housing(city: City) -> None:
    found = is_choice(city, "housing_type", "NYCHA development", "Section 8")
    city.households.put("receives_fpha", found)


@rule("receives_temporary_assistance")
def _temporary_assistance(city: City) -> None:
    found = city.people["receives_cash_assistance"].copy()
    city.people.put("receives_temporary_assistance", found)


@rule("receives_hra")
def _hra(city: City) -> None:
    people = city.people
    found = (
        people["receives_cash_assistance"]
        | people["receives_snap"]
        | people["receives_housing_assistance"]
    )
    people.put("receives_hra", found)


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
    third = income * _SHARE_OF_INCOME / 12
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
    assisted = households["receives_fpha"] & renter
    rent[assisted] = np.minimum(third[assisted], sources.parameter("largest_assisted_rent"))
    # Homes of owners' types that are rented pay the market's rent of the borough.
    rest = renter & (rent == 0) & ~assisted
    rent[rest] = sources.parameter("median_household_income") * _SHARE_OF_INCOME / 12
    rent = np.where(renter, np.clip(np.round(rent), _LEAST_RENT, _LARGEST_RENT), 0)
    households.put("monthly_rent_spending", rent.astype(np.int32))
    burden = np.where(renter, 1200 * rent / np.maximum(income, 1), 0)
    households.put("rent_burden", np.minimum(burden, 999).astype(np.int32))


def _normal_scores(n: int) -> NDArray[np.float64]:
    from scipy.special import ndtri

    return np.asarray(ndtri((np.arange(n) + 0.5) / max(n, 1)))


@rule("primary_residence")
def _primary_residence(city: City) -> None:
    home = ~is_choice(city, "tenure", "no home")
    city.people.put("primary_residence", home[city.household])


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


@after("property_owner_widow")
def _widows_are_single(city: City) -> None:
    people = city.people
    people.put("property_owner_widow", people["property_owner_widow"] & ~people["couple"])


@rule("first_time_home_buyer")
def _first_time_buyer(city: City) -> None:
    adult = city.people["age"] >= ADULT
    city.people.put("first_time_home_buyer", adult & ~city.people["is_property_owner"])


@rule("in_excluded_housing_development")
def _excluded(city: City) -> None:
    found = is_choice(
        city,
        "housing_type",
        "Mitchell-Lama development",
        "limited dividend development",
        "redevelopment company development",
    )
    city.households.put("in_excluded_housing_development", found)


@rule("evicted_in_year_before_shelter")
def _evicted_before_shelter(city: City) -> None:
    sheltered = is_choice(city, "housing_type", "DHS shelter", "HRA shelter")
    months = city.households["evicted_months_ago"]
    city.households.put("evicted_in_year_before_shelter", sheltered & (months >= 0) & (months < 12))


@rule("provides_over_half_of_own_financial_support")
def _own_support(city: City) -> None:
    people = city.people
    limit = city.sources.parameter("self_support_income")
    found = ~people["dependent"] | (people["annual_work_income"] > limit)
    people.put(
        "provides_over_half_of_own_financial_support", found & (people["age"] >= _WORKING_AGE)
    )


@rule("eligible_for_hra_shelter")
def _hra_shelter(city: City) -> None:
    served = city.count(city.people["attending_service_for_domestic_violence"]) > 0
    found = served | is_choice(city, "housing_type", "HRA shelter")
    city.households.put("eligible_for_hra_shelter", found)


@rule("covid_funeral_expense_date")
def _funeral_date(city: City) -> None:
    people, rng = city.people, city.rng("covid_funeral_expense_date")
    u = rng.random(people.size)
    day = rng.random(people.size)

    def between(first: date, last: date) -> NDArray[np.float64]:
        return first.toordinal() + np.floor(day * (last.toordinal() - first.toordinal() + 1))

    early = between(date(2019, 11, 1), date(2020, 1, 19))
    spring = between(date(2020, 3, 15), date(2020, 6, 30))
    later = between(date(2020, 7, 1), date(2022, 12, 31))
    drawn = np.where(u < 0.02, early, np.where(u < 0.52, spring, later))
    paid = people["covid_funeral_expenses"]
    people.put("covid_funeral_expense_date", np.where(paid, drawn, NONE).astype(np.int32))


@after("marital_status")
def _marriage(city: City) -> None:
    levels = city.people.levels("marital_status")
    assert levels is not None and "age_months" in MEMBER_FEATURES
    # Unmarried partners live as couples but are single by law.
    partner = city.people["couple"] & ~city.people["is_married"]
    codes = city.people["marital_status"].copy()
    codes[partner] = levels.index("never married")
    city.people.put("marital_status", codes, levels)
