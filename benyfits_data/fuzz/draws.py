"""How each feature is drawn: so that traces balance, and so that most draws are possible at once.

Features without an entry in `SPECIAL` are drawn from their declaration alone. An entry only spares
the settling of constraints work: what it draws may still give way to them.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.boundaries import Boundaries
from benyfits_data.fuzz.composition import AgeTable
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import (
    ADULT_AGE,
    AGE_COUNTED_IN_YEARS,
    COMPULSORY_SCHOOL_AGE,
    FOSTER_CARE_AGE,
    LARGEST_INCOME_OF_A_CHILD,
    LAST_GRADE,
    MONTHS_PER_YEAR,
    OLDEST_KINDERGARTNER,
    OLDEST_PRE_KINDERGARTNER,
    OLDEST_PREGNANCY_AGE,
    PRE_KINDERGARTEN_AGE,
    PREGNANCY_AGE,
    SCHOOL_LEAVING_AGE,
    SHORT_MONTH,
    SUBSTANCE_AGE,
    WORKING_AGE,
    YOUNGEST_KINDERGARTNER,
)
from benyfits_data.household.declaration import NONE_CODE, Feature
from benyfits_data.household.features import FEATURES

Codes = NDArray[Any]
Index = NDArray[np.intp]

FLAG_RATES = (10, 40, 96, 128, 192)
"""Of 256: how often a flag is not at its default, by the household's mood.

Low rates bring households that nothing disqualifies, high ones those that meet many conditions.
"""
MOODS = len(FLAG_RATES) ** 2
"""A household's mood says with which rate it begins, and how far apart its flags' rates lie."""
USUAL_SHARE = 0.5
"""How often a number is none, or its default where it must be told."""
_WIDE = 1000


@dataclass(frozen=True)
class Lanes:
    """Where a feature is drawn: the households so far, member and household of each lane."""

    households: Households
    rows: Index | None
    columns: Index

    def __len__(self) -> int:
        return len(self.columns)

    def shared(self, name: str) -> NDArray[Any]:
        """Return a household feature in each lane."""
        codes: Codes = self.households.shared[name][self.columns]
        return codes

    def own(self, name: str) -> NDArray[Any]:
        """Return a feature of the same member in each lane."""
        codes: Codes = self.households.member[name][self.rows, self.columns]
        return codes

    def applicant(self, name: str) -> NDArray[Any]:
        """Return a feature of the applicant in each lane."""
        codes: Codes = self.households.member[name][0, self.columns]
        return codes


class Draws:
    """Draws the features of one edition.

    Args:
        boundaries: The limits to draw around.
        moods: The mood of each household, from 0 to `MOODS - 1`.
    """

    def __init__(self, boundaries: Boundaries, moods: NDArray[np.int64]) -> None:
        self.ages = AgeTable(boundaries.values.get("age", np.empty(0)))
        self.moods = moods
        self._amounts = _money_limits(boundaries)
        self._around = {
            name: _around(FEATURES[name], limits) for name, limits in boundaries.values.items()
        }

    def __call__(
        self,
        feature: Feature,
        households: Households,
        rows: Index | None,
        columns: Index,
        rng: np.random.Generator,
    ) -> Codes:
        """Return one code for each lane, as `language.settling.Draw` says."""
        lanes = Lanes(households, rows, columns)
        special = SPECIAL.get(feature.name)
        drawn = self.plain(feature, lanes, rng) if special is None else special(self, lanes, rng)
        codes: Codes = drawn.astype(feature.dtype)
        return codes

    def of_others(self, moods: NDArray[np.int64]) -> "Draws":
        """Return the same draws for households with other moods."""
        others = copy(self)
        others.moods = moods
        return others

    def rates(self, feature: Feature) -> NDArray[np.uint8]:
        """Return how often a flag leaves its default in each household, of 256."""
        first, apart = np.divmod(self.moods, len(FLAG_RATES))
        # A checksum of the name: new features do not shift the others.
        place = crc32(feature.name.encode()) % len(FLAG_RATES)
        rates: NDArray[np.uint8] = np.array(FLAG_RATES, np.uint8)[
            (first + apart * place) % len(FLAG_RATES)
        ]
        return rates

    def plain(self, feature: Feature, lanes: Lanes, rng: np.random.Generator) -> Codes:
        """Return codes drawn from the declaration and the limits alone."""
        n = len(lanes)
        if feature.kind == "flag":
            bytes_drawn = np.frombuffer(rng.bytes(n), np.uint8)
            flags: Codes = (bytes_drawn < self.rates(feature)[lanes.columns]) ^ bool(
                feature.default
            )
            return flags
        if feature.kind == "choice":
            first = NONE_CODE if feature.optional else 0
            return rng.integers(first, len(feature.choices), n)
        codes = self.number(feature, n, rng)
        usual = NONE_CODE if feature.optional else feature.encode(feature.default)
        codes[rng.random(n) < USUAL_SHARE] = usual
        return codes

    def number(self, feature: Feature, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return numbers, mostly around the limits, else spread over the whole domain."""
        low, high = float(feature.minimum or 0), float(feature.maximum or 0)
        if feature.kind == "decimal":
            spread = np.round(low + rng.random(n) * (high - low), 1)
        elif feature.kind == "number" and high > _WIDE:
            spread = np.floor(np.exp(rng.random(n) * np.log(high + 1)))
        else:
            spread = np.floor(low + rng.random(n) * (high - low + 1))
        around = self._around.get(feature.name)
        if around is not None and len(around):
            near = around[rng.integers(0, len(around), n)]
            spread = np.where(rng.random(n) < 0.75, near, spread)
        return spread

    def amount(
        self, low: float, high: float, n: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return amounts of money: spread evenly by order of magnitude, some beside a limit."""
        spread = np.floor(np.exp(rng.uniform(np.log(low), np.log(high), n)))
        if not len(self._amounts):
            return spread
        near = self._amounts[rng.integers(0, len(self._amounts), n)] + rng.integers(-1, 2, n)
        return np.where(rng.random(n) < 0.25, np.maximum(near, 1), spread)


def _money_limits(boundaries: Boundaries) -> NDArray[np.float64]:
    """Return all amounts, yearly dollars mostly, that some sum of money is compared with."""
    limits = {
        -constant / weight
        for balance in boundaries.balances
        for _, weight in balance.weights[:1]
        for constant in balance.constants
        if np.isfinite(constant)
    }
    largest = float(FEATURES["annual_work_income"].maximum or 0)
    return np.array(sorted(round(limit) for limit in limits if 1 <= limit < largest), float)


def _around(feature: Feature, limits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values below, at and above each limit that lie in the domain."""
    step = 0.1 if feature.kind == "decimal" else 1.0
    near = np.concatenate([limits - step, limits, limits + step])
    if feature.kind == "decimal":
        near = np.round(near, 1)
    else:
        near = np.unique(np.concatenate([np.floor(near), np.ceil(near)]))
    low, high = float(feature.minimum or 0), float(feature.maximum or 0)
    return np.unique(near[(near >= low) & (near <= high)])


def _pick(chances: dict[int, float], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    weights = np.array(list(chances.values()))
    return rng.choice(np.array(list(chances)), size=n, p=weights / weights.sum())


def _code(feature: str, value: str) -> int:
    return int(FEATURES[feature].encode(value))


def _place(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    return _pick({0: 0.7, 1: 0.18, 2: 0.12}, len(lanes), rng)


_TEMPORARY = [
    _code("housing_type", name)
    for name in ("homeless", "DHS shelter", "HRA shelter", "temporary housing")
]
_RENTED = [
    _code("housing_type", name)
    for name in (
        "unregulated rental",
        "rent stabilized apartment",
        "rent controlled apartment",
        "NYCHA development",
        "Section 8",
        "rent regulated hotel",
        "rent regulated single room occupancy (SRO)",
    )
]


def _has_adult(lanes: Lanes) -> NDArray[np.bool_]:
    ages = lanes.households.member["age"][:, lanes.columns]
    there = lanes.households.present[:, lanes.columns]
    return np.asarray(((ages >= ADULT_AGE) & there).any(axis=0))


def _tenure(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    owner, renter, rent_free, no_home = (
        _code("tenure", name) for name in ("owner", "renter", "rent-free", "no home")
    )
    housing = lanes.shared("housing_type")
    drawn = _pick({owner: 0.7, renter: 0.2, rent_free: 0.1}, len(lanes), rng)
    drawn[(drawn == owner) & ~_has_adult(lanes)] = renter
    drawn[np.isin(housing, _RENTED)] = renter
    drawn[np.isin(housing, _TEMPORARY)] = no_home
    return drawn


def _rent(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    rent = np.floor(np.exp(rng.uniform(np.log(200), np.log(8000), len(lanes))))
    return np.where(lanes.shared("tenure") == _code("tenure", "renter"), rent, 0)


def _relation(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    # Families are composed as a whole: what gives way to a contradiction are other facts.
    own = lanes.own("relation")
    return np.where(lanes.rows == 0, _code("relation", "self"), own)


def _age(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    relation = lanes.own("relation")
    return draws.ages.draw(relation, lanes.applicant("age"), rng)


def _age_months(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    age = lanes.own("age").astype(np.int64)
    months = age * MONTHS_PER_YEAR + rng.integers(0, MONTHS_PER_YEAR, len(lanes))
    near = draws.number(FEATURES["age_months"], len(lanes), rng).astype(np.int64)
    months = np.where(near // MONTHS_PER_YEAR == age, near, months)
    return np.where(age < AGE_COUNTED_IN_YEARS, months, NONE_CODE)


def _citizenship(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    return _pick({0: 0.6, 1: 0.25, 2: 0.15}, len(lanes), rng)


def _school_level(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    none, nursery, school, college = (
        _code("current_school_level", name)
        for name in ("none", "pre-kindergarten", "school", "college")
    )
    age = lanes.own("age")
    n = len(lanes)
    grown = _pick({none: 0.7, college: 0.3}, n, rng)
    youth = _pick({none: 0.3, school: 0.4, college: 0.3}, n, rng)
    small = _pick({none: 0.3, nursery: 0.35, school: 0.35}, n, rng)
    small[(age < YOUNGEST_KINDERGARTNER) & (small == school)] = nursery
    drawn = np.where(age > FOSTER_CARE_AGE, grown, youth)
    drawn = np.where(age < SCHOOL_LEAVING_AGE, school, drawn)
    drawn = np.where(age < COMPULSORY_SCHOOL_AGE, small, drawn)
    assert OLDEST_PRE_KINDERGARTNER < COMPULSORY_SCHOOL_AGE
    return np.where(age < PRE_KINDERGARTEN_AGE, none, drawn)


def _grade(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    age = lanes.own("age").astype(np.int64)
    low = np.clip(age - OLDEST_KINDERGARTNER, 0, LAST_GRADE)
    high = np.clip(age - YOUNGEST_KINDERGARTNER, low, LAST_GRADE)
    at_school = lanes.own("current_school_level") == _code("current_school_level", "school")
    return np.where(at_school, rng.integers(low, high + 1), NONE_CODE)


def _school_type(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    at_school = lanes.own("current_school_level") == _code("current_school_level", "school")
    return np.where(at_school, rng.integers(0, 3, len(lanes)), NONE_CODE)


def _diploma(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    drawn = _pick({0: 0.4, 1: 0.2, 2: 0.2, 3: 0.2}, len(lanes), rng)
    level = lanes.own("current_school_level")
    college = level == _code("current_school_level", "college")
    drawn = np.where(college & (drawn == 0), 1, drawn)
    too_early = (lanes.own("age") < SCHOOL_LEAVING_AGE) | (
        level == _code("current_school_level", "school")
    )
    return np.where(too_early, 0, drawn)


def _from_age(
    feature: str, youngest: int, otherwise: int
) -> "Callable[[Draws, Lanes, np.random.Generator], Codes]":
    def draw(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
        drawn = draws.plain(FEATURES[feature], lanes, rng)
        return np.where(lanes.own("age") < youngest, otherwise, drawn)

    return draw


def _hours(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    hours = draws.number(FEATURES["work_hours_per_week"], len(lanes), rng)
    idle = (rng.random(len(lanes)) < 0.45) | (lanes.own("age") < WORKING_AGE)
    return np.where(idle, 0, hours)


def _at_work(feature: str) -> "Callable[[Draws, Lanes, np.random.Generator], Codes]":
    def draw(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
        drawn = draws.plain(FEATURES[feature], lanes, rng)
        return np.where(lanes.own("work_hours_per_week") == 0, 0, drawn)

    return draw


def _work_days(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    weeks = lanes.own("consecutive_work_weeks").astype(float)
    days = np.maximum(draws.number(FEATURES["nonconsecutive_work_days"], n, rng), weeks)
    # Some have just begun.
    days = np.where(rng.random(n) < 0.4, weeks + rng.integers(0, 10, n), days)
    return np.where(lanes.own("work_hours_per_week") == 0, 0, days)


def _works_outside(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    working: Codes = lanes.own("work_hours_per_week") > 0
    return working & (rng.random(len(lanes)) < 0.6)


def _filing_jointly(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    relation = lanes.households.member["relation"][:, lanes.columns]
    married: Codes = (relation == _code("relation", "spouse")).any(axis=0)
    return married & (rng.random(len(lanes)) < 0.6)


def _work_income(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    working = lanes.own("work_hours_per_week") > 0
    # Few days of work may be unpaid still.
    shortly = working & (lanes.own("nonconsecutive_work_days") < SHORT_MONTH)
    nothing = rng.random(n) < np.select([shortly, working], [0.7, 0.02], 0.7)
    nothing |= lanes.own("age") < WORKING_AGE
    return np.where(nothing, 0, draws.amount(500, 200_000, n, rng))


def _other_income(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    amount = draws.amount(100, 150_000, n, rng)
    young = lanes.own("age") < SCHOOL_LEAVING_AGE
    amount = np.where(young, np.minimum(amount, LARGEST_INCOME_OF_A_CHILD), amount)
    return np.where(rng.random(n) < np.where(young, 0.9, 0.55), 0, amount)


def _resources(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    return np.where(rng.random(len(lanes)) < 0.1, 0, draws.amount(50, 100_000, len(lanes), rng))


def _months_since_worked(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    age = lanes.own("age").astype(np.int64)
    longest = np.maximum((age - WORKING_AGE + 1) * MONTHS_PER_YEAR, MONTHS_PER_YEAR)
    lately = np.minimum(draws.number(FEATURES["months_since_worked"], n, rng), MONTHS_PER_YEAR)
    long_ago = np.minimum(MONTHS_PER_YEAR + np.floor(rng.random(n) ** 3 * 300), longest)
    drawn = np.where(lanes.own("annual_work_income") > 0, lately, long_ago)
    never = (lanes.own("annual_work_income") == 0) & (rng.random(n) < 0.5)
    never |= (lanes.own("work_hours_per_week") > 0) | (age < WORKING_AGE)
    return np.where(never, NONE_CODE, drawn)


def _years_sober(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    longest = lanes.own("age").astype(float) - SUBSTANCE_AGE
    years = np.minimum(draws.number(FEATURES["years_sober"], n, rng), longest)
    return np.where((longest < 0) | (rng.random(n) < 0.5), NONE_CODE, years)


def _weeks_pregnant(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    n = len(lanes)
    age = lanes.own("age")
    possible = (age >= PREGNANCY_AGE) & (age <= OLDEST_PREGNANCY_AGE)
    possible &= lanes.own("sex") == _code("sex", "female")
    weeks = draws.number(FEATURES["weeks_pregnant"], n, rng)
    return np.where(possible & (rng.random(n) < 0.4), weeks, NONE_CODE)


def _months_pregnant(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    weeks = lanes.own("weeks_pregnant").astype(np.int64)
    # 7 days a week over 365/12 days a month lies within the bounds of short and long months.
    return np.where(weeks == NONE_CODE, NONE_CODE, weeks * 7 * MONTHS_PER_YEAR // 365)


def _owner(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    possible = lanes.shared("tenure") == _code("tenure", "owner")
    possible &= lanes.own("age") >= ADULT_AGE
    owners: Codes = possible & (rng.random(len(lanes)) < 0.6)
    return owners


def _months_owned(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    longest = lanes.own("age").astype(np.int64) * MONTHS_PER_YEAR
    months = draws.number(FEATURES["months_owned_property"], len(lanes), rng)
    return np.where(lanes.own("is_property_owner"), np.minimum(months, longest), NONE_CODE)


def _funeral_date(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    days = draws.number(FEATURES["covid_funeral_expense_date"], len(lanes), rng)
    return np.where(lanes.own("covid_funeral_expenses"), days, NONE_CODE)


def _age_of_ac(draws: Draws, lanes: Lanes, rng: np.random.Generator) -> Codes:
    years = draws.number(FEATURES["ac_age_years"], len(lanes), rng)
    return np.where(lanes.shared("ac"), years, NONE_CODE)


SPECIAL: dict[str, Callable[[Draws, Lanes, np.random.Generator], Codes]] = {
    "place_of_residence": _place,
    "tenure": _tenure,
    "monthly_rent_spending": _rent,
    "ac_age_years": _age_of_ac,
    "filing_jointly": _filing_jointly,
    "available_financial_resources": _resources,
    "relation": _relation,
    "age": _age,
    "age_months": _age_months,
    "citizenship": _citizenship,
    "current_school_level": _school_level,
    "current_grade": _grade,
    "school_type": _school_type,
    "high_school_equivalent": _diploma,
    "college_credits": _from_age("college_credits", SCHOOL_LEAVING_AGE, 0),
    "gpa": _from_age("gpa", WORKING_AGE, NONE_CODE),
    "work_hours_per_week": _hours,
    "consecutive_work_weeks": _at_work("consecutive_work_weeks"),
    "nonconsecutive_work_days": _work_days,
    "works_outside_home": _works_outside,
    "annual_work_income": _work_income,
    "annual_investment_income": _other_income,
    "months_since_worked": _months_since_worked,
    "days_looking_for_work": _from_age("days_looking_for_work", WORKING_AGE, 0),
    "years_sober": _years_sober,
    "weeks_pregnant": _weeks_pregnant,
    "months_pregnant": _months_pregnant,
    "is_property_owner": _owner,
    "months_owned_property": _months_owned,
    "covid_funeral_expense_date": _funeral_date,
}

EARLY = (
    "place_of_residence",
    "housing_type",
    "tenure",
    "sex",
    "current_school_level",
    "work_hours_per_week",
    "consecutive_work_weeks",
    "nonconsecutive_work_days",
    "weeks_pregnant",
)
"""Features that other draws look at, in the order in which they are drawn."""
DRAWING_ORDER = (
    *EARLY,
    *(name for name, feature in FEATURES.items() if name not in EARLY and feature.kind != "text"),
)
