"""The dwelling, and who owns it."""

from benyfits_data.household.constants import (
    ADULT_AGE,
    LARGEST_INCOME_IN_PUBLIC_HOUSING,
    LARGEST_INCOME_IN_SUPERVISED_HOUSING,
    LARGEST_INCOME_WITH_AID,
    LARGEST_INCOME_WITHOUT_HOME,
    LARGEST_RENT_WITHOUT_MEANS,
    LEAST_CARRYING_CHARGE,
    LEAST_RENT,
    MONTHS_OF_RENT,
    MONTHS_PER_YEAR,
)
from benyfits_data.household.constraints.guards import is_in_supervised_development
from benyfits_data.household.measures import (
    has_lawful_member,
    has_spouse,
    household_income,
    lives_in_temporary_housing,
    n_owners,
    spouse_owns_home,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import repaired_by


def is_rental_housing(household: Household) -> bool:
    """Whether the home is of a kind that is always rented."""
    return household.housing_type in (
        "unregulated rental",
        "rent stabilized apartment",
        "rent controlled apartment",
        "NYCHA development",
        "Section 8",
        "rent regulated hotel",
        "rent regulated single room occupancy (SRO)",
    )


@repaired_by("housing_type")
def city_housing_is_in_the_city(household: Household) -> bool:
    """NYCHA developments and the shelters of DHS and HRA are in New York City."""
    if household.housing_type in ("NYCHA development", "DHS shelter", "HRA shelter"):
        return household.place_of_residence == "New York City"
    return True


@repaired_by("housing_type")
def housing_of_state_law_is_in_the_state(household: Household) -> bool:
    """Homes that are regulated or supervised under laws of New York State are not in New Jersey.

    So are stabilized rents, regulated hotels and single rooms, developments of Mitchell-Lama,
    limited dividend and redevelopment companies, and of Housing Development Fund Corporations.
    """
    if household.place_of_residence != "New Jersey":
        return True
    if household.housing_type in (
        "rent stabilized apartment",
        "rent regulated hotel",
        "rent regulated single room occupancy (SRO)",
        "HDFC development",
    ):
        return False
    return not is_in_supervised_development(household)


@repaired_by("housing_type")
def rich_households_are_not_in_public_housing(household: Household) -> bool:
    """Public housing, vouchers and supervised developments have no rich households.

    NYCHA and Section 8 have none above $200,000 a year, supervised developments above $500,000.
    Who is homeless or in a shelter has $100,000 at most, in a regulated hotel or single room
    $200,000.
    """
    if lives_in_temporary_housing(household):
        return household_income(household) <= LARGEST_INCOME_WITHOUT_HOME
    if household.housing_type in (
        "rent regulated hotel",
        "rent regulated single room occupancy (SRO)",
    ):
        return household_income(household) <= LARGEST_INCOME_WITH_AID
    if household.housing_type in ("NYCHA development", "Section 8"):
        return household_income(household) <= LARGEST_INCOME_IN_PUBLIC_HOUSING
    if is_in_supervised_development(household):
        return household_income(household) <= LARGEST_INCOME_IN_SUPERVISED_HOUSING
    return True


@repaired_by("housing_type")
def hra_shelter_has_a_survivor(household: Household) -> bool:
    """The shelters of HRA are for survivors of domestic violence, who are served there."""
    if household.housing_type != "HRA shelter":
        return True
    for member in household.members:
        if member.attending_service_for_domestic_violence:
            return True
    return False


@repaired_by("housing_type")
def foster_children_have_a_home(household: Household) -> bool:
    """Nobody fosters a child in a shelter or on the street."""
    if lives_in_temporary_housing(household):
        for member in household.members:
            if member.relation == "foster child":
                return False
    return True


@repaired_by("housing_type")
def public_housing_has_a_lawful_member(household: Household) -> bool:
    """Public housing and vouchers have a member who is a citizen or lives here lawfully."""
    if household.housing_type in ("NYCHA development", "Section 8"):
        return has_lawful_member(household)
    return True


@repaired_by("tenure")
def housing_fits_tenure(household: Household) -> bool:
    """Tenure goes with the kind of home.

    Homeless and sheltered households have no home; public, voucher, regulated and unregulated
    rentals are rented; other homes are owned, rented or lived in for free.
    """
    if lives_in_temporary_housing(household) or household.tenure == "no home":
        return lives_in_temporary_housing(household) and household.tenure == "no home"
    return household.tenure == "renter" or not is_rental_housing(household)


@repaired_by("name_is_on_lease", "housing_type")
def regulated_home_has_a_lease(household: Household) -> bool:
    """The lease of public, voucher and regulated housing names a member."""
    if household.housing_type not in (
        "rent stabilized apartment",
        "rent controlled apartment",
        "NYCHA development",
        "Section 8",
    ):
        return True
    for member in household.members:
        if member.name_is_on_lease:
            return True
    return False


@repaired_by("is_property_owner")
def owned_home_has_an_owner(household: Household) -> bool:
    """A home that the household owns is owned by a member."""
    return household.tenure != "owner" or n_owners(household) > 0


@repaired_by("months_owned_property")
def months_owned_fit_the_age(household: Household, member: Member) -> bool:
    """Months of ownership lie in the owner's adult years."""
    if member.months_owned_property is None:
        return True
    return member.months_owned_property < (member.age - ADULT_AGE + 1) * MONTHS_PER_YEAR


@repaired_by("property_owner_widow")
def widowed_applicant_has_no_spouse(household: Household) -> bool:
    """A widowed applicant who has not remarried has no spouse in the household."""
    return not household.applicant.property_owner_widow or not has_spouse(household)


@repaired_by("monthly_rent_spending")
def rent_is_no_token(household: Household) -> bool:
    """A renter pays at least $50 a month."""
    return household.tenure != "renter" or household.monthly_rent_spending >= LEAST_RENT


@repaired_by("monthly_rent_spending", "monthly_carrying_charge")
def a_home_over_1500_is_paid_from_something(household: Household) -> bool:
    """Rent or carrying charge above $1,500 is aided, or income and savings pay three months."""
    cost = household.monthly_rent_spending + household.monthly_carrying_charge
    if cost <= LARGEST_RENT_WITHOUT_MEANS:
        return True
    if household.receives_housing_assistance or household.receives_fpha:
        return True
    means = household_income(household) + household.available_financial_resources
    return MONTHS_OF_RENT * cost <= means


@repaired_by("monthly_carrying_charge")
def carrying_charge_is_no_token(household: Household) -> bool:
    """Owners of a cooperative pay a carrying charge of at least $200 a month."""
    if household.monthly_carrying_charge == 0:
        return True
    return household.monthly_carrying_charge >= LEAST_CARRYING_CHARGE


@repaired_by("primary_residence")
def only_owners_live_elsewhere(household: Household, member: Member) -> bool:
    """Everybody uses a home as primary residence, except owners and the owner's spouse."""
    if member.primary_residence or member.is_property_owner or household.tenure == "no home":
        return True
    if member.relation == "spouse":
        return household.applicant.is_property_owner
    return member.relation == "self" and spouse_owns_home(household)


@repaired_by("property_owner_widow")
def late_owner_leaves_one_spouse(household: Household) -> bool:
    """At most one member is the widow or widower of the home's late owner."""
    widowed = 0
    for member in household.members:
        if member.property_owner_widow:
            widowed += 1
    return widowed <= 1


@repaired_by("ac_age_years")
def air_conditioner_is_no_older_than_the_one_of_heap(household: Household) -> bool:
    """A working air conditioner is no older than the one that the household got through HEAP.

    HEAP gives one to who has none that works well; a later one may have taken its place.
    """
    if household.ac_age_years is None or household.got_heap_ac is None:
        return True
    return household.ac_age_years <= household.got_heap_ac
