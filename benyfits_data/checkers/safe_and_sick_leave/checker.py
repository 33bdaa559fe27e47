"""NYC Paid Safe and Sick Leave: time off for employees in the city."""

from benyfits_data.checkers.types import Household, Thresholds


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member works in the city in a job that the law covers."""
    for member in household.members:
        if thresholds.quarantine_is_enough:
            if member.covid_quarantine_order:  # reading quarantine
                return True
            if member.covid_quarantine_order_child:  # reading quarantine
                return True
        if thresholds.quarantine_of_workers_counts:
            if member.work_hours_per_week > 0:  # reading quarantine
                if member.covid_quarantine_order:  # reading quarantine
                    return True
                if member.covid_quarantine_order_child:  # reading quarantine
                    return True
        if not member.works_in_nyc:  # clause 1
            if thresholds.any_work_counts_outside:
                if household.place_of_residence == "New York City":  # reading outside
                    continue
                if member.work_hours_per_week == 0:  # reading outside
                    continue
            else:
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
            if thresholds.pay_of_therapists_counts:
                if member.therapist_meets_pay_threshold:  # clause 2g
                    continue
            else:
                continue
        return True
    return False
