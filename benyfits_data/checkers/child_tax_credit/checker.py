"""Child Tax Credit: lower taxes for people who raise children."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    has_spouse,
    income,
    is_child_in_care,
    is_in_tax_unit,
    tax_unit_income,
    tax_unit_work_income,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the taxpayer has a number, a limited income and a child to claim."""
    if thresholds.applicants_number_decides:
        if not household.applicant.has_ssn:  # reading filer-number
            if thresholds.itin_suffices:
                if not household.applicant.has_itin:  # reading filer-number
                    return False
            else:
                return False
    else:
        a_filer_has_a_number = False
        if thresholds.itin_suffices:
            for member in household.members:
                if not is_in_tax_unit(household, member):  # clauses 2a, 2b
                    continue
                if member.has_ssn:  # clause 2a
                    a_filer_has_a_number = True
                if member.has_itin:  # clause 2b
                    a_filer_has_a_number = True
            if not a_filer_has_a_number:  # clauses 2a, 2b
                return False
        else:
            for member in household.members:
                if not is_in_tax_unit(household, member):  # clause 2
                    continue
                if member.has_ssn:  # clause 2
                    a_filer_has_a_number = True
            if not a_filer_has_a_number:  # clause 2
                return False
    if thresholds.spouse_needs_a_number_too:
        for member in household.members:
            if not is_in_tax_unit(household, member):  # reading filer-number
                continue
            if not member.has_ssn:  # reading filer-number
                if thresholds.itin_suffices:
                    if not member.has_itin:  # reading filer-number
                        return False
                else:
                    return False
    if household.filing_jointly:  # clauses 1a, 1b
        if thresholds.limits_earnings_only:
            if tax_unit_work_income(household) > thresholds.limit_joint:  # reading income-kind
                return False
        else:
            if tax_unit_income(household) > thresholds.limit_joint:  # clause 1b
                return False
    else:
        if thresholds.spouses_file_jointly:
            if has_spouse(household):  # reading separate-return
                return False
        if thresholds.limits_earnings_only:
            if tax_unit_work_income(household) > thresholds.limit_single:  # reading income-kind
                return False
        else:
            if income(household.applicant) > thresholds.limit_single:  # clause 1a
                return False
    if thresholds.asks_for_some_income:
        if tax_unit_income(household) < thresholds.min_income:  # clause 9
            return False
    elif thresholds.asks_for_earnings:
        if tax_unit_work_income(household) < thresholds.min_income:  # reading least-income
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
