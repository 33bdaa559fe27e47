"""Members of made households stand in the city's order."""

import numpy as np
import pytest

from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.member_order import sort_members
from benyfits_data.household.columns import Households


def _reversed(homes: Households) -> Households:
    """Return copies in which all but the applicant stand the other way round."""
    copies = homes.take(np.arange(len(homes)))
    for home, size in enumerate(homes.size.tolist()):
        for values in copies.member.values():
            values[1:size, home] = values[1:size, home][::-1]
    return copies


@pytest.mark.slow
def test_homes_of_the_city_stand_in_order(city: DonorCity) -> None:
    homes = city.households.take(np.arange(len(city.households)))
    sort_members(homes)
    for name, values in homes.member.items():
        assert (values == city.households.member[name]).all()


def test_members_who_were_moved_stand_in_order_again_with_all_that_is_theirs(
    city: DonorCity,
) -> None:
    ages = np.where(city.households.present, city.households.member["age"], -1)
    ages[0] = np.where(np.isin(city.households.member["relation"][1], [1, 2]), 200, ages[0])
    apart = (np.diff(np.sort(ages, axis=0), axis=0) != 0) | (np.sort(ages, axis=0)[1:] < 0)
    some = city.households.take(np.flatnonzero(apart.all(axis=0))[:200])
    moved = _reversed(some)
    assert any((moved.member["age"] != some.member["age"]).any(axis=0))
    sort_members(moved)
    for name, values in moved.member.items():
        assert (values == some.member[name]).all(), name
