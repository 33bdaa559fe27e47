"""Ties between the members, support and taxes."""

from dataclasses import dataclass

from benyfits_data.household.declaration import flag


@dataclass(frozen=True, kw_only=True)
class Family:
    """Parenthood, care, dependency, separation."""

    is_parent: bool = flag("is", "a parent", note="The child need not live in the household.")
    responsible_for_day_to_day: bool = flag(
        "is", "mainly responsible for the daily life of the children in {possessive} care"
    )
    legal_guardian: bool = flag("is", "legal guardian of a child in the household", published=None)
    lived_together_last_6_months: bool = flag(
        "has done",
        "lived in this household for more than half of last year",
        default=True,
        note="For the applicant always true.",
    )
    dependent: bool = flag("is", "claimed as a dependent on your tax return")
    provides_over_half_of_own_financial_support: bool = flag(
        "does", "provide{s} more than half of {possessive} own financial support", default=True
    )
    has_paid_caregiver: bool = flag(
        "has",
        "a caregiver whom the household pays",
        note="Someone is paid to look after this member.",
    )
    legally_separated: bool = flag(
        "is",
        "legally separated from {possessive} spouse under a court decree",
        published=None,
    )
    lived_apart_from_spouse_6_months: bool = flag(
        "has done",
        "lived apart from {possessive} spouse for the last six months of last year",
        published=None,
    )
    in_foster_care: bool = flag("is", "in foster care")
    foster_age_out: bool = flag("has done", "aged out of foster care")
    emancipated_minor: bool = flag("is", "an emancipated minor")
    is_runaway: bool = flag("is", "a runaway youth")
