"""Conditions, what they prevent, pregnancy."""

from benyfits_data.household.constants import (
    DAYS_PER_WEEK,
    LONG_MONTH,
    SELF_CARE_AGE,
    SHORT_MONTH,
    SUBSTANCE_AGE,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


@repaired_by("can_care_for_self")
def cannot_care_for_self_has_a_reason(household: Household, member: Member) -> bool:
    """Who cannot care for themselves from the age of 6 on has a condition.

    The condition is a disability or a mental, developmental or other serious one.
    """
    if member.can_care_for_self or member.age < SELF_CARE_AGE or member.disabled:
        return True
    if member.mental_health_condition or member.mental_impairment:
        return True
    return member.developmental_condition or member.chronic_health_condition


@repaired_by("can_access_subway_or_bus")
def no_transit_at_all_has_a_reason(household: Household, member: Member) -> bool:
    """Who can use no subway or bus has a disability, an illness or surgery."""
    if member.can_access_subway_or_bus or member.bedridden:
        return True
    if member.disability_prevents_some_transit_trips or member.recovering_from_surgery:
        return True
    return member.chronic_health_condition


@repaired_by("visitor_needing_paratransit")
def visitor_needing_paratransit_is_kept_from_transit(household: Household, member: Member) -> bool:
    """A visitor who needs paratransit cannot use transit for some trips at least, or for a time."""
    if not member.visitor_needing_paratransit or not member.can_access_subway_or_bus:
        return True
    return member.disability_prevents_some_transit_trips or member.temporarily_unable_to_use_transit


@repaired_by("years_sober")
def sober_years_fit_the_age(household: Household, member: Member) -> bool:
    """A history of substance abuse does not begin before the age of 12."""
    if member.years_sober is None:
        return True
    return member.years_sober <= member.age - SUBSTANCE_AGE


@repaired_by("months_pregnant")
def months_and_weeks_of_pregnancy_agree(household: Household, member: Member) -> bool:
    """Months and weeks tell the same length of pregnancy."""
    if member.weeks_pregnant is None or member.months_pregnant is None:
        return True
    if member.weeks_pregnant * DAYS_PER_WEEK < member.months_pregnant * SHORT_MONTH:
        return False
    return member.weeks_pregnant * DAYS_PER_WEEK < (member.months_pregnant + 1) * LONG_MONTH
