"""Requests of the city's Benefits Screening API (`POST /eligibilityPrograms`).

As its public documentation and open clients of it give them in 2026: ages, relations, incomes by
type, rent, cash and a few flags.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benyfits_data.household.model import Household
from benyfits_data.vectors.choosing import TestVector, describe, income_entries, rent_entries

NYC_API = "NYC Benefits Screening API, request body as documented in 2026"
_NYC_RELATIONS = {
    "self": "HeadOfHousehold",
    "spouse": "Spouse",
    "domestic partner": "DomesticPartner",
    "child": "Child",
    "adopted child": "Child",
    "stepchild": "StepChild",
    "foster child": "FosterChild",
    "grandchild": "Grandchild",
    "sibling": "SisterBrother",
    "parent": "Parent",
    "grandparent": "Grandparent",
    "friend": "Unrelated",
}
_NYC_RENTALS = {
    "rent controlled apartment": "RentControlled",
    "rent stabilized apartment": "RentControlled",
    "rent regulated hotel": "RentRegulatedHotel",
    "rent regulated single room occupancy (SRO)": "RentRegulatedHotel",
    "NYCHA development": "NYCHA",
    "Mitchell-Lama development": "MitchellLama",
    "limited dividend development": "LimitedDividendDevelopment",
    "redevelopment company development": "RedevelopmentCompany",
    "HDFC development": "HDFC",
    "Section 213 coop": "Section213",
    "condo": "Condo",
    "one-family house": "FamilyHome",
    "two-family house": "FamilyHome",
    "three-family house": "FamilyHome",
}
"""Its types of rentals; all others are at the market's rate."""
_MOST_PEOPLE, _MOST_INCOME, _MOST_CASH = 8, 999_999, 9_999_999
"""What its fields hold."""


def fits(household: Household) -> bool:
    """Return whether a request can hold a household's people and amounts."""
    amounts = [
        amount
        for member in household.members
        for amount in (member.annual_work_income, member.annual_investment_income)
    ]
    return (
        len(household.members) <= _MOST_PEOPLE
        and max(amounts) <= _MOST_INCOME
        and household.available_financial_resources <= _MOST_CASH
    )


def nyc_request(household: Household) -> dict[str, Any]:
    """Return a household as the body of a request to the city's screening API.

    Of a rental there are a type and a lease only where the household rents, and deeds where it
    owns. Who lives rent-free fits no field, and prefers not to say.
    """
    tenure = household.tenure
    rents, owns = tenure == "renter", tenure == "owner"
    rental = _NYC_RENTALS.get(household.housing_type, "MarketRate")
    return {
        "household": [
            {
                "cashOnHand": str(household.available_financial_resources),
                **({"livingRentalType": rental} if rents else {}),
                "livingRenting": rents,
                "livingOwner": owns,
                "livingStayingWithFriend": False,
                "livingHotel": False,
                "livingShelter": tenure == "no home",
                "livingPreferNotToSay": tenure == "rent-free",
            }
        ],
        "person": [
            {
                "age": member.age,
                "householdMemberType": _NYC_RELATIONS.get(member.relation, "Other"),
                "student": member.current_school_level != "none",
                "pregnant": member.weeks_pregnant is not None,
                "disabled": member.disabled,
                "benefitsMedicaid": member.receives_medicaid,
                "benefitsMedicaidDisability": member.receives_disability_medicaid,
                "livingOwnerOnDeed": owns and member.is_property_owner,
                "livingRentalOnLease": rents and member.name_is_on_lease,
                "incomes": income_entries(member, ("Wages", "Investment"), "Yearly"),
                "expenses": rent_entries(household) if not at else [],
            }
            for at, member in enumerate(household.members)
        ],
        "withholdPayload": True,
    }


def write_nyc_api(vectors: Sequence[TestVector], names: Mapping[str, str]) -> str:
    """Return requests with their answers; `follows` says whether the request tells enough.

    Households that a request cannot hold are left out.
    """
    cases = [
        {
            **describe(vector, names),
            "follows": vector.follows,
            "format": NYC_API,
            "request": [nyc_request(vector.household)],
        }
        for vector in vectors
        if fits(vector.household)
    ]
    return json.dumps(cases, indent=1, ensure_ascii=False) + "\n"
