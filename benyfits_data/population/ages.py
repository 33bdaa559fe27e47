"""How old the people in each role are: roles by age and sex, raked to the borough's pyramid."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benyfits_data.population.composition import (
    ADULT_CHILD,
    ADULT_RELATIVE,
    FOSTER,
    HOUSEMATE,
    MINOR_RELATIVE,
    OWN_MINOR,
    PARTNER,
    TYPES,
    age_bands,
    all_compositions,
    fit_compositions,
    margin_of,
)
from benyfits_data.population.conditions import parse_range
from benyfits_data.population.sources import Sources

SEXES = ("female", "male")
N_TYPES = len(TYPES)
# Age roles: a householder of each type, a spouse with and without children at home, then the rest.
SPOUSE_WITH_CHILDREN, SPOUSE_WITHOUT = N_TYPES, N_TYPES + 1
FIRST_OTHER = N_TYPES + 2
N_AGE_ROLES = FIRST_OTHER + 7
_ROUNDS = 300
_ADULT = 18
_MALE_HOUSEHOLDER_OF_COUPLE = 0.55


def pyramid(sources: Sources, borough: str) -> NDArray[np.float64]:
    """Return the share of the borough's people in each age band and sex, shape `(bands, 2)`.

    The table of 2015-19 by borough is raked to the city's bands and sexes of 2018-22.
    """
    bands = age_bands(sources)
    cells = sources.joints["age_sex_borough"].cells
    boroughs = sorted({key[0] for key in cells})
    count = np.zeros((len(boroughs), len(bands), 2))
    for key, value in cells.items():
        ends = parse_range(key[2])
        assert ends is not None
        count[boroughs.index(key[0]), bands.index(ends), SEXES.index(key[1])] = value
    by_borough = count.sum(axis=(1, 2))
    targets = margin_of(sources, "age", "all")
    female = margin_of(sources, "sex", "all")["female"]
    share = count / count.sum()
    for _ in range(_ROUNDS):
        for category, target in targets.items():
            ends = parse_range(category)
            assert ends is not None
            inside = [ends[0] <= low and high <= ends[1] for low, high in bands]
            share[:, inside] *= target / share[:, inside].sum()
        share[:, :, 0] *= female / share[:, :, 0].sum()
        share[:, :, 1] *= (1 - female) / share[:, :, 1].sum()
        share *= (by_borough / by_borough.sum() / share.sum(axis=(1, 2)))[:, None, None]
    one = share[boroughs.index(borough)]
    return np.asarray(one / one.sum())


def minors_share(sources: Sources, borough: str) -> float:
    """Return the share of the borough's people under 18."""
    bands = age_bands(sources)
    return float(pyramid(sources, borough)[[high < _ADULT for _, high in bands]].sum())


@lru_cache(maxsize=8)
def fit_ages(sources: Sources, borough: str) -> NDArray[np.float64]:
    """Return people per household in each age role, band and sex.

    Returns:
        Shape `(roles, bands, 2)`; sums over roles follow the pyramid, sums over ages the roles.
    """
    bands = age_bands(sources)
    table = all_compositions()
    weights = fit_compositions(sources, borough, minors_share(sources, borough))
    totals = np.zeros(N_AGE_ROLES)
    for kind in range(N_TYPES):
        totals[kind] = weights[table.type == kind].sum()
    totals[SPOUSE_WITH_CHILDREN], totals[SPOUSE_WITHOUT] = totals[0], totals[1]
    totals[FIRST_OTHER:] = weights @ table.counts
    people = pyramid(sources, borough) * totals.sum()
    share = _seed(sources, bands) * people
    for _ in range(_ROUNDS):
        share *= (totals / np.maximum(share.sum(axis=(1, 2)), 1e-12))[:, None, None]
        for spouse, holder in ((SPOUSE_WITH_CHILDREN, 0), (SPOUSE_WITHOUT, 1)):
            # Wives are as many as the men who head couples, and the other way round.
            wanted = share[holder].sum(axis=0)[::-1]
            share[spouse] *= wanted / np.maximum(share[spouse].sum(axis=0), 1e-12)
        share *= (people / np.maximum(share.sum(axis=0), 1e-12))[None]
    return np.asarray(share)


def _seed(sources: Sources, bands: list[tuple[int, int]]) -> NDArray[np.float64]:
    """Return how much likelier each role is at each age and sex than the population at large."""
    middle = np.array([min((low + high) / 2, 88.0) for low, high in bands])
    adult = np.array([low >= _ADULT for low, _ in bands])
    seed = np.zeros((N_AGE_ROLES, len(bands), 2))
    holders = sources.joints["tenure_type_age"].sum("household_type", "householder_age")
    names = {
        "married": (0, 1),
        "man with family": (2, 3),
        "woman with family": (4, 5),
        "alone": (6,),
        "with nonrelatives": (7,),
    }
    # State population 18 and over in the three ages, for shares of each age that are householders.
    arrangements = sources.joints["living_arrangement_age"]
    adults = {key[0]: count for key, count in arrangements.sum("age").items()}
    for (name, ages), count in holders.items():
        group = "18-34" if ages == "15-34" else ages
        ends = parse_range(group)
        assert ends is not None
        inside = adult & (middle >= ends[0]) & (middle <= ends[1])
        for kind in names[name]:
            seed[kind, inside] = count / adults[group]
    ramp = np.clip((middle - 17) / 9, 0, 1)[:, None]
    seed[:N_TYPES] *= ramp
    with_children = np.exp(-(((middle - 40) / 9.5) ** 2) / 2)[:, None]
    for kind in (0, 2, 4):
        seed[kind] *= with_children
    seed[1] *= np.where((middle > 33) & (middle < 50), 0.45, 1.0)[:, None]
    for kind, sex in ((2, 0), (3, 0), (4, 1), (5, 1)):
        seed[kind, :, sex] = 0
    for kind in (0, 1):
        seed[kind, :, 0] *= 1 - _MALE_HOUSEHOLDER_OF_COUPLE
        seed[kind, :, 1] *= _MALE_HOUSEHOLDER_OF_COUPLE
    _sexes_of_nonfamilies(sources, seed, middle, adult)
    seed[SPOUSE_WITH_CHILDREN] = seed[0][:, ::-1]
    seed[SPOUSE_WITHOUT] = seed[1][:, ::-1]
    for role, arrangement in (
        (PARTNER, "with partner"),
        (ADULT_CHILD, "child of householder"),
        (ADULT_RELATIVE, "other relative"),
        (HOUSEMATE, "nonrelative"),
    ):
        for group in ("18-34", "35-64", "65-110"):
            ends = parse_range(group)
            assert ends is not None
            inside = adult & (middle >= ends[0]) & (middle <= ends[1])
            seed[FIRST_OTHER + role, inside] = (
                arrangements.cells[(group, arrangement)] / adults[group]
            )
    # Children leave home through their twenties.
    seed[FIRST_OTHER + ADULT_CHILD] *= np.exp(-np.clip(middle - 20, 0, None) / 12)[:, None]
    minor = ~adult
    seed[FIRST_OTHER + OWN_MINOR, minor] = 1.0
    seed[FIRST_OTHER + MINOR_RELATIVE, minor] = 1.0
    seed[FIRST_OTHER + FOSTER, minor] = 1.0
    return seed


def _sexes_of_nonfamilies(
    sources: Sources,
    seed: NDArray[np.float64],
    middle: NDArray[np.float64],
    adult: NDArray[np.bool_],
) -> None:
    cells = sources.joints["nonfamily_sex_age"].cells
    for kind, name in ((6, "alone"), (7, "with nonrelatives")):
        for group in ("15-64", "65-110"):
            ends = parse_range(group)
            assert ends is not None
            inside = adult & (middle >= ends[0]) & (middle <= ends[1])
            both = sum(cells[(name, sex, group)] for sex in SEXES)
            for position, sex in enumerate(SEXES):
                seed[kind, inside, position] *= cells[(name, sex, group)] / both
