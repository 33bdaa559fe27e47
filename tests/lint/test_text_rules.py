"""The linter of sources, plain texts and readings: every rule catches a planted fault."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from benyfits_data.editions.program import load_program
from benyfits_data.lint.program_folder import lint_folder
from benyfits_data.lint.text_rules import check_sources

SOURCES = """[2024]
list = "NYC Benefits and Programs (kvhd-5fmu), edition 2024"
program_id = "P013"
places.1 = { place = "paragraph 2 and its table", phrase = "based primarily on annual income" }
places.2 = { place = "42 USC 1436a", source = "Federal law on housing assistance" }
omission = [
    { type = "about the process", place = "paragraph 3", says = "The waiting list may be closed." },
]

[2026]
same_as = 2024
list = "NYC Benefits and Programs (kvhd-5fmu), edition 2024"
copy = "a copy kept by somebody else"
read = 2026-08-16
unchanged = true
omission = [
    { type = "about the process", place = "paragraph 4", says = "The waiting list is closed." },
]
"""
PLAIN = """A voucher helps you pay the rent of a private apartment. What counts is your household's
income and its size. Your yearly income may be at most:

{{ income_limit | table }}
"""


@pytest.fixture
def complete(folder: Path) -> Path:
    (folder / "sources.toml").write_text(SOURCES, encoding="utf-8")
    (folder / "plain.md").write_text(PLAIN, encoding="utf-8")
    return folder


def test_a_sound_folder_has_no_problem(complete: Path) -> None:
    assert lint_folder(complete) == []


PLANTED = {
    "an option that says nothing": (
        "readings.toml",
        "Housing does not matter.",
        "housing",
        "option yes says no sentence",
    ),
    "a switch that decides nothing": (
        "checker.py",
        "if thresholds.leaves_out_assisted_homes:",
        "if household.has_ssn:",
        "the checker does not read leaves_out_assisted_homes",
    ),
    "a switch that is not tested alone": (
        "checker.py",
        "    if thresholds.leaves_out_assisted_homes:",
        "    rule = thresholds.leaves_out_assisted_homes\n    if rule:  # clause 1",
        "the checker does not test leaves_out_assisted_homes alone",
    ),
    "a number that nobody reads": (
        "readings.toml",
        "adult_age = 18",
        "adult_age = 18, grown_up_age = 21",
        "the checker does not read grown_up_age",
    ),
    "a number in force that no source states": (
        "checker.py",
        "    if thresholds.asks_adult_applicant:",
        "    if household.applicant.age < thresholds.adult_age:  # clause 1\n        return False\n"
        "    if thresholds.asks_adult_applicant:",
        "the checker in force reads adult_age, which no source states",
    ),
    "an option that is the one in force": (
        "readings.toml",
        "set = { asks_adult_applicant = true, adult_age = 18 }",
        "set = { asks_adult_applicant = false }",
        "option adult-applicant runs the same lines with the same values",
    ),
    "an option outside the language": (
        "checker.py",
        'if household.housing_type == "Section 8":',
        'if "Section 8" in household.housing_type:',
        "option no: line",
    ),
    "an option that cannot be run": (
        "checker.py",
        'household.housing_type == "Section 8"',
        'household.housing == "Section 8"',
        "option no cannot be run",
    ),
    "a question that asks nothing": (
        "readings.toml",
        "still qualify?",
        "still qualify",
        "the question ends without a question mark",
    ),
    "a malformed file": ("readings.toml", "scored = false", "score = false", "Did you mean"),
    "a gap": ("readings.toml", "Housing does", "FILL IN: what. Housing does", "to fill in: what"),
    "a value of no day": ("sources.toml", "edition 2024", "edition 2025", ".2024 lacks verified"),
    "a place by number": ("sources.toml", "= { place", "= 2 # { place", "expected a table"),
    "an unknown key": ("sources.toml", "program_id", "program", "Did you mean program_id?"),
    "an unknown type": ("sources.toml", '"about the process"', '"the process"', "Did you mean"),
    "no edition": ("sources.toml", "[2026]\n", "[old]\n", "is no edition"),
    "another year that is not there": (
        "sources.toml",
        "= 2024\nlist",
        "= 2023\nlist",
        "not before",
    ),
    "a list of no edition": (
        "sources.toml",
        "[2026]\nsame_as = 2024\nlist",
        "[2027]\nnote",
        "lacks",
    ),
    "a value of no text": (
        "sources.toml",
        "2024",
        "2023",
        ".2024 lacks source, verified, and sources",
    ),
    "a clause that the text lacks": (
        "sources.toml",
        "places.1 = {",
        'places."1, 7" = {',
        "claims clause 7, which the text does not have",
    ),
    "a clause from nowhere": (
        "requirements.md",
        "2. At least one member",
        "2. The household is small.\n3. At least one member",
        "nothing says where clause 3 comes from",
    ),
    "an empty place": ("sources.toml", '"paragraph 3"', '" "', "a place is empty"),
    "an omission of nothing": (
        "sources.toml",
        "The waiting list may be closed.",
        "",
        "says nothing",
    ),
    "a number by hand": ("plain.md", "at most:", "at most $54,350:", "the number $54,350 stands"),
    "an unknown threshold": ("plain.md", "{{ income_limit |", "{{ income |", "no threshold"),
    "no number": ("plain.md", "{{ income_limit |", "{{ 1e999 |", "cannot be rendered"),
    "a front matter": ("plain.md", "A voucher", "+++\n+++\nA voucher", "a front matter"),
}


@pytest.mark.parametrize("fault", PLANTED)
@pytest.mark.usefixtures("complete")
def test_a_planted_fault_is_found(
    lint_changed: Callable[[str, str, str], list[str]], fault: str
) -> None:
    file, old, new, says = PLANTED[fault]
    found = lint_changed(file, old, new)
    assert any(says in problem for problem in found), found


def test_an_edition_without_a_source_is_found(
    complete: Path, lint_changed: Callable[[str, str, str], list[str]]
) -> None:
    path = complete / "thresholds.toml"
    head = "[income_limit.2026]\n"
    evidence = 'source = "a page"\nverified = 2026-11-21\n'
    path.write_text(path.read_text(encoding="utf-8").replace(head, head + evidence))
    found = lint_changed("sources.toml", "2026", "2027")
    assert any("no source of edition 2026" in problem for problem in found), found


def test_days_after_today_are_refused(complete: Path) -> None:
    assert lint_folder(complete, date(2026, 11, 28)) == []
    findings = [str(finding) for finding in lint_folder(complete, date(2026, 8, 15))]
    assert any("the text of 2026 was read on 2026-08-16, after today" in it for it in findings)
    assert any("income_limit.2026 was verified on" in it for it in findings)


def test_an_unchanged_text_says_on_which_day_it_was_read(complete: Path) -> None:
    path = complete / "sources.toml"
    path.write_text(SOURCES.replace("read = 2026-08-16\n", ""), encoding="utf-8")
    values = (complete / "thresholds.toml").read_text(encoding="utf-8")
    dated = values.replace("year = 2026", "year = 2026\nverified = 2026-11-21")
    (complete / "thresholds.toml").write_text(dated, encoding="utf-8")
    findings = [str(finding) for finding in check_sources(load_program(complete, 2026))]
    assert any("S07 [2026] says that the text is unchanged" in it for it in findings)


def test_a_year_without_a_list_here_and_in_the_register_is_refused(complete: Path) -> None:
    path = complete / "sources.toml"
    path.write_text(f"{SOURCES}\n[2027]\nsame_as = 2026\n", encoding="utf-8")
    assert "[2027] lacks list" in str(lint_folder(complete)[0])
