"""Parenthood, care, support, marriage and taxes."""

from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.household.constraints.derived import add_guards
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by

add_guards("family")


@repaired_by("in_foster_care")
def foster_child_is_in_foster_care(household: Household, member: Member) -> bool:
    """A foster child is in foster care."""
    if member.relation == "foster child":
        return member.in_foster_care
    return True


@repaired_by("emancipated_minor")
def minor_applicant_lives_apart_from_parents(household: Household) -> bool:
    """An applicant under 18 is emancipated or a runaway."""
    if household.applicant.age < ADULT_AGE:
        if household.applicant.emancipated_minor:
            return True
        if household.applicant.is_runaway:
            return True
        return False
    return True


@repaired_by("is_parent")
def parent_of_a_member_is_a_parent(household: Household, member: Member) -> bool:
    """An applicant with a child in the household is a parent; so are the applicant's parents.

    Children are own, adopted and step children; grandparents are parents too.
    """
    if member.relation == "self":
        for other in household.members:
            if other.relation == "child":
                return member.is_parent
            if other.relation == "adopted child":
                return member.is_parent
            if other.relation == "stepchild":
                return member.is_parent
    if member.relation == "parent":
        return member.is_parent
    if member.relation == "grandparent":
        return member.is_parent
    return True


@repaired_by("lived_together_last_6_months")
def applicant_lived_in_own_household(household: Household) -> bool:
    """The applicant has lived in the household."""
    return household.applicant.lived_together_last_6_months


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


@repaired_by("lived_together_last_6_months")
def spouse_who_lived_apart_lived_elsewhere(household: Household, member: Member) -> bool:
    """A spouse who lived apart for six months did not live here for more than half of the year."""
    if member.relation == "spouse":
        if member.lived_apart_from_spouse_6_months:
            return not member.lived_together_last_6_months
    return True
