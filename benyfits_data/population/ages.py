"""How old the people in each role are: roles by age and sex, raked to the borough's pyramid."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benyfits_data.population.age_tables import (
    ADULT,
    FIRST_OTHER,
    N_AGE_ROLES,
    N_TYPES,
    ROUNDS,
    SEXES,
    SPOUSE_WITH_CHILDREN,
    SPOUSE_WITHOUT,
    group_targets,
    starting_weights,
)
from benyfits_data.population.conditions import ends_of
from benyfits_data.population.fixed_order import product
from benyfits_data.population.household_compositions import (
    age_bands,
    all_compositions,
    fit_compositions,
    margin_of,
)
from benyfits_data.population.sources import Sources


@lru_cache(maxsize=8)
def pyramid(sources: Sources, borough: str) -> NDArray[np.float64]:
    """Return the share of the borough's people in each age band and sex, shape `(bands, 2)`.

    The table of 2015-19 by borough is raked to the city's bands and sexes of 2018-22.
    """
    bands = age_bands(sources)
    cells = sources.joints["age_sex_borough"].cells
    boroughs = sorted({key[0] for key in cells})
    count = np.zeros((len(boroughs), len(bands), 2))
    for key, value in cells.items():
        count[boroughs.index(key[0]), bands.index(ends_of(key[2])), SEXES.index(key[1])] = value
    by_borough = count.sum(axis=(1, 2))
    targets = margin_of(sources, "age", "all")
    female = margin_of(sources, "sex", "all")["female"]
    share = count / count.sum()
    for _ in range(ROUNDS):
        for category, target in targets.items():
            first, last = ends_of(category)
            inside = [first <= low and high <= last for low, high in bands]
            share[:, inside] *= target / share[:, inside].sum()
        share[:, :, 0] *= female / share[:, :, 0].sum()
        share[:, :, 1] *= (1 - female) / share[:, :, 1].sum()
        share *= (by_borough / by_borough.sum() / share.sum(axis=(1, 2)))[:, None, None]
    one = share[boroughs.index(borough)]
    return np.asarray(one / one.sum())


def minors_share(sources: Sources, borough: str) -> float:
    """Return the share of the borough's people under 18."""
    bands = age_bands(sources)
    return float(pyramid(sources, borough)[[high < ADULT for _, high in bands]].sum())


@lru_cache(maxsize=8)
def fit_ages(sources: Sources, borough: str) -> NDArray[np.float64]:
    """Return people per household in each age role, band and sex.

    Returns:
        Shape `(roles, bands, 2)`; sums over roles follow the pyramid, sums over ages the roles.
    """
    bands = age_bands(sources)
    table = all_compositions(sources)
    weights = fit_compositions(sources, borough, minors_share(sources, borough))
    totals = np.zeros(N_AGE_ROLES)
    for kind in range(N_TYPES):
        totals[kind] = weights[table.type == kind].sum()
    totals[SPOUSE_WITH_CHILDREN], totals[SPOUSE_WITHOUT] = totals[0], totals[1]
    totals[FIRST_OTHER:] = product(weights, table.counts)
    people = pyramid(sources, borough) * totals.sum()
    share = starting_weights(sources, bands) * people
    targets = group_targets(sources, totals, people, bands)
    for _ in range(ROUNDS):
        for roles, inside, target in targets:
            block = np.ix_(roles, *inside)
            share[block] *= target / max(share[block].sum(), 1e-12)
        share *= (totals / np.maximum(share.sum(axis=(1, 2)), 1e-12))[:, None, None]
        for spouse, holder in ((SPOUSE_WITH_CHILDREN, 0), (SPOUSE_WITHOUT, 1)):
            # Wives are as many as the men who head couples, and the other way round.
            wanted = share[holder].sum(axis=0)[::-1]
            share[spouse] *= wanted / np.maximum(share[spouse].sum(axis=0), 1e-12)
        share *= (people / np.maximum(share.sum(axis=0), 1e-12))[None]
    return np.asarray(share)
