"""Where text and second reading differed: every difference found, and how it was decided."""

from dataclasses import dataclass

from tests.checkers.second_reading.terms import PREDICATES, Predicate


@dataclass(frozen=True)
class Difference:
    """A difference between a program folder and the second reading, and what came of it."""

    program: str
    text_said: str
    second_reading_said: str
    decided: str


LOG = (
    Difference(
        "SchoolAgeAndEarlyChildhoodFamilyAndCommunityEngagementFACECenters",
        "Every young member counts but the applicant, the spouse and the domestic partner.",
        "Every young member counts but the applicant and the spouse.",
        "Neither: children in the applicant's care, and the applicant at a parent's home.",
    ),
    Difference(
        "OfficeOfChildSupportServices",
        "Anybody may have a guardian, a cousin or a friend's child too.",
        "Wards are foster children, grandchildren, siblings, nieces and nephews.",
        "The text: the law makes anybody a guardian. Any member may be the guardian, and a "
        "stepparent is no parent here.",
    ),
    Difference(
        "NYCHAPublicHousing",
        "A friend in the household breaks the family.",
        "A friend is no part of the family that applies.",
        "The second reading: income, size and status are those of the relatives.",
    ),
    Difference(
        "NYCFreeTaxPrep",
        "The place does not matter.",
        "The filers live or work in the city.",
        "The second reading, in both editions.",
    ),
    Difference(
        "TextTwoWork",
        "SNAP and Cash Assistance of any place make a client of HRA.",
        "HRA is the city's agency; in 2026 residents alone qualify.",
        "The second reading.",
    ),
    Difference(
        "NYCNurseFamilyPartnership",
        "WIC is no way in, in 2026.",
        "WIC is a way in, in 2026.",
        "The second reading; sizes are those of the household, without the unborn.",
    ),
    Difference(
        "VeteransPropertyTaxExemption",
        "A widow of the home's late owner may rent it.",
        "The home is owned, and in the city.",
        "The second reading; a home of the late owner is owned or lived in free of rent.",
    ),
    Difference(
        "NYCCare",
        "A child may qualify for no plan.",
        "Every child of the state qualifies for a plan.",
        "The second reading, as a constraint of the household.",
    ),
    Difference(
        "EnhancedSchoolTaxReliefProgram",
        "In 2024 a partner's income never counts; in 2026 all owners are 65.",
        "A registered partner's income counts in 2024; in 2026 one resident owner of 65 is enough.",
        "The second reading, in each edition; every domestic partner counts as registered.",
    ),
    Difference(
        "BasicSchoolTaxReliefProgram",
        "The home may stand anywhere; a Section 213 cooperative is none.",
        "The home is in the state; a Section 213 cooperative is one.",
        "The second reading; both stay readings.",
    ),
    Difference(
        "DisabledHomeownersExemption",
        "Any owner may be the one who lives there.",
        "A disabled owner lives there.",
        "The second reading; both stay readings.",
    ),
    Difference(
        "EarnedIncomeTaxCredit",
        "No earnings are within the limits; a child has no age in 2026.",
        "Something is earned; in 2026 children are under 19, students under 24, or disabled.",
        "The second reading; 2024 keeps children of any age.",
    ),
    Difference(
        "ChildAndDependentCareTaxCredit",
        "Only an own child of that age counts; spouses work outside the home in 2026.",
        "Any claimed child counts; in 2026 joint filers earn, or count as earning.",
        "The second reading; earnings of the last year are enough.",
    ),
    Difference(
        "ChildCareVouchers",
        "A homeless household needs no small income in 2026.",
        "Only Cash Assistance or income meets the need in 2026; work pays the minimum wage.",
        "The second reading, with a new fact for the wage.",
    ),
    Difference(
        "CoolingAssistanceBenefit",
        "Public housing with heat in the rent is enough in 2026.",
        "It is enough in 2024 only.",
        "The second reading.",
    ),
    Difference(
        "AccessARideParatransitService",
        "Surgery, a condition or a visit are enough in 2026.",
        "They keep the person from transit for a time.",
        "The second reading, with a new fact.",
    ),
    Difference(
        "AcceleratedStudyInAssociatePrograms",
        "Full-time study is left out in 2026.",
        "It is a condition in 2026.",
        "The second reading, with a new fact.",
    ),
    Difference(
        "CUNYStart",
        "Who is proficient in both subjects qualifies in 2026.",
        "A need of support is asked for in 2026.",
        "The second reading.",
    ),
    Difference(
        "CUNYFatherhoodAcademy",
        "Expecting fathers are left out in 2026.",
        "They qualify in 2026.",
        "The second reading: a pregnant spouse or partner tells it. The weeks to give are "
        "left out.",
    ),
    Difference(
        "BeaconPrograms",
        "Adults are left out in 2026.",
        "People over 21 qualify in 2026.",
        "The second reading. No address is asked for: the place stays a reading.",
    ),
    Difference(
        "AdultProtectiveServices",
        "A mental impairment is no mental disability.",
        "It is one.",
        "The second reading; the home is in the city.",
    ),
    Difference(
        "FamilyAssessmentProgram",
        "Any member of that age counts.",
        "A child of the family counts.",
        "The second reading; both stay readings.",
    ),
    Difference(
        "FamilyResourceCenters",
        "The child is in the applicant's care.",
        "The child may be the applicant; grown kin need a carer.",
        "The second reading; a mild mental challenge has no fact.",
    ),
    Difference(
        "FamilyHomelessnessAndEvictionPreventionSupplement",
        "Being evicted is undefined and for renters only.",
        "A case, a foreclosure, an order or a rent demand; owners too.",
        "The second reading, with a new fact for Cash Assistance on leaving a shelter.",
    ),
    Difference(
        "FamilyTypeHomesForAdults",
        "One of four conditions is required in both editions.",
        "They are examples in 2024 and required in 2026.",
        "The second reading.",
    ),
    Difference(
        "HomeEnergyAssistanceProgram",
        "A household without a home qualifies.",
        "It has a home, in the state.",
        "The second reading; both stay readings.",
    ),
    Difference(
        "InfantToddlerPrograms",
        "In 2026 neither place nor status is asked for.",
        "The child lives in the city or in foster care, lawfully; treatment is no reason.",
        "The second reading.",
    ),
    Difference(
        "HeadStart",
        "In 2026 the children are three and four.",
        "They are three to five.",
        "The second reading; both stay readings.",
    ),
    Difference(
        "LearnEarn",
        "A disability counts at any income in 2026.",
        "Only with a small income of the own.",
        "The second reading; both stay readings.",
    ),
    Difference(
        "COVIDnineteenFuneralAssistance",
        "The printed conditions hold in 2026.",
        "Nobody can claim any more.",
        "The text, as the row still prints it; the other answer is a reading, and contested.",
    ),
)
"""Differences in the order in which they were found."""

DECISIONS: dict[str, str] = {}
"""Programs that are still decided otherwise than the second reading, with the reason."""

_OF_OUR_TEXT: dict[str, Predicate] = {}
assert set(_OF_OUR_TEXT) == set(DECISIONS)

OURS: dict[str, Predicate] = {**PREDICATES, **_OF_OUR_TEXT}
"""The predicates that the programs must agree with."""
