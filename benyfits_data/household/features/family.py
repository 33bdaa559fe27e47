"""Ties between the members, support and taxes."""

from dataclasses import dataclass

from benyfits_data.household.schema import flag


@dataclass(frozen=True, kw_only=True)
class Family:
    """Parenthood, care, dependency, separation."""

    is_parent: bool = flag(
        "is",
        "a parent",
        note="The child need not live in the household.",
        when="age >= PARENT_AGE",
        implied_by=("lives_with_own_child", "relation == 'parent'", "relation == 'grandparent'"),
    )
    first_time_parent: bool = flag(
        "is",
        "a first-time parent (with no child before the present one)",
        published=None,
        note="A first child of whatever age, or twins.",
        when="is_parent",
        needs=("has_no_older_child_here", "relation != 'parent'", "relation != 'grandparent'"),
    )
    responsible_for_day_to_day: bool = flag(
        "is",
        "mainly responsible for the daily life of the children in {possessive} care",
        when="age >= APPLICANT_AGE",
        needs=("not is_child_in_care", "lives_with_child_in_care"),
    )
    legal_guardian: bool = flag(
        "is",
        "legal guardian of a child in the household",
        published=None,
        when="age >= ADULT_AGE",
        needs="lives_with_ward",
    )
    lived_together_last_6_months: bool = flag(
        "has done",
        "lived in this household for more than half of last year, or since birth",
        default=True,
        note="For the applicant always true, and for a child of the applicant under a year, who "
        "counts as having lived here for the whole year (26 CFR 1.152-1).",
        needs="relation != 'spouse' or not lived_apart_from_spouse_6_months",
        implied_by=("relation == 'self'", "relation == 'child' and age < 1"),
    )
    dependent: bool = flag(
        "is",
        "claimed as a dependent on your tax return",
        when=("relation != 'self'", "not is_spouse_or_partner"),
        needs=("may_have_a_number", "a_filer_may_have_a_number", "filers_have_means"),
    )
    provides_over_half_of_own_financial_support: bool = flag(
        "does",
        "provide{s} more than half of {possessive} own financial support",
        default=True,
        when="age >= WORKING_AGE",
        needs="income >= LEAST_INCOME_OF_OWN_SUPPORT",
    )
    has_paid_caregiver: bool = flag(
        "has",
        "a caregiver whom the household pays",
        note="Someone is paid to look after this member.",
        needs=("is_in_need_of_care", "may_pay_a_caregiver"),
    )
    legally_separated: bool = flag(
        "is",
        "legally separated from {possessive} spouse under a court decree",
        published=None,
        when="age >= ADULT_AGE",
        needs=("relation != 'domestic partner'", "not property_owner_widow"),
    )
    lived_apart_from_spouse_6_months: bool = flag(
        "has done",
        "lived apart from {possessive} spouse for the last six months of last year",
        published=None,
        when="age >= ADULT_AGE",
        needs=("relation != 'domestic partner'", "not property_owner_widow"),
    )
    in_foster_care: bool = flag(
        "is",
        "in foster care",
        when="age < FOSTER_CARE_AGE",
        needs=(
            "not is_child_of_applicant",
            "not is_spouse_or_partner",
            "relation != 'parent'",
            "relation != 'grandparent'",
            "not lives_with_own_parent",
        ),
        implied_by="relation == 'foster child'",
    )
    foster_age_out: bool = flag(
        "has done", "aged out of foster care", when="age >= ADULT_AGE", needs="not in_foster_care"
    )
    emancipated_minor: bool = flag(
        "is",
        "an emancipated minor",
        when=("age >= SCHOOL_LEAVING_AGE", "age < ADULT_AGE"),
        needs=("not is_own_child", "not lives_with_own_parent"),
    )
    is_runaway: bool = flag(
        "is",
        "a runaway youth",
        when=("age >= RUNAWAY_AGE", "age < YOUTH_AGE"),
        needs=("not is_own_child", "not is_spouse_or_partner", "not lives_with_own_parent"),
    )
