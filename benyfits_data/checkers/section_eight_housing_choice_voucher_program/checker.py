"""Section 8 Housing Choice Voucher Program: help with the rent of a private apartment."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    grown_students_pay,
    has_lawful_member,
    household_income,
    household_size,
    minors_pay,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the income is low for the household's size and a member has a status."""
    counted_income = household_income(household)
    if thresholds.minors_pay_is_left_out:
        counted_income = counted_income - minors_pay(household) - grown_students_pay(household)
    if counted_income > thresholds.income_limit[household_size(household)]:  # clause 1
        return False
    if thresholds.asks_for_status:
        if not has_lawful_member(household):  # clause 2
            return False
    if thresholds.leaves_out_assisted_homes:
        if household.housing_type == "Section 8":  # reading already-housed
            return False
        if household.housing_type == "NYCHA development":  # reading already-housed
            return False
    if thresholds.asks_adult_applicant:
        if household.applicant.age < thresholds.adult_age:  # reading primarily
            if not household.applicant.emancipated_minor:  # reading primarily
                return False
    return True
