"""Child and Dependent Care Tax Credit: money back for care that lets people work."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    attends_school_or_college,
    has_spouse,
    is_child_in_care,
    is_child_of_applicant,
    is_own_child,
    tax_unit_work_income,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the taxpayers pay for care of a child or helpless person, and work."""
    is_care_paid = False
    for member in household.members:
        if not member.has_paid_caregiver:  # clause 1
            continue
        if not member.lived_together_last_6_months:  # clause 3
            continue
        if member.relation == "spouse":  # clause 2b
            if not member.can_care_for_self:  # clause 2b
                is_care_paid = True
        if member.relation == "self":  # clause 2b
            if household.filing_jointly:  # clause 2b
                if not member.can_care_for_self:  # clause 2b
                    is_care_paid = True
        if thresholds.released_claim_counts:
            if member.age < thresholds.child_age_limit:  # reading released-claim
                if not has_spouse(household):  # reading released-claim
                    if is_child_of_applicant(member):  # reading released-claim
                        is_care_paid = True
        if not member.dependent:  # clauses 2a, 2c
            continue
        if thresholds.unable_child_counts:
            if not member.can_care_for_self:  # reading helpless-teen
                is_care_paid = True
        if member.age < thresholds.child_age_limit:  # clause 2a
            if thresholds.own_children_only:
                if is_own_child(member):  # reading child-relation
                    is_care_paid = True
            elif thresholds.kin_only:
                if is_child_in_care(member):  # reading child-relation
                    is_care_paid = True
            else:
                is_care_paid = True
        elif member.age >= thresholds.adult_dependent_min_age:  # clause 2c
            if not member.can_care_for_self:  # clause 2c
                is_care_paid = True
    if not is_care_paid:  # clauses 1, 2a, 2b, 2c, 3
        return False
    if not has_spouse(household):  # clause 4
        if household.applicant.annual_work_income == 0:  # clause 4
            return False
        if thresholds.asks_for_work_today:
            if household.applicant.work_hours_per_week > 0:  # reading work-when
                return True
            if household.applicant.days_looking_for_work > 0:  # reading work-when
                return True
            return False
        else:
            return True
    applicant_is_excused = False
    if attends_school_or_college(household.applicant):  # clause 5c
        applicant_is_excused = True
    elif household.applicant.disabled:  # clause 5c
        applicant_is_excused = True
    elif household.applicant.days_looking_for_work > 0:  # clause 5c
        applicant_is_excused = True
    spouse_is_excused = False
    spouse_works_outside = False
    spouse_earnings = 0
    for member in household.members:
        if member.relation != "spouse":  # clause 5
            continue
        spouse_works_outside = member.works_outside_home
        spouse_earnings = member.annual_work_income
        if attends_school_or_college(member):  # clause 5b
            spouse_is_excused = True
        elif member.disabled:  # clause 5b
            spouse_is_excused = True
        elif member.days_looking_for_work > 0:  # clause 5b
            spouse_is_excused = True
    one_earner_is_enough = False
    if household.applicant.works_outside_home:  # clause 5b
        if spouse_is_excused:  # clause 5b
            one_earner_is_enough = True
    if spouse_works_outside:  # clause 5c
        if applicant_is_excused:  # clause 5c
            one_earner_is_enough = True
    if not one_earner_is_enough:  # clauses 5b, 5c
        if not household.applicant.works_outside_home:  # clause 5a
            return False
        if not spouse_works_outside:  # clause 5a
            return False
    if not household.filing_jointly:  # clause 6c
        if household.applicant.annual_work_income == 0:  # clause 6c
            return False
        return True
    if thresholds.excused_spouse_may_earn_nothing:
        if one_earner_is_enough:  # clause 6a
            if tax_unit_work_income(household) == 0:  # clause 6a
                return False
            return True
    if household.applicant.annual_work_income == 0:  # clause 6b
        return False
    if spouse_earnings == 0:  # clause 6b
        return False
    return True
