"""Access-A-Ride: rides from door to door for people who cannot use transit."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member is kept from transit by disability, surgery or health, or visits."""
    for member in household.members:
        if member.disability_prevents_some_transit_trips:  # clause 1
            return True
        if thresholds.inability_is_asked:
            if member.temporarily_unable_to_use_transit:  # clause 2
                return True
        else:
            if member.recovering_from_surgery:  # clause 2a
                return True
            if member.chronic_health_condition:  # clause 2b
                if thresholds.condition_suffices_alone:
                    return True
                else:
                    if not member.can_access_subway_or_bus:  # reading long-term
                        return True
            if member.visitor_needing_paratransit:  # clause 2c
                return True
    return False
