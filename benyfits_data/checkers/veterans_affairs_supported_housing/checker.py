"""Veterans Affairs Supported Housing: rent vouchers for homeless veterans."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import lives_in_temporary_housing


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a homeless household has a member eligible for VA health care."""
    if not lives_in_temporary_housing(household):  # clause 1
        return False
    for member in household.members:
        if member.va_healthcare:  # clause 2
            return True
    return False
