"""Names for members, distinct within a household; they carry no meaning."""

import tomllib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.features import MEMBER_FEATURES

_NAMES = tomllib.loads((Path(__file__).parent / "names.toml").read_text(encoding="utf-8"))
_STEPCHILD = MEMBER_FEATURES["relation"].encode("stepchild")
_OTHERS = [
    MEMBER_FEATURES["relation"].encode(relation)
    for relation in ("domestic partner", "foster child", "cousin", "other relative", "friend")
]
_GENERATIONS = {"younger": 0, "middle": 30, "older": 60}
"""The age from which somebody has a name of a list."""


def draw_names(households: Households, rng: np.random.Generator) -> NDArray[np.object_]:
    """Return a name for every member: shape `(places, n)`, no first name twice in a household.

    First names suit the age. Relatives share a family name, and stepchildren another; domestic
    partners, foster children, cousins, other relatives and friends have their own. Where somebody
    would be called like a famous person, the household's family names change places.

    Args:
        households: Whose members are named.
        rng: Where the names are drawn from.
    """
    female = households.member["sex"] == MEMBER_FEATURES["sex"].encode("female")
    age, relation = households.member["age"], households.member["relation"]
    first = np.empty(age.shape, object)
    for sex, is_sex in (("female", female), ("male", ~female)):
        for generation, youngest in _GENERATIONS.items():
            drawn = _draw(_NAMES[sex][generation], households, rng)
            first = np.where(is_sex & (age >= youngest), drawn, first)
    families = _draw(_NAMES["family"], households, rng)
    names = first + " " + _family_names(relation, families)
    while (famous := np.isin(names.astype(str), _NAMES["famous"]).any(axis=0)).any():
        families[:, famous] = np.roll(families[:, famous], 1, axis=0)
        names = first + " " + _family_names(relation, families)
    return np.where(households.present, names, "").astype(object)


def _family_names(relation: NDArray[np.int8], families: NDArray[np.object_]) -> NDArray[np.object_]:
    family = np.where(np.isin(relation, _OTHERS), families, families[:1])
    return np.where(relation == _STEPCHILD, families[1:2], family)


def _draw(
    names: list[str], households: Households, rng: np.random.Generator
) -> NDArray[np.object_]:
    """Return a name for each place of each household, distinct within a household."""
    n, places = len(households), households.places
    start = rng.integers(0, len(names), n)
    step = 1 + rng.integers(0, len(names) // places - 1, n)
    drawn: NDArray[np.object_] = np.asarray(names, object)[
        (start + step * np.arange(places)[:, None]) % len(names)
    ]
    return drawn
