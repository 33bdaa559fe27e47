"""FHEPS: rent for families evicted or in shelter."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_child_in_care, is_own_child


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a family with Cash Assistance was evicted or lives in shelter."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 4
            return False
    is_family = False
    has_cash_assistance = False
    for member in household.members:
        if member.receives_cash_assistance:  # clause 2
            has_cash_assistance = True
        if member.months_pregnant is not None:  # clause 1d
            is_family = True
        if not is_child_in_care(member):  # clauses 1a, 1b, 1c
            continue
        if thresholds.own_children_only:
            if not is_own_child(member):  # reading child
                continue
        if member.age < thresholds.child_age:  # clause 1a
            is_family = True
            continue
        if member.age >= thresholds.student_age:  # clauses 1b, 1c
            continue
        if member.current_school_level == "school":  # clause 1b
            is_family = True
        elif member.enrolled_in_vocational_training:  # clause 1c
            is_family = True
    if not is_family:  # clauses 1a, 1b, 1c, 1d
        return False
    if thresholds.future_cash_assistance_counts:
        if not has_cash_assistance:  # clause 2a
            if not household.cash_assistance_on_leaving_shelter:  # clause 2b
                return False
    else:
        if not has_cash_assistance:  # clause 2
            return False
    if household.housing_type == "HRA shelter":  # clause 3a
        return True
    if household.currently_being_evicted:  # clause 3d
        return True
    if household.evicted_months_ago is not None:  # clause 3e
        if thresholds.last_month_of_the_window_counts:
            if household.evicted_months_ago <= thresholds.eviction_window:  # clause 3e
                return True
        else:
            if household.evicted_months_ago < thresholds.eviction_window:  # reading months
                return True
    if household.housing_type != "DHS shelter":  # clauses 3b, 3c
        return False
    if household.eligible_for_hra_shelter:  # clause 3b
        return True
    if household.evicted_in_year_before_shelter:  # clause 3c
        return True
    return False
