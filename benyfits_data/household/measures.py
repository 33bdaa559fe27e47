"""Sums, sizes and relations that checkers and constraints share, in the checker language.

Each is a term of the requirement texts: a text that says "a child in your care" means the measure
of that name. All return numbers or truth values, so that every reader understands them.
"""

from benyfits_data.household.constants import (
    ADULT_AGE,
    CHILD_HEALTH_PLUS_AGE,
    COUPLE,
    DEPENDENT_CHILD_AGE,
    FORMER_FOSTER_YOUTH_AGE,
    MONTHS_PER_YEAR,
    STUDENT_PAY_COUNTED,
)
from benyfits_data.household.model import Household, Member


def household_size(household: Household) -> int:
    """Number of members, the applicant included."""
    size = 0
    for _ in household.members:
        size += 1
    return size


def family_size_with_unborn(household: Household) -> int:
    """Number of members and one unborn child for every pregnant member."""
    size = 0
    for member in household.members:
        size += 1 + n_unborn(member)
    return size


def n_unborn(member: Member) -> int:
    """Number of unborn children who count: one for a pregnant member."""
    if member.weeks_pregnant is None:
        return 0
    return 1


def income(member: Member) -> int:
    """A member's whole yearly income before taxes, in dollars."""
    return member.annual_work_income + member.annual_investment_income


def household_income(household: Household) -> int:
    """Yearly income before taxes of all members, in dollars."""
    total = 0
    for member in household.members:
        total += income(member)
    return total


def yearly(monthly_amount: int) -> int:
    """Twelve times a monthly amount: limits per month are compared without rounding."""
    return monthly_amount * MONTHS_PER_YEAR


def has_spouse(household: Household) -> bool:
    """Whether the applicant is married to a member."""
    for member in household.members:
        if member.relation == "spouse":
            return True
    return False


def has_spouse_or_partner(household: Household) -> bool:
    """Whether the applicant's spouse or domestic partner is a member."""
    for member in household.members:
        if is_spouse_or_partner(member):
            return True
    return False


def is_spouse_or_partner(member: Member) -> bool:
    """Whether the member is the applicant's spouse or domestic partner."""
    return member.relation in ("spouse", "domestic partner")


def expects_a_child_with_partner(household: Household, member: Member) -> bool:
    """Whether the member's spouse or domestic partner is pregnant.

    Couples are known between the applicant and the spouse or domestic partner only.
    """
    if is_spouse_or_partner(member):
        return household.applicant.weeks_pregnant is not None
    if member.relation == "self":
        return spouse_or_partner_is_pregnant(household)
    return False


def spouse_or_partner_is_pregnant(household: Household) -> bool:
    """Whether the applicant's spouse or domestic partner is pregnant."""
    for member in household.members:
        if is_spouse_or_partner(member):
            if member.weeks_pregnant is not None:
                return True
    return False


def tax_unit_income(household: Household) -> int:
    """Yearly income of the applicant, and of the spouse on a joint return, in dollars."""
    total = 0
    for member in household.members:
        if is_in_tax_unit(household, member):
            total += income(member)
    return total


def tax_unit_work_income(household: Household) -> int:
    """Yearly earnings of the applicant, and of the spouse on a joint return, in dollars."""
    total = 0
    for member in household.members:
        if is_in_tax_unit(household, member):
            total += member.annual_work_income
    return total


def tax_unit_investment_income(household: Household) -> int:
    """Yearly income besides earnings of the applicant, and of the spouse on a joint return."""
    total = 0
    for member in household.members:
        if is_in_tax_unit(household, member):
            total += member.annual_investment_income
    return total


def is_in_tax_unit(household: Household, member: Member) -> bool:
    """Whether the member is a filer of the tax return: the applicant, or a spouse who joins it."""
    return member.relation == "self" or (member.relation == "spouse" and household.filing_jointly)


def oldest_filer_age(household: Household) -> int:
    """Age of the applicant or, on a joint return, of the older spouse, in years."""
    oldest = 0
    for member in household.members:
        if is_in_tax_unit(household, member) and member.age > oldest:
            oldest = member.age
    return oldest


def is_own_child(member: Member) -> bool:
    """Whether the member is the applicant's child, adopted child, stepchild or foster child."""
    return member.relation in ("child", "adopted child", "stepchild", "foster child")


def is_child_of_applicant(member: Member) -> bool:
    """The member is the applicant's child, adopted child or stepchild."""
    return member.relation in ("child", "adopted child", "stepchild")


def is_child_in_care(member: Member) -> bool:
    """Whether the member is a child, grandchild, sibling, niece or nephew of the applicant."""
    return is_own_child(member) or member.relation in ("grandchild", "sibling", "niece or nephew")


def attends_school_or_college(member: Member) -> bool:
    """Whether the member is enrolled anywhere from pre-kindergarten to college."""
    return member.current_school_level != "none"


def lives_in_temporary_housing(household: Household) -> bool:
    """Whether the household is homeless: on the street, in a shelter or in temporary housing."""
    return household.housing_type in (
        "homeless",
        "DHS shelter",
        "HRA shelter",
        "temporary housing",
    )


def n_owners(household: Household) -> int:
    """Number of members who own the home."""
    owners = 0
    for member in household.members:
        if member.is_property_owner:
            owners += 1
    return owners


def owners_income(household: Household) -> int:
    """Yearly income of the members who own the home, and of nobody else, in dollars."""
    total = 0
    for member in household.members:
        if member.is_property_owner:
            total += income(member)
    return total


def spouse_owns_home(household: Household) -> bool:
    """Whether the applicant's spouse is an owner of the home."""
    for member in household.members:
        if member.relation == "spouse" and member.is_property_owner:
            return True
    return False


def is_resident_spouse_of_owner(household: Household, member: Member) -> bool:
    """Whether the member lives in the home and is married to an owner.

    Marriages are known between the applicant and the spouse only.
    """
    if member.relation == "spouse":
        return member.primary_residence and household.applicant.is_property_owner
    return member.relation == "self" and member.primary_residence and spouse_owns_home(household)


def is_resident_partner_of_owner(household: Household, member: Member) -> bool:
    """Whether the member lives in the home and is the spouse or domestic partner of an owner.

    Couples are known between the applicant and the spouse or domestic partner only.
    """
    if is_spouse_or_partner(member):
        return member.primary_residence and household.applicant.is_property_owner
    if member.relation == "self" and member.primary_residence:
        return spouse_or_partner_owns_home(household)
    return False


def spouse_or_partner_owns_home(household: Household) -> bool:
    """Whether the applicant's spouse or domestic partner is an owner of the home."""
    for member in household.members:
        if is_spouse_or_partner(member) and member.is_property_owner:
            return True
    return False


def resident_owners_and_spouses_income(household: Household) -> int:
    """Yearly income of owners who live in the home and of their spouses who do, each once."""
    total = 0
    for member in household.members:
        if counts_as_resident_owner_or_spouse(household, member):
            total += income(member)
    return total


def counts_as_resident_owner_or_spouse(household: Household, member: Member) -> bool:
    """Whether the member lives in the home and owns it or is married to a resident owner."""
    if not member.primary_residence or member.is_property_owner:
        return member.primary_residence
    if member.relation == "spouse":
        return household.applicant.is_property_owner and household.applicant.primary_residence
    return member.relation == "self" and spouse_is_resident_owner(household)


def spouse_is_resident_owner(household: Household) -> bool:
    """Whether the applicant's spouse owns the home and lives there."""
    for member in household.members:
        if member.relation == "spouse" and member.is_property_owner:
            return member.primary_residence
    return False


def owners_are_one_couple(household: Household) -> bool:
    """Whether the owners are exactly the applicant and the spouse."""
    if household.applicant.is_property_owner and spouse_owns_home(household):
        return n_owners(household) == COUPLE
    return False


def owners_are_siblings(household: Household) -> bool:
    """Whether there are two owners or more, all siblings of one another.

    Relations are known towards the applicant: the owners are the applicant and siblings of the
    applicant, or siblings of the applicant only.
    """
    for member in household.members:
        if member.is_property_owner and member.relation not in ("self", "sibling"):
            return False
    return n_owners(household) > 1


def has_lawful_member(household: Household) -> bool:
    """A member is a citizen or lives lawfully in the United States."""
    for member in household.members:
        if member.citizenship != "unlawful_resident":
            return True
    return False


def is_friend(member: Member) -> bool:
    """Whether the member is a friend of the applicant: no relative, and no part of the family."""
    return member.relation == "friend"


def family_size(household: Household) -> int:
    """Number of members of the family: the applicant, and who is related to the applicant."""
    size = 0
    for member in household.members:
        if not is_friend(member):
            size += 1
    return size


def family_income(household: Household) -> int:
    """Yearly income before taxes of the family: all members but friends; in dollars."""
    total = 0
    for member in household.members:
        if not is_friend(member):
            total += income(member)
    return total


def is_in_parents_family(member: Member) -> bool:
    """Whether the member is the applicant, the spouse or partner, or a child in care under 21."""
    if member.relation == "self" or is_spouse_or_partner(member):
        return True
    return is_child_in_care(member) and member.age < DEPENDENT_CHILD_AGE


def parents_family_size(household: Household) -> int:
    """Number of the applicant, the spouse or partner, and the children in care under 21."""
    size = 0
    for member in household.members:
        if is_in_parents_family(member):
            size += 1
    return size


def parents_family_income(household: Household) -> int:
    """Yearly income of the applicant, the spouse or partner, and the children in care under 21."""
    total = 0
    for member in household.members:
        if is_in_parents_family(member):
            total += income(member)
    return total


def minors_pay(household: Household) -> int:
    """Yearly earnings of relatives under 18, besides the applicant and the spouse or partner."""
    total = 0
    for member in household.members:
        if member.relation == "self" or is_spouse_or_partner(member) or is_friend(member):
            continue
        if member.age < ADULT_AGE:
            total += member.annual_work_income
    return total


def grown_students_pay(household: Household) -> int:
    """Yearly earnings over $480 of each grown relative who is a student, in dollars.

    Of the head of a household and the spouse or partner all pay counts (24 CFR 5.609(b)(14)).
    """
    total = 0
    for member in household.members:
        if member.relation == "self" or is_spouse_or_partner(member) or is_friend(member):
            continue
        if member.age >= ADULT_AGE and attends_school_or_college(member):
            if member.annual_work_income > STUDENT_PAY_COUNTED:
                total += member.annual_work_income - STUDENT_PAY_COUNTED
    return total


def minors_pay_in_parents_family(household: Household) -> int:
    """Yearly earnings of the children in care under 18."""
    total = 0
    for member in household.members:
        if is_child_in_care(member) and member.age < ADULT_AGE:
            total += member.annual_work_income
    return total


def income_of_children_with_ssi(household: Household) -> int:
    """Yearly income besides pay of the children in care under 21 who receive SSI."""
    total = 0
    for member in household.members:
        if is_child_in_care(member) and member.age < DEPENDENT_CHILD_AGE:
            if member.receives_ssi:
                total += member.annual_investment_income
    return total


def is_former_foster_youth(member: Member) -> bool:
    """Whether the member aged out of foster care, is under 26 and lives here lawfully."""
    if not member.foster_age_out or member.citizenship == "unlawful_resident":
        return False
    return member.age < FORMER_FOSTER_YOUTH_AGE


def is_in_medicaid_family(member: Member) -> bool:
    """Whether the member is the applicant, the spouse, or a child of theirs whom they support.

    The child is an own, adopted or step child, under 19 or claimed as a dependent. Medicaid counts
    the income of a tax filer, the spouse and their children together, and asks everybody else
    alone (42 CFR 435.603(f)).
    """
    if member.relation in ("self", "spouse"):
        return True
    if not is_child_of_applicant(member):
        return False
    return member.age < CHILD_HEALTH_PLUS_AGE or member.dependent


def medicaid_family_size(household: Household, member: Member) -> int:
    """Number of people in a member's family as Medicaid counts it, the unborn included.

    Whoever is claimed as a dependent counts in the family of the applicant.
    """
    if not is_in_medicaid_family(member):
        return 1 + n_unborn(member)
    size = 0
    for other in household.members:
        if is_in_medicaid_family(other) or other.dependent:
            size += 1 + n_unborn(other)
    return size


def medicaid_family_income(household: Household, member: Member) -> int:
    """Yearly income of a member's family as Medicaid counts it, in dollars.

    That of the applicant and the spouse, also for their children, whose own income does not count
    (42 CFR 435.603(d)(2)); that of the member alone for anybody else.
    """
    if not is_in_medicaid_family(member):
        return income(member)
    total = 0
    for other in household.members:
        if other.relation in ("self", "spouse"):
            total += income(other)
    return total
