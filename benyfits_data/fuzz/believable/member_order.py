"""The order in which a household lists its members: that of the city's households."""

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.features import MEMBER_FEATURES

_COUPLE = [MEMBER_FEATURES["relation"].encode(one) for one in ("spouse", "domestic partner")]
_BEYOND_AGES = 1_000


def sort_members(homes: Households, among: NDArray[np.bool_] | None = None) -> None:
    """Reorder members in place: the applicant, spouse or partner, then others from the oldest.

    Args:
        homes: The households.
        among: Which of them to reorder; all unless given.
    """
    rank = _rank(homes)
    is_wrong = (np.diff(rank, axis=0) < 0).any(axis=0)
    columns = np.flatnonzero(is_wrong if among is None else is_wrong & among)
    order = np.argsort(rank[:, columns], axis=0, kind="stable")
    for values in homes.member.values():
        values[:, columns] = np.take_along_axis(values[:, columns], order, axis=0)


def _rank(homes: Households) -> NDArray[np.int64]:
    """Return a sort key of the members of each household, shape `(places, n)`."""
    is_partner = np.isin(homes.member["relation"], _COUPLE)
    rank = np.where(is_partner, 1, 2) * _BEYOND_AGES - homes.member["age"].astype(np.int64)
    rank[0] = 0
    return np.asarray(np.where(homes.present, rank, 3 * _BEYOND_AGES))
