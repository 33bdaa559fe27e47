"""Poverty by the Census definition: thresholds, who is counted with whom."""

import numpy as np

from benyfits_data.population.poverty import (
    poverty_units,
    put_poverty,
    thresholds,
)
from benyfits_data.population.synthesis import default_sources
from benyfits_data.population.synthetic_city import City


def test_thresholds_are_the_48_published_ones() -> None:
    table = thresholds(default_sources())
    assert table[0, 1, 0] == 16_320
    assert table[1, 1, 0] == 15_045
    assert table[0, 2, 1] == 21_621
    assert table[1, 2, 1] == 21_540
    assert table[0, 4, 2] == table[1, 4, 2] == 31_812
    assert table[0, 9, 8] == 60_645
    assert (table[0] > 0).sum() == 45
    assert len(np.unique(table[table > 0])) == 48


def test_a_housemate_is_poor_alone_and_a_family_together(city: City) -> None:
    units = poverty_units(city)
    people = city.people
    friends = people.mask("relation friend")
    assert (units.of_person[friends] >= city.households.size).all()
    children = people.mask("relation child|spouse|parent")
    assert (units.of_person[children] == city.household[children]).all()
    assert not units.counted[people.mask("relation foster child & age 0-14")].any()


def test_members_of_a_family_share_their_poverty(city: City) -> None:
    put_poverty(city)
    children = city.people.mask("relation child")
    family = city.households["family_poverty"][city.household[children]]
    assert (city.people["census_poverty"][children] == family).all()
