"""Veterans Affairs Supported Housing: rent vouchers for homeless veterans."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import lives_in_temporary_housing


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a homeless household has a veteran whom the program serves."""
    if thresholds.only_the_street_counts:
        if household.housing_type != "homeless":  # reading homeless
            return False
    if thresholds.asks_for_homelessness:
        if not lives_in_temporary_housing(household):  # clause 1
            return False
    for member in household.members:
        if thresholds.any_service_counts:
            if not member.served_in_military:  # clause 2
                continue
            if not member.dishonorably_discharged:  # clause 2
                return True
        elif member.va_healthcare:  # clause 2
            return True
    return False
