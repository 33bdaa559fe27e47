"""What the household does or receives as one."""

from dataclasses import dataclass

from benyfits_data.household.schema import flag, number


@dataclass(frozen=True, kw_only=True)
class Together:
    """Taxes, shared benefits, resources."""

    filing_jointly: bool = flag(
        "does",
        "file{s} a joint tax return as a married couple",
        ask="Do you file a joint tax return with a spouse?",
        note="One fact for the couple; the published data hold it for each member.",
        when="has_spouse",
        needs=(
            "not applicant.legally_separated",
            "not applicant.lived_apart_from_spouse_6_months",
            "couple_has_numbers",
        ),
    )
    receives_snap: bool = flag(
        "receives",
        "SNAP (food stamps)",
        needs=("somebody_has_income_for_aid", "has_lawful_member"),
    )
    receives_fpha: bool = flag(
        "receives",
        "Federal Public Housing Assistance",
        note="Public housing and housing vouchers.",
        when="tenure == 'renter'",
        implied_by=("housing_type == 'NYCHA development'", "housing_type == 'Section 8'"),
    )
    receives_housing_assistance: bool = flag(
        "receives",
        "rental assistance from the Human Resources Administration (HRA)",
        published=None,
        when="tenure == 'renter'",
        needs="place_of_residence != 'New Jersey'",
    )
    available_financial_resources: int = number(
        "{subject} {has} {value} in cash, savings and other available resources.",
        ask="How much does the household have in cash, savings and other available resources?",
        unit="dollar",
        maximum=5_000_000,
        default=5_000,
        zero="{subject} {has} no cash, savings or other available resources.",
        note="One figure for the household; the published data hold it for each member.",
    )
    struggles_to_relate: bool = flag(
        "has", "family members who struggle to relate to one another", when="household_size > 1"
    )
    acs: bool = flag(
        "receives",
        "help from the Administration for Children's Services (ACS)",
        when="has_child_or_is_expecting",
    )
