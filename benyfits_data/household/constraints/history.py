"""Justice and COVID-19."""

from benyfits_data.household.constants import CRIMINAL_AGE, SCHOOL_LEAVING_AGE
from benyfits_data.household.constraints.registry import settles
from benyfits_data.household.model import Household, Member


@settles("involved_in_justice_system")
def involved_in_justice_system_age(household: Household, member: Member) -> bool:
    """Nobody under 10 is involved in the justice system."""
    if member.involved_in_justice_system:
        if member.age < CRIMINAL_AGE:
            return False
    return True


@settles("imprisonment")
def imprisonment_age(household: Household, member: Member) -> bool:
    """Nobody under 10 has been imprisoned."""
    if member.imprisonment:
        if member.age < CRIMINAL_AGE:
            return False
    return True


@settles("arson")
def arson_age(household: Household, member: Member) -> bool:
    """Nobody under 10 has a history of arson."""
    if member.arson:
        if member.age < CRIMINAL_AGE:
            return False
    return True


@settles("verbal_abuse")
def verbal_abuse_age(household: Household, member: Member) -> bool:
    """Nobody under 10 has a history of abusive behavior."""
    if member.verbal_abuse:
        if member.age < CRIMINAL_AGE:
            return False
    return True


@settles("covid_funeral_expenses")
def funeral_payer_is_old_enough(household: Household, member: Member) -> bool:
    """Who paid for a funeral is at least 16 years old."""
    if member.covid_funeral_expenses:
        if member.age < SCHOOL_LEAVING_AGE:
            return False
    return True


@settles("covid_funeral_expense_date")
def funeral_date_is_for_payers(household: Household, member: Member) -> bool:
    """The day of payment is told exactly for those who paid for a funeral."""
    if member.covid_funeral_expenses:
        return member.covid_funeral_expense_date is not None
    return member.covid_funeral_expense_date is None


@settles("covid_death_on_certificate")
def death_certificate_is_for_payers(household: Household, member: Member) -> bool:
    """The death certificate is that of the funeral paid for."""
    if member.covid_death_on_certificate:
        if not member.covid_funeral_expenses:
            return False
    return True


@settles("covid_quarantine_order_child")
def quarantined_child_has_a_parent(household: Household, member: Member) -> bool:
    """Who has a quarantined minor dependent is a parent."""
    if member.covid_quarantine_order_child:
        if not member.is_parent:
            return False
    return True
