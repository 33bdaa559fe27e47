"""Test vectors: they say what the checkers say, and stand on both sides of limits."""

import json
import re

import jsonschema
import pytest
import yaml

from benyfits_data.editions import load_edition
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.explain import explain
from benyfits_data.language.source import Source
from benyfits_data.vectors import choosing
from benyfits_data.vectors.choosing import choose_vectors
from benyfits_data.vectors.my_friend_ben import friendben_household
from benyfits_data.vectors.nyc_screening_api import fits, nyc_request
from benyfits_data.vectors.vector_targets import TARGETS
from tests.commands import invoke
from tests.vectors.receivers import FRIENDBEN_CASE, NYC_CODE, NYC_REQUEST


@pytest.fixture(scope="module")
def edition():
    return load_edition(2024)


@pytest.fixture(scope="module")
def of_friendben(edition):
    return choose_vectors(
        edition, ["EarnedIncomeTaxCredit"], TARGETS["myfriendben"].expressed, sampled=5_000
    )


@pytest.fixture(scope="module")
def of_nyc(edition):
    return choose_vectors(edition, ["FairFaresNYC"], TARGETS["nyc-api"].expressed, sampled=5_000)


@pytest.mark.slow
def test_vectors_run_every_line_and_say_what_the_checker_says(edition, of_friendben):
    program = edition.program("EarnedIncomeTaxCredit")
    ran = set()
    for vector in of_friendben:
        found = trace(program, vector.household)
        assert vector.explanation.eligible == found.eligible
        ran |= found.lines
    assert ran == set(Source.of(program.checker).body_lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["min_age", "max_age"])
@pytest.mark.parametrize("moved", [1, -1])
def test_a_limit_that_is_off_by_one_is_noticed(edition, of_nyc, name, moved):
    program = edition.program("FairFaresNYC")
    other = program.thresholds.with_values({name: getattr(program.thresholds, name) + moved})
    wrong = [program.checker(it.household, other) for it in of_nyc]
    assert wrong != [it.explanation.eligible for it in of_nyc]


@pytest.mark.slow
def test_what_cannot_be_told_is_listed_with_its_value(edition):
    vectors = choose_vectors(edition, ["FairFaresNYC"], frozenset({"age"}), sampled=2_000)
    for vector in vectors:
        where = vector.household.place_of_residence
        told = vector.untold.get("place_of_residence", "New York City")
        assert told == where
    assert any(vector.untold for vector in vectors)


@pytest.mark.slow
def test_requests_of_the_city_have_its_fields_only(edition, of_nyc):
    target = TARGETS["nyc-api"]
    cases = json.loads(target.write(of_nyc, target.programs))
    assert {case["program"] for case in cases} == {"S2R034"}
    held = [it for it in of_nyc if fits(it.household)]
    for case, vector in zip(cases, held, strict=True):
        [request] = case["request"]
        jsonschema.validate(request, NYC_REQUEST)
        assert len(request["person"]) == len(vector.household.members)
        total = sum(
            int(income["amount"]) for person in request["person"] for income in person["incomes"]
        )
        members = vector.household.members
        assert total == sum(it.annual_work_income + it.annual_investment_income for it in members)
    assert {case["eligible"] for case in cases} == {True, False}
    assert all(case["decided_by"] and case["source"] for case in cases)


@pytest.mark.slow
def test_test_cases_of_myfriendben_have_what_its_schema_requires(edition, of_friendben):
    target = TARGETS["myfriendben"]
    cases = json.loads(target.write(of_friendben, target.programs))
    for case in cases:
        jsonschema.validate(case, FRIENDBEN_CASE)
        assert case["expected_results"]["program_name"] == "eitc"


HOMES = [
    {"members": [{"age": 70, "is_property_owner": True}], "tenure": "owner",
     "housing_type": "condo"},
    {"members": [{"age": 30}], "tenure": "no home", "housing_type": "homeless"},
    {"members": [{"age": 30}], "tenure": "no home", "housing_type": "DHS shelter"},
    {"members": [{"age": 30}], "tenure": "rent-free", "housing_type": "one-family house"},
    *(
        {"members": [{"age": 50}, {"relation": relation, "age": age}]}
        for relation, age in (
            ("spouse", 50), ("domestic partner", 50), ("child", 8), ("adopted child", 8),
            ("stepchild", 8), ("foster child", 8), ("grandchild", 8), ("sibling", 50),
            ("parent", 75), ("grandparent", 90), ("niece or nephew", 8), ("cousin", 50),
            ("other relative", 50), ("friend", 50),
        )
    ),
    *(
        {"members": [{"age": 30}], "housing_type": home}
        for home in FEATURES["housing_type"].choices
        if not home.endswith("shelter") and home not in ("homeless", "temporary housing")
    ),
]  # fmt: skip


def test_every_home_and_relation_is_one_that_receivers_accept(subtests):
    nyc, friendben = map(jsonschema.Draft202012Validator, (NYC_REQUEST, FRIENDBEN_CASE))
    expected = {"program_name": "eitc", "eligible": True}
    for facts in HOMES:
        with subtests.test(facts=facts):
            home = Household.complete(**facts)
            nyc.validate(nyc_request(home))
            case = {"household": friendben_household(home), "expected_results": expected}
            friendben.validate({"notes": "", **case})


def test_who_is_homeless_says_so_and_what_a_request_cannot_hold_is_left_out():
    homeless = Household.complete(members=[{"age": 30}], tenure="no home", housing_type="homeless")
    [home] = nyc_request(homeless)["household"]
    assert home["livingShelter"]
    assert not home["livingPreferNotToSay"]
    assert fits(homeless)
    assert not fits(Household.complete(members=[{"age": 60, "annual_investment_income": 10**6}]))
    assert not fits(Household.complete(members=[{"age": 30}] + [{"relation": "friend"}] * 8))


@pytest.mark.parametrize(
    "wrong",
    [
        {"household": [{"livingRenting": False, "livingRentalType": ""}]},
        {"household": [{"livingRenting": True}]},
        {"person": [{"age": 30, "householdMemberType": "HeadOfHousehold"}] * 2},
        {"person": [{"age": 30, "householdMemberType": "Cousin"}]},
    ],
)
def test_requests_that_the_city_refuses_are_found(wrong):
    request = nyc_request(Household.complete(members=[{"age": 30}]))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**request, **wrong}, NYC_REQUEST)


def test_a_lease_without_renting_and_a_label_that_is_none_are_found():
    request = nyc_request(
        Household.complete(members=[{"age": 30}], tenure="no home", housing_type="homeless")
    )
    request["person"][0]["livingRentalOnLease"] = True
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(request, NYC_REQUEST)
    home = friendben_household(Household.complete(members=[{"age": 30}]))
    for wrong in ({"white_label": "ny"}, {"has_snap": False}):
        case = {"notes": "", "household": {**home, **wrong}, "expected_results": {}}
        assert len(list(jsonschema.Draft202012Validator(FRIENDBEN_CASE).iter_errors(case))) == 3


def test_programs_are_ours_and_have_codes_that_the_city_answers():
    for target in TARGETS.values():
        assert target.programs.keys() <= set(load_edition(2026))
    assert all(re.match(NYC_CODE, code) for code in TARGETS["nyc-api"].programs.values())


@pytest.fixture(scope="module")
def of_policyengine(edition):
    names = ["EarnedIncomeTaxCredit", "HeadStart", "CommoditySupplementalFoodProgram", "Lifeline"]
    return choose_vectors(edition, names, TARGETS["policyengine"].expressed, sampled=5_000)


def _written(edition, vectors):
    target = TARGETS["policyengine"]
    return yaml.safe_load(target.write(vectors, target.programs))


SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "period", "input", "output"],
        "properties": {
            "name": {"type": "string", "pattern": r"^Case \d+, .*\.$"},
            "period": {"type": "integer", "minimum": 2015},
            "input": {
                "type": "object",
                "additionalProperties": False,
                "required": ["people", "tax_units", "spm_units", "households"],
                "properties": {
                    kind: {"$ref": "#/$defs/units"}
                    for kind in ("people", "tax_units", "spm_units", "households")
                },
            },
            "output": {
                "type": "object",
                "minProperties": 1,
                "propertyNames": {"enum": ["people", "tax_units", "spm_units"]},
                "additionalProperties": {"$ref": "#/$defs/units"},
            },
        },
    },
    "$defs": {
        "units": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"type": ["boolean", "integer", "string", "array"]},
            },
        }
    },
}


@pytest.mark.slow
def test_tests_of_policyengine_have_its_shape(edition, of_policyengine):
    cases = _written(edition, of_policyengine)
    jsonschema.validate(cases, SCHEMA)
    assert len({case["name"] for case in cases}) == len(cases) > 10
    assert {case["period"] for case in cases} == {2023, 2024}  # Returns are of the year before.
    outputs = set()
    for case in cases:
        people = sorted(case["input"]["people"])
        for kind in ("tax_units", "spm_units", "households"):
            members = [one for unit in case["input"][kind].values() for one in unit["members"]]
            assert sorted(members) == people
        for entity, units in case["output"].items():
            for unit, expected in units.items():
                assert unit in case["input"][entity]
                outputs |= set(expected.items())
    for name in (
        "commodity_supplemental_food_program_eligible",
        "is_head_start_eligible",
        "is_lifeline_eligible",
    ):
        assert {(name, True), (name, False)} <= outputs
    assert {("eitc_eligible", True), ("eitc", 0)} <= outputs


@pytest.mark.slow
def test_a_test_without_people_of_its_unit_has_not_that_shape(edition, of_policyengine):
    cases = _written(edition, of_policyengine)
    cases[0]["output"]["people"] = {}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(cases, SCHEMA)


@pytest.mark.parametrize(("year", "members"), [(2024, [1, 2]), (2026, [1, 2, 3])])
def test_whom_the_credit_may_count_is_in_the_tax_unit_with_a_number_or_none(year, members):
    """Our clauses count who is not claimed, and kin from 2026 on; the engine counts its units."""
    home = Household.complete(
        members=[
            {"age": 24, "annual_work_income": 10_000},
            {
                "relation": "child",
                "age": 5,
                "dependent": False,
                "has_ssn": False,
                "citizenship": "lawful_resident",
            },
            {"relation": "sibling", "age": 12},
        ]
    )
    rules = load_edition(year)
    program = rules.program("EarnedIncomeTaxCredit")
    vector = choosing.TestVector(program, home, explain(program, home), {}, follows=True)
    assert vector.explanation.eligible
    [case] = _written(rules, [vector])
    assert case["input"]["tax_units"]["tax_unit"]["members"] == [f"person{it}" for it in members]
    people = case["input"]["people"]
    assert people["person2"]["is_tax_unit_dependent"]
    assert ("is_tax_unit_dependent" in people["person3"]) == (3 in members)
    assert [it["ssn_card_type"] for it in people.values()] == ["CITIZEN", "NONE", "CITIZEN"]
    assert case["period"] == year - 1


def test_what_policyengine_cannot_be_told_is_left_out(edition):
    program = edition.program("EarnedIncomeTaxCredit")
    pay = {"annual_work_income": 9_000}
    grown = Household.complete(members=[{"age": 70, **pay}, {"relation": "child", "age": 40}])
    apart = Household.complete(
        members=[{"age": 40, **pay}, {"relation": "spouse", "age": 40}], filing_jointly=False
    )
    for home in (grown, apart):
        vector = choosing.TestVector(program, home, explain(program, home), {}, follows=True)
        assert not _written(edition, [vector])


@pytest.mark.slow
def test_answers_that_hang_on_what_cannot_be_told_are_left_out(edition):
    target = TARGETS["policyengine"]
    program = edition.program("Lifeline")
    vectors = choose_vectors(edition, [program.name], target.expressed, sampled=5_000)
    hanging = [it for it in vectors if not it.follows]
    assert hanging  # Only a pension for veterans tells this one from others.
    assert all(it.untold and it.explanation.eligible for it in hanging)
    assert len(_written(edition, vectors)) == len(vectors) - len(hanging)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_file_says_format_answer_clause_source_and_what_is_not_expressed(edition, name):
    target = TARGETS[name]
    programs = target.programs
    vectors = choose_vectors(
        edition, ["EarnedIncomeTaxCredit"], target.expressed - {"relation"}, sampled=2_000
    )
    # Something that no target knows is among the facts.
    assert any(it.untold for it in vectors)
    vectors = [it for it in vectors if it.follows]
    # An output of a unit: whom it is of is never in question.
    names = {**programs, "EarnedIncomeTaxCredit": "is_lifeline_eligible"}
    text = target.write(vectors, names)
    assert target.version in text
    for vector in vectors:
        assert vector.program.sources.list in text
        assert all(clause in text for clause in vector.explanation.clauses)
        for fact in vector.untold:
            assert fact in text
    assert "true" in text
    assert "false" in text


def test_a_program_that_the_target_lacks_is_refused():
    result = invoke("vectors", "--for", "policyengine", "--program", "IDNYC")
    assert result.exit_code == 2
    assert "has no program that is our IDNYC" in result.output
