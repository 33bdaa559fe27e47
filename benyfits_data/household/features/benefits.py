"""Benefits and insurance of a member."""

from dataclasses import dataclass

from benyfits_data.household.schema import flag


@dataclass(frozen=True, kw_only=True)
class Benefits:
    """What a member receives or qualifies for already."""

    receives_cash_assistance: bool = flag(
        "receives",
        "Cash Assistance",
        needs=(
            "has_income_for_cash_assistance",
            "available_financial_resources <= LARGEST_SAVINGS_WITH_AID",
            "citizenship != 'unlawful_resident'",
        ),
    )
    receives_temporary_assistance: bool = flag(
        "receives",
        "Temporary Assistance (as the state calls Cash Assistance)",
        note="The state's name of Cash Assistance: always the same as receives_cash_assistance.",
        needs="receives_cash_assistance",
        always=True,
    )
    receives_hra: bool = flag(
        "receives",
        "help from the Human Resources Administration (HRA)",
        note="The published sentence speaks of a health reimbursement arrangement by mistake.",
        needs="may_have_help_of_hra",
        implied_by=(
            "receives_housing_assistance",
            "receives_cash_assistance and place_of_residence == 'New York City'",
            "receives_snap and place_of_residence == 'New York City'",
        ),
    )
    receives_ssi: bool = flag(
        "receives",
        "Supplemental Security Income (SSI)",
        needs=(
            "is_disabled_or_aged",
            "household_income <= LARGEST_INCOME_WITH_SSI",
            "annual_work_income <= LARGEST_PAY_WITH_SSI",
            "annual_investment_income <= LARGEST_OTHER_INCOME_WITH_SSI",
            "available_financial_resources <= LARGEST_SAVINGS_WITH_AID",
            "citizenship != 'unlawful_resident'",
        ),
    )
    receives_ssdi: bool = flag(
        "receives",
        "Social Security Disability Insurance (SSDI)",
        when="age >= SSDI_AGE",
        needs=("age <= OLDEST_SSDI_AGE", "disabled", "citizenship != 'unlawful_resident'"),
    )
    has_received_ssi_or_ssdi: bool = flag(
        "has done",
        "received SSI or SSDI in the past",
        implied_by=("receives_ssi", "receives_ssdi"),
    )
    receives_va_disability: bool = flag(
        "receives",
        "a VA disability pension or compensation",
        when="va_healthcare",
        needs="disabled",
    )
    receives_vpsb: bool = flag(
        "receives",
        "the Veterans Pension and Survivors Benefit",
        needs=("is_veteran_or_survivor", "income <= LARGEST_INCOME_WITH_VETERANS_PENSION"),
    )
    receives_medicaid: bool = flag("receives", "Medicaid", needs="eligible_for_medicaid")
    eligible_for_medicaid: bool = flag(
        "has done",
        "been found eligible for Medicaid",
        note="A finding. Whom Medicaid takes for a pregnancy, a childhood or former foster care "
        "is decided by the programs that ask, by the limits of their year.",
        needs="may_have_medicaid",
        implied_by=(
            # These bring Medicaid with them (18 NYCRR 360-3.3).
            "receives_ssi",
            "receives_cash_assistance",
            "in_foster_care and citizenship != 'unlawful_resident'",
        ),
    )
    receives_disability_medicaid: bool = flag(
        "receives",
        "Medicaid for people with disabilities",
        when="receives_medicaid",
        needs="disabled",
    )
    health_insurance: bool = flag(
        "has",
        "health insurance other than Medicaid or Child Health Plus",
        note="Coverage by Medicaid or Child Health Plus alone is false here.",
    )
    qualify_for_health_insurance: bool = flag(
        "does",
        "qualif{ies} for a health insurance plan available in New York State, other than "
        "Medicaid for pregnancy or for former foster youth",
        default=True,
        note="Whom Medicaid takes for these is decided by the program that asks.",
        implied_by=(
            "health_insurance",
            "eligible_for_medicaid",
            # Child Health Plus takes every child of the state.
            "age < CHILD_HEALTH_PLUS_AGE and place_of_residence != 'New Jersey'",
        ),
    )
    attending_service_for_domestic_violence: bool = flag(
        "is", "attending domestic violence services"
    )
    va_healthcare: bool = flag(
        "is",
        "eligible for VA health care",
        when=("age >= ADULT_AGE", "citizenship != 'unlawful_resident'"),
        needs="is_veteran",
    )
