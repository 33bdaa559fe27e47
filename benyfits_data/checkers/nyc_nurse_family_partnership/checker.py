"""NYC Nurse-Family Partnership: nurse visits for first-time mothers."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    is_former_foster_youth,
    medicaid_family_income,
    medicaid_family_size,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city member is early in a first pregnancy, or eligible for WIC."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    if thresholds.any_pregnancy_qualifies:
        may_have_wic = False
        size = household_size(household)
        if household.receives_snap:  # clause 3b
            may_have_wic = True
        elif household_income(household) <= thresholds.wic_income_limit[size]:  # clause 3e
            may_have_wic = True
        else:
            for member in household.members:
                if member.receives_medicaid:  # clause 3c
                    may_have_wic = True
                elif member.receives_cash_assistance:  # clause 3d
                    may_have_wic = True
        for member in household.members:
            if member.weeks_pregnant is None:  # clause 2
                continue
            if may_have_wic:  # clauses 3b, 3c, 3d, 3e
                return True
            if member.eligible_for_medicaid:  # clause 3a
                return True
            if is_former_foster_youth(member):  # clause 3g
                return True
            limit = thresholds.medicaid_limit[medicaid_family_size(household, member)]
            if medicaid_family_income(household, member) <= limit:  # clause 3f
                return True
    else:
        for member in household.members:
            if member.weeks_pregnant is None:  # clause 2
                continue
            if member.weeks_pregnant > thresholds.max_weeks:  # clause 2
                continue
            if not member.expecting_first_baby:  # clause 3
                continue
            if thresholds.any_child_is_counted:
                if member.is_parent:  # reading first-baby
                    continue
            if member.eligible_for_medicaid:  # clause 4a
                return True
            if is_former_foster_youth(member):  # clause 4c
                return True
            limit = thresholds.medicaid_limit[medicaid_family_size(household, member)]
            if medicaid_family_income(household, member) <= limit:  # clause 4b
                return True
    return False
