"""Children and Youth with Special Health Care Needs: a guide for families."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young member in the city has a condition and needs extra health care."""
    if household.place_of_residence != "New York City":  # clause 2
        return False
    for member in household.members:
        if member.age > thresholds.max_age:  # clause 1
            continue
        if not member.needs_extra_health_care:  # clause 4
            continue
        if member.chronic_health_condition:  # clause 3a
            return True
        if member.disabled:  # clause 3b
            return True
        if member.developmental_condition:  # clause 3c
            return True
        if member.emotional_behavioral_condition:  # clause 3d
            return True
        if thresholds.mental_condition_counts:
            if member.mental_health_condition:  # clause 3e
                return True
    return False
