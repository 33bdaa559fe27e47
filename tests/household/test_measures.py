import pytest

from benyfits_data.household import measures
from benyfits_data.household.model import Household


def household(*members, **shared):
    return Household.complete(**{"members": list(members), **shared})


SPOUSE = {"relation": "spouse", "age": 40}


def test_household_income_adds_work_and_other_income_of_everybody():
    home = household(
        {"annual_work_income": 100, "annual_investment_income": 20},
        {"relation": "parent", "age": 70, "annual_investment_income": 3},
    )
    assert measures.household_income(home) == 123


def test_unborn_child_counts_in_the_family_of_a_pregnant_member():
    home = household({"weeks_pregnant": 10}, SPOUSE)
    assert measures.household_size(home) == 2
    assert measures.family_size_with_unborn(home) == 3


@pytest.mark.parametrize(("jointly", "income"), [(True, 150), (False, 100)])
def test_spouse_joins_the_tax_unit_on_a_joint_return_only(jointly, income):
    home = household(
        {"annual_work_income": 100},
        {**SPOUSE, "annual_work_income": 50},
        {"relation": "sibling", "annual_work_income": 7},
        filing_jointly=jointly,
    )
    assert measures.tax_unit_income(home) == income


def test_income_of_children_with_ssi_is_that_of_the_family_beside_their_pay():
    aided = {"relation": "child", "receives_ssi": True, "disabled": True}
    home = household(
        {"age": 60, "receives_ssi": True, "annual_investment_income": 1},
        {**aided, "age": 17, "annual_investment_income": 20, "annual_work_income": 300},
        {**aided, "age": 22, "annual_investment_income": 4_000},
    )
    assert measures.income_of_children_with_ssi(home) == 20


def test_owners_income_leaves_out_members_who_do_not_own():
    home = household(
        {"is_property_owner": True, "annual_work_income": 100},
        {**SPOUSE, "annual_work_income": 50},
        tenure="owner",
        housing_type="condo",
    )
    assert measures.owners_income(home) == 100


def test_absent_spouse_of_an_owner_is_left_out():
    home = household(
        {"is_property_owner": True, "annual_work_income": 100},
        {**SPOUSE, "annual_work_income": 50, "primary_residence": False},
        housing_type="condo",
        tenure="owner",
    )
    assert measures.resident_owners_and_spouses_income(home) == 100


@pytest.mark.parametrize(
    ("relations", "couple", "siblings"),
    [
        (["self"], False, False),
        (["self", "spouse"], True, False),
        (["self", "sibling"], False, True),
        (["sibling", "sibling"], False, True),
        (["self", "spouse", "sibling"], False, False),
        (["self", "parent"], False, False),
    ],
)
def test_who_the_owners_are_to_one_another(relations, couple, siblings):
    others = [
        {"relation": relation, "age": 70, "is_property_owner": True}
        for relation in relations
        if relation != "self"
    ]
    home = household(
        {"age": 45, "is_property_owner": "self" in relations},
        *others,
        housing_type="one-family house",
        tenure="owner",
    )
    assert measures.owners_are_one_couple(home) is couple
    assert measures.owners_are_siblings(home) is siblings


@pytest.mark.parametrize("relation", ["spouse", "domestic partner"])
def test_a_partner_of_an_owner_is_known_from_either_side(relation):
    applicant_owns = household(
        {"is_property_owner": True},
        {"relation": relation, "age": 40},
        {"relation": "sibling"},
        tenure="owner",
        housing_type="condo",
    )
    partner_owns = household(
        {"age": 40},
        {"relation": relation, "age": 40, "is_property_owner": True},
        tenure="owner",
        housing_type="condo",
    )
    found = [
        [measures.is_resident_partner_of_owner(home, member) for member in home.members]
        for home in (applicant_owns, partner_owns)
    ]
    assert found == [[False, True, False], [True, False]]


def test_a_partner_who_lives_elsewhere_is_no_resident_partner():
    home = household(
        {"is_property_owner": True},
        {**SPOUSE, "primary_residence": False},
        tenure="owner",
        housing_type="condo",
    )
    assert not measures.is_resident_partner_of_owner(home, home.members[1])


def test_who_expects_a_child_with_a_partner_has_a_pregnant_one():
    mother, father = {"sex": "female", "weeks_pregnant": 20}, {"sex": "male"}
    asking = household({"age": 30, **father}, {**SPOUSE, **mother}, {"relation": "sibling"})
    asked = household({"age": 30, **mother}, {"relation": "domestic partner", "age": 30, **father})
    found = [
        [measures.expects_a_child_with_partner(home, member) for member in home.members]
        for home in (asking, asked)
    ]
    assert found == [[True, False, False], [False, True]]
