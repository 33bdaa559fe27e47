"""What tests of chosen households share."""

import pytest

from benyfits_data.fuzz.search.donors import DonorCity
from benyfits_data.population.synthesis import HotDeck
from tests.shared import LearnedCity


@pytest.fixture(scope="session")
def donors(learned_city: LearnedCity) -> DonorCity:
    """A city that lends facts and measures plausibility."""
    households = learned_city.households
    return DonorCity(households, learned_city.plausibility, HotDeck(households))
