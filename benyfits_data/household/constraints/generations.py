"""Ages of couples and across generations, as a careful reader would believe them.

What is only unusual stays possible: see `benyfits_data.plausibility`.
"""

from benyfits_data.household.constants import (
    ADULT_AGE,
    LARGEST_GAP_OF_A_COUPLE,
    LARGEST_GAP_OF_A_FATHER,
    LARGEST_GAP_OF_A_MOTHER,
    LARGEST_GAP_OF_SIBLINGS,
    LARGEST_GAP_WITH_A_MINOR,
    LEAST_MONTHS_BETWEEN_BIRTHS,
    MOST_GRANDPARENTS,
    MOST_PARENTS,
    OLDEST_AGE,
    PARENT_AGE,
)
from benyfits_data.household.measures import is_spouse_or_partner
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


def largest_gap_of_a_parent(member: Member) -> int:
    """How much younger the child of a mother, or of a father, can be."""
    if member.sex == "male":
        return LARGEST_GAP_OF_A_FATHER
    return LARGEST_GAP_OF_A_MOTHER


@repaired_by("age")
def nobody_is_older_than_105(household: Household, member: Member) -> bool:
    """Nobody is older than 105."""
    return member.age <= OLDEST_AGE


@repaired_by("age")
def couple_is_near_in_age(household: Household, member: Member) -> bool:
    """The ages of a couple differ by 50 years at most."""
    if not is_spouse_or_partner(member):
        return True
    if member.age > household.applicant.age + LARGEST_GAP_OF_A_COUPLE:
        return False
    return household.applicant.age <= member.age + LARGEST_GAP_OF_A_COUPLE


@repaired_by("age")
def minor_in_a_couple_is_very_near_in_age(household: Household, member: Member) -> bool:
    """Where one of a couple is under 18, their ages differ by 4 years at most."""
    if not is_spouse_or_partner(member):
        return True
    if member.age < ADULT_AGE:
        return household.applicant.age <= member.age + LARGEST_GAP_WITH_A_MINOR
    if household.applicant.age < ADULT_AGE:
        return member.age <= household.applicant.age + LARGEST_GAP_WITH_A_MINOR
    return True


@repaired_by("age")
def child_was_born_to_the_applicant(household: Household, member: Member) -> bool:
    """A child is at most 50 years younger than its mother, 70 than its father, the applicant."""
    if member.relation == "child":
        gap = largest_gap_of_a_parent(household.applicant)
        return household.applicant.age <= member.age + gap
    return True


@repaired_by("age_months", "age")
def children_are_twins_or_born_apart(household: Household, member: Member) -> bool:
    """The applicant's children under 5 are born in one month or at least 11 months apart."""
    if member.relation != "child" or member.age_months is None:
        return True
    for other in household.members:
        if other.relation == "child" and other.age_months is not None:
            if other.age_months > member.age_months:
                if other.age_months < member.age_months + LEAST_MONTHS_BETWEEN_BIRTHS:
                    return False
    return True


@repaired_by("age")
def stepchild_was_born_to_the_partner(household: Household, member: Member) -> bool:
    """A stepchild is at least 14 years younger than the applicant's spouse or partner.

    And at most 50 years younger than a mother, 70 than a father. Without a spouse or partner here,
    a stepchild is younger than the applicant.
    """
    if member.relation != "stepchild":
        return True
    lives_with_parent = False
    for other in household.members:
        if is_spouse_or_partner(other):
            lives_with_parent = True
            if other.age < member.age + PARENT_AGE:
                return False
            if other.age > member.age + largest_gap_of_a_parent(other):
                return False
    return lives_with_parent or member.age < household.applicant.age


@repaired_by("age")
def adopted_child_is_at_most_70_years_younger(household: Household, member: Member) -> bool:
    """An adopted child is at most 70 years younger than the applicant."""
    if member.relation == "adopted child":
        return household.applicant.age <= member.age + LARGEST_GAP_OF_A_FATHER
    return True


@repaired_by("age")
def applicant_was_born_to_the_parent(household: Household, member: Member) -> bool:
    """A mother is at most 50 years older than the applicant, a father 70."""
    if member.relation == "parent":
        return member.age <= household.applicant.age + largest_gap_of_a_parent(member)
    return True


@repaired_by("age")
def parents_are_near_in_age(household: Household, member: Member) -> bool:
    """The ages of the applicant's parents differ by 50 years at most."""
    if member.relation != "parent":
        return True
    for other in household.members:
        if other.relation == "parent" and other.age > member.age + LARGEST_GAP_OF_A_COUPLE:
            return False
    return True


@repaired_by("age")
def siblings_are_of_one_generation(household: Household, member: Member) -> bool:
    """The ages of siblings, the applicant among them, differ by 56 years at most."""
    if member.relation != "sibling":
        return True
    for other in household.members:
        if other.relation in ("self", "sibling"):
            if other.age > member.age + LARGEST_GAP_OF_SIBLINGS:
                return False
            if member.age > other.age + LARGEST_GAP_OF_SIBLINGS:
                return False
    return True


@repaired_by("age")
def sibling_is_a_child_of_one_of_two_parents(household: Household, member: Member) -> bool:
    """Where both parents are here, a sibling is at least 14 years younger than one of them.

    A half-sibling may be older than the one parent of the applicant who is here.
    """
    if member.relation != "sibling":
        return True
    parents = 0
    for other in household.members:
        if other.relation == "parent":
            parents += 1
            if other.age >= member.age + PARENT_AGE:
                return True
    return parents < MOST_PARENTS


@repaired_by("age")
def grandparent_is_a_parent_of_one_of_two_parents(household: Household, member: Member) -> bool:
    """Where both parents are here, a grandparent is at least 14 years older than one of them."""
    if member.relation != "grandparent":
        return True
    parents = 0
    for other in household.members:
        if other.relation == "parent":
            parents += 1
            if member.age >= other.age + PARENT_AGE:
                return True
    return parents < MOST_PARENTS


@repaired_by("relation")
def nobody_has_too_many_parents(household: Household) -> bool:
    """An applicant has two parents and four grandparents at most."""
    parents = 0
    grandparents = 0
    for member in household.members:
        if member.relation == "parent":
            parents += 1
        if member.relation == "grandparent":
            grandparents += 1
    return parents <= MOST_PARENTS and grandparents <= MOST_GRANDPARENTS
