"""Child Health Plus, from 2026: for those whom Medicaid does not take."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young member in the state has neither other insurance nor Medicaid."""
    if household.place_of_residence == "New Jersey":  # clause 2
        return False
    for member in household.members:
        if member.age >= thresholds.age_limit:  # clause 1
            continue
        if member.health_insurance:  # clause 3
            continue
        if thresholds.asks_who_may_have_medicaid:
            if member.eligible_for_medicaid:  # clause 4
                continue
        else:
            if member.receives_medicaid:  # reading medicaid
                continue
        return True
    return False
