import re

import pytest

from benyfits_data.household.constraints.derived import applies
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.profiles.render import render_profile
from benyfits_data.profiles.sentences import household_sentences, member_sentences
from tests.profiles.reading import parse_profile

HOMES = [
    {"housing_type": "NYCHA development"},
    {"housing_type": "homeless"},
    {"housing_type": "HRA shelter", "evicted_months_ago": 3},
    {"housing_type": "condo", "tenure": "owner", "got_heap_ac": 0},
    {"place_of_residence": "New Jersey", "ac": False, "monthly_rent_spending": 1},
    {"receives_fpha": False, "primary_heating_source": "fuel oil", "out_of_fuel": True},
]
FAMILIES = [
    [{"name": "Ana Lopez", "age": 34, "weeks_pregnant": 1, "gpa": 3.4}],
    [
        {"name": "Omar Reyes", "sex": "male", "age": 61, "annual_work_income": 1_234_567},
        {"name": "Rosa Reyes", "relation": "spouse", "age": 59, "years_sober": 0},
        {"name": "Leon Reyes", "relation": "child", "sex": "male", "age": 3, "age_months": 40},
        {"name": "Mei Reyes", "relation": "grandchild", "age": 0, "age_months": 0},
        {"name": "Zoe Chan", "relation": "foster child", "age": 17, "is_runaway": False},
    ],
    [
        {"name": "Joel Ali", "sex": "male", "age": 19, "current_grade": 12, "lost_job": True},
        {"name": "Vera Ali", "relation": "parent", "age": 80, "disabled": True, "bedridden": True},
    ],
    [
        {"name": "Kwame King", "sex": "male", "covid_funeral_expense_date": "2020-04-03"},
        {"name": "Nina Kim", "relation": "domestic partner", "work_hours_per_week": 1},
    ],
]


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("members", FAMILIES)
def test_profile_reads_back_into_the_household(members, home):
    household = Household.complete(**{"members": members, **home})
    assert parse_profile(render_profile(household)) == household


@pytest.mark.parametrize("members", FAMILIES)
def test_every_fact_that_applies_is_stated_exactly_once(members):
    household = Household.complete(**{"members": members})
    for member in household.members:
        stated = [
            name
            for paragraph in member_sentences(household, member)
            for statement in paragraph
            for name in statement.features
        ]
        assert len(stated) == len(set(stated))
        applying = {f.name for f in MEMBER_FEATURES.values() if applies(f, household, member)}
        assert applying <= set(stated)
    stated = [
        name
        for paragraph in household_sentences(household)
        for statement in paragraph
        for name in statement.features
    ]
    assert sorted(stated) == sorted(
        f.name for f in HOUSEHOLD_FEATURES.values() if applies(f, household)
    )


@pytest.mark.parametrize("members", FAMILIES)
def test_profile_has_no_code_in_it(members):
    profile = render_profile(Household.complete(**{"members": members}))
    assert not re.search(r"True|False|None|_[a-z]|[{}]", profile)


def test_changed_fact_changes_the_profile():
    one = Household.complete(**{"members": [{"name": "Ana Lopez"}]})
    other = Household.complete(**{"members": [{"name": "Ana Lopez", "hiv_aids": True}]})
    assert render_profile(one) != render_profile(other)


def test_household_summary_counts_minors_and_income():
    profile = render_profile(Household.complete(**{"members": FAMILIES[1]}))
    assert "the household has 5 members. Three people are under 18." in profile
    assert "earned $1,234,567 from work" in profile
