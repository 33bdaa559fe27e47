"""Child Health Plus, from 2026: for those whom Medicaid does not take."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import (
    is_former_foster_youth,
    medicaid_family_income,
    medicaid_family_size,
)


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a young member in the state has neither other insurance nor Medicaid."""
    if household.place_of_residence == "New Jersey":  # clause 2
        return False
    for member in household.members:
        if member.age >= thresholds.age_limit:  # clause 1
            continue
        if member.health_insurance:  # clause 3
            continue
        if thresholds.asks_who_may_have_medicaid:
            if member.eligible_for_medicaid:  # clause 4a
                continue
            if is_former_foster_youth(member):  # clause 4d
                continue
            if member.citizenship != "unlawful_resident":  # clauses 4b, 4c
                family = medicaid_family_size(household, member)
                counted_income = medicaid_family_income(household, member)
                if member.age == 0:  # clauses 4b, 4c
                    if counted_income <= thresholds.medicaid_limit_of_infants[family]:  # clause 4b
                        continue
                elif counted_income <= thresholds.medicaid_limit_of_children[family]:  # clause 4c
                    continue
        else:
            if member.receives_medicaid:  # reading medicaid
                continue
        return True
    return False
