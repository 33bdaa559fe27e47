"""Service, justice, losses: what happened before."""

from dataclasses import dataclass
from datetime import date

from benyfits_data.household.schema import day, flag


@dataclass(frozen=True, kw_only=True)
class History:
    """Military service, justice involvement, COVID-19."""

    served_in_military: bool = flag(
        "has done",
        "served on active duty in the military of the United States",
        published=None,
        when=("age >= ADULT_AGE", "citizenship != 'unlawful_resident'"),
        needs=("current_school_level != 'school'", "not in_foster_care"),
    )
    conflict_veteran: bool = flag(
        "is",
        "a veteran of the Persian Gulf conflict, Vietnam, Korea or a World War",
        when="served_in_military",
    )
    honorable_service: bool = flag(
        "is", "a veteran with an honorable discharge on form DD-214", when="served_in_military"
    )
    dishonorably_discharged: bool = flag(
        "was",
        "discharged from the military dishonorably or by a general court-martial",
        published=None,
        when=("served_in_military", "not honorable_service"),
    )
    involved_in_justice_system: bool = flag(
        "is", "involved in the justice system", when="age >= CRIMINAL_AGE"
    )
    imprisonment: bool = flag("has", "a history of imprisonment", when="age >= SCHOOL_LEAVING_AGE")
    arson: bool = flag("has", "a history of arson", when="age >= CRIMINAL_AGE")
    verbal_abuse: bool = flag(
        "has", "a history of verbal or abusive behavior toward others", when="age >= CRIMINAL_AGE"
    )
    covid_funeral_expenses: bool = flag(
        "has done",
        "paid for the funeral of someone who died of COVID-19",
        note="The payment alone; date and certificate are facts of their own.",
        when="age >= FUNERAL_PAYER_AGE",
    )
    covid_funeral_expense_date: date | None = day(
        "{subject} paid for a COVID-19 funeral on {value}.",
        ask="On what day did {subject} pay for the funeral?",
        earliest=date(2020, 1, 1),
        latest=date(2025, 9, 30),
        none="There is no day of payment for a COVID-19 funeral.",
        published=None,
        when="covid_funeral_expenses",
        always=True,
    )
    covid_death_on_certificate: bool = flag(
        "has",
        "a death certificate that attributes the death of the person buried to COVID-19",
        published=None,
        when="covid_funeral_expenses",
    )
    covid_quarantine_order: bool = flag(
        "is", "under a mandatory quarantine or isolation order", published=None
    )
    covid_quarantine_order_child: bool = flag(
        "has",
        "a minor dependent under a mandatory quarantine or isolation order",
        published=None,
        when="is_parent",
    )
