"""Child Tax Credit: lower taxes for people who raise children."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import income, is_child_in_care, tax_unit_income


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the taxpayer has a number, a limited income and a child to claim."""
    if thresholds.itin_suffices:
        if not household.applicant.has_ssn:  # clause 2a
            if not household.applicant.has_itin:  # clause 2b
                return False
    elif not household.applicant.has_ssn:  # clause 2
        return False
    if household.filing_jointly:  # clauses 1a, 1b
        if tax_unit_income(household) > thresholds.limit_joint:  # clause 1b
            return False
    elif income(household.applicant) > thresholds.limit_single:  # clause 1a
        return False
    for member in household.members:
        if not is_child_in_care(member):  # clause 3
            continue
        if member.age > thresholds.child_max_age:  # clause 4
            continue
        if not member.dependent:  # clause 7
            continue
        if not member.lived_together_last_6_months:  # clause 6
            continue
        if member.provides_over_half_of_own_financial_support:  # clause 8
            continue
        if member.has_ssn:  # clause 5a
            return True
        if member.has_atin:  # clause 5b
            return True
    return False
