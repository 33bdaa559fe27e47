"""How the facts of a household are drawn, so that most are possible at once."""

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.chances import Chances, Codes, Lanes, Special, code_of, pick
from benyfits_data.household.constants import (
    ADULT_AGE,
)
from benyfits_data.household.declaration import NONE_CODE
from benyfits_data.household.features import FEATURES


def _place(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    return pick({0: 0.7, 1: 0.18, 2: 0.12}, len(lanes), rng)


_TEMPORARY = [
    code_of("housing_type", name)
    for name in ("homeless", "DHS shelter", "HRA shelter", "temporary housing")
]
_RENTED = [
    code_of("housing_type", name)
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


def _tenure(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    owner, renter, rent_free, no_home = (
        code_of("tenure", name) for name in ("owner", "renter", "rent-free", "no home")
    )
    housing = lanes.shared("housing_type")
    drawn = pick({owner: 0.7, renter: 0.2, rent_free: 0.1}, len(lanes), rng)
    drawn[(drawn == owner) & ~_has_adult(lanes)] = renter
    drawn[np.isin(housing, _RENTED)] = renter
    drawn[np.isin(housing, _TEMPORARY)] = no_home
    return drawn


def _rent(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    rent = np.floor(np.exp(rng.uniform(np.log(200), np.log(8000), len(lanes))))
    return np.where(lanes.shared("tenure") == code_of("tenure", "renter"), rent, 0)


def _age_of_ac(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    years = chances.number(FEATURES["ac_age_years"], len(lanes), rng)
    return np.where(lanes.shared("ac"), years, NONE_CODE)


def _filing_jointly(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    relation = lanes.households.member["relation"][:, lanes.columns]
    married: Codes = (relation == code_of("relation", "spouse")).any(axis=0)
    return married & (rng.random(len(lanes)) < 0.6)


def _resources(chances: Chances, lanes: Lanes, rng: np.random.Generator) -> Codes:
    return np.where(rng.random(len(lanes)) < 0.1, 0, chances.amount(50, 100_000, len(lanes), rng))


HOUSEHOLD: dict[str, Special] = {
    "place_of_residence": _place,
    "tenure": _tenure,
    "monthly_rent_spending": _rent,
    "ac_age_years": _age_of_ac,
    "filing_jointly": _filing_jointly,
    "available_financial_resources": _resources,
}
