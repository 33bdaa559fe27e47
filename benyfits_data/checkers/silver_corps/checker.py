"""Silver Corps: training, service and jobs for older people."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an older member without enough work lives in the city."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    if not thresholds.takes_the_underemployed:
        total_income = household_income(household)
        if total_income > thresholds.income_limit[household_size(household)]:  # clause 4
            return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 2
            continue
        if thresholds.asks_for_right_to_work:
            if not member.authorized_to_work_in_us:  # reading work-right
                continue
        if thresholds.unemployed_people_look:
            if member.work_hours_per_week == 0:  # reading unemployed
                if member.days_looking_for_work > 0:  # reading unemployed
                    return True
        else:
            if member.work_hours_per_week == 0:  # clause 3
                return True
        if thresholds.takes_the_underemployed:
            if thresholds.few_hours_are_too_few:
                if member.work_hours_per_week > 0:  # reading hours
                    if member.work_hours_per_week < thresholds.enough_hours:  # reading hours
                        return True
            else:
                if member.underemployed:  # clause 3
                    return True
    return False
