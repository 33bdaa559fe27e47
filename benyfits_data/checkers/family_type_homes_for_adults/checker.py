"""Family Type Homes for Adults: care in a private home."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an adult needs light care and is no danger and no nursing case."""
    if thresholds.asks_for_state:
        if household.place_of_residence == "New Jersey":  # clause 11
            return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 1
            continue
        if not member.needs_semi_protective_care:  # clause 2
            continue
        if member.wheelchair:  # clause 5
            continue
        if member.bedridden:  # clause 6
            continue
        if member.medication_treatment_non_compliance:  # clause 7
            continue
        if member.arson:  # clause 8
            continue
        if member.verbal_abuse:  # clause 9
            continue
        if member.imprisonment:  # clause 10
            continue
        if member.years_sober is not None:  # clause 4
            if member.years_sober < thresholds.min_years_sober:  # clause 4
                continue
        if not member.developmental_mental_day_treatment:  # clause 3
            if member.developmental_condition:  # clause 3
                continue
            if member.mental_health_condition:  # clause 3
                continue
        if thresholds.listed_reason_is_needed:
            if member.developmental_condition:  # clause 12a
                return True
            if member.mental_health_condition:  # clause 12b
                return True
            if member.disabled:  # clause 12c
                return True
            if member.mental_impairment:  # clause 12d
                return True
        else:
            return True
    return False
