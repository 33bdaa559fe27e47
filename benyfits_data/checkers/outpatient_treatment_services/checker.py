"""Outpatient treatment services: clinics and day treatment for children."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a child may have day treatment or go to a clinic."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # reading place
            return False
    for member in household.members:
        if thresholds.one_bullet_is_enough:
            if member.age <= thresholds.max_age:  # reading connective
                return True
            if member.emotional_behavioral_condition:  # reading connective
                return True
            if member.mental_health_condition:  # reading connective
                return True
        if member.age > thresholds.max_age:  # clause 1
            continue
        if member.age >= thresholds.day_min_age:  # clause 3a
            if member.mental_health_condition:  # clause 3b
                if member.serious_classroom_difficulty:  # clause 3c
                    return True
        if member.emotional_behavioral_condition:  # clause 2a
            return True
        if member.mental_health_condition:  # clause 2b
            return True
    return False
