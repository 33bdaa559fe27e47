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
)
"""Differences in the order in which they were found."""

DECISIONS: dict[str, str] = {}
"""Programs that are still decided otherwise than the second reading, with the reason."""

_OF_OUR_TEXT: dict[str, Predicate] = {}
assert set(_OF_OUR_TEXT) == set(DECISIONS)

OURS: dict[str, Predicate] = {**PREDICATES, **_OF_OUR_TEXT}
"""The predicates that the rooms must agree with."""
