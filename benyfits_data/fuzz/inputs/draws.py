"""How each feature of a seed household is drawn: around the limits, mostly possible at once.

Features without a draw of their own are drawn from their declaration and the limits alone. A draw
of its own only spares repair some work, or makes what is rare in a domain come up often enough;
what guards rule out is put off for all features alike, right after they are drawn.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from benyfits_data import rounding
from benyfits_data.editions import Edition
from benyfits_data.fuzz.inputs.families import AgeTable
from benyfits_data.fuzz.inputs.limits import Boundaries, boundaries
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import (
    ADULT_AGE,
    COMPULSORY_SCHOOL_AGE,
    FOSTER_CARE_AGE,
    LARGEST_INCOME_OF_A_CHILD,
    LAST_GRADE,
    MONTHS_PER_YEAR,
    OLDEST_KINDERGARTNER,
    PRE_KINDERGARTEN_AGE,
    SCHOOL_LEAVING_AGE,
    SHORT_MONTH,
    YOUNGEST_KINDERGARTNER,
)
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.constraints.dwelling import is_rental_housing
from benyfits_data.household.features import FEATURES
from benyfits_data.household.measures import lives_in_temporary_housing
from benyfits_data.household.schema import NONE_CODE, Feature
from benyfits_data.language.numpy_backend import measure

Codes = NDArray[Any]
Index = NDArray[np.intp]

FLAG_RATES = (10, 40, 96, 128, 192)
"""Of 256: how often a flag is not at its default, by the household's rate pattern.

Low rates bring households that nothing disqualifies, high ones those that meet many conditions. One
rate for all misses two elements more."""
OWN_RATES = {"filing_jointly": 218, "is_property_owner": 154, "works_outside_home": 154}
"""Of 256: flags that couples must share, as conditions of theirs ask for. Drawn like all others
they cost 6 lines of six corpora."""
PATTERNS = len(FLAG_RATES) ** 2
"""A household's pattern says with which rate it begins, and how far apart its flags' rates lie."""
USUAL_SHARE = 0.5
"""How often a number is none, or its default where it must be told: never, 18 elements more are
missed."""
LIMIT_SHARE = 0.75
"""How often a number lies beside a limit of some checker, where its lines part: never, 34 mutants
fewer are detected."""
_WIDE = 1000


@dataclass(frozen=True)
class Targets:
    """Where a feature is drawn: the households so far, member and household of each target."""

    households: Households
    rows: Index | None
    columns: Index

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, name: str) -> Codes:
        """Return another feature of the same member or household, or of the applicant."""
        table = self.households
        if name in table.shared:
            return np.asarray(table.shared[name][self.columns])
        return np.asarray(table.member[name][self.rows, self.columns])

    def of_all(self, name: str) -> Codes:
        """Return a feature of all members, shape `(6, n)`."""
        return np.asarray(self.households.member[name][:, self.columns])


class FeatureSampler:
    """Draws the features of seed households.

    Args:
        limits: The limits to draw around.
        patterns: The rate pattern of each household, from 0 to `PATTERNS - 1`.
    """

    def __init__(self, limits: Boundaries, patterns: NDArray[np.int64]) -> None:
        self.ages = AgeTable(limits.values.get("age", np.empty(0)))
        self.patterns = patterns
        self._around = {name: _around(FEATURES[name], at) for name, at in limits.values.items()}

    @classmethod
    def of_edition(cls, edition: Edition, rng: np.random.Generator) -> Self:
        """Return the sampler for households that are not seeds: their patterns come in turn."""
        return cls(boundaries(edition), rng.integers(0, PATTERNS, PATTERNS**2))

    def like(self, households: Index) -> Self:
        """Return the same sampler for households that take over others' patterns, in turn."""
        other = copy(self)
        other.patterns = self.patterns[households % len(self.patterns)]
        return other

    def __call__(
        self,
        feature: Feature,
        households: Households,
        rows: Index | None,
        columns: Index,
        rng: np.random.Generator,
    ) -> Codes:
        """Return one code for each target, as `household.repair.Draw` says."""
        draw = OWN_DRAWS.get(feature.name)
        targets = Targets(households, rows, columns)
        drawn = draw(self, targets, rng) if draw else self.plain(feature, targets, rng)
        return np.asarray(drawn.astype(feature.dtype))

    def plain(self, feature: Feature, targets: Targets, rng: np.random.Generator) -> Codes:
        """Return codes drawn from the declaration and the limits alone."""
        n = len(targets)
        if feature.kind == "flag":
            first, apart = np.divmod(self.patterns, len(FLAG_RATES))
            # A checksum of the name: new features do not shift the others.
            place = crc32(feature.name.encode()) % len(FLAG_RATES)
            rates = np.array(FLAG_RATES, np.uint8)[(first + apart * place) % len(FLAG_RATES)]
            rate = OWN_RATES.get(feature.name, rates[targets.columns])
            leaves = np.frombuffer(rng.bytes(n), np.uint8) < rate
            return np.asarray(leaves ^ bool(feature.default))
        may_be_none = feature.optional and not feature.always
        if feature.kind == "choice":
            return rng.integers(NONE_CODE if may_be_none else 0, len(feature.choices), n)
        codes = self.number(feature, n, rng)
        if may_be_none or not feature.optional:
            usual = NONE_CODE if may_be_none else feature.encode(feature.default)
            codes[rng.random(n) < USUAL_SHARE] = usual
        return codes

    def number(self, feature: Feature, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return numbers, mostly around the limits, else spread over the whole domain."""
        low, high = float(feature.minimum or 0), float(feature.maximum or 0)
        if feature.kind == "decimal":
            spread = np.round(low + rng.random(n) * (high - low), 1)
        elif feature.kind == "number" and high > _WIDE:
            spread = rounding.floor(np.exp(rng.random(n) * np.log(high + 1))).clip(max=high)
        else:
            spread = np.floor(low + rng.random(n) * (high - low + 1))
        around = self._around.get(feature.name)
        if around is not None and len(around):
            near = around[rng.integers(0, len(around), n)]
            spread = np.where(rng.random(n) < LIMIT_SHARE, near, spread)
        return spread


OwnDraw = Callable[[FeatureSampler, Targets, np.random.Generator], Codes]
OWN_DRAWS: dict[str, OwnDraw] = {}
_AFTER: dict[str, tuple[str, ...]] = {}


def _draws(feature: str, *after: str) -> Callable[[OwnDraw], OwnDraw]:
    """Return a decorator: how a feature is drawn, after the features that its draw looks at."""

    def enter(draw: OwnDraw) -> OwnDraw:
        OWN_DRAWS[feature], _AFTER[feature] = draw, after
        return draw

    return enter


def _around(feature: Feature, limits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values below, at and above each limit that lie in the domain."""
    step = 0.1 if feature.kind == "decimal" else 1.0
    near = np.concatenate([limits - step, limits, limits + step])
    rounded = [np.round(near, 1)] if step < 1 else [np.floor(near), np.ceil(near)]
    low, high = float(feature.minimum or 0), float(feature.maximum or 0)
    values = np.unique(np.concatenate(rounded))
    return values[(values >= low) & (values <= high)]


def _pick(
    feature: str, shares: Mapping[str, float], n: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return `n` codes of a choice drawn with given shares."""
    weights = np.array(list(shares.values()))
    codes = [FEATURES[feature].encode(value) for value in shares]
    return rng.choice(np.array(codes), size=n, p=weights / weights.sum())


def _amounts(low: float, high: float, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return amounts of money, spread evenly by order of magnitude."""
    return rounding.floor(np.exp(rng.uniform(np.log(low), np.log(high), n)))


@_draws("relation")
def _relation(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    # Families are drawn as a whole: what changes where they contradict something are other facts.
    return np.where(at.rows == 0, FEATURES["relation"].encode("self"), at["relation"])


@_draws("age", "relation")
def _age(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    return sampler.ages.draw(at["relation"], at.of_all("age")[0], rng)


@_draws("age_months", "age")
def _age_months(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    age = at["age"].astype(np.int64)
    months = age * MONTHS_PER_YEAR + rng.integers(0, MONTHS_PER_YEAR, len(at))
    near = sampler.number(FEATURES["age_months"], len(at), rng)
    return np.where(near // MONTHS_PER_YEAR == age, near, months)


@_draws("current_school_level", "age")
def _school_level(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    feature, age, n = "current_school_level", at["age"], len(at)
    none, preschool, school = (
        FEATURES[feature].encode(value) for value in ("none", "pre-kindergarten", "school")
    )
    grown = _pick(feature, {"none": 0.7, "college": 0.3}, n, rng)
    youth = _pick(feature, {"none": 0.3, "school": 0.4, "college": 0.3}, n, rng)
    small = _pick(feature, {"none": 0.3, "pre-kindergarten": 0.35, "school": 0.35}, n, rng)
    small[(age < YOUNGEST_KINDERGARTNER) & (small == school)] = preschool
    ages = [PRE_KINDERGARTEN_AGE, COMPULSORY_SCHOOL_AGE, SCHOOL_LEAVING_AGE, FOSTER_CARE_AGE + 1]
    drawn = [np.full(n, none), small, np.full(n, school), youth, grown]
    return np.choose(np.digitize(age, ages), drawn)


@_draws("current_grade", "age")
def _grade(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    age = at["age"].astype(np.int64)
    low = np.clip(age - OLDEST_KINDERGARTNER, 0, LAST_GRADE)
    return rng.integers(low, np.clip(age - YOUNGEST_KINDERGARTNER, low, LAST_GRADE) + 1)


@_draws("annual_work_income", "nonconsecutive_work_days")
def _work_income(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    working = at["work_hours_per_week"] > 0
    # Few days of work may be unpaid still.
    shortly = working & (at["nonconsecutive_work_days"] < SHORT_MONTH)
    nothing = rng.random(len(at)) < np.select([shortly, working], [0.7, 0.02], 0.7)
    return np.where(nothing, 0, _amounts(500, 200_000, len(at), rng))


@_draws("annual_investment_income", "age")
def _other_income(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    amount = _amounts(100, 150_000, len(at), rng)
    young = at["age"] < SCHOOL_LEAVING_AGE
    amount = np.where(young, np.minimum(amount, LARGEST_INCOME_OF_A_CHILD), amount)
    return np.where(rng.random(len(at)) < np.where(young, 0.9, 0.55), 0, amount)


@_draws("place_of_residence")
def _place(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    shares = {"New York City": 0.7, "New York State outside the city": 0.18, "New Jersey": 0.12}
    return _pick("place_of_residence", shares, len(at), rng)


@_draws("tenure", "housing_type", "age")
def _tenure(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    owner, renter, no_home = (
        FEATURES["tenure"].encode(value) for value in ("owner", "renter", "no home")
    )
    drawn = _pick("tenure", {"owner": 0.7, "renter": 0.2, "rent-free": 0.1}, len(at), rng)
    adults = (at.of_all("age") >= ADULT_AGE) & at.households.present[:, at.columns]
    drawn[(drawn == owner) & ~adults.any(axis=0)] = renter
    drawn[measure(is_rental_housing, at.households)[at.columns]] = renter
    drawn[measure(lives_in_temporary_housing, at.households)[at.columns]] = no_home
    return drawn


@_draws("available_financial_resources")
def _resources(sampler: FeatureSampler, at: Targets, rng: np.random.Generator) -> Codes:
    amount = _amounts(50, 100_000, len(at), rng)
    return np.where(rng.random(len(at)) < 0.1, 0, amount)


GUARDS = {name: [each for each in CONSTRAINTS.values() if each.guards == name] for name in FEATURES}
"""The constraints that each feature's guards stand for."""
DRAWING_ORDER = tuple(
    name
    for name in TopologicalSorter(
        {
            name: [
                *_AFTER.get(name, ()),
                *(read for guard in GUARDS[name] for read in sorted(guard.reads - {name})),
            ]
            for name, feature in FEATURES.items()
            if feature.kind != "text"
        }
    ).static_order()
)
"""Every feature after those that its guards read and that its draw looks at."""
