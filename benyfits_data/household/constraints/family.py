"""Parenthood, care, support, marriage and taxes."""

from benyfits_data.household.constants import (
    ADULT_AGE,
    APPLICANT_AGE,
    FOSTER_CARE_AGE,
    PAID_CARE_AGE,
    PARENT_AGE,
    RUNAWAY_AGE,
    SCHOOL_LEAVING_AGE,
    WORKING_AGE,
    YOUTH_AGE,
)
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.measures import (
    has_spouse,
    is_child_in_care,
    is_own_child,
    is_spouse_or_partner,
)
from benyfits_data.household.model import Household, Member


def is_possible_ward(member: Member) -> bool:
    """Whether the member may have a guardian: under 21 and no own, adopted or step child."""
    if member.age >= FOSTER_CARE_AGE:
        return False
    if member.relation == "self":
        return False
    if member.relation == "child":
        return False
    if member.relation == "adopted child":
        return False
    if member.relation == "stepchild":
        return False
    return not is_spouse_or_partner(member)


@settles("in_foster_care")
def foster_child_is_in_foster_care(household: Household, member: Member) -> bool:
    """A foster child is in foster care."""
    if member.relation == "foster child":
        return member.in_foster_care
    return True


@settles("in_foster_care")
def foster_care_is_for_the_young_away_from_parents(household: Household, member: Member) -> bool:
    """People in foster care are under 21 and away from their parents.

    They are not the applicant's child, adopted child, stepchild, spouse, partner, parent or
    grandparent.
    """
    if member.in_foster_care:
        if member.age >= FOSTER_CARE_AGE:
            return False
        if member.relation == "child":
            return False
        if member.relation == "adopted child":
            return False
        if member.relation == "stepchild":
            return False
        if is_spouse_or_partner(member):
            return False
        if member.relation == "parent":
            return False
        if member.relation == "grandparent":
            return False
    return True


@settles("foster_age_out")
def aging_out_of_foster_care_comes_at_18(household: Household, member: Member) -> bool:
    """Who has aged out of foster care is 18 or older and no longer in it."""
    if member.foster_age_out:
        if member.age < ADULT_AGE:
            return False
        if member.in_foster_care:
            return False
    return True


@settles("emancipated_minor")
def emancipated_minor_is_16_or_17(household: Household, member: Member) -> bool:
    """An emancipated minor is 16 or 17 years old."""
    if member.emancipated_minor:
        if member.age < SCHOOL_LEAVING_AGE:
            return False
        return member.age < ADULT_AGE
    return True


@settles("is_runaway")
def runaway_is_a_youth_away_from_home(household: Household, member: Member) -> bool:
    """A runaway is from 10 to 24 years old and does not live with a parent who is the applicant."""
    if member.is_runaway:
        if member.age < RUNAWAY_AGE:
            return False
        if member.age >= YOUTH_AGE:
            return False
        if is_own_child(member):
            return False
        if is_spouse_or_partner(member):
            return False
    return True


@settles("emancipated_minor")
def minor_applicant_lives_apart_from_parents(household: Household) -> bool:
    """An applicant under 18 is emancipated or a runaway."""
    if household.applicant.age < ADULT_AGE:
        if household.applicant.emancipated_minor:
            return True
        if household.applicant.is_runaway:
            return True
        return False
    return True


@settles("is_parent")
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


@settles("is_parent")
def parent_is_old_enough(household: Household, member: Member) -> bool:
    """A parent is at least 14 years old."""
    if member.is_parent:
        if member.age < PARENT_AGE:
            return False
    return True


@settles("responsible_for_day_to_day")
def caretaker_has_a_child_to_care_for(household: Household, member: Member) -> bool:
    """Who is responsible for children lives with a child in care under 21.

    The responsible member is 16 or older and not a child in care.
    """
    if not member.responsible_for_day_to_day:
        return True
    if member.age < APPLICANT_AGE:
        return False
    if is_child_in_care(member):
        return False
    for other in household.members:
        if is_child_in_care(other):
            if other.age < FOSTER_CARE_AGE:
                return True
    return False


@settles("legal_guardian")
def guardian_has_a_ward(household: Household, member: Member) -> bool:
    """A legal guardian is an adult who lives with a ward.

    A ward is under 21 and not the applicant's own, adopted or step child.
    """
    if not member.legal_guardian:
        return True
    if member.age < ADULT_AGE:
        return False
    for other in household.members:
        if is_possible_ward(other):
            return other.relation != member.relation
    return False


@settles("dependent")
def taxpayers_are_no_dependents(household: Household, member: Member) -> bool:
    """The applicant, the spouse and the domestic partner are nobody's dependents."""
    if member.dependent:
        if member.relation == "self":
            return False
        if is_spouse_or_partner(member):
            return False
    return True


@settles("lived_together_last_6_months")
def applicant_lived_in_own_household(household: Household) -> bool:
    """The applicant has lived in the household."""
    return household.applicant.lived_together_last_6_months


@settles("provides_over_half_of_own_financial_support")
def children_do_not_support_themselves(household: Household, member: Member) -> bool:
    """Nobody under 14 provides over half of their own support."""
    if member.provides_over_half_of_own_financial_support:
        if member.age < WORKING_AGE:
            return False
    return True


@settles("has_paid_caregiver")
def paid_caregiver_is_for_those_in_need_of_care(household: Household, member: Member) -> bool:
    """A paid caregiver is for children under 16 and for the disabled or ill."""
    if member.has_paid_caregiver:
        if member.age < PAID_CARE_AGE:
            return True
        if member.disabled:
            return True
        if member.chronic_health_condition:
            return True
        if not member.can_care_for_self:
            return True
        return False
    return True


@settles("filing_jointly")
def joint_return_needs_spouse(household: Household) -> bool:
    """A joint return is filed with a spouse in the household."""
    if household.filing_jointly:
        return has_spouse(household)
    return True


@settles("legally_separated")
def separation_is_for_adults(household: Household, member: Member) -> bool:
    """Only adults are legally separated."""
    if member.legally_separated:
        if member.age < ADULT_AGE:
            return False
    return True


@settles("lived_apart_from_spouse_6_months")
def living_apart_is_for_adults(household: Household, member: Member) -> bool:
    """Only adults have lived apart from a spouse."""
    if member.lived_apart_from_spouse_6_months:
        if member.age < ADULT_AGE:
            return False
    return True


@settles("legally_separated")
def separated_spouses_agree(household: Household, member: Member) -> bool:
    """The spouses of a couple are both legally separated or neither is."""
    if member.relation == "spouse":
        return member.legally_separated == household.applicant.legally_separated
    if member.relation == "domestic partner":
        return not member.legally_separated
    return True


@settles("lived_apart_from_spouse_6_months")
def spouses_agree_on_living_apart(household: Household, member: Member) -> bool:
    """The spouses of a couple have both lived apart or neither has; a domestic partner has not."""
    if member.relation == "spouse":
        return (
            member.lived_apart_from_spouse_6_months
            == household.applicant.lived_apart_from_spouse_6_months
        )
    if member.relation == "domestic partner":
        return not member.lived_apart_from_spouse_6_months
    return True


@settles("filing_jointly")
def separated_couple_files_separately(household: Household) -> bool:
    """A couple separated by court decree or by six months apart does not file jointly."""
    if household.filing_jointly:
        if household.applicant.legally_separated:
            return False
        return not household.applicant.lived_apart_from_spouse_6_months
    return True


@settles("lived_together_last_6_months")
def spouse_who_lived_apart_lived_elsewhere(household: Household, member: Member) -> bool:
    """A spouse who lived apart for six months did not live here for more than half of the year."""
    if member.relation == "spouse":
        if member.lived_apart_from_spouse_6_months:
            return not member.lived_together_last_6_months
    return True
