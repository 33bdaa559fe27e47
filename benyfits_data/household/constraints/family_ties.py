"""Parenthood, care, support, marriage and taxes."""

from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


@repaired_by("emancipated_minor")
def minor_applicant_lives_apart_from_parents(household: Household) -> bool:
    """An applicant under 18 is emancipated or a runaway."""
    if household.applicant.age < ADULT_AGE:
        return household.applicant.emancipated_minor or household.applicant.is_runaway
    return True


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
