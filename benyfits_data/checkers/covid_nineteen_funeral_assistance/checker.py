"""COVID-19 Funeral Assistance: funeral costs paid back."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member of lawful status paid for a certified COVID-19 funeral in time."""
    if thresholds.applications_are_taken:
        for member in household.members:
            if not member.covid_funeral_expenses:  # clause 2
                continue
            if not member.covid_death_on_certificate:  # clause 3
                continue
            if member.citizenship == "unlawful_resident":  # clause 1
                continue
            if member.covid_funeral_expense_date is not None:  # clause 2
                if member.covid_funeral_expense_date >= thresholds.expense_start:  # clause 2
                    return True
    return False
