"""The formats of other rule engines.

- `nyc-api`: the request of the city's Benefits Screening API (`POST /eligibilityPrograms`), as its
  public documentation and open clients of it give it in 2026. It takes ages, relations, incomes by
  type, rent, cash and a few flags.
- `myfriendben`: the test cases that `import_validations` of MyFriendBen's benefits-api reads (its
  documented schema of test cases, 2026). Its documentation names two of our programs.
- `policyengine`: YAML tests of policyengine-us (1.x), a case a household.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.editions import Edition
from benyfits_data.household.model import Household, Member
from benyfits_data.language.step_tracer import run_steps
from benyfits_data.vectors.choosing import TestVector

NYC_API = "NYC Benefits Screening API, request body as documented in 2026"
FRIENDBEN = "MyFriendBen benefits-api, schema of test cases as documented in 2026"
POLICYENGINE = "policyengine-us 1.x, YAML tests"
"""What every file says of its format."""
_COMMON = {
    "age", "relation", "disabled", "weeks_pregnant", "annual_work_income",
    "annual_investment_income", "current_school_level", "receives_medicaid",
}  # fmt: skip
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
_FRIENDBEN_RELATIONS = {
    "self": "headOfHousehold",
    "spouse": "spouse",
    "domestic partner": "domesticPartner",
    "child": "child",
    "adopted child": "child",
    "foster child": "fosterChild",
    "parent": "parent",
    "grandparent": "grandParent",
}


@dataclass(frozen=True)
class VectorTarget:
    """A rule engine that vectors are written for.

    Attributes:
        version: Of which documentation the format is.
        programs: What it calls our programs.
        expressed: Features that it can express.
        write: Returns the vectors in its format.
        ending: Of the file.
    """

    version: str
    programs: Callable[[Edition], Mapping[str, str]]
    expressed: frozenset[str]
    write: Callable[[Sequence[TestVector], Mapping[str, str]], str]
    ending: str


def _case(vector: TestVector, names: Mapping[str, str]) -> dict[str, Any]:
    """Return what every format tells besides its request."""
    program = vector.program
    return {
        "program": names[program.name],
        "our_program": program.name,
        "edition": program.edition,
        "eligible": vector.explanation.eligible,
        "decided_by": list(vector.explanation.clauses),
        "says": vector.explanation.texts,
        "source": program.sources.list if program.sources else "",
        "not_expressed": vector.untold,
    }


def _incomes(member: Member, kinds: tuple[str, str], frequency: str) -> list[dict[str, Any]]:
    amounts = (member.annual_work_income, member.annual_investment_income)
    return [
        {"amount": str(amount), "type": kind, "frequency": frequency}
        for amount, kind in zip(amounts, kinds, strict=True)
        if amount
    ]


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
                "incomes": _incomes(member, ("Wages", "Investment"), "Yearly"),
                "expenses": _rent(household) if not at else [],
            }
            for at, member in enumerate(household.members)
        ],
        "withholdPayload": True,
    }


def _rent(household: Household) -> list[dict[str, str]]:
    rent = household.monthly_rent_spending
    return [{"amount": str(rent), "type": "Rent", "frequency": "Monthly"}] if rent else []


def _write_nyc(vectors: Sequence[TestVector], names: Mapping[str, str]) -> str:
    cases = [
        {**_case(it, names), "format": NYC_API, "request": [nyc_request(it.household)]}
        for it in vectors
    ]
    return json.dumps(cases, indent=1, ensure_ascii=False) + "\n"


def friendben_household(household: Household, white_label: str = "ny") -> dict[str, Any]:
    """Return a household as the screen of a MyFriendBen test case."""
    return {
        "white_label": white_label,
        "is_test": True,
        "agree_to_tos": True,
        "is_13_or_older": True,
        "household_size": len(household.members),
        "household_assets": household.available_financial_resources,
        "has_snap": household.receives_snap,
        "expenses": [
            {**it, "amount": float(it["amount"]), "type": "rent", "frequency": "monthly"}
            for it in _rent(household)
        ],
        "household_members": [
            {
                "relationship": _FRIENDBEN_RELATIONS.get(member.relation, "other"),
                "age": member.age,
                "student": member.current_school_level != "none",
                "pregnant": member.weeks_pregnant is not None,
                "disabled": member.disabled,
                "medicaid": member.receives_medicaid,
                "has_income": bool(_incomes(member, ("wages", "investment"), "yearly")),
                "income_streams": [
                    {**it, "amount": float(it["amount"])}
                    for it in _incomes(member, ("wages", "investment"), "yearly")
                ],
                "insurance": {"medicaid": True} if member.receives_medicaid else {"none": True},
            }
            for member in household.members
        ],
    }


def _write_friendben(vectors: Sequence[TestVector], names: Mapping[str, str]) -> str:
    cases = []
    for it in vectors:
        told = _case(it, names)
        clauses = ", ".join(told["decided_by"]) or "no condition"
        untold = f"; not expressed: {json.dumps(it.untold)}" if it.untold else ""
        cases.append(
            {
                "notes": f"{it.program.title} ({told['edition']}), decided by {clauses}, "
                f"source {told['source']}{untold}; format: {FRIENDBEN}",
                "household": friendben_household(it.household),
                "expected_results": {
                    "program_name": told["program"],
                    "eligible": told["eligible"],
                },
            }
        )
    return json.dumps(cases, indent=1, ensure_ascii=False) + "\n"


_UNIT_OUTPUTS = {
    "eitc_eligible": ("tax_units", "tax_unit"),
    "is_lifeline_eligible": ("spm_units", "spm_unit"),
}
"""Outputs of a tax unit or of all who live together; the others are of people."""


def _write_policyengine(vectors: Sequence[TestVector], names: Mapping[str, str]) -> str:
    """Return YAML tests; a value in JSON is one in YAML too."""
    lines = [f"# {POLICYENGINE}"]
    for it in vectors:
        told = _case(it, names)
        expected = _expected(it, told["program"])
        if expected is None:
            continue
        people = {f"person{at}": _person(one) for at, one in enumerate(it.household.members, 1)}
        everybody = json.dumps(list(people))
        filers = [
            f"person{at}"
            for at, member in enumerate(it.household.members, 1)
            if member.relation == "self"
            or (member.relation == "spouse" and it.household.filing_jointly)
            or member.dependent
        ]
        number = sum(line.startswith("- name") for line in lines) + 1
        lines += [
            f"- name: {json.dumps(f'Case {number}, {it.program.title}.')}",
            f"  period: {it.program.edition}",
            f"  # decided by {', '.join(told['decided_by']) or 'no condition'}; "
            f"source: {told['source']}",
            *([f"  # not expressed: {json.dumps(it.untold)}"] if it.untold else []),
            "  input:",
            f"    people: {json.dumps(people)}",
            f"    tax_units: {json.dumps(_tax_units(filers, list(people)))}",
            f'    spm_units: {{"spm_unit": {{"members": {everybody}}}}}',
            f'    households: {{"household": {{"members": {everybody}, "state_code": "NY"}}}}',
            f"  output: {json.dumps(expected)}",
        ]
    return "\n".join(lines) + "\n"


def _tax_units(filers: list[str], everybody: list[str]) -> dict[str, dict[str, list[str]]]:
    """Return the applicant's unit, and one of each other member: everybody is in one."""
    others = [one for one in everybody if one not in filers]
    units = {"tax_unit": {"members": filers}}
    return units | {f"tax_unit_{at}": {"members": [one]} for at, one in enumerate(others, 2)}


def _person(member: Member) -> dict[str, Any]:
    return {
        "age": member.age,
        "employment_income": member.annual_work_income,
        "taxable_interest_income": member.annual_investment_income,
        "is_disabled": member.disabled,
        "is_pregnant": member.weeks_pregnant is not None,
    }


def _expected(vector: TestVector, output: str) -> dict[str, Any] | None:
    """Return what a test expects; `None` where nobody can say of whom an answer holds.

    Our answer is of the household. Where an output is of people, nobody is eligible if it is no,
    and if it is yes, who it holds of is known where a turn of the checker's loop said so.
    """
    eligible = vector.explanation.eligible
    if output in _UNIT_OUTPUTS:
        entity, unit = _UNIT_OUTPUTS[output]
        return {entity: {unit: {output: eligible}}}
    people = range(1, len(vector.household.members) + 1)
    if not eligible:
        return {"people": {f"person{at}": {output: False} for at in people}}
    program = vector.program
    run = run_steps(program.checker, vector.household, program.thresholds)
    who = run.decisions[-1].member if run.decisions else None
    return None if who is None else {"people": {f"person{who + 1}": {output: True}}}


def _city_codes(edition: Edition) -> dict[str, str]:
    """Return the city's own code of each program that has one."""
    codes = {name: program.sources for name, program in edition.items()}
    return {name: it.program_id for name, it in codes.items() if it and it.program_id}


_NYC_ONLY = {
    "housing_type", "monthly_rent_spending", "available_financial_resources", "is_property_owner",
    "name_is_on_lease", "receives_disability_medicaid",
}  # fmt: skip
TARGETS = {
    "nyc-api": VectorTarget(
        NYC_API,
        _city_codes,
        frozenset(_COMMON | _NYC_ONLY),
        _write_nyc,
        "json",
    ),
    "myfriendben": VectorTarget(
        FRIENDBEN,
        lambda edition: {
            "EarnedIncomeTaxCredit": "eitc",
            "CommoditySupplementalFoodProgram": "ny_csfp",
        },
        frozenset(
            _COMMON | {"monthly_rent_spending", "available_financial_resources", "receives_snap"}
        ),
        _write_friendben,
        "json",
    ),
    "policyengine": VectorTarget(
        POLICYENGINE,
        lambda edition: {
            "CommoditySupplementalFoodProgram": "commodity_supplemental_food_program_eligible",
            "EarlyHeadStart": "is_early_head_start_eligible",
            "EarnedIncomeTaxCredit": "eitc_eligible",
            "HeadStart": "is_head_start_eligible",
            "Lifeline": "is_lifeline_eligible",
        },
        frozenset((_COMMON | {"filing_jointly", "dependent"}) - {"current_school_level"}),
        _write_policyengine,
        "yaml",
    ),
}
