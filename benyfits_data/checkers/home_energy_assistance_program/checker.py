"""Home Energy Assistance Program: help with the cost of heat."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    has_lawful_member,
    household_income,
    household_size,
    yearly,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether the income is low, or an emergency strikes a household on assistance."""
    if thresholds.asks_for_state:
        if household.place_of_residence == "New Jersey":  # clause 6
            return False
    if thresholds.asks_for_a_home:
        if household.tenure == "no home":  # clause 7
            return False
    if thresholds.asks_for_status:
        if not has_lawful_member(household):  # clause 8
            return False
    size = household_size(household)
    if thresholds.asks_for_vulnerable_member:
        benefit_is_open = False
        for member in household.members:
            if member.age >= thresholds.elder_age:  # reading vulnerable
                benefit_is_open = True
            elif member.age < thresholds.child_age:  # reading vulnerable
                benefit_is_open = True
            elif member.disabled:  # reading vulnerable
                benefit_is_open = True
    if household_income(household) <= yearly(thresholds.income_limit_month[size]):  # clause 1
        if thresholds.asks_for_vulnerable_member:
            if benefit_is_open:  # reading vulnerable
                return True
        else:
            return True
    if not household.heating_electrical_bill_in_name:  # clause 3
        return False
    has_emergency = False
    if household.electricity_shut_off:  # clause 2a
        has_emergency = True
    elif household.heat_shut_off:  # clause 2b
        has_emergency = True
    elif household.out_of_fuel:  # clause 2c
        has_emergency = True
    if not has_emergency:  # clauses 2a, 2b, 2c
        return False
    is_vulnerable = False
    is_assisted = False
    for member in household.members:
        if member.age >= thresholds.elder_age:  # clause 4a
            is_vulnerable = True
        elif member.age < thresholds.child_age:  # clause 4b
            is_vulnerable = True
        if member.receives_temporary_assistance:  # clause 5b
            is_assisted = True
        if member.receives_ssi:  # clause 5c
            if thresholds.ssi_of_who_lives_alone:
                if size == 1:  # clause 5c
                    is_assisted = True
            else:
                is_assisted = True
    resources = household.available_financial_resources
    if is_vulnerable:  # clauses 4a, 4b
        if resources >= thresholds.resource_limit_vulnerable:  # clauses 4a, 4b
            return False
    elif resources >= thresholds.resource_limit_other:  # clause 4c
        return False
    if household.receives_snap:  # clause 5a
        return True
    if is_assisted:  # clauses 5b, 5c
        return True
    if thresholds.asks_for_vulnerable_member:
        # The emergency benefit prints the income too, which decides nothing as long as it is
        # enough for the regular one.
        limit = yearly(thresholds.income_limit_month[size])
        if household_income(household) <= limit:  # reading vulnerable
            return True
    return False
