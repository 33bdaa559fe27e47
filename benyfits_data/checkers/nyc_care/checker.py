"""NYC Care: care for people who cannot get insurance."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    is_former_foster_youth,
    medicaid_family_income,
    medicaid_family_size,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city resident qualifies for no health insurance plan."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.qualify_for_health_insurance:  # clause 2
            continue
        if is_former_foster_youth(member):  # clause 4
            continue
        if member.weeks_pregnant is None:  # clause 3a
            return True
        limit = thresholds.medicaid_limit[medicaid_family_size(household, member)]
        if medicaid_family_income(household, member) > limit:  # clause 3b
            return True
    return False
