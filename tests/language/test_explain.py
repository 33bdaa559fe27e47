"""Explanations: every condition in words that are true, and the clauses that decided."""

import dataclasses
from typing import Any

import pytest

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.editions import Program, SizeTable, Threshold, load_edition
from benyfits_data.editions import Thresholds as EditionThresholds
from benyfits_data.household.measures import (
    household_income,
    household_size,
    income,
    is_own_child,
    yearly,
)
from benyfits_data.language.explain import Explanation, explain


def explained(name: str, facts: dict[str, Any]) -> Explanation:
    return explain(load_edition(2024).program(name), Household.complete(**facts))


def told(explanation: Explanation) -> list[str]:
    return [step.says for step in explanation.steps]


def test_members_of_one_name_are_told_apart_by_relation() -> None:
    members = [
        {"age": 80},
        {"relation": "grandchild", "age": 8},
        {"relation": "grandchild", "age": 9},
    ]
    explanation = explained("FairFaresNYC", {"members": members})
    assert list(dict.fromkeys(step.member for step in explanation.steps)) == [
        "",
        "the applicant",
        "the grandchild (member 2)",
        "the grandchild (member 3)",
    ]


def test_an_approval_hangs_on_the_household_and_on_the_member_who_qualifies() -> None:
    members = [{"age": 80, "name": "Ana"}, {"relation": "spouse", "age": 60, "name": "Bo"}]
    explanation = explained("FairFaresNYC", {"members": members})
    assert explanation.summary == "eligible, decided by clauses 1, 2, 3"
    assert {step.member for step in explanation.steps if step.is_decisive} == {"", "Bo"}


# ruff: noqa: SIM102, SIM103, SIM110 - the checker language writes one condition a line.
def approve_by_two_ways(household: Household, thresholds: Thresholds) -> bool:
    """Return whether one of two ways is open."""
    if household.receives_snap:  # clause 1
        return True
    for member in household.members:
        if member.disabled:  # clause 2a
            return True
    return False


def refuse_inside_another(household: Household, thresholds: Thresholds) -> bool:
    """Return whether one of two parts holds."""
    if household.ac:  # clause 1
        if not household.receives_snap:  # clause 2a
            if not household.acs:  # clause 2b
                return False
    return True


def with_checker(checker: Any) -> Program:
    program = dataclasses.replace(load_edition(2024).program("FairFaresNYC"))
    vars(program)["checker"] = checker
    return program


def test_a_refusal_at_the_end_hangs_on_every_way_that_was_not_open() -> None:
    explanation = explain(
        with_checker(approve_by_two_ways), Household.complete(**{"members": [{}]})
    )
    assert explanation.summary == "not eligible, decided by clauses 1, 2a"


def test_an_approval_does_not_hang_on_ways_that_were_not_open() -> None:
    facts = {"members": [{"disabled": True}]}
    explanation = explain(with_checker(approve_by_two_ways), Household.complete(**facts))
    assert explanation.summary == "eligible, decided by clause 2a"


def test_a_refusal_inside_others_hangs_on_all_that_would_have_avoided_it() -> None:
    explanation = explain(
        with_checker(refuse_inside_another), Household.complete(**{"members": [{}]})
    )
    assert explanation.summary == "not eligible, decided by clauses 1, 2a, 2b"


def test_an_alternative_that_does_not_hold_is_no_reason() -> None:
    """Who is in no grade is in by way of the diploma: clause 3a, about grades, decides nothing."""
    program = load_edition(2026).program("NYCYouthLeadershipCouncils")
    member = {"age": 20, "enrolled_in_hse_program": True}
    explanation = explain(program, Household.complete(members=[member]))
    assert explanation.summary == "eligible, decided by clauses 1, 2, 3b"


def find_a_family(household: Household, thresholds: Thresholds) -> bool:
    """Return whether somebody is pregnant, or is young and has no disability."""
    is_family = False
    for member in household.members:
        if member.weeks_pregnant is not None:  # clause 3
            is_family = True
        elif member.age < 14:  # clause 1
            if not member.disabled:  # clause 2
                is_family = True
    if not is_family:  # clauses 1, 2, 3
        return False
    return True


def test_a_flag_gives_way_to_the_conditions_that_set_it() -> None:
    young, old = {"relation": "child", "age": 5, "name": "Ben"}, {"age": 40, "name": "Ana"}
    found = explain(with_checker(find_a_family), Household.complete(members=[old, young]))
    assert found.facts == (
        (("1",), "Ben's age: 5 years, less than 14 years."),
        (("2",), "Ben does not have a disability."),
    )
    ill = young | {"disabled": True}
    refused = explain(with_checker(find_a_family), Household.complete(members=[old, ill]))
    assert refused.facts == (
        (("3",), "Ana is not pregnant; the same for Ben."),
        (("1",), "Ana's age: 40 years, more than 14 years."),
        (("2",), "Ben has a disability."),
    )


def find_a_child_or_pupil(household: Household, thresholds: Thresholds) -> bool:
    """Return whether somebody is young and has no disability, or is a little older."""
    for member in household.members:
        if member.age < 14:  # clause 1
            if not member.disabled:  # clause 1
                return True
        elif member.age < 19:  # clause 2
            return True
    return False


def test_a_condition_that_was_passed_is_no_reason_against_its_own_clause() -> None:
    young, old = {"relation": "child", "age": 5, "name": "Ben"}, {"age": 40, "name": "Ana"}
    home = Household.complete(members=[old, young | {"disabled": True}])
    assert explain(with_checker(find_a_child_or_pupil), home).facts == (
        (("1",), "Ana's age: 40 years, more than 14 years."),
        (("2",), "Ana's age: 40 years, more than 19 years."),
        (("1",), "Ben has a disability."),
    )


def test_members_who_met_a_condition_alike_share_a_sentence() -> None:
    home = [{"name": name, "age": 40, "relation": "friend"} for name in ("B", "C", "D", "E", "F")]
    explanation = explain(
        with_checker(find_a_family), Household.complete(members=[{"name": "A", "age": 40}, *home])
    )
    _, (clauses, says) = explanation.facts
    assert clauses == ("1",)
    assert says == "A's age: 40 years, more than 14 years; the same for B, C, D and 2 more."


def refuse_the_young(household: Household, thresholds: Thresholds) -> bool:
    """Return whether nobody is young and without a disability, and there is air conditioning."""
    for member in household.members:
        if member.disabled:  # clause 1
            continue
        if member.age > 14:  # clause 2
            continue
        return False
    if household.ac:  # clause 3
        return True
    return False


def test_whoever_passes_a_condition_is_no_reason_of_a_refusal() -> None:
    old, young = {"age": 40, "name": "Ana"}, {"relation": "child", "age": 5, "name": "Ben"}
    refused = explain(with_checker(refuse_the_young), Household.complete(members=[old], ac=False))
    assert refused.facts == ((("3",), "The household does not have a working air conditioner."),)
    refused = explain(with_checker(refuse_the_young), Household.complete(members=[old, young]))
    assert refused.facts == (
        (("1",), "Ben does not have a disability."),
        (("2",), "Ben's age: 5 years, less than 14 years."),
    )


def find_aid(household: Household, thresholds: Thresholds) -> bool:
    """Return whether anybody receives Cash Assistance; children are left before a third clause."""
    has_aid = False
    for member in household.members:
        if member.receives_cash_assistance:  # clause 1
            has_aid = True
        if member.age < 14:  # clause 2
            continue
        if member.disabled:  # clause 3
            continue
    if has_aid:  # clause 1
        return True
    return False


def test_leaving_a_loop_below_a_flag_is_no_reason_that_the_flag_is_not_set() -> None:
    old, young = {"age": 40, "name": "Ana"}, {"relation": "child", "age": 5, "name": "Ben"}
    refused = explain(with_checker(find_aid), Household.complete(members=[old, young]))
    assert refused.facts == ((("1",), "Ana does not receive Cash Assistance; the same for Ben."),)


def test_a_contested_label_comes_with_its_question_and_why_it_is_scored() -> None:
    home = {"members": [{"is_property_owner": True}], "tenure": "owner"}
    open_home = explained(
        "BasicSchoolTaxReliefProgram", home | {"housing_type": "Section 213 coop"}
    )
    assert [(in_force, other) for _, in_force, other in open_home.contested] == [
        ("One in a Section 213 cooperative is.", "None of them is.")
    ]
    last = str(open_home).partition("\n\nContested: ")[2]
    assert last.startswith("with another reading of the rules the answer is not eligible. A set ")
    assert "scores it like any other; `results --all` prints F1 without contested labels" in last
    assert last.endswith(
        "    in force: One in a Section 213 cooperative is.\n    other: None of them is."
    )
    sure = explained("BasicSchoolTaxReliefProgram", home | {"housing_type": "one-family house"})
    assert sure.eligible
    assert sure.contested == ()
    assert "Contested" not in str(sure)


def without_conditions(household: Household, thresholds: Thresholds) -> bool:
    """Return true."""
    return True


def test_a_checker_without_conditions_says_so() -> None:
    explanation = explain(with_checker(without_conditions), Household.complete(**{"members": [{}]}))
    assert explanation.summary == "eligible, without any condition"


def ask_everything(household: Household, thresholds: Thresholds) -> bool:
    """Return false after asking one condition of every kind."""
    size = household_size(household)
    has_child = False
    seen = 0
    if household.applicant.disabled:  # clause 1
        seen += 1
    if household.applicant.can_care_for_self:  # clause 1
        seen += 1
    if household.applicant.qualify_for_health_insurance:  # clause 1
        seen += 1
    if not household.ac:  # clause 1
        seen += 1
    if not has_child:  # clause 1
        seen += 1
    if household.applicant.gpa is None:  # clause 1
        seen += 1
    if household.applicant.months_since_worked is not None:  # clause 1
        seen += 1
    if household.applicant.citizenship == "lawful_resident":  # clause 1
        seen += 1
    if household.applicant.has_ssn == household.ac:  # clause 1
        seen += 1
    if household.applicant.age >= thresholds.min_age:  # clause 1
        seen += 1
    if household.applicant.work_hours_per_week > 0:  # clause 1
        seen += 1
    if yearly(household.monthly_rent_spending) > household_income(household):  # clause 1
        seen += 1
    if household_income(household) < thresholds.limit[size] + thresholds.extra:  # clause 1
        seen += 1
    for member in household.members:
        if is_own_child(member):  # clause 2a
            seen += 1
        if income(member) > thresholds.extra:  # clause 2a
            seen += 1
        if member.current_grade is None:  # clause 2b
            continue
        if member.current_grade < thresholds.grade:  # clause 2b
            seen += 1
    return False


def thresholds() -> EditionThresholds:
    day = load_edition(2024).program("FairFaresNYC").thresholds.entry("min_age").verified

    def entry(name: str, unit: str, value: Any) -> Threshold:
        return Threshold(name, unit, value, 2024, "a page", day, "", "")

    entries = [
        entry("min_age", "years", 18),
        entry("extra", "dollars", 500),
        entry("limit", "dollars a year", SizeTable("limit", {1: 10_000, 2: 20_000}, None)),
        entry("grade", "grade", 3),
    ]
    return EditionThresholds("Sample", 2024, {one.name: one for one in entries})


def test_every_kind_of_condition_is_said_truly() -> None:
    program = dataclasses.replace(
        load_edition(2024).program("FairFaresNYC"), thresholds=thresholds()
    )
    vars(program)["checker"] = ask_everything
    vars(program)["clauses"] = {}
    members = [
        {
            "name": "Ana",
            "age": 40,
            "annual_work_income": 9000,
            "qualify_for_health_insurance": False,
        },
        {"name": "Ben", "relation": "child", "age": 5, "current_school_level": "school"},
    ]
    facts = {"members": members, "monthly_rent_spending": 1000, "ac": True}
    members[1]["current_grade"] = 0
    members[0]["work_hours_per_week"] = 20
    assert told(explain(program, Household.complete(**facts))) == [
        "Ana does not have a disability",
        "Ana can care for themself physically and mentally",
        "Ana does not qualify for a health insurance plan available in New York State, other than "
        "Medicaid for pregnancy or for former foster youth",
        "The household has a working air conditioner",
        "Has child: no",
        "Ana has no grade point average (GPA)",
        "Ana is at work now or has never worked",
        "Ana's citizenship is citizen or national, not lawful resident",
        "Ana's has ssn: yes; the household's AC: yes",
        "Ana's age: 40 years, more than 18 years",
        "Ana's hours of work a week: 20 hours, more than 0 hours",
        "Twelve times the household's monthly rent spending: $12,000, more than $9,000, the yearly "
        "income before taxes of all members",
        "The yearly income before taxes of all members: $9,000, less than $20,500, the limit for a "
        "household size of 2 plus the extra",
        "Ana is not the applicant's child, adopted child, stepchild or foster child",
        "Ana's whole yearly income before taxes: $9,000, more than $500",
        "Ana is not in any grade from kindergarten to 12",
        "Ben is the applicant's child, adopted child, stepchild or foster child",
        "Ben's whole yearly income before taxes: $0, less than $500",
        "Ben's current grade: 0",
        "Ben's current grade: kindergarten, less than 3rd grade",
    ]


def test_every_program_explains_a_plain_household(subtests: pytest.Subtests) -> None:
    household = Household.complete(
        **{"members": [{"name": "Ana"}, {"name": "Ben", "relation": "spouse"}]}
    )
    for name, program in load_edition(2024).programs.items():
        with subtests.test(name):
            check_explanation(program, household)


def check_explanation(program: Program, household: Household) -> None:
    explanation = explain(program, household)
    assert explanation.eligible is program.is_eligible(household)
    # A program that asks nothing, as classes anybody may join, has no clause that decides.
    assert bool(explanation.clauses) == bool(program.clauses)
    assert set(explanation.clauses) <= set(program.clauses)
    assert not any("{" in step.says or "_" in step.says for step in explanation.steps)
    assert bool(explanation.facts) == bool(explanation.clauses)


def test_what_only_counts_for_another_clause_is_no_reason_of_a_refusal() -> None:
    """Over the limit for three children, nobody fails to be a qualifying child."""
    members: list[dict[str, Any]] = [{"age": 40, "annual_work_income": 100_000}]
    members += [{"relation": "child", "age": age, "has_ssn": True} for age in (4, 6, 8)]
    household = Household.complete(members=members)
    explanation = explain(load_edition(2026).program("EarnedIncomeTaxCredit"), household)
    assert explanation.summary == "not eligible, decided by clause 2h"


def test_the_other_answers_to_one_question_stand_below_it_once() -> None:
    program = load_edition(2026).program("NYCYouthHealth")
    home = Household.complete(members=[{"age": 30}, {"relation": "child", "age": 0}])
    explanation = explain(program, home)
    assert len(explanation.contested) == 3
    assert str(explanation).count("From which and up to which age") == 1
    assert str(explanation).count("    other: Anybody") == 3
