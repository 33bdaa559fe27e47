"""Kinds of programs that a judge could take for what they are not, each as small as can be.

Each is judged as FairFaresNYC of 2024: in the city, somebody of 18 to 64, income up to a limit.
"""

import pytest

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules.formula_reader import read_function
from benyfits_data.evaluation.rules.rule_verdicts import UNSTEADY
from benyfits_data.language.symbolic_execution import HouseholdArgument

RIGHT = """
LIMITS = {1: 18072, 2: 24528, 3: 30984, 4: 37440, 5: 43896, 6: 50352}

def income(m):
    return m["annual_work_income"] + m["annual_investment_income"]

def check(hh):
    ms = hh["members"]
    if hh["place_of_residence"] != "New York City":
        return False
    if sum(income(m) for m in ms) > LIMITS[len(ms)]:
        return False
    return any(18 <= m["age"] <= 64 for m in ms)
"""
CITY = '    if hh["place_of_residence"] != "New York City":\n        return False\n'
LAST = '    return any(18 <= m["age"] <= 64 for m in ms)\n'


def with_last(text, before="", head=""):
    """The right program with another end, and something else before `check` or at the top."""
    assert LAST in RIGHT
    return head + RIGHT.replace(LAST, text).replace("def check", before + "def check")


WRONG = {
    "a module's total that is added to": with_last("    total += 1\n" + LAST, head="total = 0\n"),
    "a limit read before it is set": with_last(
        "    young = any(m['age'] < LOW for m in ms)\n    x = LOW\n    LOW = 18\n" + LAST,
        head="LOW = 18\n",
    ),
    "a built-in name that is set later": RIGHT.replace(
        "LIMITS[len(ms)]:", "LIMITS[len(ms)]:\n        len = 3"
    ),
    "a walrus behind `and`": with_last(
        "    low = 5\n    big = ms[0]['age'] > 60 and (low := 18)\n"
        "    return any(low <= m['age'] <= 64 for m in ms)\n"
    ),
    "a walrus in a conditional expression": with_last(
        "    low = 5\n    x = (low := 18) if ms[0]['age'] < 60 else 0\n"
        "    return any(low <= m['age'] <= 64 for m in ms)\n"
    ),
    "a default that was taken earlier": with_last(
        "    return any(ok(m) for m in ms)\n",
        before="LOW = 17\ndef ok(m, low=LOW):\n    return low <= m['age'] <= 64\nLOW = 18\n\n",
    ),
    "a generator that took its list already": with_last(
        "    xs = []\n    g = (m for m in xs if 18 <= m['age'] <= 64)\n    xs = hh['members']\n"
        "    return any(g)\n"
    ),
    "a generator that sees a name as it is later": with_last(
        "    low = 18\n    g = [m for m in ms]\n    h = (low <= m['age'] <= 64 for m in g)\n"
        "    low = 17\n    return any(h)\n"
    ),
    "the order of a set of numbers": with_last(
        "    for low in {18, 64}:\n        break\n"
        "    return any(low <= m['age'] <= 64 for m in ms)\n"
    ),
    "a list of members that is added to": with_last(
        "    ms.append(ms[0])\n    if len(hh['members']) > 6:\n        return False\n" + LAST
    ),
    "floats that are no fractions": RIGHT.replace(
        "    if sum(income(m) for m in ms) > LIMITS[len(ms)]:",
        "    if sum(income(m) for m in ms) * 0.07 > LIMITS[len(ms)] * 0.07 - 1e-9:",
    ),
    "what a call leaves behind": with_last(
        "    SEEN.append(1)\n    return len(SEEN) > 150 or " + LAST.strip()[7:] + "\n",
        head="SEEN = []\n",
    ),
    "members told apart by what they are": with_last(
        "    people = []\n    for m in ms:\n        if m not in people:\n"
        "            people.append(m)\n    if len(people) < len(ms):\n        return False\n" + LAST
    ),
    "a list under two names": with_last(
        "    a = b = []\n    for m in ms:\n        if 18 <= m['age'] <= 64:\n"
        "            a.append(m)\n        if m['age'] > 70:\n            b.append(m)\n"
        "    return len(a) > 0\n"
    ),
    "a truth value beside a number": with_last(
        "    return any(18 <= m['age'] <= 64 or m['age'] == m['disabled'] for m in ms)\n"
    ),
    "an exception that is caught": with_last(
        "    try:\n        return ms[1]['age'] > 0 and any(18 <= m['age'] <= 64 for m in ms)\n"
        "    except IndexError:\n        return 18 <= ms[0]['age'] <= 63\n"
    ),
}
"""Programs that some household shows to be wrong."""

SAME = {
    "as it stands": RIGHT,
    "the last of a set of numbers": with_last(
        "    for low in {18, 64}:\n        pass\n"
        "    return any(low <= m['age'] <= 64 for m in ms)\n"
    ),
    "a helper and main() behind it": RIGHT + "\ndef main():\n    return None\n",
    "an entry that is a lambda": RIGHT.replace("def check", "def decide")
    + "\ncheck = lambda hh: decide(hh)\n",
    "aliases of types": "from typing import Any, Dict\nHousehold = Dict[str, Any]\n"
    + RIGHT.replace("check(hh)", "check(hh: Household) -> bool"),
    "a class with a property": with_last(
        "    return Home(hh).of_age\n",
        before="class Home:\n    def __init__(self, hh):\n        self.ms = hh['members']\n\n"
        "    @property\n    def of_age(self):\n"
        "        return any(18 <= m['age'] <= 64 for m in self.ms)\n\n\n",
    ),
    "names of facts that are put together": RIGHT.replace(
        'm["annual_work_income"] + m["annual_investment_income"]',
        'sum(m["annual_" + kind + "_income"] for kind in ("work", "investment"))',
    ),
    "names of facts in a format": RIGHT.replace(
        'm["annual_work_income"] + m["annual_investment_income"]',
        'sum(m[f"annual_{kind}_income"] for kind in ("work", "investment"))',
    ),
    "a walrus inside any": with_last("    return any(18 <= (a := m['age']) <= 64 for m in ms)\n"),
    "a default that is set anew": with_last(
        "    return any(ok(m) for m in ms)\n",
        before="LOW = 18\ndef ok(m, low=LOW):\n    return low <= m['age'] <= 64\nLOW = 5\n\n",
    ),
    "an income in a range": RIGHT.replace(
        "if sum(income(m) for m in ms) > LIMITS[len(ms)]:",
        "if sum(income(m) for m in ms) not in range(0, LIMITS[len(ms)] + 1):",
    ),
    "an age in a range": with_last("    return any(m['age'] in range(18, 65) for m in ms)\n"),
    "counted facts": with_last("    return len(ms[0]) > 20 and " + LAST.strip()[7:] + "\n"),
    "a twelfth": RIGHT.replace(
        "sum(income(m) for m in ms) > LIMITS[len(ms)]",
        "sum(income(m) for m in ms) / 12 > LIMITS[len(ms)] / 12",
    ),
    "a dataclass": "from dataclasses import dataclass\n"
    + with_last(
        "    return any(Person(m['age']).fits() for m in ms)\n",
        before="@dataclass\nclass Person:\n    age: int\n\n    def fits(self):\n"
        "        return 18 <= self.age <= 64\n\n\n",
    ),
    "an annotation that costs nothing": RIGHT.replace("income(m)", "income(m: 'Member') -> int", 1),
}
"""Programs that no household shows to be wrong."""
RUN_ONLY = (
    "a walrus inside any",
    "counted facts",
    "the last of a set of numbers",
    "a class with a property",
    "a dataclass",
)


JUDGED = {"what a call leaves behind", "a walrus behind `and`", "as it stands", "counted facts"}
"""Which are judged whole in the quick tests; the others are read as formulas there."""


def kinds(programs):
    return [
        pytest.param(name, marks=[pytest.mark.slow] * (name not in JUDGED)) for name in programs
    ]


@pytest.mark.parametrize("name", WRONG | SAME)
def test_what_is_read_and_proven_equivalent_is(judge, name):
    executor, program = judge.world.executor, judge.edition.program("FairFaresNYC")
    builder = executor.builder
    ours = executor.call(program.checker, (HouseholdArgument(), program.thresholds)).value
    try:
        read = read_function(executor, (WRONG | SAME)[name].lstrip("\n"))
    except LanguageError:
        assert name in WRONG or name in RUN_ONLY
        return
    differs = builder.either(read.crash, builder.negate(builder.equal(read.verdict, ours)))
    assert (judge.world.find(differs).status == "none") is (name in SAME)


@pytest.mark.parametrize("name", kinds(WRONG))
def test_what_differs_is_shown_by_a_household_that_cpython_confirms(judge, name):
    verdict = judge.judge("FairFaresNYC", WRONG[name].lstrip("\n"))
    assert verdict.status == "differs", verdict
    assert verdict.label is not verdict.answer or verdict.failure == UNSTEADY
    assert verdict.household is not None


@pytest.mark.parametrize("name", kinds(SAME))
def test_what_does_not_differ_is_proven_or_told_why_not(judge, name):
    verdict = judge.judge("FairFaresNYC", SAME[name].lstrip("\n"))
    assert verdict.status in ("equivalent", "no_difference"), verdict
    assert verdict.status == "equivalent" or name in RUN_ONLY, verdict
    assert verdict.status == "equivalent" or verdict.failure
