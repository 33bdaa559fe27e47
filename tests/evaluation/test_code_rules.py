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
    "import os\n    return True": "imports are not available",
    'return open("x") is None': "the function open is not available",
    'return input("age?") == "3"': "the function input is not available",
    "return ().__class__ is None": "the attribute .__class__ is not available",
    "return __seen__ == {}": "reserved",
    "return (lambda: True)()": "lambda is not allowed",
    "if (a := 3):\n        return True": "assignment inside an expression",
}


def test_a_program_that_keeps_the_rules_has_no_problem():
    assert code_rules.check(SOUND) == []


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
        "def check_eligibility(hh):\n    return True\nprint(3)",
        "@cache\ndef check_eligibility(hh):\n    return True",
    ],
)
def test_the_entry_point_must_be_the_only_thing_in_the_file(source):
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
    "a sum of 325 terms": f"return {'+'.join(['1'] * 325)} > 3",
    "a sum of 3,000 terms": f"return {'+'.join(['1'] * 3000)} > 3",
    "242 branches": "if 1:\n        return True\n"
    + "".join(f"    elif {number}:\n        return True\n" for number in range(242)),
    "90 brackets": f"return {'[' * 90}{']' * 90}",
    "300 keys": "return " + " and ".join(f"hh['k{number}'] == 1" for number in range(300)),
    "a number of 6,000 digits": f"return 0x{'f' * 6000} > 1",
    "a key of 50,000 letters": f"return hh['{'k' * 50_000}'] == 1",
    "100,000 letters": f"x = '{'a' * 100_000}'\n    return True",
    "a lone surrogate as a key": "return hh['\\ud800'] == 1",
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_too_large_is_a_problem_and_no_error(name):
    assert code_rules.check(f"def check_eligibility(hh):\n    {LARGE[name]}\n")
