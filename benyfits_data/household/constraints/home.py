"""The dwelling, its rent, heat, cooling and evictions."""

from benyfits_data.household.constants import FOSTER_CARE_AGE
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.measures import household_size, lives_in_temporary_housing
from benyfits_data.household.model import Household


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


@settles("housing_type")
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


@settles("tenure")
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


@settles("monthly_rent_spending")
def renters_pay_rent(household: Household) -> bool:
    """Renters, and nobody else, pay rent."""
    if household.tenure == "renter":
        return household.monthly_rent_spending > 0
    return household.monthly_rent_spending == 0


@settles("heat_included_in_rent")
def heat_in_rent_needs_rent(household: Household) -> bool:
    """Heat is included in the rent of renters."""
    if household.heat_included_in_rent:
        if household.tenure != "renter":
            return False
    return True


@settles("primary_heating_source")
def homes_have_heat(household: Household) -> bool:
    """A household on the street heats with nothing."""
    if household.housing_type == "homeless":
        return household.primary_heating_source == "none"
    return True


@settles("heating_electrical_bill_in_name")
def heating_electrical_bill_in_name_needs_a_home(household: Household) -> bool:
    """A heating or electric bill goes with a home of one's own."""
    if household.heating_electrical_bill_in_name:
        if household.tenure == "no home":
            return False
    return True


@settles("electricity_shut_off")
def electricity_shut_off_needs_a_home(household: Household) -> bool:
    """Electricity is shut off in a home of one's own."""
    if household.electricity_shut_off:
        if household.tenure == "no home":
            return False
    return True


@settles("heat_shut_off")
def heat_shut_off_needs_a_home(household: Household) -> bool:
    """Heat is shut off in a home of one's own."""
    if household.heat_shut_off:
        if household.tenure == "no home":
            return False
    return True


@settles("out_of_fuel")
def fuel_runs_out_where_it_is_used(household: Household) -> bool:
    """Fuel runs out in homes heated with fuel oil or another delivered fuel."""
    if household.out_of_fuel:
        if household.tenure == "no home":
            return False
        if household.primary_heating_source == "fuel oil":
            return True
        return household.primary_heating_source == "other"
    return True


@settles("ac")
def air_conditioner_needs_a_home(household: Household) -> bool:
    """An air conditioner of one's own goes with a home of one's own."""
    if household.ac:
        if household.tenure == "no home":
            return False
    return True


@settles("ac_age_years")
def age_of_air_conditioner(household: Household) -> bool:
    """The age of the air conditioner is told exactly where there is one."""
    if household.ac:
        return household.ac_age_years is not None
    return household.ac_age_years is None


@settles("at_risk_of_homelessness")
def sheltered_households_are_past_the_risk(household: Household) -> bool:
    """A household in a DHS or HRA shelter is past the risk of entering one."""
    if household.at_risk_of_homelessness:
        if household.housing_type == "DHS shelter":
            return False
        if household.housing_type == "HRA shelter":
            return False
    return True


@settles("currently_being_evicted")
def only_renters_are_being_evicted(household: Household) -> bool:
    """Eviction is of renters."""
    if household.currently_being_evicted:
        if household.tenure != "renter":
            return False
    return True


@settles("evicted_in_year_before_shelter")
def eviction_before_shelter_needs_both(household: Household) -> bool:
    """An eviction in the year before the shelter needs a past eviction and a DHS or HRA shelter."""
    if not household.evicted_in_year_before_shelter:
        return True
    if household.evicted_months_ago is None:
        return False
    if household.housing_type == "DHS shelter":
        return True
    return household.housing_type == "HRA shelter"


@settles("eligible_for_hra_shelter")
def hra_shelter_takes_the_eligible(household: Household) -> bool:
    """A household in an HRA shelter is eligible for it."""
    if household.housing_type == "HRA shelter":
        return household.eligible_for_hra_shelter
    return True


@settles("lives_in_jobs_plus_neighborhood")
def jobs_plus_is_in_the_city(household: Household) -> bool:
    """Jobs Plus neighborhoods are in New York City."""
    if household.lives_in_jobs_plus_neighborhood:
        if household.place_of_residence != "New York City":
            return False
    return True


@settles("in_excluded_housing_development")
def supervised_developments_have_their_types(household: Household) -> bool:
    """Mitchell-Lama, limited dividend and redevelopment homes lie in such developments.

    Of other homes only condominiums and cooperative apartments can lie in one.
    """
    if household.housing_type == "Mitchell-Lama development":
        return household.in_excluded_housing_development
    if household.housing_type == "limited dividend development":
        return household.in_excluded_housing_development
    if household.housing_type == "redevelopment company development":
        return household.in_excluded_housing_development
    if household.housing_type == "condo":
        return True
    if household.housing_type == "cooperative apartment":
        return True
    return not household.in_excluded_housing_development


@settles("receives_fpha")
def public_housing_assistance_fits_the_home(household: Household) -> bool:
    """Federal Public Housing Assistance goes with NYCHA and Section 8 housing.

    No other household has it unless it rents.
    """
    if household.housing_type == "NYCHA development":
        return household.receives_fpha
    if household.housing_type == "Section 8":
        return household.receives_fpha
    if household.receives_fpha:
        return household.tenure == "renter"
    return True


@settles("receives_housing_assistance")
def housing_assistance_is_for_renters(household: Household) -> bool:
    """HRA rental assistance is for renters in New York State."""
    if household.receives_housing_assistance:
        if household.tenure != "renter":
            return False
        return household.place_of_residence != "New Jersey"
    return True


@settles("struggles_to_relate")
def family_to_relate_to(household: Household) -> bool:
    """It takes two members to struggle to relate to one another."""
    if household.struggles_to_relate:
        return household_size(household) > 1
    return True


@settles("acs")
def acs_helps_families_with_children(household: Household) -> bool:
    """The Administration for Children's Services helps families with children.

    Somebody is under 21 or pregnant.
    """
    if not household.acs:
        return True
    for member in household.members:
        if member.age < FOSTER_CARE_AGE:
            return True
        if member.weeks_pregnant is not None:
            return True
    return False
