"""NYS Paid Family Leave: paid time off for the family."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member in the state has worked long enough for a covered employer."""
    if thresholds.asks_for_state:
        if household.place_of_residence == "New Jersey":  # clause 1
            return False
    for member in household.members:
        is_covered = False
        if thresholds.private_employers_are_in:
            if member.private_employer_in_nys:  # clause 2a
                is_covered = True
        if member.employer_opt_in:  # clause 2b
            is_covered = True
        if not is_covered:  # clauses 2a, 2b
            continue
        if thresholds.either_count_is_enough:
            if member.consecutive_work_weeks >= thresholds.weeks:  # reading hours
                return True
            if member.nonconsecutive_work_days >= thresholds.days:  # reading hours
                return True
        if member.work_hours_per_week >= thresholds.full_time_hours:  # clauses 3a, 3b
            if member.consecutive_work_weeks >= thresholds.weeks:  # clause 3a
                return True
        elif member.nonconsecutive_work_days >= thresholds.days:  # clause 3b
            return True
    return False
