"""Benefits, insurance and veterans."""

from benyfits_data.household.constants import (
    ADULT_AGE,
    LARGEST_INCOME_WITH_AID,
    LARGEST_INCOME_WITH_SSI,
    OLDEST_SSDI_AGE,
    SENIOR_AGE,
    SSDI_AGE,
)
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.measures import household_income, income
from benyfits_data.household.model import Household, Member


@settles("receives_temporary_assistance")
def cash_assistance_is_temporary_assistance(household: Household, member: Member) -> bool:
    """Cash Assistance and Temporary Assistance are one benefit."""
    return member.receives_temporary_assistance == member.receives_cash_assistance


@settles("wep")
def work_experience_program_comes_with_cash_assistance(
    household: Household, member: Member
) -> bool:
    """A Work Experience Program is for adults with Cash Assistance."""
    if member.wep:
        if member.age < ADULT_AGE:
            return False
        if not member.receives_cash_assistance:
            return False
    return True


@settles("receives_hra")
def hra_gives_its_benefits(household: Household, member: Member) -> bool:
    """Cash Assistance, SNAP and HRA rental assistance are help from HRA."""
    if member.receives_cash_assistance:
        return member.receives_hra
    if household.receives_snap:
        return member.receives_hra
    if household.receives_housing_assistance:
        return member.receives_hra
    return True


@settles("receives_ssi")
def ssi_is_for_the_disabled_or_aged(household: Household, member: Member) -> bool:
    """SSI is for people with a disability and people of 65 and older."""
    if member.receives_ssi:
        if member.disabled:
            return True
        if member.age >= SENIOR_AGE:
            return True
        return False
    return True


@settles("receives_ssdi")
def ssdi_is_for_disabled_workers(household: Household, member: Member) -> bool:
    """SSDI is for people with a disability from 18 to 66 years old."""
    if member.receives_ssdi:
        if not member.disabled:
            return False
        if member.age < SSDI_AGE:
            return False
        return member.age <= OLDEST_SSDI_AGE
    return True


@settles("has_received_ssi_or_ssdi")
def present_ssi_or_ssdi_has_been_received(household: Household, member: Member) -> bool:
    """Who receives SSI or SSDI now has received it."""
    if member.receives_ssi:
        return member.has_received_ssi_or_ssdi
    if member.receives_ssdi:
        return member.has_received_ssi_or_ssdi
    return True


@settles("conflict_veteran")
def veteran_of_a_conflict_is_an_adult(household: Household, member: Member) -> bool:
    """A veteran is an adult citizen or lawful resident who is not at school."""
    if member.conflict_veteran:
        if member.age < ADULT_AGE:
            return False
        if member.citizenship == "unlawful_resident":
            return False
        if member.current_school_level == "school":
            return False
    return True


@settles("honorable_service")
def honorable_service_is_an_adults(household: Household, member: Member) -> bool:
    """A veteran is an adult citizen or lawful resident who is not at school."""
    if member.honorable_service:
        if member.age < ADULT_AGE:
            return False
        if member.citizenship == "unlawful_resident":
            return False
        if member.current_school_level == "school":
            return False
    return True


@settles("va_healthcare")
def va_health_care_is_for_veterans(household: Household, member: Member) -> bool:
    """VA health care is for veterans."""
    if member.va_healthcare:
        if member.conflict_veteran:
            return True
        if member.honorable_service:
            return True
        return False
    return True


@settles("receives_va_disability")
def va_disability_is_for_veterans_in_va_care(household: Household, member: Member) -> bool:
    """A VA disability pension goes to disabled people eligible for VA health care."""
    if member.receives_va_disability:
        if not member.va_healthcare:
            return False
        if not member.disabled:
            return False
    return True


@settles("receives_vpsb")
def veterans_pension_is_for_veterans_and_survivors(household: Household, member: Member) -> bool:
    """The Veterans Pension and Survivors Benefit is for veterans and survivors.

    Survivors are widows and widowers of veterans, and minors.
    """
    if member.receives_vpsb:
        if member.conflict_veteran:
            return True
        if member.honorable_service:
            return True
        if member.late_spouse_conflict_veteran:
            return True
        if member.age < ADULT_AGE:
            return True
        return False
    return True


@settles("eligible_for_medicaid")
def medicaid_needs_eligibility(household: Household, member: Member) -> bool:
    """Who has Medicaid is eligible for it."""
    if member.receives_medicaid:
        return member.eligible_for_medicaid
    return True


@settles("receives_disability_medicaid")
def disability_medicaid_is_medicaid(household: Household, member: Member) -> bool:
    """Medicaid because of a disability is Medicaid for somebody with a disability."""
    if member.receives_disability_medicaid:
        if not member.receives_medicaid:
            return False
        if not member.disabled:
            return False
    return True


@settles("qualify_for_health_insurance")
def insured_people_qualify_for_insurance(household: Household, member: Member) -> bool:
    """Who has insurance, or is eligible for Medicaid, qualifies for a health insurance plan."""
    if member.health_insurance:
        return member.qualify_for_health_insurance
    if member.eligible_for_medicaid:
        return member.qualify_for_health_insurance
    return True


@settles("receives_ssi")
def ssi_is_for_small_incomes(household: Household, member: Member) -> bool:
    """Nobody with an income of over $100,000 a year receives SSI."""
    if member.receives_ssi:
        return income(member) <= LARGEST_INCOME_WITH_SSI
    return True


@settles("receives_cash_assistance")
def cash_assistance_is_for_small_incomes(household: Household, member: Member) -> bool:
    """No household with an income of over $200,000 a year has Cash Assistance."""
    if member.receives_cash_assistance:
        return household_income(household) <= LARGEST_INCOME_WITH_AID
    return True


@settles("receives_snap")
def snap_is_for_small_incomes(household: Household) -> bool:
    """No household with an income of over $200,000 a year has SNAP."""
    if household.receives_snap:
        return household_income(household) <= LARGEST_INCOME_WITH_AID
    return True
