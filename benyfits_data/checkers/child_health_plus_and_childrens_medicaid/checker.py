"""Child Health Plus and Children's Medicaid: health insurance for the young."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young member in the state has no other insurance."""
    if household.place_of_residence == "New Jersey":  # clause 2
        return False
    for member in household.members:
        if member.age >= thresholds.age_limit:  # clause 1
            continue
        if member.health_insurance:  # clause 3
            continue
        if thresholds.medicaid_is_cover:
            if member.receives_medicaid:  # reading other-insurance
                continue
        return True
    return False
