"""NYS Unemployment Insurance: pay for people who are out of work."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member lost a job not long ago and may and can work."""
    for member in household.members:
        if member.months_since_worked is None:  # clause 1
            continue
        if thresholds.asks_for_months:
            if member.months_since_worked > thresholds.months:  # clause 1
                continue
        if not member.lost_job:  # clause 2
            continue
        if thresholds.asks_for_work_in_state:
            if not member.last_worked_in_nys:  # clause 2
                continue
        if thresholds.must_look_for_work:
            if member.days_looking_for_work == 0:  # clause 6
                continue
        if not member.can_work_immediately:  # clause 3
            continue
        if not member.authorized_to_work_in_us:  # clause 4
            continue
        if member.was_authorized_to_work_when_job_lost:  # clause 5
            return True
    return False
