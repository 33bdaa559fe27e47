"""Which facts a profile leaves unsaid: those that other facts rule out.

Nobody says of a baby that she is no therapist. A fact is left out only where the constraints on
possible households leave it no other value than false, none or nothing; the way back from prose to
household (`parse.py`) proves that nothing is lost.
"""

from collections.abc import Callable

from benyfits_data.household.constants import (
    ADULT_AGE,
    CRIMINAL_AGE,
    FOSTER_CARE_AGE,
    OLDEST_PREGNANCY_AGE,
    PARENT_AGE,
    PREGNANCY_AGE,
    READING_AGE,
    RUNAWAY_AGE,
    SCHOOL_LEAVING_AGE,
    SELF_CARE_AGE,
    SELF_MANAGEMENT_AGE,
    SENIOR_AGE,
    SSDI_AGE,
    SUBSTANCE_AGE,
    THERAPIST_AGE,
    VOLUNTEERING_AGE,
    WORKING_AGE,
    YOUTH_AGE,
)
from benyfits_data.household.measures import has_spouse, is_spouse_or_partner
from benyfits_data.household.model import Household, Member

_Applies = Callable[[Household, Member], bool]


def _from_age(age: int) -> _Applies:
    return lambda household, member: member.age >= age


def _works(household: Household, member: Member) -> bool:
    return member.work_hours_per_week > 0


def _may_be_pregnant(household: Household, member: Member) -> bool:
    return member.sex == "female" and PREGNANCY_AGE <= member.age <= OLDEST_PREGNANCY_AGE


def _is_pregnant(household: Household, member: Member) -> bool:
    return member.weeks_pregnant is not None


def _may_be_veteran(household: Household, member: Member) -> bool:
    return member.age >= ADULT_AGE and member.citizenship != "unlawful_resident"


MEMBER_FACTS: dict[str, _Applies] = {
    "has_itin": lambda household, member: not member.has_ssn,
    "has_atin": lambda household, member: member.relation == "adopted child" and not member.has_ssn,
    "is_parent": _from_age(PARENT_AGE),
    "responsible_for_day_to_day": _from_age(SCHOOL_LEAVING_AGE),
    "legal_guardian": _from_age(ADULT_AGE),
    "dependent": lambda household, member: (
        member.relation != "self" and not is_spouse_or_partner(member)
    ),
    "provides_over_half_of_own_financial_support": _from_age(WORKING_AGE),
    "legally_separated": _from_age(ADULT_AGE),
    "lived_apart_from_spouse_6_months": _from_age(ADULT_AGE),
    "in_foster_care": lambda household, member: member.age < FOSTER_CARE_AGE,
    "foster_age_out": _from_age(ADULT_AGE),
    "emancipated_minor": lambda household, member: SCHOOL_LEAVING_AGE <= member.age < ADULT_AGE,
    "is_runaway": lambda household, member: RUNAWAY_AGE <= member.age < YOUTH_AGE,
    "repeating_grade": lambda household, member: member.current_school_level == "school",
    "high_school_equivalent": _from_age(SCHOOL_LEAVING_AGE),
    "enrolled_in_hse_program": _from_age(SCHOOL_LEAVING_AGE),
    "enrolled_in_educational_training": _from_age(WORKING_AGE),
    "enrolled_in_vocational_training": _from_age(SCHOOL_LEAVING_AGE),
    "accepted_to_cuny": _from_age(SCHOOL_LEAVING_AGE),
    "accepted_cuny_offer": lambda household, member: member.accepted_to_cuny,
    "eligible_for_instate_tuition": _from_age(SCHOOL_LEAVING_AGE),
    "college_credits": _from_age(SCHOOL_LEAVING_AGE),
    "gpa": _from_age(WORKING_AGE),
    "proficient_in_math": _from_age(READING_AGE),
    "proficient_in_english_reading_and_writing": _from_age(READING_AGE),
    "annual_work_income": _from_age(WORKING_AGE),
    "work_hours_per_week": _from_age(WORKING_AGE),
    "works_outside_home": _works,
    "works_in_nyc": _works,
    "private_employer_in_nys": _works,
    "government_job": _works,
    "employer_opt_in": lambda household, member: member.government_job,
    "contractor": _works,
    "transitional_job": _works,
    "wep": _works,
    "collective_bargaining": _works,
    "is_therapist": _from_age(THERAPIST_AGE),
    "therapist_meets_pay_threshold": lambda household, member: (
        member.is_therapist and _works(household, member)
    ),
    "federal_work_study": _works,
    "scholarship": _works,
    "consecutive_work_weeks": _works,
    "nonconsecutive_work_days": _works,
    "work_experience": _from_age(WORKING_AGE),
    "work_or_volunteer_experience": _from_age(VOLUNTEERING_AGE),
    "authorized_to_work_in_us": _from_age(WORKING_AGE),
    "was_authorized_to_work_when_job_lost": lambda household, member: member.lost_job,
    "lost_job": lambda household, member: member.months_since_worked is not None,
    "months_since_worked": lambda household, member: (
        member.age >= WORKING_AGE and not _works(household, member)
    ),
    "days_looking_for_work": _from_age(WORKING_AGE),
    "can_work_immediately": _from_age(WORKING_AGE),
    "is_eligible_for_selective_service": lambda household, member: (
        member.sex == "male" and ADULT_AGE <= member.age <= YOUTH_AGE
    ),
    "selective_service": lambda household, member: member.sex == "male" and member.age >= ADULT_AGE,
    "receives_ssdi": _from_age(SSDI_AGE),
    "receives_va_disability": lambda household, member: member.va_healthcare,
    "receives_disability_medicaid": lambda household, member: member.receives_medicaid,
    "va_healthcare": _may_be_veteran,
    "conflict_veteran": _may_be_veteran,
    "honorable_service": _may_be_veteran,
    "wheelchair": lambda household, member: member.disabled,
    "bedridden": lambda household, member: member.disabled,
    "disability_prevents_some_transit_trips": lambda household, member: member.disabled,
    "can_care_for_self": _from_age(SELF_CARE_AGE),
    "can_manage_self": _from_age(SELF_MANAGEMENT_AGE),
    "needs_semi_protective_care": _from_age(ADULT_AGE),
    "serious_classroom_difficulty": lambda household, member: (
        member.current_school_level in ("school", "pre-kindergarten")
    ),
    "visitor_needing_paratransit": lambda household, member: (
        household.place_of_residence != "New York City"
    ),
    "receiving_treatment_for_substance_abuse": lambda household, member: (
        member.years_sober is not None
    ),
    "years_sober": _from_age(SUBSTANCE_AGE),
    "weeks_pregnant": _may_be_pregnant,
    "months_pregnant": _is_pregnant,
    "expecting_first_baby": _is_pregnant,
    "breastfeeding": lambda household, member: member.sex == "female" and member.is_parent,
    "involved_in_justice_system": _from_age(CRIMINAL_AGE),
    "imprisonment": _from_age(CRIMINAL_AGE),
    "arson": _from_age(CRIMINAL_AGE),
    "verbal_abuse": _from_age(CRIMINAL_AGE),
    "covid_funeral_expenses": _from_age(SCHOOL_LEAVING_AGE),
    "covid_funeral_expense_date": lambda household, member: member.covid_funeral_expenses,
    "covid_death_on_certificate": lambda household, member: member.covid_funeral_expenses,
    "covid_quarantine_order_child": lambda household, member: member.is_parent,
    "is_property_owner": lambda household, member: (
        household.tenure == "owner" and member.age >= ADULT_AGE
    ),
    "months_owned_property": lambda household, member: member.is_property_owner,
    "primary_residence": lambda household, member: household.tenure != "no home",
    "had_previous_sche": _from_age(SENIOR_AGE),
    "property_owner_widow": lambda household, member: (
        member.age >= ADULT_AGE and not is_spouse_or_partner(member)
    ),
    "late_spouse_conflict_veteran": lambda household, member: member.property_owner_widow,
    "name_is_on_lease": lambda household, member: (
        household.tenure == "renter" and (member.age >= ADULT_AGE or member.emancipated_minor)
    ),
    "first_time_home_buyer": lambda household, member: (
        member.age >= ADULT_AGE and not member.is_property_owner
    ),
}
"""Member facts that are told only where this holds; all others are always told."""


def _has_home(household: Household) -> bool:
    return household.tenure != "no home"


def _rents(household: Household) -> bool:
    return household.tenure == "renter"


HOUSEHOLD_FACTS: dict[str, Callable[[Household], bool]] = {
    "monthly_rent_spending": _rents,
    "heat_included_in_rent": _rents,
    "heating_electrical_bill_in_name": _has_home,
    "electricity_shut_off": _has_home,
    "heat_shut_off": _has_home,
    "out_of_fuel": lambda household: (
        _has_home(household) and household.primary_heating_source in ("fuel oil", "other")
    ),
    "ac": _has_home,
    "ac_age_years": lambda household: household.ac,
    "at_risk_of_homelessness": lambda household: (
        household.housing_type not in ("DHS shelter", "HRA shelter")
    ),
    "currently_being_evicted": _rents,
    "evicted_in_year_before_shelter": lambda household: (
        household.housing_type in ("DHS shelter", "HRA shelter")
    ),
    "lives_in_jobs_plus_neighborhood": lambda household: (
        household.place_of_residence == "New York City"
    ),
    "in_excluded_housing_development": lambda household: (
        household.housing_type
        in (
            "Mitchell-Lama development",
            "limited dividend development",
            "redevelopment company development",
            "condo",
            "cooperative apartment",
        )
    ),
    "had_star_exemption_2015_16": lambda household: household.tenure == "owner",
    "receives_fpha": _rents,
    "receives_housing_assistance": _rents,
    "filing_jointly": has_spouse,
    "struggles_to_relate": lambda household: len(household.members) > 1,
    "acs": lambda household: any(
        member.age < FOSTER_CARE_AGE or member.weeks_pregnant is not None
        for member in household.members
    ),
}
"""Household facts that are told only where this holds; all others are always told."""


def applies_to_member(name: str, household: Household, member: Member) -> bool:
    """Return whether a profile tells this fact of a member."""
    return name not in MEMBER_FACTS or MEMBER_FACTS[name](household, member)


def applies_to_household(name: str, household: Household) -> bool:
    """Return whether a profile tells this fact of the household."""
    return name not in HOUSEHOLD_FACTS or HOUSEHOLD_FACTS[name](household)
