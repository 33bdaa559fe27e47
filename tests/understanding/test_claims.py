import pytest
from jsonschema import Draft202012Validator, ValidationError, validate

from benyfits_data.household.model import Household
from benyfits_data.understanding.claims import VALUE_SCHEMA, can_be, judge
from benyfits_data.understanding.facts import (
    EVERYONE,
    MEMBERS_KEY,
    THE_HOUSEHOLD,
    items_schema,
)
from tests.evaluation.readings import asks, says

HOME = Household.complete(
    members=[
        {"name": "Ana Ruiz", "age": 34, "work_hours_per_week": 40, "annual_work_income": 24000},
        {"name": "Ben Ruiz", "relation": "spouse", "sex": "male", "age": 36, "disabled": True},
        {"name": "Cleo Ruiz", "relation": "child", "sex": "female", "age": 5},
    ]
)
IS_HE_DISABLED = asks(("disabled", (1,)))
HOW_OLD = asks(("age", (0,)))
EARNS = asks(("annual_work_income", (0,)))


@pytest.mark.parametrize(
    ("question", "claims", "verdict"),
    [
        (IS_HE_DISABLED, [("disabled", (1,), True)], "faithful"),
        (IS_HE_DISABLED, [("disabled", (1,), False)], "unfaithful"),
        (IS_HE_DISABLED, [("disabled", EVERYONE, True)], "unfaithful"),
        (IS_HE_DISABLED, [("age", (1,), 36)], "nothing_claimed"),
        (IS_HE_DISABLED, [("disabled", (0,), False)], "nothing_claimed"),
        (IS_HE_DISABLED, [("disabled", (1,), True), ("age", (0,), 30)], "unfaithful"),
        (IS_HE_DISABLED, [], "nothing_claimed"),
        (IS_HE_DISABLED, [("health_conditions", (1,), True)], "faithful"),
        (HOW_OLD, [("age", (0,), 34)], "faithful"),
        (HOW_OLD, [("age", (0,), 34.0)], "faithful"),
        (HOW_OLD, [("age", (0,), 35)], "unfaithful"),
        (HOW_OLD, [("name", (1,), "Ben"), ("age", (0,), 34)], "faithful"),
        (HOW_OLD, [("name", (1,), "Bob"), ("age", (0,), 34)], "unfaithful"),
        # Money by the month or the week, told for a year, is rounded.
        (EARNS, [("annual_work_income", (0,), 24000)], "faithful"),
        (EARNS, [("annual_work_income", (0,), 462 * 52)], "faithful"),
        (EARNS, [("annual_work_income", (0,), 2000)], "unfaithful"),
        (EARNS, [("income", (0,), 24000)], "faithful"),
        (EARNS, [("employed", (0,), True)], "nothing_claimed"),
        (asks(("tenure", THE_HOUSEHOLD)), [("tenure", THE_HOUSEHOLD, "owner")], "unfaithful"),
        (asks(("weeks_pregnant", (0,))), [("weeks_pregnant", (0,), None)], "faithful"),
        (asks(("weeks_pregnant", (0,))), [("weeks_pregnant", (0,), 0)], "unfaithful"),
        (asks(("weeks_pregnant", (0,))), [("pregnant", (0,), False)], "faithful"),
        (asks(("relation", (1,))), [("married", THE_HOUSEHOLD, True)], "faithful"),
        (asks(("own_children", THE_HOUSEHOLD)), [("minors", THE_HOUSEHOLD, 1)], "faithful"),
        (asks(("own_children", THE_HOUSEHOLD)), [("minors", THE_HOUSEHOLD, 2)], "unfaithful"),
        # A question that is not about facts is answered by whatever is told.
        ((), [("age", (0,), 34)], "faithful"),
        ((), [("age", (0,), 30)], "unfaithful"),
        ((), [], "nothing_claimed"),
    ],
)
def test_verdicts_follow_from_claims(question, claims, verdict):
    assert judge(question, says(*claims), HOME) == verdict


@pytest.mark.parametrize(
    ("fact", "who", "value"),
    [
        ("age", [0], 34),
        ("age", [0], 400),
        ("disabled", "everyone", False),
        ("weeks_pregnant", [0, 1], None),
        ("tenure", "household", "renter"),
        ("covid_funeral_expense_date", [0], "2021-03-05"),
        ("household_income", "household", 24000.5),
        (MEMBERS_KEY, "household", 3),
    ],
)
def test_a_claim_can_be_written_down_and_has_the_schema_of_a_reply(fact, who, value):
    record = {"fact": fact, "who": who, "value": value}
    validate([record], items_schema(3, value=VALUE_SCHEMA))
    assert can_be(fact, value)


@pytest.mark.parametrize(
    ("fact", "who", "value"),
    [
        ("age", [0], "34"),
        ("age", [0], None),
        ("age", [0], True),
        ("disabled", [0], "yes"),
        ("disabled", [0], 1),
        ("employed", [0], None),
        ("tenure", "household", "landlord"),
        ("tenure", [0], "renter"),
        ("covid_funeral_expense_date", [0], "March"),
        ("annual_work_income", [0], "$2,000 a month"),
        ("annual_work_income", [0], "24,000"),
        (MEMBERS_KEY, "household", "three"),
        ("shoe_size", [0], 44),
    ],
)
def test_a_value_that_a_fact_cannot_have_is_refused(fact, who, value):
    claims = says((fact, who, value))
    is_formed = Draft202012Validator(items_schema(3, value=VALUE_SCHEMA)).is_valid(claims)
    assert not (is_formed and can_be(fact, value))


@pytest.mark.parametrize("record", [None, [], {"fact": "age", "who": [0]}, "age"])
def test_what_is_no_claim_is_refused(record):
    with pytest.raises(ValidationError):
        validate([record], items_schema(3, value=VALUE_SCHEMA))
