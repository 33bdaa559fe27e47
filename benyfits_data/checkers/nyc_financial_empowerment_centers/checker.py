"""NYC Financial Empowerment Centers: free advice on money."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an adult lives or works in the city."""
    if thresholds.worker_may_be_another:
        someone_works_here = False
        for member in household.members:
            if member.works_in_nyc:  # reading same-member
                someone_works_here = True
        for member in household.members:
            if member.age >= thresholds.min_age:  # reading same-member
                if someone_works_here:  # reading same-member
                    return True
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 1
            continue
        if household.place_of_residence == "New York City":  # clause 2a
            return True
        if member.works_in_nyc:  # clause 2b
            return True
    return False
