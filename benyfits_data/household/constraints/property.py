"""Owners, widows and leases."""

from benyfits_data.household.constants import (
    ADULT_AGE,
    MONTHS_PER_YEAR,
    MONTHS_SINCE_STAR_WAS_LOST,
    SENIOR_AGE,
)
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.measures import (
    has_spouse,
    is_spouse_or_partner,
    n_owners,
    spouse_owns_home,
)
from benyfits_data.household.model import Household, Member


def may_sign_a_lease(member: Member) -> bool:
    """Whether the member is an adult or an emancipated minor."""
    if member.age >= ADULT_AGE:
        return True
    return member.emancipated_minor


@settles("is_property_owner")
def owners_are_adults_in_owned_homes(household: Household, member: Member) -> bool:
    """Owners are adults whose household owns the home."""
    if member.is_property_owner:
        if household.tenure != "owner":
            return False
        return member.age >= ADULT_AGE
    return True


@settles("is_property_owner")
def owned_home_has_an_owner(household: Household) -> bool:
    """A home that the household owns is owned by a member."""
    if household.tenure == "owner":
        return n_owners(household) > 0
    return True


@settles("months_owned_property")
def months_owned_are_for_owners(household: Household, member: Member) -> bool:
    """Months of ownership are told exactly for owners, and lie in their adult years."""
    if not member.is_property_owner:
        return member.months_owned_property is None
    if member.months_owned_property is None:
        return False
    return member.months_owned_property < (member.age - ADULT_AGE + 1) * MONTHS_PER_YEAR


@settles("primary_residence")
def primary_residence_needs_a_home(household: Household, member: Member) -> bool:
    """A primary residence goes with a home."""
    if member.primary_residence:
        if household.tenure == "no home":
            return False
    return True


@settles("first_time_home_buyer")
def owner_is_no_first_time_buyer(household: Household, member: Member) -> bool:
    """A first-time buyer is an adult who owns no home now."""
    if member.first_time_home_buyer:
        if member.age < ADULT_AGE:
            return False
        if member.is_property_owner:
            return False
    return True


@settles("had_previous_sche")
def senior_exemption_is_for_senior_owners(household: Household, member: Member) -> bool:
    """Who had the senior exemption on an earlier home is 65 or older."""
    if member.had_previous_sche:
        if member.age < SENIOR_AGE:
            return False
    return True


@settles("property_owner_widow")
def widow_has_no_spouse(household: Household, member: Member) -> bool:
    """The widow or widower of the home's owner is an adult without a spouse.

    The applicant's spouse and partner are none.
    """
    if member.property_owner_widow:
        if member.age < ADULT_AGE:
            return False
        if is_spouse_or_partner(member):
            return False
    return True


@settles("property_owner_widow")
def widowed_applicant_has_no_spouse(household: Household) -> bool:
    """A widowed applicant who has not remarried has no spouse in the household."""
    if household.applicant.property_owner_widow:
        return not has_spouse(household)
    return True


@settles("name_is_on_lease")
def lease_is_signed_by_adult_renters(household: Household, member: Member) -> bool:
    """A lease names adult renters and emancipated minors."""
    if member.name_is_on_lease:
        if household.tenure != "renter":
            return False
        if not may_sign_a_lease(member):
            return False
    return True


@settles("primary_residence")
def only_owners_live_elsewhere(household: Household, member: Member) -> bool:
    """Everybody uses a home as primary residence, except owners and the owner's spouse."""
    if member.primary_residence:
        return True
    if household.tenure == "no home":
        return True
    if member.is_property_owner:
        return True
    if member.relation == "spouse":
        return household.applicant.is_property_owner
    if member.relation == "self":
        return spouse_owns_home(household)
    return False


@settles("had_star_exemption_2015_16")
def star_was_lost_by_owners_of_old(household: Household) -> bool:
    """A STAR exemption of 2015-16 was that of somebody who has owned the home for 8 years."""
    if not household.had_star_exemption_2015_16:
        return True
    for member in household.members:
        if member.months_owned_property is not None:
            if member.months_owned_property >= MONTHS_SINCE_STAR_WAS_LOST:
                return True
    return False


@settles("property_owner_widow")
def late_owner_leaves_one_spouse(household: Household) -> bool:
    """At most one member is the widow or widower of the home's late owner."""
    widowed = 0
    for member in household.members:
        if member.property_owner_widow:
            widowed += 1
    return widowed <= 1


@settles("late_spouse_conflict_veteran")
def late_spouse_was_the_owner(household: Household, member: Member) -> bool:
    """The veteran whom a member survives is the home's late owner."""
    if member.late_spouse_conflict_veteran:
        return member.property_owner_widow
    return True
