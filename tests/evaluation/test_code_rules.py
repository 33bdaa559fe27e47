import pytest

from benyfits_data.evaluation.codegen import code_rules

SOUND = '''def check_eligibility(hh: dict) -> bool:
    """Seniors with a low income."""
    limits = {"single": 100, "couple": 200}

    def is_senior(person):
        return person["age"] >= 65  # "How old is this person?"

    for number in range(int(hh["household_size"])):
        if is_senior(hh[number]) and hh[number]["veteran"] == "yes":
            return hh["income"] <= limits[hh["filing_status"]]
    return False
'''

BROKEN = {
    'return hh.get("age") == 3': ".get is not allowed",
    'return hh["a"].get("age") == 3': ".get is not allowed",
    'return (hh["age"] or 0) > 3': "default value",
    'return hh[f"age_{1}"] == 3': "one literal string",
    'return hh["age_" + str(1)] == 3': "one literal string",
    'return hh["age_{i}"] == 3': "curly brackets",
    'return "age" in hh': "may only be read",
    "return len(hh) == 2": "may only be read",
    'hh["age"] = 3\n    return True': "read only",
    'try:\n        return hh["a"]\n    finally:\n        x = 1': "try is not allowed",
    'return input("age?") == "3"': "the function input is not available",
    'return "age" in list(hh)': "may only be read",
    "for member in hh:\n        return True": "may only be read",
}


PLAIN = """import math
from dataclasses import dataclass

LIMITS = {1: 100, 2: 200}


@dataclass
class Person:
    age: int


def oldest(people):
    return max((person.age for person in people), default=0)


def check_eligibility(hh):
    people = [Person(hh[number]["age"]) for number in range(hh["size"])]
    if (size := len(people)) > 2 or oldest(people) < 18:
        return False
    return math.ceil(income_of(hh)) <= LIMITS[size]


income_of = lambda household: household["income"]
"""


@pytest.mark.parametrize("source", [SOUND, PLAIN])
def test_a_program_that_keeps_the_rules_has_no_problem(source):
    assert code_rules.check(source) == []


@pytest.mark.parametrize("body", BROKEN)
def test_each_rule_of_the_paper_is_enforced(body):
    problems = code_rules.check(f"def check_eligibility(hh):\n    {body}\n")
    assert any(BROKEN[body] in problem.message for problem in problems), problems


def test_prose_is_reported_as_not_python():
    (problem,) = code_rules.check("Sure! Here is the function you asked for:")
    assert "not Python" in problem.message


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "def other(hh):\n    return True",
        "def check_eligibility():\n    return True",
        "def check_eligibility(hh, year=2026):\n    return True",
        "def check_eligibility(hh):\n    pass",
        "def check_eligibility(hh):\n    return True\ndef check_eligibility(hh):\n    return False",
        "check_eligibility = lambda hh: True",
        "async def check_eligibility(hh):\n    return True",
    ],
)
def test_there_is_one_entry_point_with_one_parameter(source):
    assert code_rules.check(source)


def test_keys_are_listed_with_their_first_line_and_without_own_tables():
    assert code_rules.literal_keys(SOUND) == [
        ("age", 6),
        ("household_size", 8),
        ("veteran", 9),
        ("filing_status", 10),
        ("income", 10),
    ]


LARGE = {
    "300 keys": "return " + " and ".join(f"hh['k{number}'] == 1" for number in range(300)),
    "a number of 6,000 digits": f"return 0x{'f' * 6000} > 1",
    "a key of 50,000 letters": f"return hh['{'k' * 50_000}'] == 1",
    "100,000 letters": f"x = '{'a' * 100_000}'\n    return True",
    "a lone surrogate as a key": "return hh['\\ud800'] == 1",
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_too_large_is_a_problem_and_no_error(name):
    assert code_rules.check(f"def check_eligibility(hh):\n    {LARGE[name]}\n")
