"""What tests of chosen households share: a small city, made once a process."""

import pytest

from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.population.city_plausibility import learn_city
from benyfits_data.population.synthesis import HotDeck

N_CITY = 8_000


@pytest.fixture(scope="session")
def city() -> DonorCity:
    """A city that lends facts and measures plausibility."""
    households, plausibility = learn_city(N_CITY)
    return DonorCity(households, plausibility, HotDeck(households))
