"""NYC Youth Leadership Councils: young people work on issues of their community."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a city member of the right age is in high school or an equivalency program."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 1
            return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 2
            continue
        if member.age > thresholds.max_age:  # clause 2
            continue
        if member.current_grade is not None:  # clause 3a
            if member.current_grade >= thresholds.first_grade:  # clause 3a
                return True
        elif member.enrolled_in_hse_program:  # clause 3b
            return True
    return False
