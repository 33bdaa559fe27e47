"""Home Energy Assistance Program, from 2026: the emergency benefit is gone."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size, yearly


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a household with a lawful member has a low income or is on assistance."""
    if thresholds.asks_for_state:
        if household.place_of_residence == "New Jersey":  # clause 3
            return False
    if thresholds.asks_for_a_home:
        if household.tenure == "no home":  # clause 4
            return False
    if thresholds.somebody_has_a_number:
        nobody_has_a_number = True
        for member in household.members:
            if member.has_ssn:  # reading number
                nobody_has_a_number = False
        if nobody_has_a_number:  # reading number
            return False
    has_lawful_member = False
    for member in household.members:
        if member.citizenship != "unlawful_resident":  # clause 1
            has_lawful_member = True
    if thresholds.status_is_one_way_of_several:
        if has_lawful_member:  # reading status
            return True
    elif thresholds.status_binds_emergencies:
        if not has_lawful_member:  # clause 1
            return False
    else:
        if not has_lawful_member:  # clause 1
            has_emergency = False
            if household.electricity_shut_off:  # reading emergency-status
                has_emergency = True
            elif household.heat_shut_off:  # reading emergency-status
                has_emergency = True
            elif household.out_of_fuel:  # reading emergency-status
                has_emergency = True
            if not has_emergency:  # reading emergency-status
                return False
            if not household.heating_electrical_bill_in_name:  # reading emergency-status
                return False
            resources = household.available_financial_resources
            if resources >= thresholds.emergency_resources:  # reading emergency-status
                return False
    size = household_size(household)
    if household_income(household) <= yearly(thresholds.income_limit_month[size]):  # clause 2a
        return True
    if household.receives_snap:  # clause 2b
        return True
    for member in household.members:
        if member.receives_temporary_assistance:  # clause 2c
            return True
        if member.receives_ssi:  # clause 2d
            if thresholds.ssi_of_who_lives_alone:
                if size == 1:  # clause 2d
                    return True
            else:
                return True
    return False
