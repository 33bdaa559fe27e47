"""Benefits, insurance and veterans."""

from benyfits_data.household.constants import CHILD_HEALTH_PLUS_AGE, PREGNANCY_COVERAGE_INCOME
from benyfits_data.household.constraints.derived import add_guards
from benyfits_data.household.measures import household_income
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by

add_guards("benefits")


@repaired_by("receives_temporary_assistance")
def cash_assistance_is_temporary_assistance(household: Household, member: Member) -> bool:
    """Cash Assistance and Temporary Assistance are one benefit."""
    return member.receives_temporary_assistance == member.receives_cash_assistance


@repaired_by("receives_hra")
def hra_gives_its_benefits(household: Household, member: Member) -> bool:
    """HRA rental assistance is help from HRA, and so are Cash Assistance and SNAP in the city."""
    if household.receives_housing_assistance:
        return member.receives_hra
    if household.place_of_residence != "New York City":
        return True
    if member.receives_cash_assistance:
        return member.receives_hra
    if household.receives_snap:
        return member.receives_hra
    return True


@repaired_by("has_received_ssi_or_ssdi")
def present_ssi_or_ssdi_has_been_received(household: Household, member: Member) -> bool:
    """Who receives SSI or SSDI now has received it."""
    if member.receives_ssi:
        return member.has_received_ssi_or_ssdi
    if member.receives_ssdi:
        return member.has_received_ssi_or_ssdi
    return True


@repaired_by("qualify_for_health_insurance")
def insured_people_qualify_for_insurance(household: Household, member: Member) -> bool:
    """Who has insurance, or is eligible for Medicaid, qualifies for a health insurance plan."""
    if member.health_insurance:
        return member.qualify_for_health_insurance
    if member.eligible_for_medicaid:
        return member.qualify_for_health_insurance
    return True


@repaired_by("qualify_for_health_insurance")
def children_of_the_state_qualify_for_insurance(household: Household, member: Member) -> bool:
    """Every child under 19 in New York State qualifies for a plan: Child Health Plus takes all."""
    if household.place_of_residence == "New Jersey":
        return True
    if member.age < CHILD_HEALTH_PLUS_AGE:
        return member.qualify_for_health_insurance
    return True


@repaired_by("qualify_for_health_insurance")
def pregnant_people_of_the_state_qualify_for_insurance(
    household: Household, member: Member
) -> bool:
    """Who is pregnant in New York State on up to $45,581 a year qualifies for Medicaid at least."""
    if household.place_of_residence == "New Jersey":
        return True
    if member.weeks_pregnant is None:
        return True
    if household_income(household) <= PREGNANCY_COVERAGE_INCOME:
        return member.qualify_for_health_insurance
    return True
