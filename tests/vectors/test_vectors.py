"""Test vectors: they say what the checkers say, and stand on both sides of limits."""

import json

import pytest
import yaml
from click.testing import CliRunner

from benyfits_data.cli.main import main
from benyfits_data.editions import load_edition
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.source import Source
from benyfits_data.vectors.choosing import choose_vectors
from benyfits_data.vectors.engine_formats import TARGETS


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


def test_vectors_run_every_line_and_say_what_the_checker_says(edition, of_friendben):
    program = edition.program("EarnedIncomeTaxCredit")
    ran = set()
    for vector in of_friendben:
        found = trace(program, vector.household)
        assert vector.explanation.eligible == found.eligible
        ran |= found.lines
    assert ran == set(Source.of(program.checker).body_lines)


@pytest.mark.parametrize("name", ["min_age", "max_age"])
@pytest.mark.parametrize("moved", [1, -1])
def test_a_limit_that_is_off_by_one_is_noticed(edition, of_nyc, name, moved):
    program = edition.program("FairFaresNYC")
    other = program.thresholds.with_values({name: getattr(program.thresholds, name) + moved})
    wrong = [program.checker(it.household, other) for it in of_nyc]
    assert wrong != [it.explanation.eligible for it in of_nyc]


def test_what_cannot_be_told_is_listed_with_its_value(edition):
    vectors = choose_vectors(edition, ["FairFaresNYC"], frozenset({"age"}), sampled=2_000)
    for vector in vectors:
        where = vector.household.place_of_residence
        told = vector.untold.get("place_of_residence", "New York City")
        assert told == where
    assert any(vector.untold for vector in vectors)


def test_requests_of_the_city_have_its_fields_only(edition, of_nyc):
    target = TARGETS["nyc-api"]
    cases = json.loads(target.write(of_nyc, target.programs(edition)))
    assert {case["program"] for case in cases} == {
        edition.program("FairFaresNYC").sources.program_id
    }
    for case, vector in zip(cases, of_nyc, strict=True):
        [request] = case["request"]
        heads = [it for it in request["person"] if it["householdMemberType"] == "HeadOfHousehold"]
        assert len(heads) == 1
        assert len(request["person"]) == len(vector.household.members)
        total = sum(
            int(income["amount"]) for person in request["person"] for income in person["incomes"]
        )
        members = vector.household.members
        assert total == sum(it.annual_work_income + it.annual_investment_income for it in members)
        [home] = request["household"]
        assert not (home["livingRentalType"] and not home["livingRenting"])
    assert {case["eligible"] for case in cases} == {True, False}
    assert all(case["decided_by"] and case["source"] for case in cases)


def test_test_cases_of_myfriendben_have_what_its_schema_requires(edition, of_friendben):
    target = TARGETS["myfriendben"]
    cases = json.loads(target.write(of_friendben, target.programs(edition)))
    for case in cases:
        assert case.keys() == {"notes", "household", "expected_results"}
        assert case["expected_results"]["program_name"] == "eitc"
        assert {"white_label", "household_members", "expenses"} <= case["household"].keys()
        for member in case["household"]["household_members"]:
            assert {"relationship", "age", "insurance"} <= member.keys()


def test_tests_of_policyengine_put_everybody_into_one_unit_of_each_kind(edition):
    target = TARGETS["policyengine"]
    names = ["EarnedIncomeTaxCredit", "HeadStart", "CommoditySupplementalFoodProgram"]
    vectors = choose_vectors(edition, names, target.expressed, sampled=5_000)
    cases = yaml.safe_load(target.write(vectors, target.programs(edition)))
    assert len({case["name"] for case in cases}) == len(cases) > 10
    outputs = set()
    for case in cases:
        people = sorted(case["input"]["people"])
        for kind in ("tax_units", "spm_units", "households"):
            members = [one for unit in case["input"][kind].values() for one in unit["members"]]
            assert sorted(members) == people
        assert case["period"] == 2024
        for entity, units in case["output"].items():
            for unit, expected in units.items():
                assert unit in case["input"][entity]
                outputs |= {(name, value) for name, value in expected.items()}
    assert {("eitc_eligible", True), ("eitc_eligible", False)} <= outputs
    assert ("commodity_supplemental_food_program_eligible", True) in outputs


@pytest.mark.parametrize("name", TARGETS)
def test_a_file_says_format_answer_clause_source_and_what_is_not_expressed(edition, name):
    target = TARGETS[name]
    programs = target.programs(edition)
    vectors = choose_vectors(
        edition, ["EarnedIncomeTaxCredit"], target.expressed - {"relation"}, sampled=2_000
    )
    # Something that no target knows is among the facts.
    assert any(it.untold for it in vectors)
    text = target.write(vectors, {**programs, "EarnedIncomeTaxCredit": "eitc_eligible"})
    assert target.version in text
    for vector in vectors:
        assert vector.program.sources.list in text
        assert all(clause in text for clause in vector.explanation.clauses)
        for fact in vector.untold:
            assert fact in text
    assert "true" in text
    assert "false" in text


def test_a_program_that_the_target_lacks_is_refused():
    result = CliRunner().invoke(main, ["vectors", "--for", "policyengine", "--program", "IDNYC"])
    assert result.exit_code == 2
    assert "knows no program that is our IDNYC" in result.output
