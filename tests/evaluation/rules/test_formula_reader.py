"""What is read as a formula is held against CPython, household by household."""

import pytest

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules.formula_reader import read_function
from benyfits_data.evaluation.rules.program_runs import describe_facts, give_facts, readable_facts
from benyfits_data.language.symbolic_execution import SymbolicExecutor
from benyfits_data.understanding.canonical import ask_plainly
from tests.evaluation.rules.agreement import compare

PROGRAMS = {
    "a table that lacks a size": """
def check(hh):
    limits = {1: 15_000, 2: 20_000}
    return hh["members"][0]["annual_work_income"] <= limits[len(hh["members"])]
""",
    "None beside a number": """
def check(hh):
    m = hh["members"][0]
    return m["gpa"] < 3
""",
    "too few for two names": """
def check(hh):
    _, second, *rest = hh["members"]
    return second["age"] < 40 or len(rest) > 2
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
    limit = 30 if len(hh["members"]) > 2 else 18
    m = hh["members"][0]
    def young(x):
        return x["age"] < limit and m["age"] > 20
    return sum(young(m) for m in hh["members"]) >= 2
""",
    "names that functions see as they are later": """
def check(hh):
    k = 1
    late = lambda m: m["age"] > k
    for k in (30, 50):
        last = lambda m: m["age"] <= k + 9
        if hh["members"][0]["disabled"]:
            break
    n = sum(late(m) and last(m) for m in hh["members"])
    k = 18
    xs = []
    def known(m):
        return len(xs) > 1 or m["age"] < k
    for m in hh["members"]:
        if known(m):
            xs.append(m)
    return n >= len(xs)
""",
    "days, words and tables with two keys": """
LIMITS = {(True, "self"): 60, (False, "self"): 40}
TWO = dict(zip(("a", "b"), (1, 2)))

def check(hh: dict[str, "Any"]) -> bool:
    first = hh.get("members")[0]
    limit = LIMITS[(bool(first["disabled"]), first["relation"])]
    days = [m["covid_funeral_expense_date"] for m in hh["members"]]
    late = [day for day in days if day and day >= "2020-06-01"]
    rented = hh["housing_type"].endswith("apartment") or "rental" in hh["housing_type"]
    return first["age"] > limit + TWO["a"] or (len(late) > 0 and late[0] != "2021-01-01") or rented
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
def test_a_formula_says_of_each_household_what_cpython_says(name, trials):
    answers = compare(PROGRAMS[name].lstrip(), trials)
    if name not in ("yes", "a key that is none"):
        assert len(set(answers)) > 1


REFUSED = {
    "while True:\n        pass": "so many rounds",
    "x = 1\n    while hh['members'][0]['annual_work_income'] > x:\n        x += 1": "so many",
    "return check(hh)": "calls itself",
    "return open('x')": "`open`",
    "return hh.__class__ is dict": "hh.__class__",
    "return hh['members'][0]['name'] == 'A'": "free text",
    "return hh['members'][0] == hh['members'][-1]": "are alike",
    "for x in {'a', 'b'}:\n        return x == 'a'": "a loop over",
    "return hh['members'][0]['annual_work_income'] * 0.07 < 3": "such a calculation",
    "m = hh['members'][0]\n    return m['age'] / 3 < m['gpa']": "side",
    "return (n := 3) > 2": "(n := 3)",
    "try:\n        return hh['a']\n    except KeyError:\n        return True": "`try:`",
    "class A:\n        x = 1": "`class A:`",
    "yield True": "yield True",
    "global N\n    N = 1": "`global N`",
    "import os": "`import os`",
    "N.append(1)\n    return len(N) < 9": "N.append(1)",
    "N[0] = 1\n    return True": "N[0]",
    "ms = hh['members']\n    ms.append(ms[0])": "ms.append",
    "xs = []\n    ys = xs\n    ys.append(1)\n    return len(xs) > 0": "ys.append",
    "xs = []\n    ys = xs\n    xs.append(1)\n    return len(ys) > 0": "xs.append",
    "xs = [1]\n    for x in xs:\n        xs.append(1)": "xs.append",
    "xs = []\n    def f():\n        xs.append(1)\n    return f() is None": "xs.append",
    "def f(k):\n        return lambda: k\n    return f(1)() > 1": "`k` of a function that has",
    "fs = [lambda: m for m in hh['members']]\n    return True": "inside a comprehension",
    "x = N[0]\n    if x > 3:\n        N = 3\n    return True": "`N`, which is not set",
    "if hh['members'][0]['age'] > 3:\n        n = 1\n    return n > 0": "`n`, which is not set",
    "g = (m for m in hh['members'])\n    return any(g)": "(m for m in hh['members'])",
    "g = map(bool, hh['members'])\n    return any(g)": "map(bool",
    "len = 3\n    return len(hh) > 2": "another meaning of `len`",
    "hh['n'] = 1\n    return True": "hh['n']",
    "f = lambda *, a=3: a\n    return f(3) > 2": "a call with",
    "hh.clear()\n    return True": "clear",
    "return f'{hh}' == 'x'": "are alike",
    "return str(hh['members'][0]['age']) == '3'": "`str(hh",
}
"""Ends of a program that are refused, and why."""


@pytest.mark.parametrize(
    ("source", "why"),
    [
        *((f"N = [0]\ndef check(hh):\n    {end}\n", why) for end, why in REFUSED.items()),
        ("x = 3\n", "defines no function `check`"),
        ("def check(hh)\n", "line 1"),
        ("@print\ndef check(hh):\n    return True\n", "`@print`"),
        ("def check(hh: print(3)):\n    return True\n", "such an annotation"),
        ("N = hh['a']\ndef check(hh):\n    return True\n", "`hh`"),
        ("if 1 > 0:\n    N = 1\ndef check(hh):\n    return True\n", "if 1 > 0"),
        ("N = {}['a']\ndef check(hh):\n    return True\n", "the module may fail"),
    ],
)
def test_what_cannot_be_read_is_refused_and_says_why(source, why):
    with pytest.raises(LanguageError) as refused:
        read_function(SymbolicExecutor(), source)
    assert why in str(refused.value)


def test_every_fact_that_is_given_is_described_by_its_whole_question(trials):
    text = describe_facts(readable_facts())
    given = give_facts(trials.table.household(0))
    for name in {*given, *given["members"][0]} - {"members", "name"}:
        assert f'["{name}"]' in text
        assert ask_plainly(name) in text
    assert "{" not in text
