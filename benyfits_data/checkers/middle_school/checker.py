"""Public middle schools of New York City: admission."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_child_in_care


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city pupil is about to begin middle school."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    for member in household.members:
        if thresholds.pupil_is_in_care:
            if not is_child_in_care(member):  # reading whose-child
                continue
        if member.current_grade is None:  # clause 2
            continue
        if member.current_grade == thresholds.current_grade:  # clause 2
            return True
    return False
