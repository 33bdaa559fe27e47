"""Verdicts on programs as people and models write them, from the texts of programs alone."""

import re
from pathlib import Path

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules.function_reader import read_function
from benyfits_data.evaluation.rules.given_facts import give_facts
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge, run_read_program
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.language.numpy_backend.column_program import ColumnProgram
from benyfits_data.language.symbolic_execution import SymbolicExecutor
from tests.evaluation.rules.bench import judge_mutants

EDITION = load_edition(2024)
_PARTS = re.split(
    r"^### (.+)\n", (Path(__file__).parent / "honest_programs.txt").read_text(), flags=re.MULTILINE
)
HONEST = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))
"""Programs by benefit program and manner, written from the requirement texts alone."""


@pytest.fixture(scope="module")
def judge():
    return RuleJudge(EDITION, trials=sample_households(40, EDITION, seed=3))


@pytest.mark.slow
def test_what_people_write_is_read_as_cpython_runs_it():
    households = sample_households(60, EDITION, seed=11)
    given = [give_facts(household) for household in households]
    unread = []
    for name, source in HONEST.items():
        try:
            formula = read_function(SymbolicExecutor(), source)
        except LanguageError:
            unread.append(name)
            continue
        conditions = [[formula.verdict, formula.crash]]
        (_, _, masks), *_ = ColumnProgram(conditions).run(households)
        verdict, crash = (np.broadcast_to(mask, len(given)) for mask in masks)
        for row, facts in enumerate(given):
            outcome = run_read_program(source, facts)
            assert crash[row] == (outcome.verdict is None), (name, outcome)
            assert crash[row] or verdict[row] == outcome.verdict, (name, facts)
    assert len(HONEST) >= 60
    assert len(unread) <= 0.05 * len(HONEST), unread


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
    # One asks for the age of the applicant alone, where clause 3b asks for any taxpayer's.
    ages = [member["age"] for member in shown["everybody earns"].household["members"]]
    assert not 25 <= ages[0] <= 64 or shown["everybody earns"].label is False
    assert "3b" in shown["everybody earns"].clauses
    # The other leaves out that clause 5 asks spouses who file apart for a qualifying child (3a).
    verdict = shown["no spouse rule"]
    assert (verdict.label, verdict.answer, verdict.clauses) == (False, True, ("3a", "5"))
    assert verdict.household["members"][1]["relation"] == "spouse"
    assert "has_spouse" in verdict.mistake


HOSTILE = {
    "loops": ("def check(hh):\n    while True:\n        pass\n", "differs", None),
    "recurses": ("def check(hh):\n    return check(hh)\n", "differs", None),
    "reads files": (
        "def check(hh):\n    return 'x' in open('/etc/passwd').read()\n", "differs", None,
    ),
    "imports": ("import os\n\ndef check(hh):\n    return bool(os.listdir('/'))\n", "differs", None),
    "says yes": ("def check(hh):\n    return 'yes'\n", "differs", None),
    "says True to all": ("def check(hh):\n    return True\n", "differs", True),
    "crashes without children": (
        "def check(hh):\n    age = min(m['age'] for m in hh['members'] if m['age'] < 18)\n"
        "    return hh['place_of_residence'] == 'New York City' and age < 4\n",
        "differs",
        None,
    ),
    "is no Python": ("def check(hh)\n", "no_program", None),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(it, marks=pytest.mark.slow if it == "loops" else ()) for it in HOSTILE]
)
def test_hostile_programs_are_told_apart_for_the_right_reason(judge, name):
    source, status, answer = HOSTILE[name]
    verdict = judge.judge("ThreeK", source)
    assert (verdict.status, verdict.answer) == (status, answer)
    assert verdict.failure or answer is not None
    if name == "crashes without children":
        assert all(member["age"] >= 18 for member in verdict.household["members"])
        assert verdict.line == 2


@pytest.mark.slow
def test_mutants_are_told_apart_unless_they_are_equivalent():
    statuses = judge_mutants(2024, 12, seed=0)
    assert statuses["differs"] > 8
    assert set(statuses) <= {"differs", "equivalent", "equivalent_under_reading"}
