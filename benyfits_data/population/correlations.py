"""Named correlations, from sums that add up over chunks, beside those of the sources."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.population.conditions import ends_of
from benyfits_data.population.source_rows import JointTable
from benyfits_data.population.sources import Sources

Moments = dict[str, NDArray[np.float64]]
"""By correlation: number, sums, sums of squares and of products of the two quantities."""

_TOP_BAND = 1.5
"""An open band is taken to lie at this multiple of its lower end."""


def moments(households: Households) -> Moments:
    """Return the sums behind every named correlation."""
    present = households.present
    age = households.member["age"]
    income = (
        households.member["annual_work_income"].astype(float)
        + households.member["annual_investment_income"]
    )
    total = np.log1p(np.where(present, income, 0).sum(axis=0))
    owner = households.shared["tenure"] == HOUSEHOLD_FEATURES["tenure"].encode("owner")
    children = (present & (age < 18)).sum(axis=0)
    return {
        "householder's age and household income": _sums(_middle_age(age[0]), total),
        "owning the home and household income": _sums(owner.astype(float), total),
        "household size and number of children": _sums(
            households.size.astype(float), children.astype(float)
        ),
        "age and disability": _sums(
            age[present].astype(float), households.member["disabled"][present].astype(float)
        ),
    }


def _middle_age(age: NDArray[np.int16]) -> NDArray[np.float64]:
    """Return how far a householder is from 50, negative: incomes are highest there."""
    return np.asarray(-np.abs(age.astype(float) - 50))


def _sums(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([len(x), x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), (x * y).sum()])


def correlation(sums: NDArray[np.float64]) -> float:
    """Return Pearson's correlation from number, sums, squares and products."""
    n, x, y, xx, yy, xy = sums
    spread = np.sqrt(max(xx / n - (x / n) ** 2, 0.0) * max(yy / n - (y / n) ** 2, 0.0))
    return float((xy / n - x * y / n**2) / spread) if spread > 0 else 0.0


def correlations(found: Moments) -> dict[str, float]:
    """Return every named correlation."""
    return {name: correlation(sums) for name, sums in found.items()}


def published_correlations(sources: Sources) -> dict[str, float | None]:
    """Return the same correlations in the carried tables; `None` where no table crosses the two.

    Bands stand at their middle, so that these lie a little below those of single people.
    """
    return {
        "householder's age and household income": _of_table(
            sources.joints["income_householder_age"],
            lambda key: -abs(_middle(key[0]) - 50),
            lambda key: float(np.log1p(_middle(key[1]))),
        ),
        "owning the home and household income": _of_table(
            sources.joints["tenure_income"],
            lambda key: float(key[0] == "owner"),
            lambda key: float(np.log1p(_middle(key[1]))),
        ),
        "household size and number of children": None,
        "age and disability": _of_table(
            sources.joints["disability_age_sex"],
            lambda key: _middle(key[1]),
            lambda key: float(key[2] == "yes"),
        ),
    }


def _middle(text: str) -> float:
    ends = ends_of(text)
    if text.endswith("+"):
        return ends[0] * _TOP_BAND
    return (ends[0] + min(ends[1], 95 if ends[1] == 110 else ends[1])) / 2


def _of_table(
    joint: JointTable,
    first: Callable[[tuple[str, ...]], float],
    second: Callable[[tuple[str, ...]], float],
) -> float:
    sums = np.zeros(6)
    for key, count in joint.cells.items():
        x, y = first(key), second(key)
        sums += count * np.array([1, x, y, x * x, y * y, x * y])
    return correlation(sums)
