"""Where our texts decide otherwise than the reading recommended for the public text, and why."""

from benyfits_data.household.model import Household
from tests.checkers.second_reading.terms import (
    OWN_CHILD,
    PREDICATES,
    Predicate,
    in_city,
    spouse,
)

DECISIONS = {
    "SchoolAgeAndEarlyChildhoodFamilyAndCommunityEngagementFACECenters": (
        "The child may be neither applicant nor spouse; our text leaves out a domestic partner "
        "too, who is no more a child in the family's care than a spouse is."
    ),
    "OfficeOfChildSupportServices": (
        "The wards listed for a guardian are a foster child, grandchild, sibling, niece or nephew; "
        "our text takes them as examples, since the law makes anybody a guardian, also of a cousin "
        "or of a friend's child. Who is a guardian has a ward under 21 in the household."
    ),
}
"""Programs decided otherwise, with the reason; each has a predicate of its own below."""


def _face_centers(h: Household) -> bool:
    return in_city(h) and any(
        m.relation not in ("self", "spouse", "domestic partner")
        and m.age <= 21
        and (m.disabled or m.developmental_condition)
        for m in h.members
    )


def _child_support(h: Household) -> bool:
    you = h.applicant
    single_parent = spouse(h) is None and any(
        c.relation in OWN_CHILD and c.age < 21 for c in h.members
    )
    return you.responsible_for_day_to_day and (single_parent or you.legal_guardian)


_OF_OUR_TEXT: dict[str, Predicate] = {
    "SchoolAgeAndEarlyChildhoodFamilyAndCommunityEngagementFACECenters": _face_centers,
    "OfficeOfChildSupportServices": _child_support,
}
assert set(_OF_OUR_TEXT) == set(DECISIONS)

OURS: dict[str, Predicate] = {**PREDICATES, **_OF_OUR_TEXT}
"""The predicates that the rooms must agree with."""
