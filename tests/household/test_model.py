import pytest

from benyfits_data.errors import FeatureValueError, ImpossibleHouseholdError, UnknownFeatureError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household


def family():
    return Household.complete(
        **{
            "members": [
                {"age": 40, "sex": "female", "annual_work_income": 30_000},
                {"relation": "spouse", "age": 42, "sex": "male"},
                {"relation": "child", "age": 9},
                {"relation": "child", "age": 1},
            ],
            "filing_jointly": True,
        }
    )


def test_facts_round_trip():
    household = family()
    assert Household.from_facts(household.facts()) == household


def test_unknown_feature_is_refused_by_name():
    with pytest.raises(UnknownFeatureError, match="'agee' is not a member feature"):
        Household.from_facts({"members": [{"agee": 3}]})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("age", -1),
        ("age", 30.0),
        ("age", True),
        ("age", None),
        ("disabled", 1),
        ("relation", "uncle"),
        ("covid_funeral_expense_date", "1999-01-01"),
        ("covid_funeral_expense_date", "yesterday"),
        ("gpa", 4.5),
        ("name", " "),
    ],
)
def test_value_outside_the_domain_is_refused(name, value):
    with pytest.raises(FeatureValueError, match=f"{name} is .*expected"):
        Household.from_facts({"members": [{name: value}]}, constrained=False)


def test_seven_members_are_too_many():
    with pytest.raises(FeatureValueError, match="21 members, expected 1 to 20"):
        Household.from_facts({"members": [{}] * 21}, constrained=False)


def test_columns_round_trip():
    households = [family(), Household.complete(**{"members": [{"gpa": 3.4, "years_sober": 7}]})]
    table = Households.from_households(households)
    assert [table.household(position) for position in range(2)] == households
    assert table.take([1]).household(0) == households[1]
    assert Households.concatenate([table, table]).household(2) == households[0]
    assert table.present.sum() == 5


def test_completion_refuses_contradictory_facts():
    with pytest.raises(ImpossibleHouseholdError, match="housing_fits_tenure"):
        Household.complete(**{"members": [{}], "housing_type": "homeless", "tenure": "renter"})


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"members": [{"annual_work_incom": 1}]}, "Did you mean annual_work_income"),
        ({"members": [{}], "tenur": "renter"}, "Did you mean tenure"),
        ({"members": [{"tenure": "renter"}]}, "It is one of the household: tell it there"),
        ({"members": [{}], "place_of_residence": "New York Cty"}, "Did you mean New York City"),
        ({"members": [{"zzz": 1}]}, "features list"),
        ({"members": [3]}, "A member is 3, expected facts by name"),
    ],
)
def test_misspelt_facts_and_values_are_named_with_what_was_meant(told: dict, said: str) -> None:
    with pytest.raises((UnknownFeatureError, FeatureValueError), match=said):
        Household.complete(**told)
