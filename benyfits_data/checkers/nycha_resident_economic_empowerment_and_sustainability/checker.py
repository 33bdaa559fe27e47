"""Resident Economic Empowerment & Sustainability: work and money advice in public housing."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household lives in public housing."""
    if household.housing_type != "NYCHA development":  # clause 1
        if thresholds.vouchers_count:
            if household.housing_type != "Section 8":  # reading voucher-homes
                return False
        else:
            return False
    return True
