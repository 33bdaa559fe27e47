"""NYC Paid Safe and Sick Leave: time off for employees in the city."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member works in the city in a job that the law covers."""
    for member in household.members:
        if not member.works_in_nyc:  # clause 1
            continue
        if member.government_job:  # clause 2a
            continue
        if member.contractor:  # clause 2b
            continue
        if member.federal_work_study:  # clause 2c
            continue
        if member.scholarship:  # clause 2d
            continue
        if member.wep:  # clause 2e
            continue
        if member.collective_bargaining:  # clause 2f
            continue
        if member.is_therapist:  # clause 2g
            if member.therapist_meets_pay_threshold:  # clause 2g
                continue
        return True
    return False
