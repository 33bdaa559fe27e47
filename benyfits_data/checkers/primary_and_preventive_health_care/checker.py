"""Primary and preventive health care: check-ups and vaccinations for young people."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young person lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if thresholds.small_children_are_left_out:
            if member.age < thresholds.youth_min_age:  # reading lowest-age
                continue
        if member.age <= thresholds.youth_max_age:  # clause 2
            return True
    return False
