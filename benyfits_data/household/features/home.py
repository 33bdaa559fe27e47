"""The dwelling: one fact for the whole household."""

from dataclasses import dataclass
from typing import Literal

from benyfits_data.household.schema import choice, flag, number

Place = Literal["New York City", "New York State outside the city", "New Jersey"]
Housing = Literal[
    "unregulated rental",
    "rent stabilized apartment",
    "rent controlled apartment",
    "NYCHA development",
    "Section 8",
    "rent regulated hotel",
    "rent regulated single room occupancy (SRO)",
    "Mitchell-Lama development",
    "limited dividend development",
    "redevelopment company development",
    "HDFC development",
    "Section 213 coop",
    "one-family house",
    "two-family house",
    "three-family house",
    "condo",
    "cooperative apartment",
    "manufactured home",
    "farmhouse",
    "mixed use property",
    "homeless",
    "DHS shelter",
    "HRA shelter",
    "temporary housing",
]
Tenure = Literal["owner", "renter", "rent-free", "no home"]
Heating = Literal["utility gas", "electricity", "fuel oil", "other", "none"]


@dataclass(frozen=True, kw_only=True)
class Home:
    """Place, kind of dwelling, rent, heat, evictions."""

    place_of_residence: Place = choice(
        "{subject} live{s} in {value}.",
        {
            "New York City": "New York City",
            "New York State outside the city": "New York State, outside New York City",
            "New Jersey": "New Jersey",
        },
        ask="Where does the household live?",
        default="New York City",
        note="The published data know New York City and Jersey only.",
    )
    housing_type: Housing = choice(
        "{subject} {value}.",
        {
            "unregulated rental": "live{s} in a rental without rent regulation",
            "rent stabilized apartment": "live{s} in a rent stabilized apartment",
            "rent controlled apartment": "live{s} in a rent controlled apartment",
            "NYCHA development": "live{s} in a NYCHA public housing development",
            "Section 8": "live{s} in a private rental with a Section 8 voucher",
            "rent regulated hotel": "live{s} in a rent regulated hotel room",
            "rent regulated single room occupancy (SRO)": "live{s} in a rent regulated single room "
            "occupancy (SRO) unit",
            "Mitchell-Lama development": "live{s} in a Mitchell-Lama development",
            "limited dividend development": "live{s} in a limited dividend development",
            "redevelopment company development": "live{s} in a redevelopment company development",
            "HDFC development": "live{s} in a Housing Development Fund Corporation (HDFC) "
            "development",
            "Section 213 coop": "live{s} in a Section 213 cooperative",
            "one-family house": "live{s} in a one-family house",
            "two-family house": "live{s} in a two-family house",
            "three-family house": "live{s} in a three-family house",
            "condo": "live{s} in a condominium",
            "cooperative apartment": "live{s} in a cooperative apartment",
            "manufactured home": "live{s} in a manufactured home",
            "farmhouse": "live{s} in a farmhouse",
            "mixed use property": "live{s} in a mixed-use property",
            "homeless": "{is} homeless and sleep{s} outside the shelter system",
            "DHS shelter": "live{s} in a shelter of the Department of Homeless Services (DHS)",
            "HRA shelter": "live{s} in a shelter of the Human Resources Administration (HRA)",
            "temporary housing": "live{s} in temporary housing",
        },
        ask="What kind of home does the household live in?",
        default="unregulated rental",
        note="Bedrooms are left out; two- and three-family houses and the unregulated rental are "
        "not in the published data.",
    )
    tenure: Tenure = choice(
        "{subject} {value}.",
        {
            "owner": "own{s} the home",
            "renter": "rent{s} the home",
            "rent-free": "live{s} there without paying rent and {does} not own the home",
            "no home": "neither own{s} nor rent{s} a home",
        },
        ask="Does the household own or rent the home, or live there rent-free?",
        default="renter",
        published=None,
    )
    monthly_rent_spending: int = number(
        "{possessive} rent is {value} a month.",
        ask="How much rent does the household pay each month?",
        unit="dollar",
        maximum=30_000,
        default=1500,
        zero="{subject} pay{s} no rent.",
        when="tenure == 'renter'",
        always=True,
    )
    monthly_carrying_charge: int = number(
        "{possessive} carrying charge is {value} a month.",
        ask="How much is the monthly carrying charge of the household's cooperative?",
        unit="dollar",
        maximum=30_000,
        zero="{subject} pay{s} no carrying charge.",
        published=None,
        note="What owners of a cooperative pay for its upkeep, taxes and loans.",
        when="is_owned_cooperative",
        always=True,
    )
    heat_included_in_rent: bool = flag(
        "does", "pay{s} a rent that includes heat", default=True, when="tenure == 'renter'"
    )
    primary_heating_source: Heating = choice(
        "The home is heated mainly with {value}.",
        {
            "utility gas": "utility gas",
            "electricity": "electricity",
            "fuel oil": "fuel oil",
            "other": "another fuel",
            "none": "no fuel at all",
        },
        ask="What is the home heated with?",
        default="utility gas",
        published=None,
        off="none",
        when="tenure != 'no home'",
    )
    heating_electrical_bill_in_name: bool = flag(
        "has",
        "a heating or electric bill in the name of a household member",
        default=True,
        when="tenure != 'no home'",
    )
    electricity_shut_off: bool = flag(
        "does",
        "suffer{s} or face{s} a shutoff of the electricity for {possessive} heat or thermostat",
        when="tenure != 'no home'",
    )
    heat_shut_off: bool = flag(
        "does",
        "suffer{s} or face{s} a shutoff of {possessive} heat",
        when="tenure != 'no home'",
        needs="primary_heating_source",
    )
    out_of_fuel: bool = flag(
        "is",
        "out of heating fuel or down to less than a quarter of the tank",
        when=("tenure != 'no home'", "uses_delivered_fuel", "not heat_included_in_rent"),
    )
    ac: bool = flag("has", "a working air conditioner", default=True, when="tenure != 'no home'")
    ac_age_years: int | None = number(
        "The air conditioner is {count} old.",
        ask="How many years old is the air conditioner?",
        unit="year",
        maximum=40,
        default=2,
        none="There is no working air conditioner that has an age.",
        zero="The air conditioner is less than a year old.",
        published=None,
        when="ac",
        always=True,
    )
    got_heap_ac: int | None = number(
        "{subject} got an air conditioner through HEAP {count} ago.",
        ask="How many years ago did the household get an air conditioner through HEAP, if ever?",
        unit="year",
        maximum=30,
        default=None,
        none="{subject} never got an air conditioner through HEAP.",
        zero="{subject} got an air conditioner through HEAP within the last year.",
        note="None for never; the published 0 means both never and this year.",
    )
    at_risk_of_homelessness: bool = flag(
        "is", "in danger of soon having to enter a city shelter", when="not is_in_shelter"
    )
    currently_being_evicted: bool = flag(
        "is",
        "being evicted now (by an eviction case in court, a foreclosure, an official order to "
        "leave or a landlord's written demand for rent that threatens eviction)",
        note="A foreclosure is that of an owner.",
        when="tenure != 'no home'",
    )
    evicted_months_ago: int | None = number(
        "{subject} {was} evicted in New York City {count} ago.",
        ask="How many months ago was the household evicted in New York City, if ever? A home lost "
        "to a foreclosure or an official order counts too.",
        unit="month",
        maximum=600,
        default=None,
        none="{subject} {was} never evicted in New York City.",
        zero="{subject} {was} evicted in New York City within the last month.",
        note="None for never; the published data say 0.",
    )
    evicted_in_year_before_shelter: bool = flag(
        "was",
        "evicted in New York City in the year before entering the shelter",
        published=None,
        when="is_in_shelter",
        needs="evicted_months_ago",
    )
    eligible_for_hra_shelter: bool = flag(
        "is",
        "eligible for an HRA shelter",
        implied_by="housing_type == 'HRA shelter'",
    )
    cash_assistance_on_leaving_shelter: bool = flag(
        "does",
        "qualif{ies} for Cash Assistance on leaving the shelter",
        published=None,
        when="is_in_shelter",
        needs=(
            "somebody_has_income_for_aid",
            "household_income <= LARGEST_INCOME_ON_LEAVING_SHELTER",
            "has_lawful_member",
        ),
    )
    lives_in_jobs_plus_neighborhood: bool = flag(
        "does",
        "live{s} in a place that Jobs Plus serves",
        when="place_of_residence == 'New York City'",
    )
    lives_in_home_visit_neighborhood: bool = flag(
        "does",
        "live{s} in a neighborhood that the Newborn Home Visiting Program serves",
        published=None,
        when="place_of_residence == 'New York City'",
    )
    in_excluded_housing_development: bool = flag(
        "does",
        "live{s} in a development of a limited profit, Mitchell-Lama, limited dividend or "
        "redevelopment company",
        published=None,
        when="may_be_in_excluded_development",
        implied_by="is_in_supervised_development",
    )
    had_star_exemption_2015_16: bool = flag(
        "has done",
        "had the STAR exemption in 2015-16 and lost it since",
        published=None,
        when="tenure == 'owner'",
        needs="has_owned_since_2016",
    )
