"""Earned Income Tax Credit: money back for people with low pay."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    attends_school_or_college,
    has_spouse,
    is_child_in_care,
    is_in_tax_unit,
    is_own_child,
    oldest_filer_age,
    tax_unit_income,
    tax_unit_investment_income,
    tax_unit_work_income,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the taxpayers' pay fits their family and their return entitles them."""
    if thresholds.spouse_needs_a_number_too:
        for member in household.members:
            if is_in_tax_unit(household, member):  # clause 1
                if not member.has_ssn:  # clause 1
                    return False
    else:
        if not household.applicant.has_ssn:  # reading spouse-number
            return False
    children = 0
    child_lived_here = False
    for member in household.members:
        if thresholds.kin_count:
            if not is_child_in_care(member):  # clause 3a
                continue
        else:
            if not is_own_child(member):  # clause 3a
                if member.relation != "grandchild":  # clause 3a
                    continue
        if thresholds.child_has_a_number:
            if not member.has_ssn:  # clause 3a
                continue
        if thresholds.every_child_lived_here:
            if not member.lived_together_last_6_months:  # clause 3a
                continue
        if thresholds.child_is_claimed:
            if not member.dependent:  # reading claimed-child
                continue
        if thresholds.children_are_younger:
            if member.age >= oldest_filer_age(household):  # clause 3a
                if not member.disabled:  # clause 3a
                    continue
        if thresholds.children_have_an_age:
            if member.age >= thresholds.child_age:  # clause 3a
                if not member.disabled:  # clause 3a
                    if member.age >= thresholds.student_age:  # clause 3a
                        continue
                    if not attends_school_or_college(member):  # clause 3a
                        continue
        children += 1
        if thresholds.every_child_lived_here:
            child_lived_here = True
        else:
            if member.lived_together_last_6_months:  # clause 5
                child_lived_here = True
    is_of_age = False
    for member in household.members:
        if not is_in_tax_unit(household, member):  # clause 3b
            continue
        if member.age < thresholds.min_age:  # clause 3b
            continue
        if member.age <= thresholds.max_age:  # clause 3b
            is_of_age = True
    if children == 0:  # clause 3a
        if not is_of_age:  # clause 3b
            return False
        if thresholds.both_filers_are_of_age:
            for member in household.members:
                if is_in_tax_unit(household, member):  # reading joint-ages
                    if member.age < thresholds.min_age:  # reading joint-ages
                        return False
                    if member.age > thresholds.max_age:  # reading joint-ages
                        return False
    if has_spouse(household):  # clause 5
        if not household.filing_jointly:  # clause 5
            if not child_lived_here:  # clause 5
                return False
            if not household.applicant.legally_separated:  # clause 5a
                if not household.applicant.lived_apart_from_spouse_6_months:  # clause 5b
                    return False
    if thresholds.other_income_counts_as_investments:
        if tax_unit_investment_income(household) >= thresholds.investment_limit:  # clause 4
            return False
    earnings = tax_unit_work_income(household)
    if thresholds.asks_for_earnings:
        if earnings == 0:  # clause 6
            return False
    if thresholds.all_income_is_limited:
        earnings = tax_unit_income(household)
    files_as_a_couple = household.filing_jointly
    if thresholds.marriage_decides:
        files_as_a_couple = has_spouse(household)
    if thresholds.limits_by_number_of_children:
        if files_as_a_couple:  # clauses 2a, 2b, 2c, 2d, 2e, 2f, 2g, 2h
            if children == 0:  # clauses 2a, 2b, 2c, 2d
                if earnings > thresholds.limit_married_no_children:  # clause 2a
                    return False
            elif children == 1:  # clauses 2b, 2c, 2d
                if earnings > thresholds.limit_married_one_child:  # clause 2b
                    return False
            elif children < thresholds.many_children:  # clauses 2c, 2d
                if earnings > thresholds.limit_married_two_children:  # clause 2c
                    return False
            elif earnings > thresholds.limit_married_children:  # clause 2d
                return False
        elif children == 0:  # clauses 2e, 2f, 2g, 2h
            if earnings > thresholds.limit_single_no_children:  # clause 2e
                return False
        elif children == 1:  # clauses 2f, 2g, 2h
            if earnings > thresholds.limit_single_one_child:  # clause 2f
                return False
        elif children < thresholds.many_children:  # clauses 2g, 2h
            if earnings > thresholds.limit_single_two_children:  # clause 2g
                return False
        elif earnings > thresholds.limit_single_children:  # clause 2h
            return False
    else:
        if files_as_a_couple:  # clauses 2a, 2b, 2c, 2d
            if children > 0:  # clauses 2a, 2b
                if earnings > thresholds.limit_married_children:  # clause 2a
                    return False
            elif earnings > thresholds.limit_married_no_children:  # clause 2b
                return False
        elif children > 0:  # clauses 2c, 2d
            if earnings > thresholds.limit_single_children:  # clause 2c
                return False
        elif earnings > thresholds.limit_single_no_children:  # clause 2d
            return False
    return True
