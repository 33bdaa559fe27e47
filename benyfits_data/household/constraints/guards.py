"""Shared predicates for the guards of features, which declarations name in `when` and `needs`.

Each is written in the checker language and takes a household, a member, or both; its docstring
ends the sentence "FEATURE only if ...".
"""

from benyfits_data.household.constants import (
    ADULT_AGE,
    AID_BASE,
    AID_GUIDELINES,
    AID_OF_EACH,
    CASH_GUIDELINES,
    CHILD_HEALTH_PLUS_AGE,
    FIRST_GRADE_WITH_CREDITS,
    FOSTER_CARE_AGE,
    LAST_GRADE,
    LEAST_SAVINGS_OF_A_PAYER,
    MONTHS_PER_YEAR,
    MONTHS_SINCE_STAR_WAS_LOST,
    PAID_CARE_AGE,
    SENIOR_AGE,
    WEANING_AGE,
)
from benyfits_data.household.measures import (
    household_income,
    household_size,
    income,
    is_child_in_care,
    is_child_of_applicant,
    is_former_foster_youth,
    is_in_tax_unit,
    is_spouse_or_partner,
    n_unborn,
    tax_unit_income,
)
from benyfits_data.household.model import Household, Member


def lives_with_child_in_care(household: Household) -> bool:
    """A child in the applicant's care who is under 21 lives in the household."""
    for other in household.members:
        if is_child_in_care(other) and other.age < FOSTER_CARE_AGE:
            return True
    return False


def lives_with_nursling(household: Household) -> bool:
    """Somebody under 3 lives in the household."""
    for other in household.members:
        if other.age < WEANING_AGE:
            return True
    return False


def lives_with_ward(household: Household, member: Member) -> bool:
    """The member lives with a ward: somebody under 21, no own child of the applicant."""
    for other in household.members:
        if is_possible_ward(other):
            return other.relation != member.relation
    return False


def is_possible_ward(member: Member) -> bool:
    """The member may have a guardian: under 21 and no own, adopted or step child."""
    if member.relation == "self" or is_spouse_or_partner(member):
        return False
    return member.age < FOSTER_CARE_AGE and not is_child_of_applicant(member)


def is_in_need_of_care(member: Member) -> bool:
    """The member is under 16, disabled, chronically ill, or unable to care for themselves."""
    if member.age < PAID_CARE_AGE or not member.can_care_for_self:
        return True
    return member.disabled or member.chronic_health_condition


def may_pay_a_caregiver(household: Household) -> bool:
    """The household has an income, or savings of at least $5,000."""
    if household_income(household) > 0:
        return True
    return household.available_financial_resources >= LEAST_SAVINGS_OF_A_PAYER


def may_have_a_number(member: Member) -> bool:
    """The member has a taxpayer's number, or is here lawfully and may get one (26 USC 151(e))."""
    if member.has_ssn or member.has_itin or member.has_atin:
        return True
    return member.citizenship != "unlawful_resident"


def a_filer_may_have_a_number(household: Household) -> bool:
    """A filer has a Social Security number or an ITIN, or is here lawfully and may get one."""
    for member in household.members:
        if is_in_tax_unit(household, member) and may_have_a_number(member):
            return True
    return False


def filers_have_means(household: Household) -> bool:
    """The filers have an income, or the household savings of at least $5,000."""
    if tax_unit_income(household) > 0:
        return True
    return household.available_financial_resources >= LEAST_SAVINGS_OF_A_PAYER


def couple_has_numbers(household: Household) -> bool:
    """The applicant and the spouse have a Social Security number or an ITIN each."""
    for member in household.members:
        if member.relation in ("self", "spouse"):
            if not member.has_ssn and not member.has_itin:
                return False
    return True


def is_in_classroom(member: Member) -> bool:
    """The member is in pre-kindergarten or school."""
    return member.current_school_level in ("pre-kindergarten", "school")


def may_have_credits(member: Member) -> bool:
    """The member is in high school or has a diploma."""
    if member.current_grade is not None:
        return member.current_grade >= FIRST_GRADE_WITH_CREDITS
    return member.high_school_equivalent != "no diploma"


def may_enter_college(member: Member) -> bool:
    """The member is in grade 12 or has a diploma."""
    if member.current_grade is not None:
        return member.current_grade == LAST_GRADE
    return member.high_school_equivalent != "no diploma"


def works(member: Member) -> bool:
    """The member has hours of work."""
    return member.work_hours_per_week > 0


def has_worked(member: Member) -> bool:
    """The member works or has worked."""
    if works(member) or member.annual_work_income > 0:
        return True
    return member.months_since_worked is not None


def works_for_somebody(member: Member) -> bool:
    """The member works for a private employer, for the government, or as a contractor."""
    return member.private_employer_in_nys or member.government_job or member.contractor


def has_reason_for_day_treatment(member: Member) -> bool:
    """The member has a developmental or mental health condition."""
    return member.developmental_condition or member.mental_health_condition


def has_no_child_here(household: Household, member: Member) -> bool:
    """The member is not an applicant with a child or adopted child in the household."""
    if member.relation == "self":
        for other in household.members:
            if other.relation in ("child", "adopted child"):
                return False
    return True


def has_reason_to_be_off_transit(member: Member) -> bool:
    """The member recovers from surgery, is chronically ill, or is a visitor needing paratransit."""
    if member.recovering_from_surgery or member.chronic_health_condition:
        return True
    return member.visitor_needing_paratransit


def lives_with_own_parent(household: Household, member: Member) -> bool:
    """The member is the applicant or a sibling, and the applicant's parent lives here."""
    if member.relation in ("self", "sibling"):
        for other in household.members:
            if other.relation == "parent":
                return True
    return False


def lives_with_own_child(household: Household, member: Member) -> bool:
    """The member is the applicant and lives with an own, adopted or step child."""
    if member.relation == "self":
        for other in household.members:
            if is_child_of_applicant(other):
                return True
    return False


def is_in_closest_family(member: Member) -> bool:
    """The member is the applicant, the spouse, or an own, adopted or step child under 21."""
    if member.relation == "self" or member.relation == "spouse":
        return True
    return is_child_of_applicant(member) and member.age < FOSTER_CARE_AGE


def closest_family_size(household: Household) -> int:
    """Number of the applicant, the spouse, their children under 21, and their unborn."""
    size = 0
    for other in household.members:
        if is_in_closest_family(other):
            size += 1 + n_unborn(other)
    return size


def closest_family_income(household: Household) -> int:
    """Yearly income of the applicant, the spouse, and their children under 21, in dollars."""
    total = 0
    for other in household.members:
        if is_in_closest_family(other):
            total += current_income(other)
    return total


def current_income(member: Member) -> int:
    """A member's yearly income without the pay of work that has ended, in dollars."""
    if works(member):
        return income(member)
    return member.annual_investment_income


def income_for_aid(household: Household, member: Member) -> int:
    """The yearly income that counts for a member, pay of ended work left out, in dollars.

    That of the applicant, the spouse and their children under 21 is one income of one family;
    anybody else is asked alone, since others need not share with them.
    """
    if is_in_closest_family(member):
        return closest_family_income(household)
    return current_income(member)


def size_for_aid(household: Household, member: Member) -> int:
    """How many live on `income_for_aid`, the unborn among them."""
    if is_in_closest_family(member):
        return closest_family_size(household)
    return 1 + n_unborn(member)


def has_income_for_aid(household: Household, member: Member) -> bool:
    """The income that counts for the member is within 300% of the poverty guideline."""
    limit = AID_BASE + size_for_aid(household, member) * AID_OF_EACH
    return income_for_aid(household, member) <= limit


def has_income_for_cash_assistance(household: Household, member: Member) -> bool:
    """The household's income, or what counts for the member, is within 200% of the guideline."""
    limit = AID_BASE + household_size(household) * AID_OF_EACH
    if AID_GUIDELINES * household_income(household) <= CASH_GUIDELINES * limit:
        return True
    limit = AID_BASE + size_for_aid(household, member) * AID_OF_EACH
    return AID_GUIDELINES * income_for_aid(household, member) <= CASH_GUIDELINES * limit


def somebody_has_income_for_aid(household: Household) -> bool:
    """Somebody's income is within 300% of the poverty guideline, pay of ended work left out.

    Where it is not, that of the household may be, as where somebody keeps two nieces: a minor who
    is no child of the applicant is never asked alone.
    """
    if household_income(household) <= AID_BASE + household_size(household) * AID_OF_EACH:
        return True
    for member in household.members:
        if member.age >= ADULT_AGE or is_in_closest_family(member):
            if has_income_for_aid(household, member):
                return True
    return False


def is_disabled_or_aged(member: Member) -> bool:
    """The member has a disability or is 65 or older."""
    return member.disabled or member.age >= SENIOR_AGE


def may_have_medicaid(household: Household, member: Member) -> bool:
    """The member is aged, disabled, in foster care or out of it, or of a family of low income.

    Low is within 300% of the poverty guideline, pay of ended work left out; the aged and the
    disabled may spend down or pay a premium. Of adults without lawful status, it takes the pregnant
    and those of 65 and more (Social Services Law 366(1)).
    """
    if member.citizenship == "unlawful_resident" and member.weeks_pregnant is None:
        if member.age >= CHILD_HEALTH_PLUS_AGE and member.age < SENIOR_AGE:
            return False
    if member.in_foster_care or is_disabled_or_aged(member) or is_former_foster_youth(member):
        return True
    return has_income_for_aid(household, member)


def is_veteran(member: Member) -> bool:
    """The member is a veteran."""
    return member.conflict_veteran or member.honorable_service


def is_veteran_or_survivor(member: Member) -> bool:
    """The member is a veteran, or the widow or widower of one."""
    return member.late_spouse_conflict_veteran or is_veteran(member)


def has_no_older_child_here(household: Household, member: Member) -> bool:
    """The member is not the applicant, or has no child here of a year or more."""
    if member.relation == "self":
        for other in household.members:
            if is_child_of_applicant(other) and other.age > 0:
                return False
    return True


def may_have_had_sche_before(member: Member) -> bool:
    """The member owns no home, or was 65 or older before buying it."""
    if member.months_owned_property is None:
        return True
    return member.months_owned_property < (member.age - SENIOR_AGE + 1) * MONTHS_PER_YEAR


def is_owned_cooperative(household: Household) -> bool:
    """The household owns a share of a cooperative, or of a development that sells shares."""
    if household.tenure != "owner":
        return False
    if household.housing_type in ("cooperative apartment", "Section 213 coop", "HDFC development"):
        return True
    return is_in_supervised_development(household)


def is_owned_or_rent_free(household: Household) -> bool:
    """The household owns the home or lives there without paying rent."""
    return household.tenure in ("owner", "rent-free")


def may_sign_a_lease(member: Member) -> bool:
    """The member is an adult or an emancipated minor."""
    return member.age >= ADULT_AGE or member.emancipated_minor


def has_owned_since_2016(household: Household) -> bool:
    """Somebody has owned the home for 8 years."""
    for member in household.members:
        if member.months_owned_property is not None:
            if member.months_owned_property >= MONTHS_SINCE_STAR_WAS_LOST:
                return True
    return False


def is_in_shelter(household: Household) -> bool:
    """The household lives in a DHS or HRA shelter."""
    return household.housing_type in ("DHS shelter", "HRA shelter")


def may_have_help_of_hra(household: Household) -> bool:
    """The household lives in New York City, or has rental assistance of HRA elsewhere."""
    return household.place_of_residence == "New York City" or household.receives_housing_assistance


def uses_delivered_fuel(household: Household) -> bool:
    """The home is heated with fuel oil or another delivered fuel."""
    return household.primary_heating_source in ("fuel oil", "other")


def is_in_supervised_development(household: Household) -> bool:
    """The home is in a Mitchell-Lama, limited dividend or redevelopment company development."""
    return household.housing_type in (
        "Mitchell-Lama development",
        "limited dividend development",
        "redevelopment company development",
    )


def may_be_in_excluded_development(household: Household) -> bool:
    """The home is in a supervised development, a condominium or a cooperative apartment."""
    if household.housing_type in ("condo", "cooperative apartment"):
        return True
    return is_in_supervised_development(household)


def has_child_or_is_expecting(household: Household) -> bool:
    """Somebody is under 21 or pregnant."""
    for member in household.members:
        if member.age < FOSTER_CARE_AGE or member.weeks_pregnant is not None:
            return True
    return False
