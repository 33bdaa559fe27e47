"""The linter of the checker language: every rule with a violation that it must catch."""

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from benyfits_data.editions import SizeTable
from benyfits_data.household import measures
from benyfits_data.household.constraints import CONSTRAINTS, TOPICS
from benyfits_data.language.grammar import (
    LintFinding,
    check_checker,
    check_constraint,
    check_measure,
)
from benyfits_data.language.source import Source

CHECKER = '''"""A program."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size, is_own_child, yearly


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether."""
{body}
'''
MEASURES = '''"""Measures."""

from benyfits_data.household.constants import ADULT_AGE, COUPLE
from benyfits_data.household.measures import is_own_child
from benyfits_data.household.model import Household, Member

HOME_MADE = 7
ADULT_AGES = (18,)


{head}
    """Return something."""
{body}
'''


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[str], ModuleType]]:
    """Import a module from its text; it is forgotten after the test."""
    names = []

    def load(text: str) -> ModuleType:
        name = f"planted_{len(names)}_{abs(hash(text))}"
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        names.append(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in names:
        del sys.modules[name]


def body_of(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.strip("\n").splitlines())


CLEAN = """
if household.place_of_residence != "New York City":  # clause 1
    return False
if household.applicant.disabled:  # clauses 2a, 2b
    return True
limit = thresholds.income_limit[household_size(household)]
if household_income(household) > limit:  # clause 3
    return False
has_child = False
size = 0
for member in household.members:
    if is_own_child(member):  # clause 4
        has_child = True
        size += 1
    if member.gpa is None:  # clause 5
        continue
    elif member.gpa < thresholds.min_gpa:  # clause 5
        continue
    if not member.has_ssn:  # clause 6
        size += 1
if not has_child:  # clause 4
    return False
elif size > 1:  # clause 4
    return True
else:
    return False
"""

THRESHOLDS = SimpleNamespace(
    age=65, min_gpa=2.5, income_limit=SizeTable("income_limit", {1: 15_060}, 5_380)
)

REFUSED_CONDITIONS = {
    "and": ("household.ac and household.acs", "`and`"),
    "or": ("household.ac or household.acs", "`or`"),
    "not comparison": ("not household.applicant.age < 1", "`not` before a comparison"),
    "chained comparison": ("0 < household.applicant.age < 1", "a chained comparison"),
    "in": ('household.housing_type in ("condo",)', "`in`"),
    "index of a member": (
        "household.members[0].disabled",
        "`household.members` outside a loop line",
    ),
    "unknown member feature": (
        "household.applicant.is_wizard",
        "`household.applicant.is_wizard`, which is no member feature",
    ),
    "feature of the other level": (
        "household.disabled",
        "`household.disabled`, which is no household feature",
    ),
    "text feature": ('household.applicant.name == "Alex"', "the text feature"),
    "value of another feature": (
        'household.housing_type == "self"',
        "'self', which is no value of household.housing_type",
    ),
    "choices by order": ('household.housing_type < "condo"', "choices compared by order"),
    "number as condition": ("household.applicant.age", "as a condition, which is no flag"),
    "constant condition": ("True", "the constant"),
    "flag compared with a constant": ("household.ac == True", "a flag compared with a constant"),
    "flag ordered": ("household.ac > 0", "a comparison of a flag with a number"),
    "is a value": (
        "household.applicant.age is thresholds.age",
        "`is` with something else than None",
    ),
    "None test of a plain fact": (
        "household.applicant.age is None",
        "tested for None, which it never is",
    ),
    "missing value compared": (
        "household.applicant.gpa > thresholds.min_gpa",
        "`household.applicant.gpa` used as a number though it may be None",
    ),
    "literal number": ("household.applicant.age < 18", "the literal 18"),
    "name that is not there": ("has_child", "the name has_child, which is not defined"),
}
REFUSED = {
    "conditional expression": (
        "limit = 1 if household.ac else 0\nreturn False",
        "a conditional expression",
    ),
    "lambda": ("rule = lambda: True\nreturn False", "a lambda"),
    "while": ("while household.ac:\n    return True\nreturn False", "a while loop"),
    "pass": ("if household.ac:  # clause 1\n    pass\nreturn False", "pass"),
    "expression statement": ("household.ac\nreturn False", "an expression on a line of its own"),
    "subtracting assignment": ("size = 0\nsize -= 1\nreturn False", "the assignment `size -= 1`"),
    "nested loop": (
        "for member in household.members:\n    for other in household.members:\n"
        "        if other.disabled:  # clause 1\n            return True\nreturn False",
        "a loop inside a loop",
    ),
    "loop over something else": (
        "for n in range(1):\n    return True\nreturn False",
        "the loop `for n in range(1)`",
    ),
    "loop with else": (
        "for member in household.members:\n    if member.disabled:  # clause 1\n"
        "        return True\nelse:\n    return False\nreturn False",
        "the loop",
    ),
    "loop name taken": (
        "size = 0\nfor size in household.members:\n    return True\nreturn False",
        "size as the loop name",
    ),
    "loop name after the loop": (
        "for member in household.members:\n    continue\nif member.disabled:  # clause 1\n"
        "    return True\nreturn False",
        "the name member, which is not defined",
    ),
    "too many sizes": (
        "amount = thresholds.income_limit[household_income(household)]\nreturn False",
        "an index of",
    ),
    "value that may be missing after another condition": (
        "if household.applicant.gpa is None:  # clause 1\n"
        "    if household.ac:  # clause 1\n        return False\n"
        "if household.applicant.gpa > thresholds.min_gpa:  # clause 1\n    return True\n"
        "return False",
        "`household.applicant.gpa` used as a number though it may be None",
    ),
    "date with number": (
        "if household.applicant.covid_funeral_expense_date is None:  # clause 1\n"
        "    return False\n"
        "if household.applicant.covid_funeral_expense_date > 1:  # clause 1\n"
        "    return True\nreturn False",
        "a comparison of a date with a number",
    ),
    "missing value kept": ("gpa = household.applicant.gpa\nreturn False", "kept in a local"),
    "choice kept": ("kind = household.housing_type\nreturn False", "kept in a local"),
    "division": ("share = household_income(household) / 1\nreturn False", "the operator"),
    "name defined on one path": (
        "if household.ac:  # clause 1\n    has_child = True\nif has_child:  # clause 1\n"
        "    return True\nreturn False",
        "the name has_child, which is not defined",
    ),
    "counting from nothing": ("size += 1\nreturn False", "size += before size = "),
    "household overwritten": ("household = 1\nreturn False", "a new value for household"),
    "flag and number": ("seen = False\nseen = 1\nreturn False", "seen as both flag and number"),
    "wrong argument": ("size = household_size(thresholds.age)\nreturn False", "as the household"),
    "too many arguments": (
        "size = household_size(household, household)\nreturn False",
        "the arguments of",
    ),
    "flag where a number is due": (
        "size = 1 + household.ac\nreturn False",
        "where a number is due",
    ),
    "index into a fact": ("size = household.ac[1]\nreturn False", "an index into"),
    "open end": ("if household.ac:  # clause 1\n    return True", "a path that ends without"),
    "line after return": ("return False\nreturn True", "a line no path reaches"),
    "returned condition": ("return household.ac", "`return household.ac`"),
    "no clause": ("if household.ac:\n    return True\nreturn False", "without clause"),
    "condition over lines": (
        "if (\n    household.ac\n):  # clause 1\n    return True\nreturn False",
        "a statement over several lines",
    ),
    "body on the line": (
        "if household.ac: return True  # clause 1\nreturn False",
        "a body on the line of its `if`",
    ),
} | {
    name: (f"if {condition}:  # clause 1\n    return True\nreturn False", found)
    for name, (condition, found) in REFUSED_CONDITIONS.items()
}


def found_in(load: Callable[[str], ModuleType], text: str) -> list[LintFinding]:
    return check_checker(Source.of(load(text).is_eligible), THRESHOLDS)


def test_a_checker_with_every_allowed_form_passes(load: Callable[[str], ModuleType]) -> None:
    assert found_in(load, CHECKER.format(body=body_of(CLEAN))) == []


@pytest.mark.parametrize("rule", REFUSED)
def test_a_violation_is_caught(rule: str, load: Callable[[str], ModuleType]) -> None:
    body, found = REFUSED[rule]
    problems = found_in(load, CHECKER.format(body=body_of(body)))
    assert any(found in problem.what for problem in problems), problems


def test_a_problem_says_where_what_and_what_to_write_instead(
    load: Callable[[str], ModuleType],
) -> None:
    text = CHECKER.format(body=body_of(REFUSED["and"][0]))
    (problem,) = found_in(load, text)
    assert text.splitlines()[problem.line - 1].strip().startswith("if household.ac and")
    assert str(problem) == (
        f"{problem.path}:{problem.line}: L13 `and`. "
        "Write one `if CONDITION:` line for each condition."
    )


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("thresholds: Thresholds", "thresholds: object", "the signature"),
        ("-> bool:", "-> int:", "the signature"),
        ("household: Household, thresholds", "thresholds", "the signature"),
        ('    """Return whether."""\n', "", "a function without docstring"),
        ('"""A program."""\n', "", "a file without docstring"),
        ("import Household, Thresholds", "import Household, Thresholds\nimport os", "`import os`"),
        ("import Household, Thresholds", "import Any, Household, Thresholds", "`from benyfits"),
        ("\n\ndef is_eligible", "\nLIMIT = 5\n\ndef is_eligible", "`LIMIT = 5` beside"),
    ],
)
def test_a_violation_in_the_rest_of_the_file_is_caught(
    old: str, new: str, found: str, load: Callable[[str], ModuleType]
) -> None:
    clean = CHECKER.format(body=body_of(CLEAN))
    assert old in clean
    problems = found_in(load, clean.replace(old, new, 1))
    assert any(found in problem.what for problem in problems), problems


@pytest.mark.parametrize(
    ("head", "body", "found"),
    [
        ("def size(household: Household) -> int:", "return 0", None),
        ("def old(member: Member) -> bool:", "return member.age > ADULT_AGE", None),
        ("def old(member: Member) -> bool:", "return not is_own_child(member)", None),
        ("def times(amount: int) -> int:", "return amount * COUPLE", None),
        ("def kin(member: Member) -> bool:", 'return member.sex in ("male", "female")', None),
        (
            "def kin(member: Member) -> bool:",
            'return member.sex not in ("boy",)',
            "'boy', which is",
        ),
        ("def kin(member: Member) -> bool:", "return member.age in (COUPLE,)", None),
        ("def kin(member: Member) -> bool:", "return member.disabled and member.age < 1", None),
        ("def kin(member: Member) -> bool:", "return member.disabled and member.age", "no flag"),
        ("def kin(member: Member) -> bool:", "return not (member.wep or member.arson)", "`or`"),
        (
            "def poor(member: Member) -> bool:",
            "if member.gpa is None or member.gpa < 1:\n    return True\nreturn member.gpa > 1",
            None,
        ),
        (
            "def poor(member: Member) -> bool:",
            "return member.gpa is not None and member.gpa < 1 and member.gpa > 0",
            None,
        ),
        (
            "def poor(member: Member) -> bool:",
            "return member.gpa is None and member.gpa < 1",
            "may be None",
        ),
        (
            "def poor(member: Member) -> bool:",
            "if member.gpa is None and member.wep:\n    return True\nreturn member.gpa > 1",
            "may be None",
        ),
        ("def old(member: Member) -> bool:", "return member.age > 18", "the literal 18"),
        ("def old(member: Member) -> bool:", "return member.age > HOME_MADE", "HOME_MADE"),
        ("def old(member: Member) -> bool:", "return member.age > ADULT_AGES", "ADULT_AGES"),
        ("def old(member: Member) -> bool:", "return", "`return` without value"),
        ("def old(member: Member) -> bool:", "return member.sex", "kept in a local"),
        ("def old(member: Member) -> bool:", "return member.gpa", "kept in a local"),
        ("def old(person: Member) -> bool:", "return True", "the signature"),
        ("def old(member: Member) -> str:", "return True", "the signature"),
        ("def old(*member: Member) -> bool:", "return True", "the signature"),
        (
            "def old(member: Member) -> bool:",
            "if member.age > thresholds.age:\n    return True\nreturn False",
            "a threshold",
        ),
    ],
)
def test_measures_follow_their_own_rules(
    head: str, body: str, found: str | None, load: Callable[[str], ModuleType]
) -> None:
    module = load(MEASURES.format(head=head, body=body_of(body)))
    name = head.split("(")[0].removeprefix("def ")
    problems = check_measure(Source.of(getattr(module, name)))
    assert bool(problems) is (found is not None), problems
    assert found is None or any(found in problem.what for problem in problems), problems


def test_a_constraint_may_not_read_a_third_argument(load: Callable[[str], ModuleType]) -> None:
    head = "def fits(household: Household, member: Member, amount: int) -> bool:"
    module = load(MEASURES.format(head=head, body=body_of("return True")))
    problems = check_constraint(Source.of(module.fits))
    assert [problem.what.split(" `")[0] for problem in problems] == ["the signature"]


def test_every_measure_is_in_the_language() -> None:
    functions = [
        function
        for function in vars(measures).values()
        if inspect.isfunction(function) and function.__module__ == measures.__name__
    ]
    assert functions
    assert [p for function in functions for p in check_measure(Source.of(function))] == []


def test_every_constraint_and_helper_of_constraints_is_in_the_language() -> None:
    problems = [p for one in CONSTRAINTS.values() for p in check_constraint(Source.of(one.holds))]
    for topic in TOPICS:
        for name, function in vars(topic).items():
            is_own = inspect.isfunction(function) and function.__module__ == topic.__name__
            if is_own and name not in CONSTRAINTS:
                problems += check_measure(Source.of(function))
    assert problems == []
