"""NYCHA public housing: apartments for households with low and moderate incomes."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    family_income,
    family_size,
    grown_students_pay,
    is_friend,
    is_spouse_or_partner,
    minors_pay,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a family of the right age, status and income applies."""
    counted_income = family_income(household)
    if thresholds.minors_pay_is_left_out:
        counted_income = counted_income - minors_pay(household) - grown_students_pay(household)
    if counted_income > thresholds.income_limit[family_size(household)]:  # clause 4
        return False
    if household.applicant.age < thresholds.min_age:  # clause 2a
        if not household.applicant.emancipated_minor:  # clause 2b
            return False
    someone_is_lawful = False
    for member in household.members:
        if is_friend(member):  # clauses 1a, 1b
            if thresholds.friend_breaks_family:
                return False
            else:
                continue
        if thresholds.partner_applies_too:
            if is_spouse_or_partner(member):  # clause 3
                if member.age < thresholds.min_age:  # clause 3a
                    if not member.emancipated_minor:  # clause 3b
                        return False
        if member.citizenship == "citizen_or_national":  # clause 1a
            someone_is_lawful = True
        elif member.citizenship == "lawful_resident":  # clause 1b
            someone_is_lawful = True
    if not someone_is_lawful:  # clauses 1a, 1b
        return False
    return True
