"""Adult Protective Services: assistance for adults who cannot look after themselves."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an adult with a disability cannot manage alone and has nobody to help."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 5
            return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 1
            continue
        if member.can_manage_self:  # clause 3
            continue
        if member.has_family_to_help:  # clause 4
            continue
        if member.disabled:  # clause 2a
            return True
        if thresholds.mental_conditions_count:
            if member.mental_health_condition:  # clause 2b
                return True
            if thresholds.developmental_conditions_count:
                if member.developmental_condition:  # clause 2c
                    return True
        if thresholds.mental_impairment_counts:
            if member.mental_impairment:  # clause 2d
                return True
    return False
