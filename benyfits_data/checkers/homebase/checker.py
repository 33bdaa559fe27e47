"""Homebase: help to stay out of shelter."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import lives_in_temporary_housing


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city household may soon need shelter."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    if household.at_risk_of_homelessness:  # clause 2
        return True
    if thresholds.the_homeless_are_at_risk:
        if lives_in_temporary_housing(household):  # reading risk
            return True
    return False
