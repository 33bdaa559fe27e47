"""Veterans' Property Tax Exemption: lower property tax for veterans and their survivors."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import is_resident_spouse_of_owner


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a member tied to the home is a veteran or the survivor of one."""
    if thresholds.asks_for_city:
        if household.place_of_residence != "New York City":  # clause 1
            return False
    if thresholds.only_small_homes_count:
        is_small_home = False
        if household.housing_type == "one-family house":  # reading kind-of-home
            is_small_home = True
        elif household.housing_type == "two-family house":  # reading kind-of-home
            is_small_home = True
        elif household.housing_type == "three-family house":  # reading kind-of-home
            is_small_home = True
        elif household.housing_type == "condo":  # reading kind-of-home
            is_small_home = True
        elif household.housing_type == "cooperative apartment":  # reading kind-of-home
            is_small_home = True
        if not is_small_home:  # reading kind-of-home
            return False
    for member in household.members:
        if not member.primary_residence:  # clause 1
            continue
        if thresholds.survivors_qualify:
            if member.late_spouse_conflict_veteran:  # clauses 2c, 3b
                return True
        if not member.conflict_veteran:  # clause 3a
            continue
        if member.is_property_owner:  # clause 2a
            return True
        if thresholds.spouses_of_owners_qualify:
            if is_resident_spouse_of_owner(household, member):  # clause 2b
                return True
        if member.property_owner_widow:  # clause 2c
            return True
    return False
