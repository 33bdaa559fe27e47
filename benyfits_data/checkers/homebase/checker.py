"""Homebase: help to stay out of shelter."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city household may soon need shelter."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    if household.at_risk_of_homelessness:  # clause 2
        return True
    return False
