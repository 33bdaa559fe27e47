"""Citizenship, numbers, work permission, registration."""

from benyfits_data.household.constants import ADULT_AGE, WORKING_AGE, YOUTH_AGE
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.measures import has_spouse_or_partner
from benyfits_data.household.model import Household, Member


@settles("relation")
def stepchild_needs_spouse_or_partner(household: Household, member: Member) -> bool:
    """A stepchild is the child of the applicant's spouse or partner, a member too."""
    if member.relation == "stepchild":
        return has_spouse_or_partner(household)
    return True


@settles("has_ssn", "has_atin")
def citizen_has_number_unless_newborn_or_adopted(household: Household, member: Member) -> bool:
    """A citizen has a Social Security number, except a baby or an adopted child.

    The adopted child has an ATIN while the adoption is pending.
    """
    if member.citizenship != "citizen_or_national":
        return True
    if member.has_ssn:
        return True
    if member.has_atin:
        return True
    return member.age < 1


@settles("has_ssn")
def unlawful_resident_has_no_ssn(household: Household, member: Member) -> bool:
    """A resident without lawful status has no Social Security number."""
    if member.citizenship == "unlawful_resident":
        return not member.has_ssn
    return True


@settles("has_itin")
def itin_is_for_people_without_ssn(household: Household, member: Member) -> bool:
    """An ITIN is for people without a Social Security number."""
    if member.has_itin:
        if member.has_ssn:
            return False
    return True


@settles("has_atin")
def atin_is_for_adopted_children(household: Household, member: Member) -> bool:
    """An ATIN is for adopted children under 18 without another number."""
    if member.has_atin:
        if member.relation != "adopted child":
            return False
        if member.age >= ADULT_AGE:
            return False
        if member.has_ssn:
            return False
        if member.has_itin:
            return False
    return True


@settles("authorized_to_work_in_us")
def work_authorization_follows_citizenship(household: Household, member: Member) -> bool:
    """From the age of 14, citizens may work, residents without status may not."""
    if member.age < WORKING_AGE:
        return not member.authorized_to_work_in_us
    if member.citizenship == "citizen_or_national":
        return member.authorized_to_work_in_us
    if member.citizenship == "unlawful_resident":
        return not member.authorized_to_work_in_us
    return True


@settles("is_eligible_for_selective_service")
def selective_service_age_and_sex(household: Household, member: Member) -> bool:
    """Exactly the men from 18 to 25 must register for Selective Service."""
    if member.sex == "female":
        return not member.is_eligible_for_selective_service
    if member.age < ADULT_AGE:
        return not member.is_eligible_for_selective_service
    if member.age > YOUTH_AGE:
        return not member.is_eligible_for_selective_service
    return member.is_eligible_for_selective_service


@settles("selective_service")
def selective_service_registers_men(household: Household, member: Member) -> bool:
    """Only men of 18 and older are registered for Selective Service."""
    if member.selective_service:
        if member.sex == "female":
            return False
        if member.age < ADULT_AGE:
            return False
    return True
