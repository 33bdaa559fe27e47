"""Test cases that `import_validations` of MyFriendBen's benefits-api reads.

Its schema of test cases (`targets.toml` says which). It has no label for New York: both programs
are federal, and households are told as of Boston, whose label names them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benyfits_data.household.model import Household
from benyfits_data.vectors.choosing import TestVector, describe, income_entries, rent_entries

FRIENDBEN = "MyFriendBen benefits-api, schema of test cases as of 2026"
_FRIENDBEN_RELATIONS = {
    "self": "headOfHousehold",
    "spouse": "spouse",
    "domestic partner": "domesticPartner",
    "child": "child",
    "adopted child": "child",
    "stepchild": "stepChild",
    "foster child": "fosterChild",
    "grandchild": "grandChild",
    "sibling": "sisterOrBrother",
    "parent": "parent",
    "grandparent": "grandParent",
    "friend": "unrelated",
}
_PLACE = {"white_label": "ma", "zipcode": "02108", "county": "Boston"}


def friendben_household(household: Household) -> dict[str, Any]:
    """Return a household as the screen of a MyFriendBen test case.

    What is received stays empty: neither program asks for it.
    """
    return {
        **_PLACE,
        "is_test": True,
        "agree_to_tos": True,
        "is_13_or_older": True,
        "household_size": len(household.members),
        "household_assets": household.available_financial_resources,
        "current_benefits": [],
        "expenses": [
            {**entry, "amount": float(entry["amount"]), "type": "rent", "frequency": "monthly"}
            for entry in rent_entries(household)
        ],
        "household_members": [
            {
                "relationship": _FRIENDBEN_RELATIONS.get(member.relation, "relatedOther"),
                "age": member.age,
                "student": member.current_school_level != "none",
                "pregnant": member.weeks_pregnant is not None,
                "disabled": member.disabled,
                "medicaid": member.receives_medicaid,
                "has_income": bool(income_entries(member, ("wages", "investment"), "yearly")),
                "income_streams": [
                    {**entry, "amount": float(entry["amount"])}
                    for entry in income_entries(member, ("wages", "investment"), "yearly")
                ],
                "insurance": {"medicaid": True} if member.receives_medicaid else {"none": True},
            }
            for member in household.members
        ],
    }


def write_friendben(vectors: Sequence[TestVector], names: Mapping[str, str]) -> str:
    """Return test cases whose answers follow from what a screen can tell."""
    cases = []
    for vector in [vector for vector in vectors if vector.follows]:
        described = describe(vector, names)
        clauses = ", ".join(described["decided_by"]) or "no condition"
        untold = f"; not expressed: {json.dumps(vector.untold)}" if vector.untold else ""
        cases.append(
            {
                "notes": f"{vector.program.title} ({described['edition']}), decided by {clauses}, "
                f"source {described['source']}{untold}; format: {FRIENDBEN}",
                "household": friendben_household(vector.household),
                "expected_results": {
                    "program_name": described["program"],
                    "eligible": described["eligible"],
                },
            }
        )
    return json.dumps(cases, indent=1, ensure_ascii=False) + "\n"
