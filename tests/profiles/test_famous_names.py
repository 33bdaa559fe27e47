"""Nobody is called like a famous person."""

import numpy as np

from benyfits_data.household.columns import Households
from benyfits_data.profiles import names


def test_no_member_has_a_famous_name() -> None:
    households = Households.of_defaults(4_000)
    households.size[:] = 6
    drawn = names.draw_names(households, np.random.default_rng(3))
    famous = set(names._NAMES["famous"])
    assert not famous & set(drawn.ravel())
    possible = {f"{first} {last}" for kind in ("female", "male") for first in names._NAMES[kind]
                for last in names._NAMES["family"]}  # fmt: skip
    assert famous <= possible
