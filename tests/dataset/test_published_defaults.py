import pytest

from benyfits_data.dataset.published import facts_from_published
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household


def read(*members):
    told, shared, _ = facts_from_published(
        [{"relation": "self", "age": 40, **member} for member in members]
    )
    return Household.fill_in({"members": told, **shared})


def test_every_new_fact_has_an_assumption_or_takes_its_declared_default():
    household = read({"housing_type": "condo"})
    for name, feature in FEATURES.items():
        owner = household.applicant if feature.level == "member" else household
        assert feature.parse(getattr(owner, name)) == getattr(owner, name)


def test_one_published_fact_stands_for_funeral_day_and_certificate():
    payer = read({"covid_funeral_expenses": True}).applicant
    assert payer.covid_death_on_certificate
    assert payer.covid_funeral_expense_date is not None


def test_admission_stands_for_the_accepted_offer():
    assert read({"accepted_to_cuny": True}).applicant.accepted_cuny_offer


@pytest.mark.parametrize(
    ("members", "tenure"),
    [
        ([{"housing_type": "homeless", "is_property_owner": True}], "no home"),
        ([{"housing_type": "condo", "is_property_owner": True}], "owner"),
        ([{"housing_type": "condo"}, {"is_property_owner": True, "relation": "spouse"}], "owner"),
        ([{"housing_type": "rent stabilized apartment", "monthly_rent_spending": 0}], "renter"),
    ],
)
def test_tenure_follows_owners_and_housing_not_rent(members, tenure):
    assert read(*members).tenure == tenure


def test_benefit_of_any_member_is_the_households():
    assert read({}, {"relation": "child", "age": 9, "receives_snap": True}).receives_snap
    assert not read({"receives_snap": False}).receives_snap


def test_home_facts_are_those_of_the_applicant():
    home = read({"ac": False}, {"relation": "child", "age": 9, "ac": True})
    assert not home.ac


def test_guardianship_is_assumed_for_kin_under_21():
    assert read({}, {"relation": "grandchild", "age": 5}).applicant.legal_guardian
    assert not read({}, {"relation": "child", "age": 5}).applicant.legal_guardian


def test_private_employer_is_assumed_for_who_works_for_nobody_else():
    assert read({"work_hours_per_week": 30}).applicant.private_employer_in_nys
    official = read({"work_hours_per_week": 30, "government_job": True}).applicant
    assert not official.private_employer_in_nys
