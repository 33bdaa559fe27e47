"""Poverty as the Census Bureau measures it: families and unrelated individuals, each by itself.

The householder and all related by birth, marriage or adoption are one family; partners,
housemates and foster children are unrelated individuals, those under 15 left out. A family is poor
whose money income, before taxes and without food stamps, is below the threshold of its size and of
its related children under 18; there are other thresholds for one and two people with a householder
of 65 and more (`poverty_threshold` in `parameters.csv`). Not to be taken for the poverty guideline
of the health department, which programs use and which counts everybody at home.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benyfits_data import rounding
from benyfits_data.household.constants import ADULT_AGE, SENIOR_AGE
from benyfits_data.population.conditions import LARGEST, NONE
from benyfits_data.population.household_structure import TYPES
from benyfits_data.population.sources import PovertyTarget, Sources
from benyfits_data.population.synthetic_city import City

UNRELATED = "relation domestic partner|friend|foster child"
_YOUNGEST_ALONE = 15
"""Unrelated children below have no poverty status of their own."""
_ROW = re.compile(r"members (\d) & children (\d)(?: & householder_age (.+))?")


@dataclass(frozen=True)
class Units:
    """Families and unrelated individuals: the householders' families first, in their order.

    Attributes:
        of_person: Unit of everybody, shape `(people,)`.
        household: Household of every unit, shape `(units,)`.
        threshold: Income below which a unit is poor, shape `(units,)`.
        counted: Whether poverty status is determined for a person, shape `(people,)`.
    """

    of_person: NDArray[np.int64]
    household: NDArray[np.int64]
    threshold: NDArray[np.float64]
    counted: NDArray[np.bool_]

    def total(self, amount: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of a person's amount over each unit, shape `(units,)`."""
        return np.asarray(np.bincount(self.of_person, amount, len(self.household)), float)


@lru_cache(maxsize=4)
def thresholds(sources: Sources) -> NDArray[np.float64]:
    """Return the thresholds by householder of 65 and more, members and children, to nine each."""
    table = np.zeros((2, 10, 10))
    for given, threshold in sources.values_of("poverty_threshold").items():
        if row := _ROW.fullmatch(given):
            size, children, ages = int(row[1]), int(row[2]), row[3]
            old = slice(None) if ages is None else int(ages.startswith(str(SENIOR_AGE)))
            table[old, size, children] = threshold
    return table


def poverty_units(city: City) -> Units:
    """Return the families and unrelated individuals of a city."""
    people, n = city.people, city.households.size
    unrelated = people.mask(UNRELATED)
    alone = np.flatnonzero(unrelated)
    of_person = city.household.astype(np.int64).copy()
    of_person[alone] = n + np.arange(len(alone))
    size = np.minimum(city.count(~unrelated), 9)
    children = city.count(~unrelated & (people["age"] < ADULT_AGE) & ~people["is_householder"])
    old = city.households["householder_age"] >= SENIOR_AGE
    table = thresholds(city.sources)
    of_family = table[old.astype(int), size, np.minimum(children, size - 1)]
    of_alone = table[(people["age"][alone] >= SENIOR_AGE).astype(int), 1, 0]
    return Units(
        of_person=of_person,
        household=np.concatenate([np.arange(n), city.household[alone]]),
        threshold=np.concatenate([of_family, of_alone]),
        counted=~(unrelated & (people["age"] < _YOUNGEST_ALONE)),
    )


def put_poverty(city: City) -> None:
    """Put `census_poverty` of people and `family_poverty` of householders' families.

    Both are percentages of the threshold; `none` where poverty status is not determined.
    """
    people = city.people
    units = poverty_units(city)
    income = units.total(people["annual_work_income"] + people["annual_investment_income"])
    percent = np.minimum(rounding.floor(100 * income / units.threshold), LARGEST).astype(np.int64)
    people.put("census_poverty", np.where(units.counted, percent[units.of_person], NONE))
    city.households.put("family_poverty", percent[: city.households.size])


def share_in_poverty(city: City, target: PovertyTarget) -> tuple[float, int]:
    """Return the share of a target's people or families who are poor, and how many there are.

    The share of nobody is not a number.
    """
    if target.unit == "person":
        column, known = city.people["census_poverty"], city.people["census_poverty"] != NONE
        among = city.people.mask(target.given) & known
    else:
        column = city.households["family_poverty"]
        among = city.households.mask(target.given) & is_family(city)
    people = int(among.sum())
    return (float((column[among] < 100).mean()) if people else np.nan), people


def is_family(city: City) -> NDArray[np.bool_]:
    """Return which households have a householder with relatives."""
    return city.households["household_type"] < TYPES.index("alone")
