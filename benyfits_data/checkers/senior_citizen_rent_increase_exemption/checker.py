"""Senior Citizen Rent Increase Exemption: a rent freeze for older tenants."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, income, yearly


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether an older tenant of a regulated home pays a high rent from a limited income."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    is_listed_home = False
    if household.housing_type == "rent stabilized apartment":  # clause 2a
        is_listed_home = True
    elif household.housing_type == "rent controlled apartment":  # clause 2b
        is_listed_home = True
    elif household.housing_type == "rent regulated hotel":  # clause 2c
        is_listed_home = True
    elif household.housing_type == "rent regulated single room occupancy (SRO)":  # clause 2d
        is_listed_home = True
    elif household.housing_type == "Mitchell-Lama development":  # clause 2e
        is_listed_home = True
    elif household.housing_type == "limited dividend development":  # clause 2f
        is_listed_home = True
    elif household.housing_type == "redevelopment company development":  # clause 2g
        is_listed_home = True
    elif household.housing_type == "HDFC development":  # clause 2h
        is_listed_home = True
    if thresholds.section_213_counts:
        if household.housing_type == "Section 213 coop":  # reading section-213
            is_listed_home = True
    if not is_listed_home:  # clauses 2a, 2b, 2c, 2d, 2e, 2f, 2g, 2h
        return False
    if household_income(household) > thresholds.income_limit:  # clause 3
        return False
    yearly_cost = yearly(household.monthly_rent_spending)
    if thresholds.certificate_counts:
        if household.housing_type == "Mitchell-Lama development":  # clause 4
            yearly_cost += yearly(household.monthly_carrying_charge)
    if not thresholds.own_income_is_compared:
        if yearly_cost * thresholds.rent_divisor <= household_income(household):  # clause 4
            return False
    for member in household.members:
        if thresholds.own_income_is_compared:
            if yearly_cost * thresholds.rent_divisor <= income(member):  # reading whose-third
                continue
        if thresholds.only_applicant_is_asked:
            if member.relation != "self":  # reading which-member
                continue
        if member.age < thresholds.min_age:  # clause 5
            continue
        if member.name_is_on_lease:  # clause 6
            return True
        if thresholds.certificate_counts:
            if household.housing_type == "Mitchell-Lama development":  # clause 6
                if member.is_property_owner:  # clause 6
                    return True
    return False
