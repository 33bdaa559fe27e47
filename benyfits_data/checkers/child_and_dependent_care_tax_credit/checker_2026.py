"""Child and Dependent Care Tax Credit, from 2026: joint filers both earn."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    attends_school_or_college,
    has_spouse,
    is_child_in_care,
    is_child_of_applicant,
    is_in_tax_unit,
    is_own_child,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the taxpayers pay for care of a child or helpless person, and earn."""
    is_care_paid = False
    for member in household.members:
        if not member.has_paid_caregiver:  # clause 1
            continue
        if thresholds.everybody_lived_here:
            if not member.lived_together_last_6_months:  # clause 3
                continue
        else:
            if not member.can_care_for_self:  # reading half-year
                if not member.lived_together_last_6_months:  # reading half-year
                    continue
        if household.filing_jointly:  # clause 2b
            if is_in_tax_unit(household, member):  # clause 2b
                if not member.can_care_for_self:  # clause 2b
                    is_care_paid = True
        if thresholds.released_claim_counts:
            if member.age < thresholds.child_age_limit:  # reading released-claim
                if not has_spouse(household):  # reading released-claim
                    if is_child_of_applicant(member):  # reading released-claim
                        is_care_paid = True
        if not member.dependent:  # clauses 2a, 2c
            continue
        if not member.can_care_for_self:  # clause 2c
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
    if not is_care_paid:  # clauses 1, 2a, 2b, 2c, 3
        return False
    if not household.filing_jointly:  # clauses 5, 6a
        if has_spouse(household):  # clause 6
            if thresholds.separated_may_file_alone:
                if not household.applicant.legally_separated:  # clause 6b
                    if not household.applicant.lived_apart_from_spouse_6_months:  # clause 6c
                        return False
            else:
                return False
        if household.applicant.annual_work_income == 0:  # clause 5
            return False
        if thresholds.asks_for_work_today:
            if household.applicant.work_hours_per_week > 0:  # reading work-when
                return True
            if household.applicant.days_looking_for_work > 0:  # reading work-when
                return True
            return False
        else:
            return True
    spouse_earns = False
    spouse_is_excused = False
    for member in household.members:
        if member.relation != "spouse":  # clauses 4a, 4b, 4c
            continue
        if member.annual_work_income > 0:  # clauses 4a, 4c
            spouse_earns = True
        if attends_school_or_college(member):  # clause 4b
            spouse_is_excused = True
        elif not member.can_care_for_self:  # clause 4b
            spouse_is_excused = True
    if household.applicant.annual_work_income > 0:  # clauses 4a, 4b, 4c
        if spouse_earns:  # clause 4a
            return True
        if thresholds.excused_count_as_earning:
            if spouse_is_excused:  # clause 4b
                return True
        return False
    if thresholds.excused_count_as_earning:
        if not spouse_earns:  # clause 4c
            return False
        if attends_school_or_college(household.applicant):  # clause 4c
            return True
        if not household.applicant.can_care_for_self:  # clause 4c
            return True
    return False
