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
    for relation in ("foster child", "cousin", "other relative", "friend")
]


def draw_names(households: Households, rng: np.random.Generator) -> NDArray[np.object_]:
    """Return a name for every member: shape `(places, n)`, no first name twice in a household.

    Relatives share a family name, and stepchildren another; foster children, cousins, other
    relatives and friends have their own. Where somebody would be called like a famous person,
    the household's family names change places.

    Args:
        households: Whose members are named.
        rng: Where the names are drawn from.
    """
    n = len(households)
    female = households.member["sex"] == MEMBER_FEATURES["sex"].encode("female")
    girls, boys, families = (
        np.asarray(_NAMES[kind], object)[_distinct(rng, len(_NAMES[kind]), n, households.places)]
        for kind in ("female", "male", "family")
    )
    relation = households.member["relation"]
    names = np.where(female, girls, boys) + " " + _family_names(relation, families)
    while (famous := np.isin(names.astype(str), _NAMES["famous"]).any(axis=0)).any():
        families[:, famous] = np.roll(families[:, famous], 1, axis=0)
        names = np.where(female, girls, boys) + " " + _family_names(relation, families)
    return np.where(households.present, names, "").astype(object)


def _family_names(relation: NDArray[np.int8], families: NDArray[np.object_]) -> NDArray[np.object_]:
    family = np.where(np.isin(relation, _OTHERS), families, families[:1])
    return np.where(relation == _STEPCHILD, families[1:2], family)


def _distinct(rng: np.random.Generator, choices: int, n: int, places: int) -> NDArray[np.intp]:
    """Return `(places, n)` positions under `choices`, distinct within each column."""
    start = rng.integers(0, choices, n)
    step = 1 + rng.integers(0, choices // places - 1, n)
    return (start + step * np.arange(places)[:, None]) % choices
