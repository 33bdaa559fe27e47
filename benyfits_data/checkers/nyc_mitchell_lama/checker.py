"""NYC Mitchell-Lama: affordable apartments and cooperatives."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the household's income fits at least one kind of development."""
    if household_income(household) > thresholds.income_limit[household_size(household)]:  # clause 1
        return False
    return True
