"""The linter of programs: a sound folder passes, and every rule catches a planted fault."""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import benyfits_data.checkers
from benyfits_data.editions import Program, load_edition
from benyfits_data.editions.program import load_program
from benyfits_data.language.source import Source
from benyfits_data.lint.clause_rules import check_same_member
from benyfits_data.lint.program_folder import FILES, lint_program
from benyfits_data.lint.text_rules import literal_numbers
from benyfits_data.lint.threshold_comparisons import threshold_comparisons

REQUIREMENTS = """+++
name = "SampleGrant"
title = "Sample Grant"
agency = "Department of Samples"
level = "city"
category = "Education"
unit = "person"
+++
The grant helps students in year {{ edition }} ({{ office_rooms }} offices). All of these must hold:

1. The household lives in New York City (Section 8 tenants too).
2. At least one member is at least {{ min_age }} years old and has one of these:
   a. a GPA of {{ min_gpa }} or more,
   b. a disability.
3. The household's yearly income is no more than

{{ income_limit | table }}

Clauses 2a and 2b concern the same member.
"""
CHECKER = '''"""Sample Grant."""

from benyfits_data.checkers.types import Household, Thresholds
from benyfits_data.household.measures import household_income, household_size


def is_eligible(household: Household, thresholds: Thresholds) -> bool:
    """Return whether a good or disabled student lives on a low income."""
    if household.place_of_residence != "New York City":  # clause 1
        return False
    limit = thresholds.income_limit[household_size(household)]
    if household_income(household) > limit:  # clause 3
        return False
    for member in household.members:
        if member.age < thresholds.min_age:  # clause 2
            continue
        if member.disabled:  # clause 2b
            return True
        if member.gpa is None:  # clause 2a
            continue
        if member.gpa >= thresholds.min_gpa:  # clause 2a
            return True
    return False
'''
THRESHOLDS = """[min_age]
unit = "years"

2024 = 16

[min_gpa]
unit = "GPA"

[min_gpa.2024]
value = 2.5
source = "a page"
verified = 2026-11-21

[income_limit]
unit = "dollars a year"

[income_limit.2024]
by_size = { 1 = 20000, 2 = 30000 }
each_additional = 10000
source = "a page"
verified = 2026-11-21

[office_rooms]
unit = "people"
only_in_text = "households cannot tell how many offices there are"

[office_rooms.2024]
value = 3
source = "a page"
verified = 2026-11-21
"""
EXAMPLES = """["at the income limit, disabled"]
answer = { eligible = true, clause = "3" }
below = { eligible = true, name = "below the income limit" }
above = { eligible = false, name = "over the income limit" }
members = [{ age = 30, disabled = true, annual_work_income = "= income_limit[1] + step" }]

[elsewhere]
answer = { eligible = false, clause = "1" }
place_of_residence = "New Jersey"
members = [{ age = 30 }]

["too young"]
answer = { eligible = false, clause = "2" }
members = [{ age = 40, gpa = 2.4 }, { relation = "child", age = "= min_age - 1", disabled = true }]

["old enough"]
answer = { eligible = true, clause = "2b" }
members = [{ age = 40 }, { relation = "child", age = "= min_age", disabled = true }]

["older by a year, at the grade"]
answer = { eligible = true, clause = "2a" }
members = [{ age = 40 }, { relation = "child", age = "= min_age + 1", gpa = "= min_gpa" }]

["a better grade"]
answer = { eligible = true, clause = "2a" }
members = [{ age = 40, gpa = "= min_gpa + 0.1" }]
"""
SOURCES = """[2024]
list = "a page"
read = 2026-11-21
places = { "1, 2, 3" = "the only paragraph" }

[2026]
same_as = 2024
"""
PLAIN = "You may get it from {{ min_age }} years on.\n"
FOLDER = dict(
    zip(FILES, (REQUIREMENTS, CHECKER, THRESHOLDS, EXAMPLES, SOURCES, PLAIN), strict=True)
)

MakeFolder = Callable[..., Program]


@pytest.fixture
def make_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[MakeFolder]:
    """Write the sample folder with some text replaced and return its program."""
    name = f"sample_{abs(hash(request.node.nodeid))}"
    monkeypatch.setattr(
        benyfits_data.checkers, "__path__", [*benyfits_data.checkers.__path__, str(tmp_path)]
    )

    def make(file: str = "", old: str = "", new: str = "") -> Program:
        folder = tmp_path / name
        folder.mkdir()
        for path, text in FOLDER.items():
            assert file != path or old in text
            (folder / path).write_text(text.replace(old, new, 1) if file == path else text)
        return load_program(folder, 2024)

    yield make
    for module in [module for module in sys.modules if name in module]:
        del sys.modules[module]
    shutil.rmtree(tmp_path / name, ignore_errors=True)


def test_a_sound_program_has_no_problem(make_folder: MakeFolder) -> None:
    assert lint_program(make_folder()) == []


PLANTED = {
    "crossed range": (
        "thresholds.toml",
        "[min_gpa]",
        '[max_age]\nunit = "years"\n2024 = 15\n\n[min_gpa]',
        "min_age, 16, is above max_age, 15",
    ),
    "no value": (
        "thresholds.toml",
        "[min_age]",
        '[max_age]\nunit = "years"\n[min_age]',
        "max_age has no value",
    ),
    "two examples of one name": (
        "examples.toml",
        "below the income limit",
        "over the income limit",
        "two examples named",
    ),
    "clause without a line": (
        "requirements.md",
        "3. The household's",
        "3. The sun shines.\n4. The household's",
        "no line decides clause 4",
    ),
    "line without a clause of the text": (
        "checker.py",
        "# clause 1",
        "# clause 9",
        "clause 9, which the text does not have",
    ),
    "clauses numbered anew": ("requirements.md", "3. The", "1. The", "clauses numbered [1, 2, 1]"),
    "no clauses": ("requirements.md", "1. The", "The", "clauses numbered [2, 3]"),
    "language": ("checker.py", "member.disabled:", "member.disabled or member.bedridden:", "`or`"),
    "number in the text": ("requirements.md", "{{ min_age }}", "{{ min_age }} (16)", "number 16"),
    "threshold not in the text": (
        "requirements.md",
        "{{ min_gpa }}",
        "the best",
        "threshold min_gpa is not in the text",
    ),
    "threshold not in the checker": (
        "checker.py",
        "member.age < thresholds.min_age",
        "member.age < 1",
        "threshold min_age is not read by checker.py",
    ),
    "threshold in the text only, but read": (
        "checker.py",
        "thresholds.min_age",
        "thresholds.office_rooms",
        "claims to stand in the text only",
    ),
    "unknown threshold": (
        "checker.py",
        "thresholds.min_age",
        "thresholds.max_age",
        "thresholds.max_age, which thresholds.toml lacks in edition 2024",
    ),
    "table without a size": (
        "checker.py",
        "thresholds.income_limit[household_size(household)]",
        "thresholds.income_limit",
        "income_limit read without a size",
    ),
    "number with a size": (
        "checker.py",
        "thresholds.min_age:",
        "thresholds.min_age[household_size(household)]:",
        "min_age read with a size",
    ),
    "unknown unit": ("thresholds.toml", '"years"', '"moons"', "the unit 'moons'"),
    "empty source": ("thresholds.toml", '"a page"', '""', "min_gpa.2024 has no source"),
    "date in quotes": (
        "thresholds.toml",
        "verified = 2026-11-21",
        'verified = "today"',
        "min_gpa.2024 has no date verified",
    ),
    "half a year": ("thresholds.toml", "2024 = 16", "2024 = 16.5", "min_age is 16.5"),
    "falling table": ("thresholds.toml", "2 = 30000", "2 = 3000", "falls from 20,000 for size 1"),
    "age out of range": ("thresholds.toml", "2024 = 16", "2024 = 160", "outside 0 to 120"),
    "negative addition": ("thresholds.toml", "= 10000", "= -1", "negative each_additional"),
    "short table": ("thresholds.toml", "each_additional = 10000\n", "", "stops at size 2"),
    "table in years": ("thresholds.toml", '"dollars a year"', '"years"', "table by size in years"),
    "unknown fact": ("examples.toml", "place_of", "clause = 1\nplace_of", "'clause' is no"),
    "false example": (
        "examples.toml",
        "eligible = true",
        "eligible = false",
        "is eligible by line",
    ),
    "impossible example": ("examples.toml", "age = 30,", "age = 3,", "is at least 16 years old"),
    "unknown feature": ("examples.toml", "age = 30,", "wings = 2,", "'wings' is not a member"),
    "example with a clause not asked": (
        "examples.toml",
        'clause = "1"',
        'clause = "2b"',
        "names clause 2b, but the answer hangs on 1",
    ),
    "example without its failure": (
        "examples.toml",
        ', clause = "3"',
        "",
        "no ineligible example names clause 3",
    ),
    "two tables of one name": ("examples.toml", "[elsewhere]", '["too young"]', "not valid TOML"),
    "nothing just below": (
        "examples.toml",
        'below = { eligible = true, name = "below the income limit" }\n',
        "",
        "`household_income(household) > limit` (line 12 of checker.py) just below",
    ),
    "nothing exactly at": (
        "examples.toml",
        '"= min_gpa"',
        '"= min_gpa + 0.1"',
        "`member.gpa >= thresholds.min_gpa` (line 21 of checker.py) exactly at",
    ),
    "a line no example runs": (
        "checker.py",
        "        if member.gpa is None",
        "        if member.bedridden:  # clause 2\n            return True\n"
        "        if member.gpa is None",
        "runs line 20 of checker.py: `return True`",
    ),
    "a checker that cannot be imported": (
        "checker.py",
        "(household) >",
        "(household >",
        "imported",
    ),
    "broken template": ("requirements.md", "{{ min_age }}", "{{ min_age", "cannot be rendered"),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_caught(fault: str, make_folder: MakeFolder) -> None:
    file, old, new, found = PLANTED[fault]
    problems = lint_program(make_folder(file, old, new))
    assert any(found in problem.what for problem in problems), problems


@pytest.mark.parametrize("file", ["checker.py", "thresholds.toml", "examples.toml"])
def test_a_missing_file_is_caught(file: str, make_folder: MakeFolder) -> None:
    program = make_folder()
    (program.folder / file).unlink()
    assert [problem.path.name for problem in lint_program(program)] == [file]


def test_a_threshold_may_say_why_nobody_stands_beside_it(make_folder: MakeFolder) -> None:
    program = make_folder("examples.toml", "min_gpa + 0.1", "min_gpa + 0.2")
    path = program.folder / "thresholds.toml"
    path.write_text(path.read_text().replace('"GPA"', '"GPA"\nunseen = "grades skip a tenth"'))
    assert lint_program(load_program(program.folder, 2024)) == []


def test_a_problem_names_the_line_of_the_example(make_folder: MakeFolder) -> None:
    (problem,) = (
        one
        for one in lint_program(make_folder("examples.toml", 'clause = "1"', 'clause = "8"'))
        if "clause 8" in one.what
    )
    assert EXAMPLES.splitlines()[problem.line - 1] == "[elsewhere]"


@pytest.mark.parametrize(
    "text",
    [
        "Clause 3 and clauses 1, 2a and 2b apply.",
        "COVID-19, form DD-214, 3-K, K-12 and 9/11.",
        "Section 8, Section 213, Local Law 11, Form 1040.",
        "1. First\n2. Second\n   a. part",
        "the 2015-16 STAR exemption",
        "{{ amount | dollars }} {# 5 #}{% if edition > 2024 %}x{% endif %}",
    ],
)
def test_names_and_references_are_no_literal_numbers(text: str) -> None:
    assert list(literal_numbers(text)) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("at least 18 years", [(1, "18")]),
        ("up to $1,234.50.", [(1, "$1,234.50")]),
        ("a\nb 30% c", [(2, "30%")]),
        ("before January 20, 2020", [(1, "20"), (1, "2020")]),
        ("sixty-two or older", [(1, "sixty")]),
        ("the 8th grade, {{ a }} or 9", [(1, "8th"), (1, "9")]),
    ],
)
def test_literal_numbers_are_found_with_their_lines(
    text: str, numbers: list[tuple[int, str]]
) -> None:
    assert list(literal_numbers(text)) == numbers


def test_a_side_outside_the_domain_is_not_asked_for(make_folder: MakeFolder) -> None:
    program = make_folder("thresholds.toml", "value = 2.5", "value = 4.0")
    by_text = {
        comparison.text: comparison
        for comparison in threshold_comparisons(Source.of(program.checker), program.thresholds)
    }
    gpa = by_text["member.gpa >= thresholds.min_gpa"]
    assert [gpa.is_possible(side) for side in (-1, 0, 1)] == [True, True, False]


@pytest.mark.parametrize("listed", ["clauses 2 and 3", "clauses 1 to 4", "all but clause 2"])
def test_clauses_of_one_and_the_same_member_are_those_of_one_loop(
    listed: str, tmp_path: Path
) -> None:
    program = load_edition(2024)["NYCNurseFamilyPartnership"]
    source = Source.of(program.checker)
    assert not list(check_same_member(program, source))
    text = program.requirements_path.read_text(encoding="utf-8")
    named = 'clauses {{ "2 and 3" if any_pregnancy_qualifies else "2 to 4" }} for'
    assert named in text
    text = text.replace(named, f"{listed} for")
    (tmp_path / program.requirements_path.name).write_text(text, encoding="utf-8")
    shutil.copy(program.folder / "thresholds.toml", tmp_path)
    (finding,) = check_same_member(replace(program, folder=tmp_path), source)
    assert finding.code == "C05"
