"""Who lives together, and how old they are to one another."""

from benyfits_data.household.constants import (
    ADOPTIVE_PARENT_AGE,
    APPLICANT_AGE,
    FOSTER_PARENT_AGE,
    GRANDPARENT_AGE,
    LARGEST_GAP_OF_SIBLINGS,
    MARRIAGE_AGE,
    MONTHS_PER_YEAR,
    PARENT_AGE,
    PARTNERSHIP_AGE,
)
from benyfits_data.household.measures import is_spouse_or_partner
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


@repaired_by("relation")
def applicant_comes_first(household: Household) -> bool:
    """The first member, and nobody else, is the applicant (self)."""
    if household.applicant.relation != "self":
        return False
    applicants = 0
    for member in household.members:
        if member.relation == "self":
            applicants += 1
    return applicants == 1


@repaired_by("relation")
def at_most_one_spouse_or_partner(household: Household) -> bool:
    """An applicant has at most one spouse or domestic partner in the household."""
    partners = 0
    for member in household.members:
        if is_spouse_or_partner(member):
            partners += 1
    return partners <= 1


@repaired_by("age")
def applicant_is_old_enough(household: Household) -> bool:
    """An applicant is at least 16 years old."""
    return household.applicant.age >= APPLICANT_AGE


@repaired_by("age")
def partner_is_old_enough(household: Household, member: Member) -> bool:
    """A domestic partner is at least 16 years old."""
    return member.age >= PARTNERSHIP_AGE or not is_spouse_or_partner(member)


@repaired_by("age")
def spouses_are_adults(household: Household, member: Member) -> bool:
    """Both of a married couple are at least 18 years old."""
    if member.relation != "spouse":
        return True
    return member.age >= MARRIAGE_AGE and household.applicant.age >= MARRIAGE_AGE


@repaired_by("age")
def child_is_younger_than_applicant(household: Household, member: Member) -> bool:
    """A child or adopted child is at least 14 years younger than the applicant."""
    if member.relation in ("child", "adopted child"):
        return household.applicant.age >= member.age + PARENT_AGE
    return True


@repaired_by("age")
def foster_child_is_younger_than_applicant(household: Household, member: Member) -> bool:
    """A foster child is younger than the applicant."""
    return member.relation != "foster child" or member.age < household.applicant.age


@repaired_by("age")
def grandchild_is_much_younger_than_applicant(household: Household, member: Member) -> bool:
    """A grandchild is at least 28 years younger than the applicant."""
    return (
        member.relation != "grandchild" or household.applicant.age >= member.age + GRANDPARENT_AGE
    )


@repaired_by("age")
def parent_is_older_than_applicant(household: Household, member: Member) -> bool:
    """A parent is at least 14 years older than the applicant."""
    return member.relation != "parent" or member.age >= household.applicant.age + PARENT_AGE


@repaired_by("age")
def grandparent_is_much_older_than_applicant(household: Household, member: Member) -> bool:
    """A grandparent is at least 28 years older than the applicant."""
    return (
        member.relation != "grandparent" or member.age >= household.applicant.age + GRANDPARENT_AGE
    )


@repaired_by("age")
def niece_or_nephew_is_not_much_older_than_applicant(household: Household, member: Member) -> bool:
    """A niece or nephew, the child of a sibling, is at most 42 years older than the applicant."""
    if member.relation == "niece or nephew":
        return member.age <= household.applicant.age + (LARGEST_GAP_OF_SIBLINGS - PARENT_AGE)
    return True


@repaired_by("age_months")
def months_of_age_fit_the_age(household: Household, member: Member) -> bool:
    """Age in months agrees with age in years."""
    if member.age_months is None:
        return True
    first = member.age * MONTHS_PER_YEAR
    return member.age_months >= first and member.age_months < first + MONTHS_PER_YEAR


@repaired_by("age")
def adoptive_parent_is_an_adult(household: Household, member: Member) -> bool:
    """An applicant with an adopted child is at least 18 years old."""
    return member.relation != "adopted child" or household.applicant.age >= ADOPTIVE_PARENT_AGE


@repaired_by("age")
def foster_parent_is_21(household: Household, member: Member) -> bool:
    """An applicant with a foster child is at least 21 years old."""
    return member.relation != "foster child" or household.applicant.age >= FOSTER_PARENT_AGE


@repaired_by("has_ssn", "has_atin")
def citizen_has_number_unless_newborn_or_adopted(household: Household, member: Member) -> bool:
    """A citizen has a Social Security number, except a baby or an adopted child.

    The adopted child has an ATIN while the adoption is pending.
    """
    if member.citizenship != "citizen_or_national" or member.age < 1:
        return True
    return member.has_ssn or member.has_atin
