"""What the receivers of test vectors accept, as JSON Schemas: facts of their documents.

`NYC_REQUEST`: CityOfNewYork/screeningapi-docs, src/resources/benefits_screening_api.yaml at c1f09cf
and src/content/household-table.md at 1fd94d2 (what is blank is left out, and a lease is of somebody
who rents). `FRIENDBEN_CASE`: MyFriendBen/benefits-api, test_case_schema.json at 2f9ee4f, with
`current_benefits`, which its serializer requires. Read on 2026-11-28; only fields that we write.
"""

from typing import Any


def closed(required: str, **properties: Any) -> dict[str, Any]:
    """Return the schema of an object that has some properties and no others."""
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def texts(words: str) -> dict[str, Any]:
    """Return the schema of one of some words."""
    return {"enum": words.split()}


BOOLEAN = {"type": "boolean"}
_FREQUENCY = "Weekly Biweekly Monthly Semimonthly Yearly"


def _nyc_money(kinds: str) -> dict[str, Any]:
    amount = {"type": "string", "maxLength": 9, "pattern": r"^\d{0,6}(\.\d{1,2})?$"}
    return {
        "type": "array",
        "items": closed(
            "amount frequency type", amount=amount, frequency=texts(_FREQUENCY), type=texts(kinds)
        ),
    }


_NYC_HOUSEHOLD = closed(
    "",
    cashOnHand={"type": "string", "maxLength": 10, "pattern": r"^\d{1,7}(\.\d{1,2})?$"},
    livingRentalType=texts(
        "NYCHA MarketRate RentControlled RentRegulatedHotel Section213 LimitedDividendDevelopment "
        "MitchellLama RedevelopmentCompany HDFC FamilyHome Condo"
    ),
    livingRenting=BOOLEAN,
    livingOwner=BOOLEAN,
    livingStayingWithFriend=BOOLEAN,
    livingHotel=BOOLEAN,
    livingShelter=BOOLEAN,
    livingPreferNotToSay=BOOLEAN,
) | {
    "if": {"properties": {"livingRenting": {"const": True}}},
    "then": {"required": ["livingRentalType"]},
    "else": {"properties": {"livingRentalType": False}},
}
_NYC_PERSON = closed(
    "age householdMemberType",
    age={"type": "integer", "minimum": 0, "maximum": 999},
    householdMemberType=texts(
        "HeadOfHousehold Child FosterChild StepChild Grandchild Spouse Parent FosterParent "
        "StepParent Grandparent SisterBrother StepSisterStepBrother BoyfriendGirlfriend "
        "DomesticPartner Unrelated Other"
    ),
    **dict.fromkeys(
        ("student", "pregnant", "disabled", "benefitsMedicaid", "benefitsMedicaidDisability",
         "livingOwnerOnDeed", "livingRentalOnLease"),
        BOOLEAN,
    ),
    incomes=_nyc_money(
        "Wages SelfEmployment Unemployment CashAssistance ChildSupport DisabilityMedicaid SSI "
        "SSDependent SSDisability SSSurvivor SSRetirement NYSDisability Veteran Pension "
        "DeferredComp WorkersComp Alimony Boarder Gifts Rental Investment"
    ),
    expenses=_nyc_money(
        "ChildCare ChildSupport DependentCare Rent Medical Heating Cooling Mortgage Utilities "
        "Telephone InsurancePremiums"
    ),
)  # fmt: skip
NYC_REQUEST = closed(
    "household person",
    household={"type": "array", "minItems": 1, "maxItems": 1, "items": _NYC_HOUSEHOLD},
    person={
        "type": "array",
        "minItems": 1,
        "maxItems": 8,
        "items": _NYC_PERSON,
        "contains": {"properties": {"householdMemberType": {"const": "HeadOfHousehold"}}},
        "maxContains": 1,
    },
    withholdPayload=BOOLEAN,
) | {
    "if": {
        "properties": {"household": {"items": {"properties": {"livingRenting": {"const": False}}}}}
    },
    "then": {
        "properties": {
            "person": {"items": {"properties": {"livingRentalOnLease": {"const": False}}}}
        }
    },
}
NYC_CODE = r"^S2R\d{3}$"

_MONEY = {"type": "number", "minimum": 0}
FRIENDBEN_CASE = closed(
    "notes household expected_results",
    notes={"type": "string"},
    household=closed(
        "white_label household_members expenses current_benefits",
        white_label=texts("co tx nc ma il"),
        zipcode={"type": "string", "pattern": "^[0-9]{5}$"},
        county={"type": "string"},
        household_size={"type": "integer", "minimum": 1},
        household_assets=_MONEY,
        current_benefits={"type": "array", "items": {"type": "string"}},
        **dict.fromkeys(("is_test", "agree_to_tos", "is_13_or_older"), BOOLEAN),
        household_members={
            "type": "array",
            "minItems": 1,
            "items": closed(
                "relationship age insurance",
                relationship=texts(
                    "headOfHousehold spouse child parent fosterChild fosterParent stepParent "
                    "stepChild grandParent grandChild domesticPartner sisterOrBrother "
                    "stepSisterOrBrother boyfriendOrGirlfriend relatedOther unrelated other"
                ),
                age={"type": "integer", "minimum": 0, "maximum": 150},
                **dict.fromkeys(
                    ("student", "pregnant", "disabled", "medicaid", "has_income"), BOOLEAN
                ),
                income_streams={
                    "type": "array",
                    "items": closed(
                        "type amount frequency",
                        type=texts("wages investment"),
                        amount=_MONEY,
                        frequency=texts("monthly weekly biweekly semimonthly yearly hourly"),
                    ),
                },
                insurance=closed("", none=BOOLEAN, medicaid=BOOLEAN),
            ),
        },
        expenses={
            "type": "array",
            "items": closed(
                "type amount frequency",
                type={"type": "string"},
                amount=_MONEY,
                frequency=texts("monthly weekly biweekly semimonthly yearly"),
            ),
        },
    ),
    expected_results=closed(
        "program_name eligible", program_name={"type": "string"}, eligible=BOOLEAN
    ),
)
