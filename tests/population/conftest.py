"""The city of all tests, held against what is published."""

import pytest

from benyfits_data.population.check import CityCheck, evaluate_tally, tally
from benyfits_data.population.synthetic_city import City


@pytest.fixture(scope="session")
def checked(city: City) -> CityCheck:
    return evaluate_tally(tally(city))
