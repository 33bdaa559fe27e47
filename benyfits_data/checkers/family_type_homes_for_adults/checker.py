"""Family Type Homes for Adults: care in a private home."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an adult needs light care and is no danger and no nursing case."""
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 1
            continue
        if not member.needs_semi_protective_care:  # clause 2
            continue
        if member.wheelchair:  # clause 6
            continue
        if member.bedridden:  # clause 7
            continue
        if member.medication_treatment_non_compliance:  # clause 8
            continue
        if member.arson:  # clause 9
            continue
        if member.verbal_abuse:  # clause 10
            continue
        if member.imprisonment:  # clause 11
            continue
        if member.years_sober is not None:  # clause 5
            if member.years_sober < thresholds.min_years_sober:  # clause 5
                continue
        if member.developmental_condition:  # clauses 3a, 4
            if member.developmental_mental_day_treatment:  # clause 4
                return True
            continue
        if member.mental_health_condition:  # clauses 3b, 4
            if member.developmental_mental_day_treatment:  # clause 4
                return True
            continue
        if member.disabled:  # clause 3c
            return True
        if member.mental_impairment:  # clause 3d
            return True
    return False
