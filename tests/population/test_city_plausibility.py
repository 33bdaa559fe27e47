"""The reference city is drawn once, however it is asked for."""

import pytest

from benyfits_data.population import city_plausibility as module


@pytest.mark.slow
def test_city_and_measure_are_made_once_however_they_are_asked_for() -> None:
    assert module.reference_city(200) is module.reference_city(n=200)
    assert module.city_plausibility(200) is module.city_plausibility(n=200)
