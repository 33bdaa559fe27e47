"""Names of members."""

import numpy as np

from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.profiles import names


def test_no_member_has_a_famous_name() -> None:
    households = Households.of_defaults(4_000)
    households.size[:] = 6
    drawn = names.draw_names(households, np.random.default_rng(3))
    famous = set(names._NAMES["famous"])
    assert not famous & set(drawn.ravel())
    firsts = [first for sex in ("female", "male") for kind in names._NAMES[sex].values()
              for first in kind]  # fmt: skip
    assert len(set(firsts)) == len(firsts)
    assert famous <= {f"{first} {last}" for first in firsts for last in names._NAMES["family"]}


def test_names_suit_ages_and_families() -> None:
    home = Household.complete(
        members=[
            {"name": "A B", "age": 40},
            {"name": "C D", "age": 41, "relation": "domestic partner", "sex": "male"},
            {"name": "E F", "age": 75, "relation": "parent"},
            {"name": "G H", "age": 8, "relation": "child", "sex": "male"},
        ]
    )
    households = Households.from_households([home] * 200)
    drawn = names.draw_names(households, np.random.default_rng(5))
    first = np.array([[name.split()[0] for name in row] for row in drawn[:4]])
    last = np.array([[name.split()[1] for name in row] for row in drawn[:4]])
    kinds = [("female", "middle"), ("male", "middle"), ("female", "older"), ("male", "younger")]
    for given, (sex, generation) in zip(first, kinds, strict=True):
        assert set(given) <= set(names._NAMES[sex][generation])
    assert (last[0] == last[2]).all()
    assert (last[0] == last[3]).all()
    assert (last[0] != last[1]).all()
