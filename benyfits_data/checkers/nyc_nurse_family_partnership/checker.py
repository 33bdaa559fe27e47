"""NYC Nurse-Family Partnership: nurse visits for first-time mothers."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member early in a first pregnancy is eligible for Medicaid."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if member.weeks_pregnant is None:  # clause 2
            continue
        if thresholds.any_pregnancy_qualifies:
            if member.eligible_for_medicaid:  # clause 3
                return True
        else:
            if member.weeks_pregnant > thresholds.max_weeks:  # clause 2
                continue
            if not member.expecting_first_baby:  # clause 3
                continue
            if member.eligible_for_medicaid:  # clause 4
                return True
    return False
