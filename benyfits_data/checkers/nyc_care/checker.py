"""NYC Care: care for people who cannot get insurance."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city resident qualifies for no health insurance plan."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if not member.qualify_for_health_insurance:  # clause 2
            return True
    return False
