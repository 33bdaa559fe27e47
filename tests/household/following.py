"""What follows for a fact where a program, or another fact, has decided the same question.

Written in the checker language, so that the solver reads it. Each holds for a household whose
programs have the verdicts that `FOLLOWS` names beside it, or for every possible household.
"""

from collections.abc import Callable
from dataclasses import dataclass

from benyfits_data.household.constants import CHILD_HEALTH_PLUS_AGE, SENIOR_AGE
from benyfits_data.household.measures import (
    family_size_with_unborn,
    has_lawful_member,
    household_size,
)
from benyfits_data.household.model import Household, Member


@dataclass(frozen=True)
class Following:
    """A fact that follows.

    Attributes:
        holds: The condition, for a household or one of its members.
        verdicts: Programs with the labels under which it must hold; none for always.
        editions: Where.
    """

    holds: Callable[..., bool]
    verdicts: tuple[tuple[str, bool], ...] = ()
    editions: tuple[int, ...] = (2024, 2026)


def first_baby_is_not_early(household: Household, member: Member) -> bool:
    """Nobody in the city is in the first weeks with a first baby, if one alone is pregnant."""
    if household.place_of_residence != "New York City" or member.weeks_pregnant is None:
        return True
    if family_size_with_unborn(household) > household_size(household) + 1:
        return True
    return not member.expecting_first_baby or member.weeks_pregnant > 28


def nobody_of_the_city_is_pregnant(household: Household, member: Member) -> bool:
    """Nobody who lives in the city is pregnant."""
    return household.place_of_residence != "New York City" or member.weeks_pregnant is None


def somebody_lives_with_the_applicant(household: Household) -> bool:
    """The applicant does not live alone."""
    return household_size(household) > 1


def children_without_insurance_qualify(household: Household, member: Member) -> bool:
    """Whoever is under 19 and has no insurance qualifies for a plan."""
    if member.age >= CHILD_HEALTH_PLUS_AGE or member.health_insurance:
        return True
    return member.qualify_for_health_insurance


def a_covered_member_qualifies_for_a_plan(household: Household, member: Member) -> bool:
    """Whoever is insured or eligible for Medicaid qualifies for a plan."""
    if member.health_insurance or member.receives_medicaid or member.eligible_for_medicaid:
        return member.qualify_for_health_insurance
    return True


def benefits_bring_medicaid(household: Household, member: Member) -> bool:
    """Whoever receives SSI or Cash Assistance is eligible for Medicaid, and a foster child is."""
    if member.receives_ssi or member.receives_cash_assistance or member.receives_medicaid:
        return member.eligible_for_medicaid
    if member.in_foster_care and member.citizenship != "unlawful_resident":
        return member.eligible_for_medicaid
    return True


def everybody_can_use_transit(household: Household, member: Member) -> bool:
    """Everybody can use the subway or bus for some trips."""
    return member.can_access_subway_or_bus


def disabilities_are_told(household: Household, member: Member) -> bool:
    """Whoever has a benefit or a hindrance of the disabled has a disability."""
    if member.receives_ssi and member.age < SENIOR_AGE:
        return member.disabled
    if member.receives_ssdi or member.receives_va_disability or member.wheelchair:
        return member.disabled
    if member.receives_disability_medicaid or member.disability_prevents_some_transit_trips:
        return member.disabled
    return member.disabled or not member.bedridden


def housing_aid_is_told(household: Household) -> bool:
    """Public housing and vouchers are federal housing assistance."""
    if household.housing_type in ("NYCHA development", "Section 8"):
        return household.receives_fpha
    return True


def snap_has_a_lawful_member(household: Household) -> bool:
    """Nobody receives SNAP in a household without a citizen or lawful resident."""
    return has_lawful_member(household) or not household.receives_snap


def assistance_has_one_name(household: Household, member: Member) -> bool:
    """Temporary Assistance and Cash Assistance are one, and the agency's clients are told so."""
    if member.receives_cash_assistance != member.receives_temporary_assistance:
        return False
    if household.place_of_residence != "New York City":
        return True
    if member.receives_cash_assistance or household.receives_snap:
        return member.receives_hra
    return True


def pupils_are_in_school(household: Household, member: Member) -> bool:
    """Whoever is in a grade attends school and has no diploma yet."""
    if member.current_grade is None:
        return member.current_school_level != "school"
    if member.current_school_level != "school":
        return False
    return member.high_school_equivalent == "no diploma"


FOLLOWS = (
    Following(
        first_baby_is_not_early,
        (("MedicaidForPregnantWomen", True), ("NYCNurseFamilyPartnership", False)),
        (2024,),
    ),
    Following(
        nobody_of_the_city_is_pregnant,
        (("MedicaidForPregnantWomen", True), ("NYCNurseFamilyPartnership", False)),
        (2026,),
    ),
    Following(
        somebody_lives_with_the_applicant,
        (("MedicaidForPregnantWomen", True), ("NYCCare", True)),
    ),
    Following(
        somebody_lives_with_the_applicant,
        (("ChildHealthPlusAndChildrensMedicaid", True), ("NYCCare", True)),
    ),
    Following(children_without_insurance_qualify, (("ChildHealthPlusAndChildrensMedicaid", True),)),
    Following(a_covered_member_qualifies_for_a_plan),
    Following(benefits_bring_medicaid),
    Following(everybody_can_use_transit, (("AccessARideParatransitService", False),)),
    Following(disabilities_are_told),
    Following(housing_aid_is_told),
    Following(snap_has_a_lawful_member),
    Following(assistance_has_one_name),
    Following(pupils_are_in_school),
)

STAND_BESIDE = {
    "receives_snap": "What is received is no verdict: no program here decides who gets SNAP.",
    "receives_cash_assistance": "No program here decides who gets it.",
    "receives_ssi": "No program here decides who gets it.",
    "receives_medicaid": "Whoever is eligible need not have applied.",
    "housing_type": "Who lives in public housing may have come to earn more than who applies may.",
    "receives_fpha": "As housing_type.",
    "eligible_for_hra_shelter": "No program here decides who is; HASA and FHEPS read it.",
    "cash_assistance_on_leaving_shelter": "FHEPS takes it or Cash Assistance itself.",
    "in_foster_care": "No program here decides who is.",
    "had_previous_sche": "About an earlier home.",
    "had_star_exemption_2015_16": "About an earlier year.",
    "receives_housing_assistance": "FHEPS asks who may get it, this is had already.",
    "repeating_grade": "As current_school_level.",
    "temporarily_unable_to_use_transit": "Of a time; AccessARide reads it beside its reasons.",
    "got_heap_ac": "About an earlier year.",
    "employer_opt_in": "About the employer.",
    "current_school_level": "The school programs say who may apply for the next year.",
    "current_grade": "As current_school_level.",
    "lives_in_jobs_plus_neighborhood": "The place alone.",
    "lives_in_home_visit_neighborhood": "The place alone.",
    "visitor_needing_paratransit": "The need of a visitor; AccessARide reads it.",
    "va_healthcare": "No program here decides who is.",
    "in_excluded_housing_development": "The development alone.",
    "has_received_ssi_or_ssdi": "About the past.",
}
"""Facts whose words name a program, and why no verdict of one can contradict them."""
