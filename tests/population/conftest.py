"""The city of all tests, held against what is published."""

import pytest

from benyfits_data.population.check import CityCheck, evaluate_tally
from benyfits_data.population.synthetic_city import City
from benyfits_data.population.tallies import tally


@pytest.fixture(scope="session")
def checked(city: City) -> CityCheck:
    return evaluate_tally(tally(city))
