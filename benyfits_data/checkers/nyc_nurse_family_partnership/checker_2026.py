"""NYC Nurse-Family Partnership as of 2026: nurse visits in any pregnancy."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a pregnant member is eligible for Medicaid."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.weeks_pregnant is None:  # clause 2
            continue
        if member.eligible_for_medicaid:  # clause 3
            return True
    return False
