"""Requests of the city's Benefits Screening API (`POST /eligibilityPrograms`).

As its public documentation and open clients of it give them in 2026: ages, relations, incomes by
type, rent, cash and a few flags.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benyfits_data.household.model import Household
from benyfits_data.vectors.case_parts import describe, income_entries, rent_entries
from benyfits_data.vectors.choosing import TestVector

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
    "unregulated rental": "MarketRate",
    "rent controlled apartment": "RentControlled",
    "rent regulated hotel": "RentRegulatedHotel",
    "NYCHA development": "NYCHA",
    "Mitchell-Lama development": "MitchellLama",
    "limited dividend development": "LimitedDividendDevelopment",
    "redevelopment company development": "RedevelopmentCompany",
    "HDFC development": "HDFC",
    "Section 213 coop": "Section213",
    "condo": "Condo",
}


def nyc_request(household: Household) -> dict[str, Any]:
    """Return a household as the body of a request to the city's screening API."""
    rental = _NYC_RENTALS.get(household.housing_type)
    homeless = household.housing_type == "homeless"
    owns = any(member.is_property_owner for member in household.members)
    return {
        "household": [
            {
                "cashOnHand": str(household.available_financial_resources),
                "livingRentalType": rental if rental and not owns else "",
                "livingRenting": bool(rental) and not owns,
                "livingOwner": owns,
                "livingStayingWithFriend": False,
                "livingHotel": False,
                "livingShelter": household.housing_type.endswith("shelter"),
                "livingPreferNotToSay": homeless,
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
                "livingOwnerOnDeed": member.is_property_owner,
                "livingRentalOnLease": member.name_is_on_lease,
                "incomes": income_entries(member, ("Wages", "Investment"), "Yearly"),
                "expenses": rent_entries(household) if not at else [],
            }
            for at, member in enumerate(household.members)
        ],
        "withholdPayload": True,
    }


def write_nyc_api(vectors: Sequence[TestVector], names: Mapping[str, str]) -> str:
    """Return requests with their answers; `follows` says whether the request tells enough."""
    cases = [
        {
            **describe(it, names),
            "follows": it.follows,
            "format": NYC_API,
            "request": [nyc_request(it.household)],
        }
        for it in vectors
    ]
    return json.dumps(cases, indent=1, ensure_ascii=False) + "\n"
