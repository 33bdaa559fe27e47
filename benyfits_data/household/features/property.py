"""Owning or renting, as far as it is a fact of one member."""

from dataclasses import dataclass

from benyfits_data.household.schema import flag, number


@dataclass(frozen=True, kw_only=True)
class Property:
    """Ownership, lease and exemptions of a member."""

    is_property_owner: bool = flag(
        "is", "an owner of the home", when=("tenure == 'owner'", "age >= ADULT_AGE")
    )
    primary_residence: bool = flag(
        "does",
        "use{s} the home as {possessive} primary residence",
        default=True,
        when="tenure != 'no home'",
    )
    months_owned_property: int | None = number(
        "{subject} {has} owned the home for {count}.",
        ask="For how many months {has} {subject} owned the home?",
        unit="month",
        maximum=900,
        default=None,
        none="{subject} {does} not own the home.",
        zero="{subject} bought the home less than a month ago.",
        note="None for a member who is not an owner; the published data say 0.",
        when="is_property_owner",
        always=True,
    )
    had_previous_sche: bool = flag(
        "has done",
        "held the Senior Citizen Homeowners' Exemption on an earlier home",
        when="age >= SENIOR_AGE",
        needs="may_have_had_sche_before",
    )
    property_owner_widow: bool = flag(
        "is",
        "the unremarried widow or widower of the home's late owner",
        published="propery_owner_widow",
        when=("age >= ADULT_AGE", "not is_spouse_or_partner"),
        needs="is_owned_or_rent_free",
    )
    late_spouse_conflict_veteran: bool = flag(
        "is",
        "the widow or widower of a veteran of the Persian Gulf conflict, Vietnam, Korea or a "
        "World War",
        published=None,
        when="property_owner_widow",
    )
    name_is_on_lease: bool = flag(
        "is", "named on the lease", when=("tenure == 'renter'", "may_sign_a_lease")
    )
    first_time_home_buyer: bool = flag(
        "has done",
        "owned no home in the last three years",
        denial="owned a home in the last three years",
        default=True,
        note="A first-time buyer in the sense of the down payment programs.",
        when=("age >= ADULT_AGE", "not is_property_owner"),
    )
