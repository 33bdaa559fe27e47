"""CUNY Start: preparation for new CUNY students."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member with a diploma was admitted to CUNY and accepted the offer."""
    for member in household.members:
        if not member.accepted_to_cuny:  # clause 2
            continue
        if not member.accepted_cuny_offer:  # clause 3
            continue
        if member.high_school_equivalent == "no diploma":  # clause 1
            continue
        if thresholds.need_is_asked:
            if member.proficient_in_math:  # clause 4a
                if member.proficient_in_english_reading_and_writing:  # clause 4b
                    continue
        return True
    return False
