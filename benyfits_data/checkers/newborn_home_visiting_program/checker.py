"""Newborn Home Visiting Program."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_own_child


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a newborn's family lives in public housing or shelter, or has ACS help."""
    has_newborn = False
    for member in household.members:
        if not is_own_child(member):  # clause 1a
            continue
        if member.age_months is None:  # clause 1b
            continue
        if member.age_months < thresholds.baby_months:  # clause 1b
            has_newborn = True
    if not has_newborn:  # clauses 1a, 1b
        return False
    if household.housing_type == "NYCHA development":  # clause 2a
        return True
    if household.acs:  # clause 2b
        return True
    if household.housing_type == "DHS shelter":  # clause 2c
        return True
    return False
