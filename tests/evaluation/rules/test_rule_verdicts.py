"""Verdicts on programs as people and models write them, and on those that mean harm."""

import re
from pathlib import Path

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules import program_runs
from benyfits_data.evaluation.rules.formula_reader import read_function
from benyfits_data.evaluation.rules.program_runs import ProgramRuns, batches, pack
from benyfits_data.evaluation.rules.rule_verdicts import UNSTEADY
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend import World
from tests.evaluation.hostile_programs import BOMBS, ESCAPES, function
from tests.evaluation.rules.agreement import compare, right
from tests.evaluation.rules.bench import judge_mutants

EDITION = load_edition(2024)
_PARTS = re.split(
    r"^### (.+)\n", (Path(__file__).parent / "honest_programs.txt").read_text(), flags=re.MULTILINE
)
HONEST = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))
"""Programs by benefit program and manner, written from the requirement texts alone."""


def assert_smallest(verdict, source):
    """No member and no fact of the household shown can go, or it shows no difference any more."""
    household, smaller = Household.from_facts(verdict.household), []
    for place, member in enumerate(household.facts()["members"]):
        for name in ("", *member):
            facts = household.facts()
            facts["members"][place].pop(name, None)
            if not name:
                del facts["members"][place]
            if facts["members"]:
                facts["members"][0]["relation"] = "self"
                smaller.append(facts)
    smaller += [{**household.facts(), name: HOUSEHOLD_FEATURES[name].default}
                for name in HOUSEHOLD_FEATURES]  # fmt: skip
    made = [Household.from_facts(facts, constrained=False) for facts in smaller]
    others = [one for one in made if one != household and not one.violations()]
    program = EDITION.program(verdict.program)
    with ProgramRuns(source) as runs:
        given = batches([pack(one) for one in others])
        answers = [outcome.verdict for outcome in runs.outcomes(given)]
    assert answers == [program.is_eligible(one) for one in others]


@pytest.mark.slow
def test_what_people_write_is_read_as_cpython_runs_it(trials):
    unread = []
    for name, source in HONEST.items():
        try:
            compare(source, trials)
        except LanguageError:
            unread.append(name)
    assert len(HONEST) >= 60
    assert len(unread) <= 0.2 * len(HONEST), unread


@pytest.mark.slow
@pytest.mark.parametrize("year", EDITIONS)
def test_all_our_checkers_written_out_are_proven_equivalent(year):
    world, edition = World(), load_edition(year)
    builder = world.executor.builder
    for name in edition:
        program = edition.program(name)
        ours = world.executor.call(program.checker, (HouseholdArgument(), program.thresholds)).value
        read = read_function(world.executor, right(name, year))
        unequal = builder.negate(builder.equal(read.verdict, ours))
        assert world.find(builder.either(read.crash, unequal)).status == "none", name


@pytest.mark.slow
def test_honest_attempts_at_the_earned_income_tax_credit(judge):
    statuses, shown = [], {}
    for title, source in HONEST.items():
        name, manner = title.split(" ", 1)
        if name == "EarnedIncomeTaxCredit":
            verdict = judge.judge(name, source)
            statuses.append(verdict.status)
            shown |= {manner: verdict} if verdict.status == "differs" else {}
    assert len(statuses) == 5
    assert statuses.count("equivalent") == 3
    # One counts what everybody earns, and asks for the age of the applicant alone.
    for manner, verdict in shown.items():
        assert_smallest(verdict, HONEST[f"EarnedIncomeTaxCredit {manner}"])
    # The other leaves out what clause 5 asks of spouses who file apart.
    verdict = shown["no spouse rule"]
    assert (verdict.label, verdict.answer) == (False, True)
    assert "5" in verdict.clauses
    assert verdict.household["members"][1]["relation"] == "spouse"


HOSTILE = {
    "reads a file": "FileNotFound", "endless loop": "timed out",
    "memory, at once": "MemoryError", "a flood in one piece": "too much output",
    "def check(hh):\n    return check(hh)\n": "RecursionError",
    "import requests\n\ndef check(hh):\n    return True\n": "ModuleNotFoundError",
    "import os\ndef check(hh):\n    os._exit(3)\n": "exited",
    "raise SystemExit\n": "SystemExit",
    "def check(hh):\n    return 'yes'\n": "returned 'yes'",
    "def check(hh: open('/tmp/x', 'w')) -> bool:\n    return True\n": "Error",
    "@print\ndef check(hh):\n    return True\n": "not callable",
    "def check(hh, x=1 / 0):\n    return True\n": "ZeroDivision",
    "import sys\ndef check(hh):\n    sys._getframe(1).f_locals['answers'].append('T')\n"
    "    return True\n": "spoilt",
}  # fmt: skip
"""Names of hostile bodies, or whole programs, and what is said of them."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_ends_as_a_named_failure_of_its_own(judge, name, monkeypatch):
    monkeypatch.setattr(program_runs, "GROUP_INSTRUCTIONS", 2_000_000_000)
    monkeypatch.setattr(program_runs, "ONE_INSTRUCTIONS", 500_000_000)
    body = ESCAPES.get(name) or BOMBS.get(name, ("",))[0]
    verdict = judge.judge("ThreeK", function(body, "def check(hh):") if body else name)
    assert (verdict.status, verdict.answer) == ("differs", None)
    assert HOSTILE[name] in verdict.failure
    assert len(verdict.household["members"]) == 1


@pytest.mark.parametrize(
    ("source", "why"),
    [("def check(hh)\n", "SyntaxError"), ("def f(hh):\n    return True\n", "defines no `check`")],
)
def test_what_is_no_program_is_told(judge, source, why):
    verdict = judge.judge("ThreeK", source)
    assert verdict.status == "no_program"
    assert why in verdict.failure


def test_the_household_shown_holds_nothing_that_does_not_matter(judge):
    source = right("FairFaresNYC").replace("> 64", ">= 64")
    verdict = judge.judge("FairFaresNYC", source)
    (member,) = verdict.household["members"]
    assert (verdict.status, verdict.label, verdict.answer) == ("differs", True, False)
    assert member["age"] == 64
    assert member["annual_work_income"] == 0
    assert_smallest(verdict, source)
    assert verdict.n_households == len(judge.households)
    assert 0 <= verdict.city_interval[0] <= verdict.city_share <= verdict.city_interval[1]


def test_answers_that_differ_from_call_to_call_are_told(judge):
    source = "SEEN = []\n" + right("ThreeK").replace(
        "def check(hh):\n", "def check(hh):\n    SEEN.append(1)\n    if len(SEEN) == 901:\n"
        "        return 'x'\n"
    )  # fmt: skip
    verdict = judge.judge("ThreeK", source)
    assert (verdict.status, verdict.failure) == ("differs", UNSTEADY)


def test_a_fault_of_the_prover_is_no_verdict_on_the_program(judge, monkeypatch):
    builder = judge.world.executor.builder
    other = judge.world.executor

    def planted(executor, source):
        found = read_function(executor, source)
        return type(found)(builder.negate(found.verdict), found.crash)

    module = "benyfits_data.evaluation.rules.rule_verdicts.read_function"
    monkeypatch.setattr(module, planted)
    verdict = judge.judge("ThreeK", right("ThreeK"))
    assert verdict.status == "no_difference"
    assert "a fault of ours" in verdict.failure

    def fails(executor, source):
        raise MemoryError

    monkeypatch.setattr(module, fails)
    verdict = judge.judge("ThreeK", right("ThreeK"))
    assert (verdict.status, verdict.is_proven) == ("no_difference", False)
    assert verdict.failure.startswith("not proven: MemoryError")
    assert other is judge.world.executor


@pytest.mark.slow
def test_mutants_are_told_apart_unless_they_are_equivalent(trials):
    statuses = judge_mutants(2024, 12, seed=0, trials=trials)
    assert statuses["differs"] > 8
    assert set(statuses) <= {"differs", "equivalent", "equivalent_under_reading"}
