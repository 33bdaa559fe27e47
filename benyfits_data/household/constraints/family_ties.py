"""Parenthood, care, support, marriage and taxes."""

from benyfits_data.household.constants import (
    ADULT_AGE,
    CHILD_WITH_MINDER_AGE,
    FOSTER_PARENT_AGE,
    LARGEST_INCOME_OF_A_DEPENDENT,
    OLDEST_CLAIMED_STUDENT_AGE,
    SMALL_CHILD_AGE,
)
from benyfits_data.household.measures import (
    household_size,
    income,
    is_child_in_care,
    is_child_of_applicant,
    is_spouse_or_partner,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


@repaired_by("emancipated_minor")
def minor_applicant_lives_apart_from_parents(household: Household) -> bool:
    """An applicant under 18 is emancipated or a runaway."""
    if household.applicant.age < ADULT_AGE:
        return household.applicant.emancipated_minor or household.applicant.is_runaway
    return True


@repaired_by("age")
def minor_applicant_lives_with_no_parent(household: Household) -> bool:
    """An applicant under 18 is emancipated or has run away, and so lives with no parent."""
    if household.applicant.age < ADULT_AGE:
        for member in household.members:
            if member.relation == "parent":
                return False
    return True


@repaired_by("in_foster_care")
def foster_care_is_given_by_an_adult(household: Household, member: Member) -> bool:
    """Who is in foster care lives alone, as from 18 on some do, or with somebody of 21 or older."""
    if not member.in_foster_care or household_size(household) == 1:
        return True
    for other in household.members:
        if other.age >= FOSTER_PARENT_AGE:
            return True
    return False


@repaired_by("legally_separated")
def separated_spouses_agree(household: Household, member: Member) -> bool:
    """The spouses of a couple are both legally separated or neither is."""
    if member.relation == "spouse":
        return member.legally_separated == household.applicant.legally_separated
    return True


@repaired_by("lived_apart_from_spouse_6_months")
def spouses_agree_on_living_apart(household: Household, member: Member) -> bool:
    """The spouses of a couple have both lived apart or neither has."""
    if member.relation == "spouse":
        return (
            member.lived_apart_from_spouse_6_months
            == household.applicant.lived_apart_from_spouse_6_months
        )
    return True


@repaired_by("dependent")
def claimed_adults_have_a_small_income(household: Household, member: Member) -> bool:
    """Who is claimed at 24 or older has $5,300 of income at most, unless helpless or disabled."""
    if not member.dependent or member.age <= OLDEST_CLAIMED_STUDENT_AGE:
        return True
    if member.disabled or not member.can_care_for_self:
        return True
    return income(member) <= LARGEST_INCOME_OF_A_DEPENDENT


@repaired_by("responsible_for_day_to_day")
def somebody_minds_a_small_child(household: Household, member: Member) -> bool:
    """Where a child under 13 is in the applicant's care, somebody minds it day to day."""
    if member.relation != "self":
        return True
    has_small_child = False
    for other in household.members:
        if other.responsible_for_day_to_day:
            return True
        if is_child_in_care(other) and other.age < CHILD_WITH_MINDER_AGE:
            has_small_child = True
    return not has_small_child


@repaired_by("citizenship")
def small_child_of_a_citizen_has_a_status(household: Household, member: Member) -> bool:
    """A child under 5 of an applicant who is a citizen is a citizen or lawful resident.

    Adopted, foster and stepchildren may be neither.
    """
    if member.relation != "child" or member.age >= SMALL_CHILD_AGE:
        return True
    if household.applicant.citizenship == "citizen_or_national":
        return member.citizenship != "unlawful_resident"
    return True


@repaired_by("citizenship")
def younger_children_have_the_status_of_older_ones(household: Household, member: Member) -> bool:
    """A child of the applicant is not without status where an older minor one is a citizen."""
    if member.relation != "child" or member.citizenship != "unlawful_resident":
        return True
    for other in household.members:
        if other.relation == "child" and other.citizenship == "citizen_or_national":
            if other.age > member.age and other.age < ADULT_AGE:
                return False
    return True


@repaired_by("receives_cash_assistance")
def minor_on_cash_assistance_has_a_reason(household: Household, member: Member) -> bool:
    """Where a minor child of the applicant is on Cash Assistance, so is the applicant or partner.

    Alone may be on it children whose parent here has SSI or no lawful status and cannot be, as
    Social Services Law 131-c has it.
    """
    if not member.receives_cash_assistance or member.age >= ADULT_AGE:
        return True
    if not is_child_of_applicant(member):
        return True
    for other in household.members:
        if other.relation == "self" or is_spouse_or_partner(other):
            if other.receives_cash_assistance or other.receives_ssi:
                return True
            if other.citizenship == "unlawful_resident":
                return True
    return False
