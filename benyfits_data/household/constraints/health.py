"""Conditions, what they prevent, pregnancy."""

from benyfits_data.household.constants import (
    ADULT_AGE,
    DAYS_PER_WEEK,
    LONG_MONTH,
    OLDEST_PREGNANCY_AGE,
    PREGNANCY_AGE,
    SELF_CARE_AGE,
    SELF_MANAGEMENT_AGE,
    SHORT_MONTH,
    SUBSTANCE_AGE,
)
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.model import Household, Member


@settles("can_care_for_self")
def cannot_care_for_self_has_a_reason(household: Household, member: Member) -> bool:
    """Who cannot care for themselves from the age of 6 on has a condition.

    The condition is a disability or a mental, developmental or other serious one.
    """
    if not member.can_care_for_self:
        if member.age < SELF_CARE_AGE:
            return True
        if member.disabled:
            return True
        if member.mental_health_condition:
            return True
        if member.mental_impairment:
            return True
        if member.developmental_condition:
            return True
        if member.chronic_health_condition:
            return True
        return False
    return True


@settles("can_care_for_self")
def small_children_need_care(household: Household, member: Member) -> bool:
    """Nobody under 6 can care for themselves."""
    if member.age < SELF_CARE_AGE:
        return not member.can_care_for_self
    return True


@settles("can_care_for_self")
def bedridden_people_need_care(household: Household, member: Member) -> bool:
    """Nobody confined to bed can care for themselves."""
    if member.can_care_for_self:
        if member.bedridden:
            return False
    return True


@settles("can_manage_self")
def minors_under_16_do_not_manage_alone(household: Household, member: Member) -> bool:
    """Nobody under 16 manages their own affairs."""
    if member.age < SELF_MANAGEMENT_AGE:
        return not member.can_manage_self
    return True


@settles("can_manage_self")
def managing_needs_self_care(household: Household, member: Member) -> bool:
    """Who cannot care for themselves does not manage alone."""
    if member.can_manage_self:
        if not member.can_care_for_self:
            return False
    return True


@settles("wheelchair")
def wheelchair_means_disability(household: Household, member: Member) -> bool:
    """Somebody who always uses a wheelchair has a disability."""
    if member.wheelchair:
        if not member.disabled:
            return False
    return True


@settles("bedridden")
def bedridden_means_disability(household: Household, member: Member) -> bool:
    """Somebody confined to bed has a disability and does not use a wheelchair at all times."""
    if member.bedridden:
        if not member.disabled:
            return False
        if member.wheelchair:
            return False
    return True


@settles("needs_semi_protective_care")
def semi_protective_care_is_for_adults(household: Household, member: Member) -> bool:
    """Semi-protective care is for adults who do not manage alone."""
    if member.needs_semi_protective_care:
        if member.age < ADULT_AGE:
            return False
        if member.can_manage_self:
            return False
    return True


@settles("developmental_mental_day_treatment")
def day_treatment_has_a_reason(household: Household, member: Member) -> bool:
    """Day treatment is for people with a developmental or mental health condition."""
    if member.developmental_mental_day_treatment:
        if member.developmental_condition:
            return True
        if member.mental_health_condition:
            return True
        return False
    return True


@settles("serious_classroom_difficulty")
def classroom_difficulty_needs_a_classroom(household: Household, member: Member) -> bool:
    """Difficulties in a classroom are those of people in pre-kindergarten or school."""
    if member.serious_classroom_difficulty:
        if member.current_school_level == "none":
            return False
        if member.current_school_level == "college":
            return False
    return True


@settles("disability_prevents_some_transit_trips")
def transit_disability_is_a_disability(household: Household, member: Member) -> bool:
    """A disability that rules out transit is a disability."""
    if member.disability_prevents_some_transit_trips:
        if not member.disabled:
            return False
    return True


@settles("can_access_subway_or_bus")
def no_transit_at_all_has_a_reason(household: Household, member: Member) -> bool:
    """Who can use no subway or bus has a disability, an illness or surgery."""
    if not member.can_access_subway_or_bus:
        if member.bedridden:
            return True
        if member.disability_prevents_some_transit_trips:
            return True
        if member.recovering_from_surgery:
            return True
        if member.chronic_health_condition:
            return True
        return False
    return True


@settles("can_access_subway_or_bus")
def bedridden_people_use_no_transit(household: Household, member: Member) -> bool:
    """Nobody confined to bed uses subway or bus."""
    if member.can_access_subway_or_bus:
        if member.bedridden:
            return False
    return True


@settles("visitor_needing_paratransit")
def visitor_lives_elsewhere(household: Household, member: Member) -> bool:
    """A visitor to the city lives outside it."""
    if member.visitor_needing_paratransit:
        if household.place_of_residence == "New York City":
            return False
    return True


@settles("years_sober")
def sober_years_fit_the_age(household: Household, member: Member) -> bool:
    """A history of substance abuse does not begin before the age of 12."""
    if member.years_sober is None:
        return True
    return member.years_sober <= member.age - SUBSTANCE_AGE


@settles("receiving_treatment_for_substance_abuse")
def substance_treatment_means_history(household: Household, member: Member) -> bool:
    """Who is treated for substance abuse has a history of it."""
    if member.receiving_treatment_for_substance_abuse:
        if member.years_sober is None:
            return False
    return True


@settles("weeks_pregnant")
def pregnancy_needs_sex_and_age(household: Household, member: Member) -> bool:
    """Pregnant members are female and 12 to 55 years old."""
    if member.weeks_pregnant is None:
        return True
    if member.sex == "male":
        return False
    if member.age < PREGNANCY_AGE:
        return False
    return member.age <= OLDEST_PREGNANCY_AGE


@settles("months_pregnant")
def months_and_weeks_of_pregnancy_agree(household: Household, member: Member) -> bool:
    """Months and weeks tell the same length of pregnancy."""
    if member.weeks_pregnant is None:
        return member.months_pregnant is None
    if member.months_pregnant is None:
        return False
    if member.weeks_pregnant * DAYS_PER_WEEK < member.months_pregnant * SHORT_MONTH:
        return False
    return member.weeks_pregnant * DAYS_PER_WEEK < (member.months_pregnant + 1) * LONG_MONTH


@settles("expecting_first_baby")
def first_baby_is_expected_by_the_pregnant(household: Household, member: Member) -> bool:
    """A first baby is expected by a pregnant member without a child of her own.

    For the applicant, a child or adopted child in the household rules it out.
    """
    if not member.expecting_first_baby:
        return True
    if member.weeks_pregnant is None:
        return False
    if member.relation == "self":
        for other in household.members:
            if other.relation == "child":
                return False
            if other.relation == "adopted child":
                return False
    return True


@settles("breastfeeding")
def breastfeeding_needs_motherhood(household: Household, member: Member) -> bool:
    """Who breastfeeds is a mother from 14 to 55 years old."""
    if not member.breastfeeding:
        return True
    if member.sex == "male":
        return False
    if not member.is_parent:
        return False
    return member.age <= OLDEST_PREGNANCY_AGE
