"""Disability Rent Increase Exemption: a frozen rent for people with a disability."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, income, yearly


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a leaseholder with a disability benefit pays a high rent on a low income."""
    if household.place_of_residence != "New York City":  # clause 5
        return False
    is_covered = False
    if household.housing_type == "rent stabilized apartment":  # clause 6a
        is_covered = True
    elif household.housing_type == "rent controlled apartment":  # clause 6b
        is_covered = True
    elif household.housing_type == "Mitchell-Lama development":  # clause 6c
        is_covered = True
    elif household.housing_type == "limited dividend development":  # clause 6d
        is_covered = True
    elif household.housing_type == "redevelopment company development":  # clause 6e
        is_covered = True
    elif household.housing_type == "HDFC development":  # clause 6f
        is_covered = True
    elif household.housing_type == "Section 213 coop":  # clause 6g
        is_covered = True
    elif household.housing_type == "rent regulated hotel":  # clause 6h
        is_covered = True
    elif household.housing_type == "rent regulated single room occupancy (SRO)":  # clause 6i
        is_covered = True
    if not is_covered:  # clauses 6a, 6b, 6c, 6d, 6e, 6f, 6g, 6h, 6i
        return False
    if household_income(household) > thresholds.income_limit:  # clause 3
        return False
    multiple_of_rent = yearly(household.monthly_rent_spending) * thresholds.rent_divisor
    if thresholds.rent_share_is_of_the_household:
        if multiple_of_rent <= household_income(household):  # clause 4
            return False
    if thresholds.asks_for_some_income:
        if household_income(household) == 0:  # reading no-income
            return False
    for member in household.members:
        if thresholds.applicant_only:
            if member.relation != "self":  # reading which-member
                continue
        if not thresholds.rent_share_is_of_the_household:
            if multiple_of_rent <= income(member):  # reading rent-share
                continue
        if member.age < thresholds.min_age:  # clause 1
            continue
        if not member.name_is_on_lease:  # clause 2
            continue
        if member.receives_ssi:  # clause 7a
            return True
        if member.receives_ssdi:  # clause 7b
            return True
        if member.receives_va_disability:  # clause 7c
            return True
        if member.receives_disability_medicaid:  # clause 7d
            if thresholds.medicaid_needs_past_ssi:
                if member.has_received_ssi_or_ssdi:  # clause 7d
                    return True
            else:
                return True
    return False
