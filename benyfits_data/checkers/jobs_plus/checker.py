"""Jobs Plus: work and earnings for public housing residents."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household lives in public housing in a Jobs Plus neighborhood."""
    if household.housing_type != "NYCHA development":  # clause 1
        return False
    if household.lives_in_jobs_plus_neighborhood:  # clause 2
        return True
    return False
