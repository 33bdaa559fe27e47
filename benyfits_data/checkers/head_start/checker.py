"""Head Start: learning and care before kindergarten."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    income,
    is_child_in_care,
    is_own_child,
    lives_in_temporary_housing,
    yearly,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a child in care of the right age lives in need of one of the kinds."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 3
            return False
    has_child_of_age = False
    for member in household.members:
        if thresholds.own_children_only:
            if not is_own_child(member):  # reading whose-child
                continue
        else:
            if not is_child_in_care(member):  # clause 1
                continue
        if member.age < thresholds.min_age:  # clause 1
            continue
        if member.age > thresholds.max_age:  # clause 1
            continue
        has_child_of_age = True
        if member.in_foster_care:  # clause 2e
            return True
    if not has_child_of_age:  # clause 1
        return False
    if household.receives_snap:  # clause 2c
        return True
    if lives_in_temporary_housing(household):  # clause 2a
        if thresholds.street_counts_as_temporary:
            return True
        else:
            if household.housing_type != "homeless":  # reading temporary-housing
                return True
    size = household_size(household)
    counted_income = household_income(household)
    if thresholds.friends_do_not_count:
        size = 0
        counted_income = 0
        for member in household.members:
            if member.relation == "friend":  # reading whose-income
                continue
            size += 1
            counted_income += income(member)
    if thresholds.pay_alone_counts:
        counted_income = 0
        for member in household.members:
            counted_income += member.annual_work_income
    if thresholds.income_at_limit_qualifies:
        if counted_income <= thresholds.income_limit[size]:  # clause 2f
            return True
    elif counted_income < thresholds.income_limit[size]:  # clause 2f
        return True
    if thresholds.housing_costs_are_deducted:
        free = counted_income * thresholds.percent_without_relief
        costs = yearly(household.monthly_rent_spending) * thresholds.percent_of_all
        if costs > free:  # reading housing-costs
            left = counted_income * thresholds.percent_of_all + free - costs
            most = thresholds.income_limit[size] * thresholds.percent_of_all
            if left <= most:  # reading housing-costs
                return True
    for member in household.members:
        if thresholds.applicants_benefits_only:
            if member.relation != "self":  # reading who-receives
                continue
        if member.receives_cash_assistance:  # clause 2b
            return True
        if member.receives_ssi:  # clause 2d
            return True
    return False
