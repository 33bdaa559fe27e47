"""The dwelling, and who owns it."""

from benyfits_data.household.constants import ADULT_AGE, MONTHS_PER_YEAR
from benyfits_data.household.constraints.derived import add_guards
from benyfits_data.household.constraints.guards import is_in_supervised_development
from benyfits_data.household.measures import (
    has_spouse,
    lives_in_temporary_housing,
    n_owners,
    spouse_owns_home,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by

add_guards("home")
add_guards("together")


def is_rental_housing(household: Household) -> bool:
    """Whether the home is of a kind that is always rented."""
    if household.housing_type == "unregulated rental":
        return True
    if household.housing_type == "rent stabilized apartment":
        return True
    if household.housing_type == "rent controlled apartment":
        return True
    if household.housing_type == "NYCHA development":
        return True
    if household.housing_type == "Section 8":
        return True
    if household.housing_type == "rent regulated hotel":
        return True
    return household.housing_type == "rent regulated single room occupancy (SRO)"


@repaired_by("housing_type")
def city_housing_is_in_the_city(household: Household) -> bool:
    """NYCHA developments and the shelters of DHS and HRA are in New York City."""
    if household.place_of_residence == "New York City":
        return True
    if household.housing_type == "NYCHA development":
        return False
    if household.housing_type == "DHS shelter":
        return False
    if household.housing_type == "HRA shelter":
        return False
    return True


@repaired_by("tenure")
def housing_fits_tenure(household: Household) -> bool:
    """Tenure goes with the kind of home.

    Homeless and sheltered households have no home; public, voucher, regulated and unregulated
    rentals are rented; other homes are owned, rented or lived in for free.
    """
    if lives_in_temporary_housing(household):
        return household.tenure == "no home"
    if household.tenure == "no home":
        return False
    if is_rental_housing(household):
        return household.tenure == "renter"
    return True


@repaired_by("eligible_for_hra_shelter")
def hra_shelter_takes_the_eligible(household: Household) -> bool:
    """A household in an HRA shelter is eligible for it."""
    if household.housing_type == "HRA shelter":
        return household.eligible_for_hra_shelter
    return True


@repaired_by("in_excluded_housing_development")
def supervised_developments_have_their_types(household: Household) -> bool:
    """Mitchell-Lama, limited dividend and redevelopment homes lie in such developments."""
    if is_in_supervised_development(household):
        return household.in_excluded_housing_development
    return True


@repaired_by("receives_fpha")
def public_housing_assistance_fits_the_home(household: Household) -> bool:
    """Federal Public Housing Assistance goes with NYCHA and Section 8 housing."""
    if household.housing_type == "NYCHA development":
        return household.receives_fpha
    if household.housing_type == "Section 8":
        return household.receives_fpha
    return True


add_guards("property")


@repaired_by("is_property_owner")
def owned_home_has_an_owner(household: Household) -> bool:
    """A home that the household owns is owned by a member."""
    if household.tenure == "owner":
        return n_owners(household) > 0
    return True


@repaired_by("months_owned_property")
def months_owned_fit_the_age(household: Household, member: Member) -> bool:
    """Months of ownership lie in the owner's adult years."""
    if member.months_owned_property is None:
        return True
    return member.months_owned_property < (member.age - ADULT_AGE + 1) * MONTHS_PER_YEAR


@repaired_by("property_owner_widow")
def widowed_applicant_has_no_spouse(household: Household) -> bool:
    """A widowed applicant who has not remarried has no spouse in the household."""
    if household.applicant.property_owner_widow:
        return not has_spouse(household)
    return True


@repaired_by("primary_residence")
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


@repaired_by("property_owner_widow")
def late_owner_leaves_one_spouse(household: Household) -> bool:
    """At most one member is the widow or widower of the home's late owner."""
    widowed = 0
    for member in household.members:
        if member.property_owner_widow:
            widowed += 1
    return widowed <= 1
