"""TXT-2-WORK: job openings on the phone."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household lives in the city or is a client of HRA."""
    if thresholds.residents_must_be_clients:
        if household.place_of_residence != "New York City":  # reading bullets
            return False
    else:
        if household.place_of_residence == "New York City":  # clause 1
            return True
    if thresholds.clients_qualify:
        for member in household.members:
            if member.receives_hra:  # clause 2
                return True
    return False
