"""What is read as a formula is held against CPython, household by household."""

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules.function_reader import read_function
from benyfits_data.evaluation.rules.given_facts import describe_facts, give_facts, readable_facts
from benyfits_data.evaluation.rules.rule_verdicts import run_in_sandbox, run_read_program
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.language.numpy_backend.column_program import ColumnProgram
from benyfits_data.language.symbolic_execution import SymbolicExecutor


@pytest.fixture(scope="module")
def households():
    return sample_households(250, load_edition(2024), seed=7)


@pytest.fixture(scope="module")
def given(households):
    return [give_facts(household) for household in households]


PROGRAMS = {
    "truth values as conditions": """
def check(hh):
    for m in hh["members"]:
        if m["disabled"] and not m["pregnant"]:
            return True
    return False
""",
    "any, all and sum": """
def check(hh):
    members = hh["members"]
    total = sum(m["annual_work_income"] + m["annual_investment_income"] for m in members)
    return any(m["age"] >= 60 for m in members) and all(m["age"] < 90 for m in members) \\
        and total <= 30_000
""",
    "a table by size": """
LIMITS = {1: 15_000, 2: 20_000, 3: 25_000, 4: 30_000}

def check(hh):
    size = len(hh["members"])
    limit = LIMITS.get(size, 30_000 + 5_000 * (size - 4))
    return sum(m["annual_work_income"] for m in hh["members"]) <= limit
""",
    "a table that lacks a size": """
def check(hh):
    limits = {1: 15_000, 2: 20_000}
    return hh["members"][0]["annual_work_income"] <= limits[len(hh["members"])]
""",
    "early returns and a helper": """
def is_child(person: dict) -> bool:
    \"\"\"Under 18.\"\"\"
    return person["age"] < 18

def check(hh):
    children = [m for m in hh["members"] if is_child(m)]
    if not children:
        return False
    if len(children) >= 2:
        return True
    return children[0]["age"] < 5
""",
    "the least and the greatest": """
def check(hh):
    oldest = max(hh["members"], key=lambda m: m["age"])
    youngest = min(m["age"] for m in hh["members"])
    return oldest["age"] - youngest > 30 or max(oldest["annual_work_income"], 500) == 500
""",
    "sorted for an extreme": """
def check(hh):
    ages = sorted(m["age"] for m in hh["members"])
    top = sorted(hh["members"], key=lambda m: m["annual_work_income"], reverse=True)[0]
    return ages[0] < 10 and top["age"] < 40 and ages[-1] != 50
""",
    "match, and words of a list": """
def check(hh):
    match hh["housing_type"]:
        case "condo" | "cooperative apartment":
            owned = True
        case "public housing":
            return False
        case _:
            owned = False
    return owned or hh["housing_type"] in ("rented apartment", "market rental")
""",
    "a chained comparison and unpacking": """
def check(hh):
    low, high = 18, 64
    first, rest = hh["members"][0], hh["members"][1:]
    n = 0
    for i, m in enumerate(rest, start=1):
        if low <= m["age"] <= high:
            n += i
    return n > 1 or low < first["age"] < high
""",
    "None beside a number": """
def check(hh):
    m = hh["members"][0]
    return m["gpa"] < 3
""",
    "None looked at first": """
def check(hh):
    m = hh["members"][0]
    return m["gpa"] is not None and m["gpa"] >= 2.5
""",
    "break, continue and else": """
def check(hh):
    found = 0
    for m in hh["members"]:
        if m["age"] < 18:
            continue
        if m["annual_work_income"] > 40_000:
            break
        found += 1
    else:
        return found > 0
    return found > 1
""",
    "fractions of an income": """
def check(hh):
    income = sum(m["annual_work_income"] for m in hh["members"])
    return income / 12 <= 1_250 or income * 0.8 > 40_000
""",
    "the first who": """
def check(hh):
    spouse = next((m for m in hh["members"] if m["relation"] == "spouse"), None)
    if spouse is None:
        return False
    return spouse["age"] > hh["members"][0]["age"]
""",
    "lists that grow": """
def check(hh):
    names = []
    seen = {}
    for m in hh["members"]:
        if m["age"] >= 18:
            names.append(m)
        elif m["age"] < 5:
            seen["baby"] = True
    return len(names) > 2 or bool(seen.get("baby"))
""",
    "the first, and all others": """
import math

def check(hh):
    applicant, *others = hh["members"]
    if not others:
        return applicant["age"] >= 65
    second, *rest = others
    youngest = min([m["age"] for m in rest] + [second["age"]])
    return math.floor(applicant["annual_work_income"] / 12) > 2_000 or youngest < 6
""",
    "too few for two names": """
def check(hh):
    _, second, *rest = hh["members"]
    return second["age"] < 40 or len(rest) > 2
""",
    "a table of counts, a set, and a word in a text": """
def check(hh):
    incomes = {i: m["annual_work_income"] for i, m in enumerate(hh["members"][:1])}
    relations = set()
    for m in hh["members"]:
        relations.add(m["relation"])
    match hh["members"][-1]["gpa"]:
        case None:
            known = False
        case _:
            known = True
    rented = "apartment" in hh["housing_type"]
    return incomes[0] > 30_000 and (known or len(relations) > 2 or rented)
""",
    "a while loop with an end": """
def check(hh):
    limit, i = 10_000, 0
    while i < 3:
        limit += 5_000
        i += 1
    return hh["members"][0]["annual_work_income"] < limit
""",
    "for, break and else": """
def check(hh):
    seen = 0
    for m in hh["members"]:
        if m["disabled"]:
            seen = 1
            break
        if m["age"] < 20:
            continue
        seen += 2
    else:
        seen = seen - 2
    return seen in (1, 2)
""",
    "lists under conditions": """
def add(names, m):
    if m["age"] > 30:
        names += [m["age"]]
    return names

def check(hh):
    names, table = [], {"n": 0}
    for m in hh["members"]:
        if m["disabled"]:
            names = [7]
        add(names, m)
        if m["age"] < 18:
            table["n"] = table["n"] + 1
    return sum(names) > 60 or table["n"] == 2
""",
    "the least with a default": """
def check(hh):
    young = min((m["age"] for m in hh["members"] if m["age"] < 18), default=99)
    return young < 6 or max(young, hh["members"][0]["age"]) == 99
""",
    "loops within loops": """
def check(hh):
    n = 0
    for a in hh["members"]:
        for b in hh["members"]:
            if b["age"] < a["age"]:
                continue
            if b["disabled"]:
                n += 5
                break
            n += 1
        else:
            n += 2
        if n > 20:
            return True
    return n == 3 or n == 7
""",
    "a helper that returns from a loop": """
def first(ms, f):
    for m in ms:
        if f(m):
            return m
def check(hh):
    m = first(hh["members"], lambda m: m["age"] < 18)
    k = first(hh["members"], lambda m: m["relation"] == "spouse")
    if m is None:
        return k is not None
    if k is None or k["age"] > 50:
        return m["age"] > 3
    return k["age"] - m["age"] > 25
""",
    "a list by two names": """
def check(hh):
    a = b = []
    for m in hh["members"]:
        (a if m["disabled"] else b).append(m["age"])
        if len(a) > 2:
            a = []
    return len(b) > 2 and b[0] > 30
""",
    "a helper that raises": """
def f(m):
    if m["age"] > 70:
        raise ValueError
    return m["age"]
def check(hh):
    return any(f(m) < 5 for m in hh["members"])
""",
    "a name that a helper sees": """
def check(hh):
    limit = 18
    def young(m):
        return m["age"] < limit
    if len(hh["members"]) > 2:
        limit = 30
    return sum(young(m) for m in hh["members"]) >= 2
""",
    "a key that is none": """
def check(hh):
    return hh["members"][0]["shoe_size"] > 3
""",
    "a crash without children": """
def check(hh):
    return min(m["age"] for m in hh["members"] if m["age"] < 18) < 6
""",
    "yes": """
def check(hh):
    return "yes"
""",
    "no return": """
def check(hh):
    if hh["members"][0]["age"] > 30:
        return True
""",
    "raise": """
def check(hh):
    if len(hh["members"]) > 4:
        raise ValueError("too many")
    return hh["members"][0]["age"] < 40
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_formula_says_of_each_household_what_cpython_says(name, households, given):
    source = PROGRAMS[name]
    formula = read_function(SymbolicExecutor(), source)
    (_, _, (verdict, crash)), *_ = ColumnProgram([[formula.verdict, formula.crash]]).run(households)
    n = len(households)
    verdict, crash = np.broadcast_to(verdict, n), np.broadcast_to(crash, n)
    outcomes = [run_read_program(source, facts) for facts in given]
    for row, (outcome, facts) in enumerate(zip(outcomes, given, strict=True)):
        assert crash[row] == (outcome.verdict is None), (outcome, facts)
        if outcome.verdict is not None:
            assert verdict[row] == outcome.verdict, facts
    if name not in ("yes", "a key that is none"):
        assert len({outcome.verdict for outcome in outcomes}) > 1


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(hh):\n    while True:\n        pass\n", 2),
        ("def f(hh):\n    return f(hh)\n", 2),
        ("def f(hh):\n    x = 1\n    while hh['members'][0]['age'] > x:\n        x += 1\n", 3),
        ("def f(hh):\n    return open('x')\n", 2),
        ("import os\ndef f(hh):\n    return True\n", 1),
        ("def f(hh):\n    *rest, last = hh['members']\n    return True\n", 2),
        ("def f(hh):\n    x = True\n    return round(hh['members'][0]['age'] / 2) > 3\n", 3),
        ("def f(hh):\n    try:\n        return True\n    except KeyError:\n        pass\n", 2),
        ("x = 3\n", 1),
        ("def f(hh):\n    g = (m for m in hh['members'])\n    return any(g) and any(g)\n", 3),
        ("def f(hh):\n    return len([0] * 6) > hh['members'][0]['age']\n", 2),
        ("def f(hh):\n    return sum(range(10 ** 9)) > 1\n", 2),
        ("def f(hh)\n", 1),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(source, line):
    with pytest.raises(LanguageError, match=f"^line {line}: "):
        read_function(SymbolicExecutor(), source)


@pytest.mark.slow
def test_the_sandbox_and_python_say_the_same(given):
    given = given[:60]
    for name in ("any, all and sum", "a table that lacks a size", "yes", "None beside a number"):
        ours = [run_read_program(PROGRAMS[name], one).verdict for one in given]
        theirs = [outcome.verdict for outcome in run_in_sandbox(PROGRAMS[name], given)]
        assert ours == theirs


def test_every_fact_that_is_given_is_described(given):
    text = describe_facts(readable_facts())
    for name in {*given[0], *given[0]["members"][0]} - {"members", "name"}:
        assert f'["{name}"]' in text
