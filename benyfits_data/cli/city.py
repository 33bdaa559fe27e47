"""The synthetic city as commands need it, to make households believable."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benyfits_data.diverse.donor_city import DonorCity


@cache
def believable_city() -> "DonorCity":
    """Return the default city with its measure of belief."""
    from benyfits_data.diverse.donor_city import DonorCity
    from benyfits_data.population.city_plausibility import city_plausibility, reference_city
    from benyfits_data.population.synthesis import HotDeck

    city = reference_city()
    return DonorCity(city, city_plausibility(), HotDeck(city))
