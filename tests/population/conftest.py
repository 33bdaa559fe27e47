"""One small synthetic city for all tests of the population."""

import pytest

from benyfits_data.population.check import CityCheck, evaluate_tally
from benyfits_data.population.synthesis import build_city
from benyfits_data.population.synthetic_city import City
from benyfits_data.population.tallies import tally


@pytest.fixture(scope="session")
def city() -> City:
    return build_city(20_000, seed=5)


@pytest.fixture(scope="session")
def checked(city: City) -> CityCheck:
    return evaluate_tally(tally(city))
